# Both need nothing but Python 3.11 or newer, git and make; the environment is made in .venv.
PYTHON ?= python3
VENV := .venv
RUNNABLE := $(VENV)/.runnable
STAMP := $(VENV)/.installed
TIMED := build/timed
TRY_DIR ?= orbit-try

.PHONY: try test soak test-hosts check docs bench bench-full bench-sync bench-relevance clean

# What orbit itself needs; the tools to change and test it come on top.
$(RUNNABLE): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	touch $(RUNNABLE)

$(STAMP): $(RUNNABLE)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $(STAMP)

# The whole loop on two small repositories that it makes in $(TRY_DIR).
try: $(RUNNABLE)
	$(VENV)/bin/orbit try $(TRY_DIR) --run

# Style, types, the house rules, and the whole test suite.
test: $(STAMP) check
	$(VENV)/bin/pytest -q -n auto
	@echo "The agent hosts' real clients are tested by 'make test-hosts'."

# The agent hosts' real clients against a stub of the model on 127.0.0.1. Needs npm; installs the clients, 2 GB, into
# ORBIT_TEST_HOSTS (~/.cache/orbit-test-hosts). HOST='claude or codex' for some of them. Half an hour for all.
test-hosts: $(STAMP)
	$(VENV)/bin/python tests_hosts/install.py
	$(VENV)/bin/pytest -q tests_hosts $(if $(HOST),-k "$(HOST)")

# The long forms of the tests under load, faults and bad input (an hour). ORBIT_SEED=N draws the same again.
soak: $(STAMP)
	ORBIT_SOAK=1 $(VENV)/bin/pytest -v -n auto --dist worksteal --durations=30 tests/reliability tests/test_killed.py \
	    tests/test_concurrency.py tests/test_prune_killed.py tests/test_prune_together.py

check: $(STAMP)
	$(VENV)/bin/ruff check src tests tests_hosts benchmarks docs
	$(VENV)/bin/ruff format --check src tests tests_hosts benchmarks docs
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

# The pages that are made from the source, then the site; a broken link fails.
docs: $(STAMP)
	$(VENV)/bin/python docs/generate_warnings.py
	$(VENV)/bin/python docs/generate_commands.py
	$(VENV)/bin/python docs/generate_recording.py
	$(VENV)/bin/mkdocs build --strict
	@echo "the site is in build/site"

# Every speed figure on pools up to 1,000 clones, by a compiled install in an environment of its own (two minutes).
bench: $(TIMED)
	$(VENV)/bin/python benchmarks/speed.py --orbit $(TIMED)/bin/orbit

# The same with more rounds and up to 10,000 clones (half an hour).
bench-full: $(TIMED)
	$(VENV)/bin/python benchmarks/speed.py --full --orbit $(TIMED)/bin/orbit --json build/speed.json

# Always made anew: what is timed is what stands here.
.PHONY: $(TIMED)
$(TIMED): $(STAMP)
	mkdir -p build
	$(PYTHON) -m venv --clear $(TIMED)
	$(TIMED)/bin/python -m pip install --quiet --disable-pip-version-check .
	$(TIMED)/bin/python -m compileall -q $(TIMED)/lib

# How many of the repositories that a task needs the ranking names, against the alphabet and substring search.
bench-relevance: $(STAMP)
	$(VENV)/bin/python benchmarks/relevance.py

# 50 clones synced side by side and one after another, from servers that delay each connection (two minutes).
bench-sync: $(STAMP)
	$(VENV)/bin/python benchmarks/sync.py

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

# Both need nothing but Python 3.11 or newer, git and make; the environment is made in .venv.
PYTHON ?= python3
VENV := .venv
STAMP := $(VENV)/.installed
TRY_DIR ?= orbit-try

.PHONY: try test test-hosts check docs bench bench-sync bench-relevance clean

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $(STAMP)

# The whole loop on two small repositories that it makes in $(TRY_DIR).
try: $(STAMP)
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
	$(VENV)/bin/mkdocs build --quiet --strict
	@echo "the site is in build/site"

# The roster, and the hooks of agent hosts, on a pool of 1,000 clones against a bare interpreter.
bench: $(STAMP)
	$(VENV)/bin/python benchmarks/roster.py
	$(VENV)/bin/python benchmarks/hook.py

# How many of the repositories that a task needs the ranking names, against the alphabet and substring search.
bench-relevance: $(STAMP)
	$(VENV)/bin/python benchmarks/relevance.py

# 50 clones synced side by side and one after another, from servers that delay each connection (two minutes).
bench-sync: $(STAMP)
	$(VENV)/bin/python benchmarks/sync.py

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

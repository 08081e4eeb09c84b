"""What the hot commands load, in a real process: the standard library is what start-up costs.

Contract: quality.md, Speed and scale, Imports.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import orbit
from cards import card
from world import World

_SOURCE = str(Path(orbit.__file__).parents[1])

# Without site-packages, so that nothing which an environment loads for itself hides a newcomer; `os` and `site` are
# what a bare `python -c pass` has loaded.
_LISTING = """
import os, site, sys
bare = set(sys.modules)
listed = os.dup(2)
sys.path.insert(0, sys.argv.pop(1))
from orbit.cli.main import main
status = main()
os.write(listed, ("\\n" + " ".join(sorted(set(sys.modules) - bare))).encode())
sys.exit(status)
"""

# What a hot command may load besides orbit's own modules, and why.
_ALWAYS = {"__future__", "gc"}  # built in
_FILES = {"errno"}  # they may be gone
_LOCK = {"fcntl"}
_ROUND = {"_functools", "itertools"}  # built in
_SHA = {"_sha1"}  # the revision of a card
_WAIT = {"select"}  # several git processes side by side
_CACHE = {  # distances of stale cards: the C half of sqlite3 and what it brings
    *("_sqlite3", "functools", "types", "collections", "_collections", "keyword", "operator", "_operator", "reprlib"),
}
_JSON = {"_json"}  # its C half, without `re`
_HOT = {
    "version": set[str](),
    "jot backend text": _FILES | _LOCK,
    "jot backend --list": _FILES,
    "context": _FILES | _LOCK | _ROUND,
    "context goal": _FILES,
    "context path": _FILES,
    "context --startup": _FILES | _LOCK | _ROUND,
    "info backend": _FILES | _LOCK | _ROUND | _SHA,
    "repos": _FILES | _ROUND | _SHA,
    "status": _FILES | _ROUND | _WAIT,
    "hook pre-tool --host claude": _FILES | _ROUND | _WAIT | _JSON,
    "hook session-start --host opencode": _FILES | _LOCK | _ROUND | _WAIT | _SHA | _JSON,
    "hook session-start --host claude": _FILES | _LOCK | _ROUND | _WAIT | _SHA | _JSON,
    "hook prompt --host claude": _FILES | _LOCK | _ROUND | _WAIT | _SHA | _JSON,
    "complete zsh some:repo b": _FILES,
    "complete zsh one:branch m": _FILES,
    "complete zsh optional:config-key m": set[str](),
}
# What an agent's host says to a hook.
_SAID = json.dumps(
    {"session_id": "one", "source": "startup", "tool_name": "Bash", "tool_input": {"command": "orbit repos"}}
)
_STALE = {"context", "context --startup", "info backend", "repos"}


@pytest.fixture
def workspace(world: World) -> Path:
    """One workspace, one repository with a fresh card, one waiting jot."""
    world.clone()
    path = world.workspace()
    world.worktree()
    assert world.orbit("memo", "backend", stdin=card()).code == 0
    assert world.orbit("jot", "backend", "a discovery", cwd=path).code == 0
    return path


def run(words: str, cwd: Path, **env: str) -> tuple[subprocess.CompletedProcess[str], set[str]]:
    """The finished call and the modules it loaded that are not orbit's."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _LISTING, _SOURCE, *words.split()],
        cwd=cwd,
        env={**os.environ, **env},
        input=_SAID if words.startswith("hook ") else "",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    loaded = done.stderr.rpartition("\n")[2].split()
    assert "__future__" in loaded, done.stderr
    return done, {name for name in loaded if name.partition(".")[0] != "orbit"}


@pytest.mark.parametrize("words", _HOT)
def test_a_hot_command_loads_no_newcomer(workspace: Path, words: str) -> None:
    done, loaded = run(words, workspace)
    assert done.returncode == 0, done.stderr
    assert loaded - _ALWAYS - _HOT[words] == set()


@pytest.mark.parametrize("words", sorted(_STALE))
def test_a_stale_card_loads_the_cache_and_no_more(world: World, workspace: Path, words: str) -> None:
    world.git(world.pool / "backend", "commit", "-q", "--allow-empty", "-m", "Change")
    assert world.orbit(*words.split(), cwd=workspace).code == 0
    done, loaded = run(words, workspace, PATH="/nowhere")
    assert (done.returncode, "git is not on PATH" in done.stderr) == (0, False), done.stderr
    assert loaded - _ALWAYS - _HOT[words] - _CACHE == set()


@pytest.mark.parametrize("goal", ["", "orders are lost"])
def test_the_cold_start_block_loads_the_cache_only_to_rank(world: World, goal: str) -> None:
    world.clone()
    world.orbit("memo", "backend", stdin=card())
    path = world.workspace()
    if goal:
        world.orbit("goal", goal, cwd=path)
    for _ in range(2):
        done, loaded = run("context --startup", path, PATH="/nowhere")
        assert done.returncode == 0, done.stderr
    assert ("_sqlite3" in loaded) == bool(goal)
    assert loaded - _ALWAYS - _FILES - _LOCK - _ROUND - _SHA - (_CACHE if goal else set()) == set()


@pytest.mark.parametrize("words", ["repos", "info backend", "context", "status"])
def test_json_loads_json_and_no_more(workspace: Path, words: str) -> None:
    done, loaded = run(f"{words} --json", workspace)
    assert json.loads(done.stdout)
    assert loaded - _ALWAYS - _HOT[words] - _JSON == set()


@pytest.mark.parametrize("words", [words for words in _HOT if words != "status"])
def test_no_git_where_files_answer(workspace: Path, words: str) -> None:
    done, _ = run(words, workspace, PATH="/nowhere")
    assert (done.returncode, "git is not on PATH" in done.stderr) == (0, False), done.stderr


def test_help_needs_no_project_and_no_git(tmp_path: Path) -> None:
    for words in ("help", "", "repos --help"):
        done, _ = run(words, tmp_path, PATH="/nowhere")
        assert done.returncode == 0
        assert done.stdout.startswith(("orbit ", "usage: orbit "))

"""`orbit config`: what is printed, what is refused, and what else in the file stays as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from orbit.store.settings import KEYS
from world import Outcome, World, run_git


@pytest.fixture
def index(world: World) -> Path:
    return world.pool / ".orbit"


def default(key: str) -> str:
    return f"orbit: {key}: (default)\n"


NOTHING = Outcome(0, "", "orbit: config: nothing is set, every key (orbit config --help) has its default\n")


def test_nothing_is_set(world: World, index: Path) -> None:
    assert world.orbit("config") == NOTHING
    assert not index.exists()


@pytest.mark.parametrize("key", [key.name for key in KEYS])
def test_every_default(world: World, index: Path, key: str) -> None:
    defaults = {known.name: known.default for known in KEYS}
    shown = {"jot.bufferSize": "4"}.get(key, defaults[key])
    assert world.orbit("config", key) == Outcome(0, f"{shown}\n" if shown else "", default(key))
    assert not index.exists()


GOOD = [
    ("memo.minLines", "1"),
    ("memo.maxLines", "400"),
    ("memo.maxBytes", "100"),
    ("jot.bufferSize", "9"),
    ("explore.paths", ".:1,src:2"),
    ("branch.prefix", "caf\xe9"),
    ("git.fetchAllBranches", "once"),
    ("git.fetchPrune", "never"),
    ("git.pushUpstreamByDefault", "always"),
    ("agent.recommend", 'claude "do it"; # now'),
    ("context.rosterLimit", "10"),
    ("context.maxBytes", "5000"),
    ("prune.keepDays", "1"),
]


@pytest.mark.parametrize(("key", "value"), GOOD)
def test_written_read_and_unset(world: World, index: Path, key: str, value: str) -> None:
    assert world.orbit("config", key, value) == Outcome(0, f"{key}={value}\n", "")
    assert run_git(world.pool, "config", "--file", str(index), key) == value
    assert world.orbit("config", key) == Outcome(0, f"{value}\n", "")
    assert world.orbit("config") == Outcome(0, f"{key}={value}\n", "")
    assert world.orbit("config", key.upper(), "--unset") == Outcome(0, "", "")
    assert world.orbit("config", "--unset", key) == Outcome(0, "", "")
    assert world.orbit("config") == NOTHING
    assert index.read_text() == ""


def test_keys_compare_without_case(world: World, index: Path) -> None:
    assert world.orbit("config", "MEMO.MAXLINES", "20") == Outcome(0, "memo.maxLines=20\n", "")
    assert index.read_text() == "[memo]\n\tmaxLines = 20\n"
    assert world.orbit("config", "memo.maxlines").out == "20\n"


def test_the_rest_of_the_file_stays(world: World, index: Path) -> None:
    text = '# ours\n[repos "backend"]\n\turl = u\n[team]\n\tkey = 1\n[memo]\n\tmaxlines = 20 # why\n\tother = 2\n'
    index.write_text(text)
    assert world.orbit("config", "memo.maxLines", "30").code == 0
    assert index.read_text() == text.replace("= 20", "= 30")
    assert world.orbit("config") == Outcome(0, "memo.maxLines=30\n", "")
    assert world.orbit("config", "memo.maxLines", "--unset").code == 0
    assert index.read_text() == text.replace("\tmaxlines = 20 # why\n", "")


def test_from_anywhere_in_the_project(world: World) -> None:
    world.clone()
    world.workspace()
    tree = world.worktree()
    assert world.orbit("config", "memo.maxLines", "20", cwd=tree / "src").code == 0
    assert world.orbit("config", "memo.maxLines", cwd=world.pool / "backend").out == "20\n"


def test_outside_a_project(world: World) -> None:
    done = world.orbit("config", cwd=world.base)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("orbit: project: not in an orbit project")


POSITIVE = "must be a positive decimal integer"
MANAGED = "must be always, once or never"


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("memo.maxLines", "0", POSITIVE),
        ("memo.maxLines", "-5", POSITIVE),
        ("memo.maxLines", "+5", POSITIVE),
        ("memo.maxLines", "5.0", POSITIVE),
        ("memo.maxLines", "0x10", POSITIVE),
        ("memo.maxLines", " 5", POSITIVE),
        ("memo.maxLines", "\N{ARABIC-INDIC DIGIT FIVE}", POSITIVE),
        ("memo.maxLines", "9" * 5000, POSITIVE),
        ("memo.maxBytes", "", POSITIVE),
        ("jot.bufferSize", "many", POSITIVE),
        ("prune.keepDays", "30d", POSITIVE),
        ("explore.paths", "", "must be a comma list of path:depth, such as .:1,src:2"),
        ("explore.paths", "../up:1", "must be a comma list of path:depth, such as .:1,src:2"),
        ("branch.prefix", "a/b", "must be one segment of a git ref"),
        ("branch.prefix", "a..b", "must be one segment of a git ref"),
        ("branch.prefix", "", "must be one segment of a git ref"),
        ("git.fetchPrune", "Always", MANAGED),
        ("git.fetchAllBranches", "", MANAGED),
        ("agent.recommend", " ", "cannot be empty, use --unset"),
    ],
)
def test_a_value_against_the_rule(world: World, index: Path, key: str, value: str, problem: str) -> None:
    assert world.orbit("config", key, value) == Outcome(1, "", f"orbit: config: {key} {problem}\n")
    assert not index.exists()


@pytest.mark.parametrize(
    ("key", "value", "low", "high"), [("memo.minLines", "17", 17, 16), ("memo.maxLines", "3", 4, 3)]
)
def test_limits_that_contradict_each_other(
    world: World, index: Path, key: str, value: str, low: int, high: int
) -> None:
    err = f"orbit: config: memo.minLines ({low}) cannot be above memo.maxLines ({high})\n"
    assert world.orbit("config", key, value) == Outcome(1, "", err)
    assert not index.exists()


def test_stored_limits_that_contradict_each_other_can_be_put_right(world: World, index: Path) -> None:
    index.write_text("[memo]\n\tminLines = 20\n")
    asked = world.orbit("config", "memo.maxLines")
    assert (asked.code, asked.out) == (0, "16\n")
    assert asked.err.startswith("orbit: config: memo.minLines = 20 is not valid, using 4")
    assert world.orbit("config", "memo.maxLines", "19").code == 1
    assert world.orbit("config", "memo.maxLines", "30") == Outcome(0, "memo.maxLines=30\n", "")
    assert world.orbit("config") == Outcome(0, "memo.minLines=20\nmemo.maxLines=30\n", "")


@pytest.mark.parametrize("verb", [[], ["x"], ["--unset"]])
@pytest.mark.parametrize(
    ("key", "err"),
    [
        (
            "repos.backend.url",
            "orbit: config: repos.* is the index, not a setting\norbit: config: orbit memo repairs it\n",
        ),
        ("REPOS.x", "orbit: config: repos.* is the index, not a setting\norbit: config: orbit memo repairs it\n"),
        ("memo.maxline", "orbit: config: no such setting: memo.maxline\norbit: config: did you mean memo.maxLines?\n"),
        ("zzz", "orbit: config: no such setting: zzz\norbit: config: orbit config --help lists the keys\n"),
        ("", "orbit: config: no such setting: (empty)\norbit: config: orbit config --help lists the keys\n"),
        ("a\x1b[31mb", "orbit: config: no such setting: ab\norbit: config: orbit config --help lists the keys\n"),
    ],
)
def test_no_such_key(world: World, index: Path, key: str, err: str, verb: list[str]) -> None:
    index.write_text('[repos "backend"]\n\turl = u\n')
    assert world.orbit("config", key, *verb) == Outcome(1, "", err)
    assert index.read_text() == '[repos "backend"]\n\turl = u\n'


@pytest.mark.parametrize("args", [["--unset"], ["--unset", "memo.maxLines", "3"]])
def test_wrong_usage(world: World, args: list[str]) -> None:
    assert world.orbit("config", *args) == Outcome(2, "", "orbit: config: --unset takes a KEY and no value\n")


def test_too_many_words(world: World) -> None:
    done = world.orbit("config", "memo.maxLines", "3", "4")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("orbit: config: ")


def test_a_bad_stored_value_is_told_once_and_the_default_used(world: World, index: Path) -> None:
    index.write_text("[memo]\n\tmaxLines = lots\n\tminLines = 2\n")
    told = "orbit: config: memo.maxLines = lots is not valid, using 16: config memo.maxLines VALUE\n"
    assert world.orbit("config") == Outcome(0, "memo.minLines=2\nmemo.maxLines=16\n", told)
    assert world.orbit("config", "memo.maxLines") == Outcome(0, "16\n", told)
    assert world.orbit("config", "memo.minLines", "3") == Outcome(0, "memo.minLines=3\n", told)
    assert world.orbit("config", "memo.maxLines", "20") == Outcome(0, "memo.maxLines=20\n", "")


def test_a_value_that_would_steer_a_terminal_is_defused(world: World, index: Path) -> None:
    assert world.orbit("config", "agent.recommend", "a\x1b[31m\N{RIGHT-TO-LEFT OVERRIDE}b\nc").code == 0
    done = world.orbit("config", "agent.recommend")
    assert done == Outcome(0, "ab\nc\n", "")


def test_a_damaged_index_is_kept(world: World, index: Path) -> None:
    index.write_text("[memo\n")
    asked = world.orbit("config", "memo.maxLines")
    assert asked.code == 0
    assert asked.out == "16\n"
    assert asked.err.startswith("orbit: .repos/.orbit: cannot be used (line 1: ")
    assert asked.err.endswith(default("memo.maxLines"))
    assert index.read_text() == "[memo\n"
    done = world.orbit("config", "memo.maxLines", "20")
    (copy,) = world.pool.glob(".orbit.damaged-*")
    assert done == Outcome(
        0,
        "memo.maxLines=20\n",
        f"orbit: .repos/.orbit: cannot be used (damaged, begun anew), kept as .repos/{copy.name}\n",
    )
    assert copy.read_text() == "[memo\n"


def test_a_write_that_fails_changes_nothing(world: World, index: Path) -> None:
    index.write_text("[memo]\n\tmaxLines = 20\n")
    index.with_name(".orbit.new").mkdir()
    done = world.orbit("config", "memo.maxLines", "30")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"orbit: {index}: cannot be written: ")
    assert index.read_text() == "[memo]\n\tmaxLines = 20\n"


def test_the_prefix_stays_while_branches_carry_it(world: World, index: Path) -> None:
    world.clone("other")
    for name, count in (("backend", 2), ("frontend", 1)):
        clone = world.clone(name)
        for number in range(count):
            world.git(clone, "branch", "-q", f"ws/task-{number}/main")
    err = "orbit: config: branch.prefix cannot change while branches carry ws/ (backend: 2, frontend: 1)\n"
    assert world.orbit("config", "branch.prefix", "task") == Outcome(1, "", err)
    assert not index.exists()
    assert world.orbit("config", "branch.prefix", "ws").code == 0
    assert world.orbit("config", "branch.prefix", "--unset").code == 0
    for name in ("backend", "frontend"):
        for branch in world.git(world.pool / name, "branch", "--format=%(refname:short)", "--list", "ws/*").split():
            world.git(world.pool / name, "branch", "-q", "-D", branch)
    assert world.orbit("config", "branch.prefix", "task") == Outcome(0, "branch.prefix=task\n", "")
    world.git(world.pool / "backend", "branch", "-q", "task/a/main")
    done = world.orbit("config", "branch.prefix", "--unset")
    assert done.err == "orbit: config: branch.prefix cannot change while branches carry task/ (backend: 1)\n"
    assert index.read_text() == "[branch]\n\tprefix = task\n"


def test_the_prefix_stays_where_branches_cannot_be_listed(world: World, index: Path) -> None:
    clone = world.clone()
    (clone / ".git" / "config").write_text("[broken")
    done = world.orbit("config", "branch.prefix", "task")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("orbit: backend: listing its branches: bad config line ")
    assert not index.exists()

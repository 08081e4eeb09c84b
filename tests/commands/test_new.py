from __future__ import annotations

import os
import re
import shlex
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from editor import make_editor, make_writer
from orbit.places import Project
from orbit.workspace.metadata import Metadata, read_metadata
from world import Outcome, World, run_git


def made(world: World, name: str = "task-01", step: str = "") -> Outcome:
    """What a `new` that only made a workspace prints."""
    path = world.root / name
    out = f"workspace: {name}\npath: {path}\nnext: cd {shlex.quote(str(path))}{step}\n"
    return Outcome(0, out, "" if step else f"orbit: {name}: workspace ready: repos, then add REPO in it\n")


def goal_of(world: World, name: str = "task-01") -> str:
    return read_metadata(Project(str(world.root)), name).goal


def children(directory: Path) -> list[str]:
    return sorted(os.listdir(directory))


# --- the goal --------------------------------------------------------------------------------------------------------


def test_goal_as_argument(world: World) -> None:
    assert world.orbit("new", "let users reset") == made(world)
    assert goal_of(world) == "let users reset"
    created = run_git(world.root / "task-01", "config", "--file", ".orbit", "workspace.created")
    assert int(created) > 1_600_000_000


def test_goal_from_stdin(world: World) -> None:
    assert world.orbit("new", stdin="  first line  \r\nsecond\n\n") == made(world)
    assert goal_of(world) == "first line\nsecond"


def test_goal_from_the_editor_even_without_a_terminal(world: World, tmp_path: Path) -> None:
    assert world.orbit("new", stdin="not this", env=make_writer(tmp_path, "from the editor\n")) == made(world)
    assert goal_of(world) == "from the editor"


def test_an_argument_needs_no_editor(world: World, tmp_path: Path) -> None:
    assert world.orbit("new", "given", env=make_editor(tmp_path, "exit 1")) == made(world)


EMPTY = (
    "the goal is empty, nothing was changed\n"
    'orbit: new: give one: orbit new "GOAL", or make it without: orbit new --no-goal'
)


def test_without_a_goal(world: World) -> None:
    assert world.orbit("new", "--no-goal", stdin="not read") == made(world)
    assert goal_of(world) == ""


@pytest.mark.parametrize(
    ("words", "stdin", "said"),
    [
        ([""], None, EMPTY),
        (["  \n\t"], None, EMPTY),
        ([], None, EMPTY),
        ([], b" \r\n ", EMPTY),
        ([], b"nul\0", "goal refused, it contains NUL bytes"),
        ([], b"\xff\xfe", "goal refused, it is not UTF-8 (byte 0)"),
        ([], b"x" * 20_000, "the goal is too long, 20000 bytes (at most 16384)"),
    ],
)
def test_a_goal_that_is_none_makes_nothing(world: World, words: list[str], stdin: bytes | None, said: str) -> None:
    assert world.orbit("new", *words, stdin=stdin) == Outcome(1, "", f"orbit: new: {said}\n")
    assert children(world.root) == [".repos"]


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ('printf "\\n" > "$1"', f"orbit: new: {EMPTY}\n"),
        ("exit 3", "orbit: editor: {editor} ended with status 3, nothing was changed\n"),
    ],
)
def test_an_editor_that_gives_no_goal_makes_nothing(world: World, tmp_path: Path, script: str, said: str) -> None:
    env = make_editor(tmp_path, script)
    refused = world.orbit("new", env=env)
    assert refused == Outcome(1, "", said.format(editor=env["ORBIT_EDITOR"]))
    assert children(world.root) == [".repos"]


# --- the name --------------------------------------------------------------------------------------------------------


def test_names_count_up(world: World) -> None:
    assert world.orbit("new", "one").out.startswith("workspace: task-01\n")
    world.workspace("task-08")
    assert world.orbit("new", "two").out.startswith("workspace: task-09\n")
    assert world.orbit("new", "three", "--name", "mine").out.startswith("workspace: mine\n")
    assert world.orbit("new", "four").out.startswith("workspace: task-10\n")


BRANCH_CHARACTER = "git does not allow one of its characters in a branch"
BRANCH_NAME = "git does not allow this name in a branch"
DOT_OR_DASH = "a workspace name cannot begin with '.' or '-'"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "orbit: new: a workspace name cannot be empty"),
        (".", f"orbit: .: {DOT_OR_DASH}"),
        ("..", f"orbit: ..: {DOT_OR_DASH}"),
        (".repos", f"orbit: .repos: {DOT_OR_DASH}"),
        (".hidden", f"orbit: .hidden: {DOT_OR_DASH}"),
        ("a/b", "orbit: a/b: a workspace name is one path component, without '/'"),
        ("/abs", "orbit: /abs: a workspace name is one path component, without '/'"),
        ("a" * 51, f"orbit: {'a' * 51}: a workspace name has at most 50 characters"),
        ("a..b", f"orbit: a..b: {BRANCH_NAME}"),
        ("a.", f"orbit: a.: {BRANCH_NAME}"),
        ("a.lock", f"orbit: a.lock: {BRANCH_NAME}"),
        ("a@{b", f"orbit: a@{{b: {BRANCH_NAME}"),
        ("@", f"orbit: @: {BRANCH_NAME}"),
        *((f"a{c}b", f"orbit: a{c}b: {BRANCH_CHARACTER}") for c in " ~^:?*[\\"),
        ("a\tb", f"orbit: a b: {BRANCH_CHARACTER}"),
        ("a\x7fb", f"orbit: ab: {BRANCH_CHARACTER}"),
        ("a\nb", f"orbit: a b: {BRANCH_CHARACTER}"),
        ("a\udcffb", f"orbit: a\N{REPLACEMENT CHARACTER}b: {BRANCH_CHARACTER}"),
    ],
)
def test_bad_names_are_refused_before_anybody_writes_a_goal(world: World, tmp_path: Path, name: str, said: str) -> None:
    env = make_editor(tmp_path, f'touch "{tmp_path}/asked"; echo goal > "$1"')
    assert world.orbit("new", f"--name={name}", env=env) == Outcome(1, "", f"{said}\n")
    assert children(world.root) == [".repos"]
    assert not (tmp_path / "asked").exists()


def test_a_name_that_exists(world: World) -> None:
    workspace = world.workspace("mine")
    (workspace / "work.txt").write_text("work")
    assert world.orbit("new", "goal", "--name", "mine") == Outcome(1, "", "orbit: mine: exists already\n")
    assert children(workspace) == ["work.txt"]


def test_twenty_at_once(world: World) -> None:
    """Half of them are to fail: those leave nothing, and take no number from the others."""
    with ThreadPoolExecutor(20) as pool:
        outcomes = list(pool.map(lambda n: world.orbit_process("new", f"goal {n}" if n % 2 else ""), range(20)))
    good = [outcome for outcome in outcomes if outcome.code == 0]
    names = sorted(outcome.out.splitlines()[0].removeprefix("workspace: ") for outcome in good)
    assert names == [f"task-{number:02d}" for number in range(1, 11)]
    assert children(world.root) == [".repos", *names]
    goals = sorted(goal_of(world, name) for name in names)
    assert goals == sorted(f"goal {number}" for number in range(1, 20, 2))


# --- where -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["task-05", "task-05/backend", ".repos/backend"])
def test_always_directly_below_the_root(world: World, place: str) -> None:
    (world.root / place).mkdir(parents=True)
    (world.root / "task-05").mkdir(exist_ok=True)
    assert world.orbit("new", "goal", cwd=world.root / place) == made(world, "task-06")


def test_outside_a_project_one_is_made(world: World) -> None:
    fresh = world.base / "fresh"
    fresh.mkdir()
    outcome = world.orbit("new", "goal", cwd=fresh)
    assert (outcome.code, outcome.out.splitlines()[1]) == (0, f"path: {fresh}/task-01")
    assert children(fresh) == [".repos", "task-01"]
    assert children(fresh / ".repos") == [".orbit", "README.md"]
    assert world.orbit("context", "goal", cwd=fresh / "task-01").out == "goal\n"


def test_a_refused_new_outside_a_project_makes_none(world: World) -> None:
    fresh = world.base / "fresh"
    fresh.mkdir()
    assert world.orbit("new", "", cwd=fresh).code == 1
    assert world.orbit("new", "goal", "--name", "a b", cwd=fresh).code == 1
    assert children(fresh) == []


@pytest.mark.parametrize("relative", [False, True])
def test_orbit_root(world: World, relative: bool) -> None:
    elsewhere = world.base / "elsewhere"
    elsewhere.mkdir()
    named = "../root" if relative else str(world.root)
    assert world.orbit("new", "goal", cwd=elsewhere, env={"ORBIT_ROOT": named}) == made(world)
    assert children(elsewhere) == []


def test_orbit_root_that_does_not_exist(world: World) -> None:
    refused = world.orbit("new", "goal", env={"ORBIT_ROOT": "gone"})
    assert refused == Outcome(1, "", "orbit: ORBIT_ROOT: no such directory: gone\n")
    assert children(world.root) == [".repos"]


def test_orbit_root_without_a_pool_becomes_a_project(world: World) -> None:
    fresh = world.base / "fresh"
    fresh.mkdir()
    assert world.orbit("new", "goal", env={"ORBIT_ROOT": str(fresh)}).code == 0
    assert children(fresh) == [".repos", "task-01"]
    assert children(world.root) == [".repos"]


def test_a_pool_that_a_repository_brings_along_is_passed_over(world: World) -> None:
    world.clone()
    world.workspace("task-01")
    hostile = world.worktree() / ".repos"
    hostile.mkdir()
    outcome = world.orbit("new", "goal", cwd=hostile.parent)
    assert outcome.out.splitlines()[1] == f"path: {world.root}/task-02"
    assert re.match(r"orbit: project: ignoring \.repos in .*, it lies inside the project ", outcome.err)


def test_a_path_with_blanks_can_be_pasted(world: World) -> None:
    root = world.base / "my projects"
    root.mkdir()
    outcome = world.orbit("new", "goal", cwd=root)
    assert outcome.out.splitlines()[2] == f"next: cd '{root}/task-01'"


# --- next step and --exec --------------------------------------------------------------------------------------------


def test_the_recommended_agent_is_named(world: World) -> None:
    world.orbit("config", "agent.recommend", "agent --resume")
    assert world.orbit("new", "goal") == made(world, step=" && agent --resume")


def test_a_bad_setting_is_told_once(world: World) -> None:
    (world.pool / ".orbit").write_text("[memo]\n\tminLines = many\n")
    outcome = world.orbit("new", "goal")
    assert outcome.code == 0
    assert outcome.err.count("memo.minLines = many is not valid") == 1


@pytest.mark.parametrize("status", [0, 7])
def test_exec_runs_in_the_workspace_and_gives_its_status(world: World, status: int) -> None:
    command = f'pwd -P; echo "$HOME" > home; exit {status}'
    ran = world.orbit_process("new", "goal", "--exec", command, env={"SHELL": "/bin/sh"})
    path = world.root / "task-01"
    assert ran == Outcome(status, f"{made(world).out}{path}\n", "")
    assert (path / "home").read_text() == f"{os.environ['HOME']}\n"


def test_exec_that_cannot_be_started_leaves_the_workspace(world: World) -> None:
    failed = world.orbit("new", "goal", "--exec", "true", env={"SHELL": "/no/such/shell"})
    said = "orbit: new: cannot start /no/such/shell (No such file or directory)\n"
    assert failed == Outcome(1, made(world).out, said)
    assert goal_of(world) == "goal"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["goal", "--no-goal"], "a goal and --no-goal exclude each other"),
        (["", "--no-goal"], "a goal and --no-goal exclude each other"),
        (["--name"], "--name needs a value"),
        (["one", "two"], "too many arguments: two"),
        (["--goal", "x"], "no such option: --goal"),
    ],
)
def test_wrong_usage(world: World, words: list[str], said: str) -> None:
    refused = world.orbit("new", *words)
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith(f"orbit: new: {said}")
    assert children(world.root) == [".repos"]


def test_a_goal_may_begin_with_a_dash_after_two(world: World) -> None:
    assert world.orbit("new", "--", "--no-goal") == made(world)
    assert read_metadata(Project(str(world.root)), "task-01") == Metadata(goal="--no-goal")

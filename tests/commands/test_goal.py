from __future__ import annotations

from pathlib import Path

import pytest

from editor import make_editor, make_writer
from world import Outcome, World, run_git


@pytest.fixture
def task(world: World) -> Path:
    world.orbit("new", "the first goal")
    return world.root / "task-01"


def goal_of(world: World, task: Path) -> str:
    return world.orbit("context", "goal", cwd=task).out.removesuffix("\n")


def lines_of(task: Path) -> list[str]:
    return run_git(task, "config", "--file", ".orbit", "--list").splitlines()


def test_set_by_argument(world: World, task: Path) -> None:
    assert world.orbit("goal", "another", cwd=task) == Outcome(0, "goal of task-01 set: another\n", "")
    assert goal_of(world, task) == "another"


def test_set_by_stdin_with_several_lines(world: World, task: Path) -> None:
    said = world.orbit("goal", cwd=task, stdin="first\nsecond\n")
    assert said == Outcome(0, "goal of task-01 set: first\n", "")
    assert goal_of(world, task) == "first\nsecond"


def test_set_by_editor_which_shows_the_present_goal(world: World, task: Path) -> None:
    env = make_editor(task.parent, 'sed "s/first/second/" "$1" > "$1.new"; mv "$1.new" "$1"')
    assert world.orbit("goal", cwd=task, env=env).out == "goal of task-01 set: the second goal\n"


EMPTY = 'the goal is empty, nothing was changed\norbit: goal: give one: orbit goal "TEXT" (orbit context goal reads it)'


@pytest.mark.parametrize(
    ("words", "stdin", "said"),
    [
        ([""], None, EMPTY),
        ([" \n "], None, EMPTY),
        ([], None, EMPTY),
        ([], b"\xff", "goal refused, it is not UTF-8 (byte 0)"),
        ([], b"a\0b", "goal refused, it contains NUL bytes"),
    ],
)
def test_no_goal_changes_nothing(world: World, task: Path, words: list[str], stdin: bytes | None, said: str) -> None:
    before = (task / ".orbit").read_bytes()
    assert world.orbit("goal", *words, cwd=task, stdin=stdin) == Outcome(1, "", f"orbit: goal: {said}\n")
    assert (task / ".orbit").read_bytes() == before


def test_an_emptied_editor_changes_nothing(world: World, task: Path) -> None:
    refused = world.orbit("goal", cwd=task, env=make_writer(task.parent, "\n"))
    assert refused == Outcome(1, "", f"orbit: goal: {EMPTY}\n")
    assert goal_of(world, task) == "the first goal"


def test_cleared(world: World, task: Path) -> None:
    assert world.orbit("goal", "--clear", cwd=task) == Outcome(0, "goal of task-01 cleared\n", "")
    assert goal_of(world, task) == ""
    assert world.orbit("goal", "--clear", cwd=task) == Outcome(0, "goal of task-01 cleared\n", "")


def test_a_plain_folder_gets_its_first_metadata(world: World) -> None:
    folder = world.workspace("plain")
    assert world.orbit("goal", "--clear", cwd=folder).code == 0
    assert not (folder / ".orbit").exists()
    world.orbit("goal", "a goal", cwd=folder)
    assert lines_of(folder) == ["workspace.goal=a goal"]


def test_a_done_workspace_becomes_active_again(world: World, task: Path) -> None:
    world.orbit("done", "--pr", "https://example.com/1", cwd=task)
    said = "orbit: task-01: active again, the done mark and its PRs were cleared\n"
    assert world.orbit("goal", "more", cwd=task) == Outcome(0, "goal of task-01 set: more\n", said)
    assert [line.partition("=")[0] for line in lines_of(task)] == ["workspace.goal", "workspace.created"]
    assert world.orbit("context", "state", cwd=task).out == "active\n"
    assert world.orbit("goal", "and more", cwd=task).err == ""


def test_clearing_leaves_it_done(world: World, task: Path) -> None:
    world.orbit("done", cwd=task)
    world.orbit("goal", "--clear", cwd=task)
    assert world.orbit("context", "state", cwd=task).out == "done\n"


def test_damage_is_kept_aside_and_told_once(world: World, task: Path) -> None:
    (task / ".orbit").write_text("[workspace\n")
    said = world.orbit("goal", "again", cwd=task)
    assert (said.code, said.out) == (0, "goal of task-01 set: again\n")
    assert said.err.startswith("orbit: task-01/.orbit: ")
    assert "kept as task-01/.orbit.damaged-" in said.err
    assert said.err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "said"), [(["x", "--clear"], "a text and --clear exclude each other"), (["a", "b"], "too many")]
)
def test_wrong_usage(world: World, task: Path, words: list[str], said: str) -> None:
    refused = world.orbit("goal", *words, cwd=task)
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith(f"orbit: goal: {said}")


def test_not_in_a_workspace(world: World) -> None:
    refused = world.orbit("goal", "x")
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.startswith("orbit: goal: not in a workspace\n")

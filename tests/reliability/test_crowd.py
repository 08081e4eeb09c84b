"""Many processes at one project: names are distinct, no worktree is half made, no row of the index is lost."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from processes import patiently
from reliability.amount import SOAK
from reliability.readers import leftovers
from world import Outcome, World, run_git

CROWD = 20 if SOAK else 6


def at_once(calls: list[tuple[Path, tuple[str, ...]]]) -> list[Outcome]:
    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(lambda call: patiently(call[0], *call[1]), calls))


def rows(world: World) -> set[str]:
    listed = run_git(world.pool, "config", "--file", ".orbit", "--name-only", "--get-regexp", r"^repos\..*\.url$")
    return {line.removeprefix("repos.").removesuffix(".url") for line in listed.splitlines()}


def test_new_workspaces_have_names_of_their_own(world: World) -> None:
    outcomes = at_once([(world.root, ("new", f"Goal {number}")) for number in range(CROWD)])
    assert [outcome.code for outcome in outcomes] == [0] * CROWD, outcomes
    names = [outcome.out.split("\n")[0].removeprefix("workspace: ") for outcome in outcomes]
    assert sorted(names) == [f"task-{number:02d}" for number in range(1, CROWD + 1)]
    for number, name in enumerate(names):
        assert run_git(world.root / name, "config", "--file", ".orbit", "workspace.goal") == f"Goal {number}"
    assert leftovers(world) == []


def test_one_name_is_given_once(world: World) -> None:
    outcomes = at_once([(world.root, ("new", f"Goal {number}", "--name", "same")) for number in range(CROWD)])
    (winner,) = [number for number, outcome in enumerate(outcomes) if outcome.code == 0]
    assert run_git(world.root / "same", "config", "--file", ".orbit", "workspace.goal") == f"Goal {winner}"
    assert {outcome.err for outcome in outcomes if outcome.code} == {"orbit: same: exists already\n"}


def test_worktrees_of_one_clone(world: World) -> None:
    world.clone()
    tasks = [world.workspace(f"task-{number:02d}") for number in range(CROWD)]
    outcomes = at_once([(task, ("add", "-s", "backend")) for task in tasks])
    assert [outcome.code for outcome in outcomes] == [0] * CROWD, outcomes
    for task in tasks:
        tree = task / "backend"
        assert run_git(tree, "status", "--porcelain", "--branch") == f"## ws/{task.name}/main...origin/main"
        assert run_git(tree, "rev-parse", "HEAD") == world.origins["backend"].sha()
    assert run_git(world.pool / "backend", "worktree", "list").count("\n") == CROWD
    assert leftovers(world) == []


def test_one_worktree_is_made_once(world: World) -> None:
    world.clone()
    task = world.workspace()
    outcomes = at_once([(task, ("add", "-s", "backend"))] * CROWD)
    assert sorted(outcome.code for outcome in outcomes) == [0] + [1] * (CROWD - 1)
    for outcome in outcomes:
        assert outcome.code == 0 or "worktree already exists (task-01/backend)" in outcome.err
    assert run_git(task / "backend", "status", "--porcelain", "--branch") == "## ws/task-01/main...origin/main"


def test_clones_lose_no_row(world: World) -> None:
    urls = [world.origin(f"repo-{number}").url for number in range(CROWD)]
    outcomes = at_once([(world.root, ("clone", url)) for url in urls])
    assert [outcome.code for outcome in outcomes] == [0] * CROWD, outcomes
    names = {f"repo-{number}" for number in range(CROWD)}
    assert rows(world) == names
    for name in names:
        assert run_git(world.pool / name, "status", "--porcelain", "--branch") == "## main...origin/main"
    assert leftovers(world) == []


def test_one_name_is_cloned_once(world: World) -> None:
    url = world.origin().url
    outcomes = at_once([(world.root, ("clone", url))] * CROWD)
    assert sorted(outcome.code for outcome in outcomes) == [0] + [1] * (CROWD - 1), outcomes
    for outcome in outcomes:
        assert outcome.code == 0 or "already in the pool" in outcome.err
    assert rows(world) == {"backend"}
    assert leftovers(world) == []


@pytest.mark.parametrize("made_by_hand", [False, True])
def test_everything_at_once(world: World, made_by_hand: bool) -> None:
    """`new`, `add`, `clone`, `sync`, cards and settings, in a project that the first of them may have to make."""
    for number in range(CROWD // 2):
        world.clone(f"old-{number}")
    if not made_by_hand:
        assert world.orbit("doctor", "--fix").code == 0
    task = world.workspace("task-99")
    calls: list[tuple[Path, tuple[str, ...]]] = [
        (world.root, ("sync",)),
        (world.root, ("config", "memo.maxLines", "90")),
    ]
    for number in range(CROWD // 2):
        calls += [
            (world.root, ("new", "x")),
            (task, ("add", "-s", f"old-{number}")),
            (world.root, ("clone", world.origin(f"new-{number}").url)),
            (world.root, ("memo", f"old-{number}", "--text", f"It is number {number}.\n")),
            (task, ("jot", f"old-{number}", f"jot {number}")),
        ]
    outcomes = at_once(calls)
    assert [outcome for outcome in outcomes if outcome.code] == []
    assert world.orbit("repos").code == 0
    names = {f"{kind}-{number}" for kind in ("old", "new") for number in range(CROWD // 2)}
    assert rows(world) == names
    assert run_git(world.pool, "config", "--file", ".orbit", "memo.maxLines") == "90"
    for number in range(CROWD // 2):
        assert (world.pool / f".old-{number}.md").read_text() == f"It is number {number}.\n"
        assert (
            run_git(world.pool, "config", "--file", ".orbit", f"repos.old-{number}.brief") == f"It is number {number}."
        )
        assert run_git(task, "config", "--file", ".orbit", f"jot.old-{number}.entry") == f"jot {number}"
        assert run_git(task / f"old-{number}", "status", "--porcelain") == ""
    assert leftovers(world) == []

"""The cold-start roster of a workspace with a goal: what the goal is about comes first."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from contexts import context, shape
from counted_git import counted_git
from pool_files import put_row
from world import World

ROSTER = "available in pool (orbit add REPO …):"
GOAL = "Buyers are charged twice when an invoice is paid"

ABOUT = {"yy-payments", "tern", "a-buyer", "zz-invoice-worker"}


@pytest.fixture
def task(world: World) -> Path:
    """A workspace with a goal, and sixty repositories of which a few are about it."""
    made = world.clone("zz-invoice-worker") / ".git"
    put_row(world, "zz-invoice-worker", url="x", brief="Sends bills")
    about = {"yy-payments": "Takes money for orders", "tern": "Retries charges", "a-buyer": "Customer master data"}
    for name, brief in [*about.items(), *((f"other-{n:02}", "Something else") for n in range(56))]:
        (world.pool / name / ".git").mkdir(parents=True)
        for file in ("HEAD", "config"):
            shutil.copy(made / file, world.pool / name / ".git" / file)
        put_row(world, name, url="x", brief=brief)
    path = world.workspace()
    (path / ".orbit").write_text(f"[workspace]\n\tgoal = {GOAL}\n")
    return path


def named(block: list[str]) -> list[str]:
    roster = block[block.index(ROSTER) + 1 :]
    return [line.split()[0] for line in roster[: next(at for at, line in enumerate(roster) if line[0] != " ")]]


def test_what_the_goal_is_about_comes_first(world: World, task: Path) -> None:
    block = context(world, "--startup", cwd=task)
    assert set(named(block)[:4]) == ABOUT
    assert block[-1] == "… 10 more in the pool: orbit repos WORDS searches them"
    data = shape(world, "--startup", cwd=task)
    assert [one["name"] for one in data["repos"]][:50] == named(block)
    assert len(data["repos"]) == 60


def test_the_rest_is_recent_first(world: World, task: Path) -> None:
    (world.pool / "other-37" / ".git" / "worktrees").mkdir()
    assert named(context(world, "--prime", cwd=task))[4] == "other-37"
    assert shape(world, "--prime", cwd=task)["repos"][4]["name"] == "other-37"


def test_a_small_roster_holds_the_best(world: World, task: Path) -> None:
    with (world.pool / ".orbit").open("a") as file:
        file.write("[context]\n\trosterLimit = 3\n")
    block = context(world, "--startup", cwd=task)
    assert set(named(block)) <= ABOUT
    assert len(named(block)) == 3
    assert block[-1] == "… 57 more in the pool: orbit repos WORDS searches them"
    assert shape(world, "--startup", cwd=task)["shown"] == 3


def test_without_a_goal_it_is_recent_first(world: World, task: Path) -> None:
    (task / ".orbit").unlink()
    os.makedirs(world.pool / "other-01" / ".git" / "worktrees")
    block = context(world, "--startup", cwd=task)
    assert named(block)[:3] == ["other-01", "a-buyer", "other-00"]
    assert not (world.pool / ".cache" / "search-1.sqlite").exists()


def test_no_git_process(world: World, task: Path, tmp_path: Path) -> None:
    with counted_git(tmp_path) as calls:
        context(world, "--startup", cwd=task)
        assert calls.lines == []


def test_any_goal_will_do(world: World, task: Path) -> None:
    for goal in ('" OR *', "NEAR(x", "\u753b\u50cf", "x" * 10_000, "- - -", "buyer's \u202e\x1b[2J"):
        assert world.orbit("goal", goal, cwd=task).code == 0
        assert world.orbit("context", "--startup", cwd=task).code == 0

"""Prune beside others: a session that lives in a workspace, a second prune, and commands that write into a workspace
at the very moment in which it goes. Real processes. ORBIT_SOAK=1 makes it many rounds.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from processes import command, finish, start
from prune_oracle import queued, read_state
from world import Outcome, World, as_text

SOAK = os.environ.get("ORBIT_SOAK") == "1"
ROUNDS = 25 if SOAK else 1
FORMS = (
    ("prune",),
    ("prune", "task-01"),
    ("prune", "task-01", "--force"),
    ("prune", "--force", "--yes"),
    ("prune", "--dry-run"),
    ("prune", "--restore", "task-01"),
)


def finished(world: World, name: str, *repos: str) -> Path:
    assert world.orbit("new", "a goal", "--name", name).code == 0
    for repo in repos:
        world.worktree(name, repo)
    assert world.orbit("done", cwd=world.root / name).code == 0
    return world.root / name


def from_a_shell_in(place: Path, away: Path | str, root: Path, *words: str) -> Outcome:
    """A shell that stays in `place`; its child goes `away` and becomes orbit."""
    child = shlex.join(["sh", "-c", 'cd "$0" && exec "$@"', str(away), *command(*words)])
    environment = {**os.environ, "ORBIT_ROOT": str(root)}
    done = subprocess.run(
        ["sh", "-c", f"{child}; exit $?"], cwd=place, capture_output=True, env=environment, timeout=120, check=False
    )
    return Outcome(done.returncode, as_text(done.stdout), as_text(done.stderr))


@pytest.mark.parametrize("form", FORMS, ids=" ".join)
def test_a_session_that_lives_in_a_workspace_prunes_none(world: World, form: tuple[str, ...]) -> None:
    world.clone()
    finished(world, "task-01", "backend")
    inside = world.root / "notes" / "deep"
    inside.mkdir(parents=True)
    before = read_state(world)
    for away in ("/", world.root):
        outcome = from_a_shell_in(inside, away, world.root, *form)
        assert (outcome.code, outcome.out) == (1, "")
        assert outcome.err.endswith("above this one, works inside the workspace notes\n")
        assert len(outcome.err.splitlines()) == 1
    assert read_state(world) == before
    assert sorted(os.listdir(world.root)) == [".repos", "notes", "task-01"]
    if form == ("prune",):
        outside = from_a_shell_in(world.base, world.root, world.root, *form)
        assert outside.code == 0, outside
        assert "pruned: task-01" in outside.out


def test_prunes_at_once_take_each_workspace_once(world: World) -> None:
    world.clone()
    names = [f"task-{number:02d}" for number in range(1, 5)]
    for name in names:
        finished(world, name, "backend")
    outcomes = [finish(process) for process in [start(world.root, "prune") for _ in range(3)]]
    assert [outcome.code for outcome in outcomes] == [0, 0, 0], outcomes
    told = [line for outcome in outcomes for line in outcome.out.splitlines() if line.startswith("pruned: ")]
    assert sorted(line.split()[1] for line in told) == names
    assert os.listdir(world.root) == [".repos"]
    assert world.git(world.pool / "backend", "for-each-ref", "--format=%(refname)", "refs/heads") == "refs/heads/main"


def beside(world: World, moment: str, act: Callable[[], bool], *words: str) -> tuple[Outcome, int]:
    """A prune with somebody who acts again and again from the moment on in which a path below the root appears.

    In this process, so that nobody's current directory gives it away. The report, and how often acting succeeded.
    """
    over = threading.Event()
    succeeded = []

    def others() -> None:
        while not (os.path.lexists(world.root / moment) or over.is_set()):
            pass
        while not over.is_set():
            if act():
                succeeded.append(True)

    thread = threading.Thread(target=others)
    thread.start()
    try:
        outcome = finish(start(world.root, "prune", *words))
    finally:
        over.set()
        thread.join()
    return outcome, len(succeeded)


def git_status(tree: Path) -> str:
    words = ["git", "-C", str(tree), "status", "--porcelain", "--branch"]
    return as_text(subprocess.run(words, capture_output=True, check=False).stdout)


def doing(world: World, *words: str) -> Callable[[], bool]:
    """One call in task-01, which may be gone."""
    home = world.root / "task-01"
    return lambda: home.is_dir() and world.orbit(*words, cwd=home).code == 0


MOMENTS = (".repos/.prune.lock", ".repos/.reclaimed", "task-01/.orbit.lock", ".prune-trash")


@pytest.mark.parametrize("moment", MOMENTS)
def test_no_confirmed_jot_goes_with_a_workspace(world: World, moment: str) -> None:
    world.clone()
    for number in range(ROUNDS):
        name = "task-01"
        home = finished(world, name, "backend")
        confirmed: list[str] = []

        def jot(home: Path = home, confirmed: list[str] = confirmed) -> bool:
            text = f"jot {len(confirmed)}"
            done = home.is_dir() and world.orbit("jot", "backend", text, cwd=home).code == 0
            confirmed.extend([text] * done)
            return done

        outcome, _ = beside(world, moment, jot)
        assert outcome.code == 0, (number, outcome)
        assert home.exists() == (f"pruned: {name} (" not in outcome.out), outcome
        if confirmed:
            assert queued(home) == confirmed, outcome
        if home.exists():
            assert (
                world.git(home / "backend", "status", "--porcelain", "--branch") == f"## ws/{name}/main...origin/main"
            )
            world.orbit("prune", name, "--force")
            assert not home.exists()


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_goal_set_meanwhile_keeps_the_workspace(world: World, moment: str) -> None:
    world.clone()
    for _ in range(ROUNDS):
        home = finished(world, "task-01", "backend")
        outcome, set_again = beside(world, moment, doing(world, "goal", "again"))
        assert outcome.code == 0, outcome
        assert home.exists() == (set_again > 0) or "kept: task-01" in outcome.out, outcome
        if set_again:
            assert world.orbit("context", "goal", cwd=home).out == "again\n"
            assert world.git(home / "backend", "status", "--porcelain") == ""
        if home.exists():
            assert world.orbit("done", cwd=home).code == 0
            world.orbit("prune", "task-01", "--force")


@pytest.mark.parametrize("moment", MOMENTS)
def test_done_again_meanwhile_changes_nothing(world: World, moment: str) -> None:
    world.clone()
    for _ in range(ROUNDS):
        home = finished(world, "task-01", "backend")
        outcome, _ = beside(world, moment, doing(world, "done"))
        assert (outcome.code, home.exists()) == (0, "kept: task-01" in outcome.out), outcome
        assert home.exists() or outcome.out.startswith("pruned: task-01 (1 worktrees removed, 1 branches deleted)")
        world.orbit("prune")
        assert not home.exists()


@pytest.mark.parametrize("moment", MOMENTS)
def test_what_is_added_meanwhile_is_a_worktree_in_the_end(world: World, moment: str) -> None:
    """Into the old workspace, or into a new one of its name while the old one lies in the trash."""
    for repo in ("backend", "web"):
        world.clone(repo)
    for number in range(ROUNDS):
        home = finished(world, "task-01", "backend")

        def add(home: Path = home) -> bool:
            if not home.is_dir():
                world.orbit("new", "made anew", "--name", "task-01")
            there = home.is_dir()
            return there and world.orbit("add", "web", cwd=home).code == 0

        shutil.rmtree(world.pool / ".reclaimed", ignore_errors=True)  # one of the moments
        outcome, added = beside(world, moment, add)
        waiting = "task-01 exists again, what was removed stays in " in outcome.err
        assert outcome.code == (1 if waiting else 0), (number, outcome)
        # One that was there in time for the plan, clean and merged, goes with the workspace.
        planned = "pruned: task-01 (2 worktrees removed" in outcome.out
        assert added <= 1 + planned, (number, outcome)
        if added > planned:
            trees = (*world.root.glob("task-01/web"), *world.root.glob(".prune-trash/*/web"))
            statuses = [git_status(tree) for tree in trees]  # one that was refused may have left a directory as well
            assert "## ws/task-01/main...origin/main\n" in statuses, (number, outcome, trees, statuses)
        for _ in range(1 + waiting):  # once the new one is gone, the old one comes back
            world.orbit("prune")
            if home.exists():
                world.orbit("done", cwd=home)
                world.orbit("prune", "task-01", "--force")
        assert sorted(os.listdir(world.root)) == [".repos"]

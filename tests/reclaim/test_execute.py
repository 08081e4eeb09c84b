"""One removal, and what may happen between the plan and the act."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from finished import branches, commit, digest, finished
from orbit.places import Project
from orbit.reclaim import ledger
from orbit.reclaim.candidates import Candidates
from orbit.reclaim.execute import Means, Outcome, reclaim
from orbit.reclaim.inspect import inspect
from orbit.reclaim.plan import Step, decide
from orbit.reclaim.survey import survey_pool
from world import World

NOW = 1_700_000_000


def plan(world: World, *, force: bool = False) -> Step:
    project = Project(str(world.root))
    found = inspect(project, survey_pool(project, "ws"), Candidates(live=("task-01",)), ask_gh=False, jobs=1)
    return decide(found.targets[0], force=force)


def act(world: World, step: Step) -> Outcome:
    return reclaim(Project(str(world.root)), step, Means("ws", 2), NOW)


def test_a_plan_is_carried_out(world: World) -> None:
    workspace = finished(world)
    outcome = act(world, plan(world))
    assert (outcome.removed, outcome.worktrees, len(outcome.deleted), outcome.why, outcome.problem) == (
        True,
        1,
        1,
        "",
        "",
    )
    assert not workspace.exists()
    entry = ledger.read(Project(str(world.root)), "task-01", NOW)
    assert entry is not None
    assert entry.stage == ledger.CLEARED


def reopened(world: World, workspace: Path) -> str:
    assert world.orbit("goal", "go on", cwd=workspace).code == 0
    return "it is not marked done any more"


def jotted(world: World, workspace: Path) -> str:
    assert world.orbit("jot", "backend", "an entry point", cwd=workspace).code == 0
    return "jots were added meanwhile"


def written(world: World, workspace: Path) -> str:
    (workspace / "backend" / "new.txt").write_text(str(world.now))
    return "it changed meanwhile (backend)"


def committed(world: World, workspace: Path) -> str:
    """The worktree is clean as before, but its detached HEAD is not where it was."""
    world.git(workspace / "backend", "switch", "-q", "--detach")
    commit(world, workspace / "backend")
    return "it changed meanwhile (backend)"


def added(world: World, workspace: Path) -> str:
    world.clone("frontend")
    world.worktree("task-01", "frontend")
    return "it changed meanwhile (frontend, ws/task-01/main in frontend)"


def foreign(world: World, workspace: Path) -> str:
    (workspace / "theirs").mkdir()
    world.git(workspace / "theirs", "init", "-q")
    return "it changed meanwhile (jots or other repositories)"


def locked(world: World, workspace: Path) -> str:
    world.git(world.pool / "backend", "worktree", "lock", "--reason", "on a stick", str(workspace / "backend"))
    return "worktree backend is locked (on a stick)"


@pytest.mark.parametrize("change", [reopened, jotted, written, committed, added, foreign, locked])
def test_what_changed_since_the_plan_keeps_it(world: World, change: object) -> None:
    workspace = finished(world)
    step = plan(world)
    assert callable(change)
    why = change(world, workspace)
    before = digest(workspace)
    outcome = act(world, step)
    assert (outcome.removed, outcome.why, outcome.problem) == (False, why, "")
    assert digest(workspace) == before
    assert world.git(workspace / "backend", "status", "--porcelain") in ("", "?? new.txt")
    assert "ws/task-01/main" in branches(world)
    assert world.git(world.pool / "backend", "for-each-ref", "refs/orbit") == ""
    assert ledger.entries(Project(str(world.root))) == []
    assert not (world.root / ".prune-trash").exists()


def test_force_releases_what_was_announced_and_nothing_since(world: World) -> None:
    workspace = finished(world)
    (workspace / "backend" / "announced.txt").write_text("x")
    step = plan(world, force=True)
    (workspace / "backend" / "later.txt").write_text("x")
    assert act(world, step).why == "it changed meanwhile (backend)"
    assert (workspace / "backend" / "later.txt").exists()
    assert act(world, plan(world, force=True)).removed


def test_a_branch_that_gets_a_commit_meanwhile_keeps_the_workspace(world: World) -> None:
    workspace = finished(world)
    clone = world.pool / "backend"
    world.git(clone, "branch", "-q", "ws/task-01/other", "main~1")
    step = plan(world)
    world.git(clone, "branch", "-q", "-f", "ws/task-01/other", "main")
    outcome = act(world, step)
    assert (outcome.removed, outcome.why) == (False, "it changed meanwhile (ws/task-01/other in backend)")
    assert workspace.is_dir()
    assert branches(world) == ["main", "ws/task-01/main", "ws/task-01/other"]


def test_a_step_that_fails_before_the_rename_leaves_all_as_it_was(world: World) -> None:
    workspace = finished(world)
    step = plan(world)
    (world.root / ".prune-trash").write_text("in the way")
    before = digest(workspace)
    outcome = act(world, step)
    assert outcome.problem == "prune: task-01 cannot be moved to the trash: File exists"
    assert digest(workspace) == before
    assert world.git(world.pool / "backend", "for-each-ref", "refs/orbit") == ""
    assert ledger.entries(Project(str(world.root))) == []


def test_a_step_that_fails_after_it_is_finished_by_the_next_run(world: World) -> None:
    finished(world)
    lock = world.pool / "backend" / ".git" / "refs" / "heads" / "ws" / "task-01" / "main.lock"
    lock.write_text("")
    failed = world.orbit("prune")
    assert failed.code == 1
    assert "orbit: task-01: not finished, backend: deleting branches of backend: " in failed.err
    assert not (world.root / "task-01").exists()
    os.unlink(lock)
    done = world.orbit("prune")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("pruned: task-01 (begun by an earlier run, finished now)\n")
    assert branches(world) == ["main"]
    assert not (world.root / ".prune-trash").exists()

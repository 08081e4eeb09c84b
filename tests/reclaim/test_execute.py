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


def plan(world: World, *, force: bool = False) -> tuple[Step, Means]:
    project = Project(str(world.root))
    survey = survey_pool(project, "ws")
    found = inspect(project, survey, Candidates(live=("task-01",)), ask_gh=False, jobs=1)
    return decide(found.targets[0], force=force), Means("ws", 2, survey)


def act(world: World, planned: tuple[Step, Means]) -> Outcome:
    step, means = planned
    return reclaim(Project(str(world.root)), step, means, NOW)


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


def written_with_an_odd_name(world: World, workspace: Path) -> str:
    """git's own entries have an S there for submodules."""
    (workspace / "backend" / "oneSecret").write_text(str(world.now))
    return "it changed meanwhile (backend)"


def foreign(world: World, workspace: Path) -> str:
    (workspace / "theirs").mkdir()
    world.git(workspace / "theirs", "init", "-q")
    return "it changed meanwhile (jots or other repositories)"


def locked(world: World, workspace: Path) -> str:
    world.git(world.pool / "backend", "worktree", "lock", "--reason", "on a stick", str(workspace / "backend"))
    return "worktree backend is locked (on a stick)"


CHANGES = (
    *(reopened, jotted, written, written_with_an_odd_name, committed, added),
    *(foreign, locked),
)


@pytest.mark.parametrize("change", CHANGES)
def test_what_changed_since_the_plan_keeps_it(world: World, change: object) -> None:
    workspace = finished(world)
    step = plan(world)
    assert callable(change)
    why = change(world, workspace)
    before = digest(workspace)
    outcome = act(world, step)
    assert (outcome.removed, outcome.why, outcome.problem) == (False, why, "")
    assert digest(workspace) == before
    assert world.git(workspace / "backend", "status", "--porcelain") in ("", "?? new.txt", "?? oneSecret")
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


@pytest.mark.parametrize("mark", ["--skip-worktree", "--assume-unchanged"])
def test_an_edit_that_a_mark_of_git_s_hides_keeps_it(world: World, mark: str) -> None:
    """The file had the mark and no change when the plan was made."""
    workspace = finished(world)
    readme = workspace / "backend" / "README.md"
    world.git(workspace / "backend", "update-index", mark, "README.md")
    planned = plan(world)
    readme.write_text("written meanwhile")
    assert act(world, planned).why == "it changed meanwhile (backend)"
    assert readme.read_text() == "written meanwhile"
    readme.unlink()
    world.git(workspace / "backend", "update-index", mark.replace("--", "--no-"), "README.md")
    world.git(workspace / "backend", "restore", "README.md")
    assert act(world, plan(world)).removed


def test_what_force_gives_up_is_the_file_as_it_was(world: World) -> None:
    """Changed again meanwhile, it is more than what was announced."""
    changed = finished(world) / "backend" / "README.md"
    changed.write_text("changed")
    planned = plan(world, force=True)
    changed.write_text("and more of it")
    assert act(world, planned).why == "it changed meanwhile (backend)"
    assert changed.read_text() == "and more of it"


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("new", [False, True])
def test_a_branch_in_a_clone_that_the_plan_did_not_need_keeps_it(world: World, packed: bool, new: bool) -> None:
    finished(world)
    if not new:
        world.clone("frontend")
    planned = plan(world)
    clone = world.clone("frontend") if new else world.pool / "frontend"
    world.git(clone, "branch", "-q", "ws/task-01/later", "main")
    if packed:
        world.git(clone, "pack-refs", "--all", "--prune")
    assert act(world, planned).why == "it changed meanwhile (ws/task-01/later in frontend)"


def test_a_worktree_deep_inside_from_such_a_clone_keeps_it(world: World) -> None:
    """On no branch of the workspace."""
    inner = finished(world) / "deep" / "er" / "frontend"
    clone = world.clone("frontend")
    planned = plan(world)
    world.git(clone, "worktree", "add", "-q", "--detach", str(inner), "origin/main")
    assert act(world, planned).why == "it changed meanwhile (jots or other repositories)"
    assert world.git(inner, "status", "--porcelain") == ""


def test_a_branch_that_another_worktree_holds_is_not_taken_for_a_change(world: World) -> None:
    """Packed, and in a clone of which the workspace has nothing else."""
    finished(world)
    clone = world.clone("frontend")
    away = str(world.base / "away")
    world.git(clone, "worktree", "add", "-q", "-b", "ws/task-01/held", away, "origin/main")
    world.git(clone, "pack-refs", "--all", "--prune")
    outcome = act(world, plan(world))
    assert (outcome.removed, outcome.why) == (True, "")
    assert branches(world, "frontend") == ["main", "ws/task-01/held"]


def test_a_clone_that_cannot_be_read_by_then_keeps_it(world: World) -> None:
    finished(world)
    planned = plan(world)
    registry = world.pool / "backend" / ".git" / "worktrees"
    registry.rename(world.base / "aside")
    registry.symlink_to("worktrees")
    assert act(world, planned).why.startswith("backend: its worktrees cannot be listed (")
    registry.unlink()
    (world.base / "aside").rename(registry)
    assert act(world, plan(world)).removed


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

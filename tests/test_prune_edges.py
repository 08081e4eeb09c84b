"""Prune where something happened between: a name used again, a retry after an interruption, what only a registration
holds. Found by random lives and by reading; each is one way to lose work or to be told a lie.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from orbit.places import Project
from orbit.reclaim import ledger, trash
from orbit.reclaim.candidates import named_candidate
from orbit.reclaim.execute import Means, Outcome, reclaim
from orbit.reclaim.inspect import inspect
from orbit.reclaim.keeping import keep_tips
from orbit.reclaim.plan import Step, decide
from orbit.reclaim.survey import survey_pool
from worktrees import git_lets_go
from world import EPOCH, World


def finished(world: World, name: str = "task-01", *repos: str) -> Path:
    """A workspace that is done, with worktrees of repositories that are cloned if need be."""
    assert world.orbit("new", "a goal", "--name", name).code == 0
    for repo in repos:
        if not (world.pool / repo).exists():
            world.clone(repo)
        world.worktree(name, repo)
    assert world.orbit("done", cwd=world.root / name).code == 0
    return world.root / name


def commit(world: World, tree: Path, name: str = "work.txt") -> str:
    (tree / name).write_text("work\n")
    world.git(tree, "add", name)
    world.git(tree, "commit", "-q", "-m", "Work")
    return world.git(tree, "rev-parse", "HEAD")


def test_a_workspace_without_branches_comes_back_too(world: World) -> None:
    world.clone()
    home = finished(world)
    assert world.orbit("jot", "backend", "not to be lost", cwd=home).code == 0
    assert world.orbit("prune", "task-01", "--force").code == 0
    outcome = world.orbit("prune", "--restore", "task-01")
    assert outcome.out == "restored: task-01 (0 branches, its goal and jots)\n"
    assert world.git(home, "config", "--file", ".orbit", "jot.backend.entry") == "not to be lost"


def planned(world: World, name: str = "task-01", *, force: bool = False) -> Step:
    """What a prune would do, made now and carried out by the test when it has done its worst."""
    project = Project(str(world.root))
    survey = survey_pool(project, "ws")
    found = inspect(project, survey, named_candidate(project, survey, name, 0, 0), ask_gh=False, jobs=1)
    return decide(found.targets[0], force=force)


def carry_out(world: World, step: Step) -> Outcome:
    return reclaim(Project(str(world.root)), step, Means("ws", 1), EPOCH)


def test_a_commit_made_meanwhile_keeps_the_workspace(world: World) -> None:
    home = finished(world, "task-01", "backend", "web")
    step = planned(world)
    sha = commit(world, home / "web")
    outcome = carry_out(world, step)
    assert outcome.why == "it changed meanwhile (ws/task-01/main in web)"
    assert world.git(home / "web", "rev-parse", "HEAD") == sha
    assert world.git(home / "backend", "status", "--porcelain", "--branch") == "## ws/task-01/main...origin/main"
    assert "reclaimed" not in world.git(world.pool / "backend", "for-each-ref")


def test_a_branch_made_meanwhile_keeps_the_workspace(world: World) -> None:
    home = finished(world, "task-01", "backend")
    step = planned(world)
    world.git(home / "backend", "branch", "ws/task-01/later")
    assert carry_out(world, step).why == "it changed meanwhile (ws/task-01/later in backend)"
    assert home.is_dir()


def test_a_branch_that_moves_after_the_second_look_stays(world: World) -> None:
    """By then the workspace is gone for good; its new commit is not."""
    home = finished(world, "task-01", "backend")
    world.git(home / "backend", "branch", "ws/task-01/other", "main~1")
    begun(world, ledger.CHECKED)
    sha = world.git(world.pool / "backend", "commit-tree", "-p", "main", "-m", "Back", "main~2^{tree}")
    world.git(world.pool / "backend", "branch", "-q", "-f", "ws/task-01/other", sha)
    outcome = world.orbit("prune")
    assert outcome.code == 0
    assert "  kept branch (it moved meanwhile): ws/task-01/other in backend\n" in outcome.out
    heads = world.git(world.pool / "backend", "for-each-ref", "--format=%(refname:short)", "refs/heads")
    assert heads.split("\n") == ["main", "ws/task-01/other"]


def begun(world: World, stage: str, *, force: bool = False, name: str = "task-01") -> Path:
    """A removal as a kill leaves it: the workspace in the trash, its note at `stage`; the place there."""
    project, step = Project(str(world.root)), planned(world, name, force=force)
    target = step.target
    entry = ledger.Entry(name, EPOCH, ledger.PLANNED, step.forced, step.deleted, target.trees, target.marks)
    ledger.write(project, entry)
    ledger.keep_metadata(project, entry, project.metadata(name))
    keep_tips(project, entry)
    place = trash.move_in(project, name, EPOCH)
    ledger.write(project, entry.replace(stage=stage))
    return Path(place)


def test_what_a_user_takes_out_of_the_trash_is_left_alone(world: World) -> None:
    home = finished(world, "task-01", "backend")
    world.git(home / "backend", "switch", "-q", "-c", "ws/task-01/topic")
    begun(world, ledger.CHECKED).rename(home)
    outcome = world.orbit("prune", "task-02")
    assert (outcome.code, outcome.out) == (1, "")
    refs = world.git(world.pool / "backend", "for-each-ref", "--format=%(refname)", "refs/heads/ws")
    assert refs.split("\n") == ["refs/heads/ws/task-01/main", "refs/heads/ws/task-01/topic"]
    assert world.git(home / "backend", "status", "--porcelain") == ""


@pytest.mark.parametrize("stage", [ledger.PLANNED, ledger.CHECKED])
def test_the_same_call_again_finishes_what_was_interrupted(world: World, stage: str) -> None:
    finished(world, "task-01", "backend")
    begun(world, stage)
    outcome = world.orbit("prune", "task-01")
    assert outcome.code == 0
    assert outcome.out.startswith("pruned: task-01 (begun by an earlier run, finished now)\n  deleted branch (merged):")
    assert not (world.root / ".prune-trash").exists()
    assert world.orbit("prune", "task-01").err == "orbit: prune: no such workspace: task-01\n"


def test_what_was_finished_is_told_though_the_call_is_refused(world: World) -> None:
    finished(world, "task-01", "backend")
    begun(world, ledger.PLANNED)
    outcome = world.orbit("prune", "task-02")
    assert (outcome.code, outcome.err) == (1, "orbit: prune: no such workspace: task-02\n")
    assert outcome.out.startswith("pruned: task-01 (begun by an earlier run, finished now)\n")


def test_what_lay_in_another_workspace_is_cleared_by_the_next_run(world: World) -> None:
    """The place to which a worktree was moved goes in the same run in which that is found out."""
    home = finished(world, "task-01", "backend")
    home.rename(world.root / "task-02")
    outcome = world.orbit("prune", "--force")
    assert outcome.out.startswith(
        "discarding in task-02:\n  a worktree of the pool that is damaged or was moved: backend\n"
    )
    assert (outcome.code, "left alone, it was moved by hand to " in outcome.err) == (0, True)
    assert world.git(world.pool / "backend", "rev-parse", "ws/task-01/main")
    assert world.orbit("prune").out.startswith(
        "pruned: task-01 (its directory is gone, 1 worktrees removed, 1 branches"
    )
    assert "prunable" not in world.git(world.pool / "backend", "worktree", "list", "--porcelain")


def test_what_comes_back_of_a_ghost_stands_beside_what_it_kept(world: World) -> None:
    home = finished(world, "task-01", "backend", "web")
    sha = commit(world, home / "web")
    shutil.rmtree(home)
    assert "kept branch (unmerged): ws/task-01/main" in world.orbit("prune").out
    outcome = world.orbit("prune", "--restore", "task-01")
    assert outcome.out.startswith("restored: task-01 (1 branches)\n  branch ws/task-01/main at ")
    assert world.git(world.pool / "backend", "rev-parse", "ws/task-01/main") == world.origins["backend"].sha()
    assert world.git(world.pool / "web", "rev-parse", "ws/task-01/main") == sha


def test_a_restore_finishes_the_removal_first(world: World) -> None:
    """Else the next prune would take for its own what has just been brought back."""
    home = finished(world, "task-01", "backend")
    commit(world, home / "backend")
    begun(world, ledger.CHECKED, force=True)
    outcome = world.orbit("prune", "--restore", "task-01")
    assert outcome.code == 0
    assert "restored: task-01 (1 branches, its goal and jots)\n" in outcome.out
    assert world.orbit("prune").out == "nothing to prune\n"
    assert world.git(world.pool / "backend", "rev-parse", "--verify", "ws/task-01/main")
    assert world.git(home, "config", "--file", ".orbit", "workspace.goal") == "a goal"


def test_a_name_used_again_while_the_old_one_lies_in_the_trash(world: World) -> None:
    """The old workspace goes, or stays in the trash; nothing of the new one is touched."""
    old = finished(world, "task-01", "backend")
    world.git(old / "backend", "switch", "-q", "-c", "ws/task-01/topic")
    commit(world, old / "backend")
    place = begun(world, ledger.CHECKED, force=True)
    assert world.orbit("new", "a new goal", "--name", "task-01").code == 0
    git_lets_go(world, old / "backend")
    assert world.orbit("add", "backend", cwd=old).code == 0
    world.git(old / "backend", "switch", "-q", "ws/task-01/topic")
    (old / "backend" / "uncommitted").write_text("new\n")
    assert world.orbit("prune").code == 0
    assert not place.exists()
    assert (old / "backend" / "uncommitted").read_text() == "new\n"
    assert world.git(old / "backend", "symbolic-ref", "--short", "HEAD") == "ws/task-01/topic"
    refs = world.git(world.pool / "backend", "for-each-ref", "--format=%(refname)", "refs/heads/ws")
    assert refs.split("\n") == ["refs/heads/ws/task-01/main", "refs/heads/ws/task-01/topic"]
    assert world.orbit("context", "goal", cwd=old).out == "a new goal\n"


def test_a_name_used_again_before_the_second_look(world: World) -> None:
    """What changed cannot be put back, so it stays where it is, and that is said."""
    old = finished(world, "task-01", "backend")
    place = begun(world, ledger.PLANNED)
    (place / "backend" / "meanwhile").write_text("work\n")
    assert world.orbit("new", "a new goal", "--name", "task-01").code == 0
    refused = world.orbit("add", "backend", cwd=old)
    assert (refused.code, refused.err.splitlines()) == (
        1,
        [
            f"orbit: backend: task-01/backend is being removed, it is in .prune-trash/{place.name}",
            "orbit: backend: end that: orbit prune",
        ],
    )
    git_lets_go(world, old / "backend")
    assert world.orbit("add", "backend", cwd=old).code == 0
    outcome = world.orbit("prune")
    assert outcome.code == 1
    assert f"task-01 exists again, what was removed stays in {place}" in outcome.err
    assert (place / "backend" / "meanwhile").read_text() == "work\n"
    assert world.git(old / "backend", "status", "--porcelain") == ""


def test_a_clone_removed_by_hand_does_not_hold_up_the_rest(world: World) -> None:
    finished(world, "task-01", "backend", "web")
    begun(world, ledger.CHECKED)
    shutil.rmtree(world.pool / "web")
    outcome = world.orbit("prune")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith("pruned: task-01 ")
    assert not (world.root / ".prune-trash").exists()


def test_force_is_not_named_where_it_would_change_nothing(world: World) -> None:
    home = finished(world, "task-01", "backend")
    home.rename(world.root / "task-02")
    world.git(world.pool / "backend", "worktree", "repair", str(world.root / "task-02" / "backend"))
    outcome = world.orbit("prune")
    assert "kept branch (checked out in " in outcome.out
    assert "--force" not in outcome.out


def with_submodule(world: World, tree: Path) -> str:
    """A submodule whose own commit no remote has: it lies in the registration of the worktree."""
    inner = world.origin("inner")
    world.git(tree, "submodule", "--quiet", "add", inner.url, "inner")
    world.git(tree, "commit", "-q", "-m", "Add it")
    world.git(tree, "push", "-q", "origin", "HEAD:main")
    return commit(world, tree / "inner")


@pytest.mark.parametrize("what", ["", "/backend"])
def test_commits_of_a_submodule_outlive_the_directory(world: World, what: str) -> None:
    """Whether the workspace or only the worktree was removed by hand; --force gives them up."""
    home = finished(world, "task-01", "backend")
    sha = with_submodule(world, home / "backend")
    world.git(home / "backend", "reset", "-q", "--hard")
    modules = world.pool / "backend" / ".git" / "worktrees" / "backend" / "modules" / "inner"
    shutil.rmtree(f"{home}{what}")
    outcome = world.orbit("prune")
    assert outcome.code == 0
    assert sha[:10] in outcome.out
    assert world.git(modules, "--work-tree=.", "rev-parse", "HEAD") == sha
    assert world.git(world.pool / "backend", "rev-parse", "--verify", "ws/task-01/main")
    outcome = world.orbit("prune", "task-01", "--force")
    assert (outcome.code, sha[:10] in outcome.out) == (0, True)
    assert not modules.exists()


def test_a_registration_that_holds_commits_of_a_submodule_is_no_residue(world: World) -> None:
    home = finished(world, "task-01", "backend")
    sha = with_submodule(world, home / "backend")
    assert world.orbit("goal", "go on", cwd=home).code == 0
    shutil.rmtree(home / "backend")
    outcome = world.orbit("prune")
    assert outcome.out.startswith(f"kept the registration of {home}/backend, whose directory is gone, in backend: ")
    assert sha[:10] in outcome.out
    modules = world.pool / "backend" / ".git" / "worktrees" / "backend" / "modules" / "inner"
    assert world.git(modules, "--work-tree=.", "rev-parse", "HEAD") == sha


def test_a_workspace_with_a_submodule_can_go(world: World) -> None:
    """In the trash the submodule's own settings lead nowhere."""
    home = finished(world, "task-01", "backend")
    inner = world.origin("inner")
    world.git(home / "backend", "submodule", "--quiet", "add", inner.url, "inner")
    world.git(home / "backend", "commit", "-q", "-m", "Add it")
    world.git(home / "backend", "push", "-q", "origin", "HEAD:main")
    assert world.orbit("prune").out.startswith("pruned: task-01 (1 worktrees removed, 1 branches deleted)\n")
    assert not home.exists()

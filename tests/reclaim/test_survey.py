from __future__ import annotations

import os

import pytest

from orbit.places import Project
from orbit.reclaim.survey import Survey, survey_again, survey_pool, view_again
from world import World


def survey(world: World) -> Survey:
    return survey_pool(Project(str(world.root)), "ws")


def test_scoped_branches_and_registrations_of_every_clone(world: World) -> None:
    for name in ("backend", "frontend"):
        world.clone(name)
    for name in ("task-01", "task-02"):
        world.workspace(name)
    world.worktree("task-01", "backend")
    path = world.worktree("task-02", "frontend")
    world.git(world.pool / "backend", "branch", "-q", "ws/task-02/topic/deep")
    world.git(world.pool / "backend", "branch", "-q", "raw")
    found = survey(world)
    sha = world.git(world.pool / "backend", "rev-parse", "main")
    assert [(clone.repo, name, tip) for clone, name, tip in found.branches_of("task-02")] == [
        ("backend", "ws/task-02/topic/deep", sha),
        ("frontend", "ws/task-02/main", sha),
    ]
    assert found.workspaces() == ["task-01", "task-02"]
    [entry] = found.registered_below(str(world.root / "task-02"))
    assert (entry.repo, entry.entry, entry.path, entry.locked) == ("frontend", "frontend", str(path), None)


def test_names_that_begin_alike_are_kept_apart(world: World) -> None:
    world.clone()
    for name in ("task", "task-1"):
        world.workspace(name)
        world.worktree(name)
    found = survey(world)
    assert [name for _, name, _ in found.branches_of("task")] == ["ws/task/main"]
    assert len(found.registered_below(str(world.root / "task"))) == 1


def test_packed_branches_are_seen(world: World) -> None:
    clone = world.clone()
    world.git(clone, "branch", "-q", "ws/old/main")
    world.git(clone, "pack-refs", "--all")
    world.git(clone, "branch", "-q", "ws/old/other")
    assert [name for _, name, _ in survey(world).branches_of("old")] == ["ws/old/main", "ws/old/other"]


def test_why_a_worktree_is_locked(world: World) -> None:
    world.clone()
    world.workspace()
    path = world.worktree()
    world.git(world.pool / "backend", "worktree", "lock", str(path))
    assert survey(world).clones[0].registered[0].locked == ""
    world.git(world.pool / "backend", "worktree", "unlock", str(path))
    world.git(world.pool / "backend", "worktree", "lock", "--reason", "on a stick", str(path))
    assert survey(world).clones[0].registered[0].locked == "on a stick"


def test_a_clone_whose_refs_cannot_be_listed(world: World) -> None:
    clone = world.clone()
    world.clone("frontend")
    (clone / ".git" / "packed-refs").write_text("nonsense refs/heads/ws/x/y\n")
    found = survey(world)
    assert [view.repo for view in found.unlisted] == ["backend"]
    assert "unexpected line" in found.unlisted[0].problem


def test_what_concerns_one_workspace_is_read_anew(world: World) -> None:
    """Nothing of a pool that stayed as it was, whatever else there is in it."""
    project = Project(str(world.root))
    clones = {name: world.clone(name) for name in ("backend", "frontend", "other", "web")}
    world.git(clones["web"], "branch", "-q", "ws/old/main")
    for clone in clones.values():
        world.git(clone, "pack-refs", "--all", "--prune")
    before = survey(world)

    def again(workspace: str, *repos: str) -> list[str]:
        return [clone.repo for clone in survey_again(project, before, workspace, repos).clones]

    assert again("task-01") == []
    assert again("task-01", "other") == ["other"]
    assert again("old") == ["web"]
    world.git(clones["backend"], "branch", "-q", "ws/task-01/main")
    world.git(clones["frontend"], "branch", "-q", "raw")
    assert again("task-01") == ["backend"]
    assert again("task-0") == []
    world.git(clones["frontend"], "pack-refs", "--all", "--prune")
    assert again("task-01") == ["backend", "frontend"]
    world.clone("new")
    assert again("task-01") == ["backend", "frontend", "new"]


def test_what_cannot_be_read_is_a_problem_of_the_clone(world: World) -> None:
    clone = world.clone()
    (clone / ".git" / "worktrees").symlink_to("worktrees")
    [view] = survey(world).unlisted
    assert view.problem.startswith("its worktrees cannot be listed (")
    (clone / ".git").rename(clone / "aside")
    (clone / ".git").symlink_to(".git")
    [view] = survey(world).unlisted
    assert (view.repo, view.problem) == ("backend", "its .git cannot be read")


@pytest.mark.parametrize(
    ("name", "what"),
    [("refs/remotes/origin/HEAD", "default branch cannot be told"), ("packed-refs", "branches cannot be listed")],
)
def test_a_pipe_is_a_problem_of_the_clone(world: World, name: str, what: str) -> None:
    path = world.clone() / ".git" / name
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    [view] = survey(world).unlisted
    assert what in view.problem
    assert "is a pipe or a device, not a file" in view.problem


def test_a_lock_without_a_readable_reason_holds(world: World) -> None:
    world.clone()
    world.workspace()
    world.worktree()
    (world.pool / "backend" / ".git" / "worktrees" / "backend" / "locked").mkdir()
    assert survey(world).clones[0].registered[0].locked == "its reason cannot be read"


def test_some_clones_are_read_anew(world: World) -> None:
    clone = world.clone()
    before = survey(world)
    world.git(clone, "branch", "-q", "ws/t/main")
    after = view_again(Project(str(world.root)), before, ["backend"])
    assert (before.workspaces(), after.workspaces()) == ([], ["t"])
    assert view_again(Project(str(world.root)), before, []).workspaces() == []

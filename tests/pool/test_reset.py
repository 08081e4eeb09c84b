"""`sync --force` and `sync --branch` on real clones."""

from __future__ import annotations

from pathlib import Path

import pytest

from orbit.places import Project
from orbit.pool.index import read_index
from orbit.pool.reset import move_to_branch, reset_one
from orbit.pool.sync import Synced
from world import World


@pytest.fixture
def clone(world: World) -> Path:
    return world.clone()


def reset(world: World) -> Synced:
    project = Project(str(world.root))
    return reset_one(project, "backend", read_index(project).settings)


def move(world: World, branch: str) -> Synced:
    project = Project(str(world.root))
    return move_to_branch(project, "backend", branch, read_index(project).settings)


def own_commit(world: World, clone: Path) -> str:
    world.git(clone, "commit", "-q", "--allow-empty", "-m", "own")
    return world.git(clone, "rev-parse", "HEAD")


def test_a_diverged_clone_is_reset_and_its_old_tip_kept_and_named(world: World, clone: Path) -> None:
    own = own_commit(world, clone)
    upstream = world.origins["backend"].commit({"new": "1"})
    done = reset(world)
    assert (done.state, done.branch, done.line) == ("reset", "main", "backend: reset to origin/main")
    assert world.git(clone, "rev-parse", "HEAD") == upstream
    assert (clone / "new").read_text() == "1"
    kept = world.git(clone, "for-each-ref", "--format=%(refname) %(objectname)", "refs/orbit/reclaimed/_pool/")
    name, sha = kept.split()
    assert sha == own
    assert name.endswith("/main")
    assert [notice.fact for notice in done.notices] == [f"the old tip of main ({own[:12]}) is kept as {name}"]


def test_a_clone_that_is_behind_is_reset_too(world: World, clone: Path) -> None:
    upstream = world.origins["backend"].commit({"new": "1"})
    assert reset(world).state == "reset"
    assert world.git(clone, "rev-parse", "main") == upstream


def test_one_that_is_current_stays_and_keeps_nothing(world: World, clone: Path) -> None:
    done = reset(world)
    assert (done.state, done.notices) == ("current", ())
    assert world.git(clone, "for-each-ref", "refs/orbit") == ""


def test_a_dirty_clone_is_refused_and_its_files_listed(world: World, clone: Path) -> None:
    own = own_commit(world, clone)
    world.origins["backend"].commit({"new": "1"})
    (clone / "README.md").write_text("changed\n")
    done = reset(world)
    assert (done.state, done.error) == ("failed", "the pool clone has uncommitted changes: README.md")
    assert world.git(clone, "rev-parse", "HEAD") == own
    assert (clone / "README.md").read_text() == "changed\n"


def test_a_detached_head_is_kept_and_the_branch_checked_out(world: World, clone: Path) -> None:
    world.git(clone, "switch", "-q", "--detach")
    own = own_commit(world, clone)
    upstream = world.origins["backend"].commit({"new": "1"})
    assert reset(world).state == "reset"
    assert world.git(clone, "symbolic-ref", "HEAD") == "refs/heads/main"
    assert world.git(clone, "rev-parse", "HEAD") == upstream
    assert own in world.git(clone, "for-each-ref", "--format=%(objectname)", "refs/orbit/reclaimed/_pool/").split()
    assert world.git(clone, "status", "--porcelain") == ""


def test_two_resets_in_one_second_keep_both_tips(world: World, clone: Path) -> None:
    tips = []
    for _ in range(2):
        tips.append(own_commit(world, clone))
        assert reset(world).state == "reset"
    kept = world.git(clone, "for-each-ref", "--format=%(objectname)", "refs/orbit/reclaimed/_pool/").split()
    assert set(tips) <= set(kept)


def test_move_checks_the_branch_out_and_follows_it(world: World, clone: Path) -> None:
    world.origins["backend"].branch("release/2.x")
    tip = world.origins["backend"].commit({"v": "2"}, branch="release/2.x")
    done = move(world, "release/2.x")
    assert (done.state, done.line) == ("moved", "backend: now follows origin/release/2.x")
    assert world.git(clone, "symbolic-ref", "HEAD") == "refs/heads/release/2.x"
    assert world.git(clone, "rev-parse", "HEAD") == tip
    assert world.git(clone, "symbolic-ref", "refs/remotes/origin/HEAD") == "refs/remotes/origin/release/2.x"
    synced = world.orbit("sync", "backend")
    assert synced == (0, "backend: already up to date\n", "")


def test_move_back_forgets_the_choice(world: World, clone: Path) -> None:
    world.origins["backend"].branch("next")
    assert move(world, "next").state == "moved"
    newer = world.origins["backend"].commit({"x": "1"})
    assert move(world, "main").state == "moved"
    assert world.git(clone, "rev-parse", "HEAD") == newer
    assert world.orbit("sync").out == "backend: already up to date\n"


def test_a_branch_that_a_worktree_holds_is_refused_before_anything_moves(world: World, clone: Path) -> None:
    world.origins["backend"].branch("next")
    world.git(clone, "fetch", "-q")
    held = world.base / "held"
    world.git(clone, "worktree", "add", "-q", "-b", "next", str(held), "origin/next")
    done = move(world, "next")
    assert (done.state, done.error) == ("failed", f"next is checked out in {held}")
    assert world.git(clone, "symbolic-ref", "HEAD") == "refs/heads/main"


@pytest.mark.parametrize(
    ("branch", "why"), [("nope", "origin has no branch nope"), ("a..b", "not a branch name: a..b")]
)
def test_branches_that_cannot_be_followed(world: World, clone: Path, branch: str, why: str) -> None:
    done = move(world, branch)
    assert (done.state, done.error) == ("failed", why)
    assert world.git(clone, "symbolic-ref", "HEAD") == "refs/heads/main"


def test_a_dirty_clone_does_not_move(world: World, clone: Path) -> None:
    world.origins["backend"].branch("next")
    (clone / "README.md").write_text("changed\n")
    assert move(world, "next").error == "the pool clone has uncommitted changes: README.md"


def test_without_origin_both_say_so(world: World, clone: Path) -> None:
    world.git(clone, "remote", "remove", "origin")
    assert reset(world).error == "the pool clone has no remote named origin"

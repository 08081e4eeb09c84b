from __future__ import annotations

import pytest

from orbit.git.run import GitError
from orbit.places import Project
from orbit.reclaim import ledger
from orbit.reclaim.keeping import drop_tips, expire, keep_tips, write_refs
from orbit.reclaim.ledger import Entry
from orbit.reclaim.plan import Branch, Tree
from world import World

NOW = 1_700_000_000
DAY = 86_400


def entry(world: World, epoch: int = NOW) -> Entry:
    sha = world.git(world.pool / "backend", "rev-parse", "main")
    earlier = world.git(world.pool / "backend", "rev-parse", "main~1")
    tree = Tree("backend", "backend", "backend", "", {"HEAD": earlier, "rebase-merge/orig-head": sha})
    return Entry("t", epoch, ledger.PLANNED, False, (Branch("backend", "ws/t/main", sha),), (tree,), {})


def kept(world: World) -> list[str]:
    return world.git(world.pool / "backend", "for-each-ref", "--format=%(refname)", "refs/orbit").split()


def test_tips_are_kept_and_dropped_again(world: World) -> None:
    world.clone()
    project, one = Project(str(world.root)), entry(world)
    keep_tips(project, one)
    assert kept(world) == [
        f"refs/orbit/reclaimed/t/{NOW}/HEAD/backend/backend/HEAD",
        f"refs/orbit/reclaimed/t/{NOW}/HEAD/backend/backend/rebase-merge/orig-head",
        f"refs/orbit/reclaimed/t/{NOW}/ws/t/main",
    ]
    keep_tips(project, one)
    drop_tips(project, one)
    assert kept(world) == []
    drop_tips(project, one)


def test_gc_leaves_what_is_kept(world: World) -> None:
    clone = world.clone()
    tree = world.worktree(world.workspace().name)
    world.git(tree, "commit", "-q", "--allow-empty", "-m", "alone")
    sha = world.git(tree, "rev-parse", "HEAD")
    write_refs(str(clone), {f"refs/orbit/reclaimed/t/{NOW}/x": (sha, "")}, "keeping")
    world.git(clone, "worktree", "remove", "--force", str(tree))
    world.git(clone, "branch", "-q", "-D", "ws/task-01/main")
    world.git(clone, "reflog", "expire", "--expire=now", "--all")
    world.git(clone, "gc", "-q", "--prune=now")
    assert world.git(clone, "cat-file", "-t", sha) == "commit"


def test_what_is_too_old_expires_and_nothing_else(world: World) -> None:
    clone = world.clone()
    project = Project(str(world.root))
    for epoch in (NOW - 31 * DAY, NOW - 29 * DAY):
        keep_tips(project, entry(world, epoch))
        ledger.write(project, entry(world, epoch))
    sha = world.git(clone, "rev-parse", "main")
    for name in (f"_pool/{NOW - 31 * DAY}/main", f"_pool/{NOW}/main", "odd", "x/notanumber/y"):
        world.git(clone, "update-ref", f"refs/orbit/reclaimed/{name}", sha)
    expire(project, 30, NOW)
    left = {ref.removeprefix("refs/orbit/reclaimed/") for ref in kept(world)}
    assert {name for name in left if not name.startswith("t/")} == {f"_pool/{NOW}/main", "odd", "x/notanumber/y"}
    assert {name.split("/")[1] for name in left if name.startswith("t/")} == {str(NOW - 29 * DAY)}
    assert ledger.entries(project) == [("t", NOW - 29 * DAY)]


def test_a_clone_that_cannot_be_read_waits(world: World) -> None:
    (world.clone() / ".git" / "packed-refs").write_text("nonsense refs/orbit/reclaimed/x\n")
    expire(Project(str(world.root)), 30, NOW)


def test_one_that_moved_stops_the_whole_transaction(world: World) -> None:
    clone = world.clone()
    sha, earlier = (world.git(clone, "rev-parse", name) for name in ("main", "main~1"))
    for name in ("one", "two"):
        world.git(clone, "branch", "-q", name, sha)
    with pytest.raises(GitError, match="deleting"):
        write_refs(str(clone), {"refs/heads/one": ("", sha), "refs/heads/two": ("", earlier)}, "deleting")
    assert world.git(clone, "rev-parse", "one") == sha
    write_refs(str(clone), {"refs/heads/one": ("", sha), "refs/heads/two": (earlier, sha)}, "deleting")
    assert world.git(clone, "for-each-ref", "--format=%(objectname)", "refs/heads/one", "refs/heads/two") == earlier

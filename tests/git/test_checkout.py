"""How orbit itself writes working trees: what of the user's it leaves out, and when it may ask a remote."""

from __future__ import annotations

from pathlib import Path

import pytest

import lfs
from orbit.git.checkout import fill, lfs_is_missing, may_lack_objects, pool_options
from orbit.git.run import change
from world import World, environment


def blobless(world: World, name: str = "blobless") -> Path:
    """A partial clone without working tree files; its remote gets one more commit."""
    origin = world.origin()
    world.git(origin.path, "config", "uploadpack.allowFilter", "true")
    clone = world.base / name
    world.git(world.base, "clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{origin.url}", str(clone))
    return clone


def test_a_partial_clone_is_told_from_a_whole_one(world: World) -> None:
    assert may_lack_objects(str(blobless(world)))
    assert not may_lack_objects(str(world.clone("other")))
    assert not may_lack_objects(str(world.base))


def test_a_worktree_of_a_partial_clone_is_partial_too(world: World) -> None:
    clone = blobless(world)
    world.git(clone, "worktree", "add", "-q", "--no-checkout", "--detach", str(world.base / "tree"))
    assert may_lack_objects(str(world.base / "tree"))


def test_missing_files_are_fetched_only_for_a_checkout(world: World) -> None:
    clone = blobless(world)
    words = ["reset", "--quiet", "--hard", world.origins["backend"].sha()]
    refused = change(str(clone), words)
    assert refused.code != 0
    assert b"from promisor remote" in refused.err
    assert fill(str(clone), words).code == 0
    assert (clone / "src" / "app.py").read_text() == "print(2)\n"


def test_a_whole_clone_never_reaches_for_a_remote(world: World) -> None:
    clone = world.clone()
    done = fill(str(clone), ["fetch", "origin"])
    assert done.code != 0
    assert b"not allowed" in done.err


@pytest.mark.parametrize("hook", ["post-checkout", "post-merge", "pre-auto-gc"])
def test_nobody_s_program_runs(world: World, hook: str) -> None:
    clone = world.clone()
    (clone / ".git" / "hooks").mkdir(exist_ok=True)
    script = clone / ".git" / "hooks" / hook
    script.write_text(f"#!/bin/sh\ntouch {world.base}/ran\nexit 1\n")
    script.chmod(0o755)
    world.origins["backend"].commit({"new": "x"})
    world.git(clone, "fetch", "-q", "origin")
    world.git(clone, "config", "gc.auto", "1")
    merged = fill(str(clone), [*pool_options(), "merge", "--ff-only", "--quiet", "refs/remotes/origin/main"])
    assert merged.code == 0
    assert (clone / "new").exists()
    assert not (world.base / "ran").exists()


def test_no_maintenance_starts_after_a_merge(world: World) -> None:
    clone = world.clone()
    world.origins["backend"].commit({"new": "x"})
    world.git(clone, "fetch", "-q", "origin")
    world.git(clone, "config", "gc.auto", "1")
    world.git(clone, "config", "maintenance.auto", "true")
    words = ["merge", "--ff-only", "--quiet", "refs/remotes/origin/main"]
    with environment({"GIT_TRACE": str(world.base / "trace")}):
        assert fill(str(clone), [*pool_options(), *words]).code == 0
    trace = (world.base / "trace").read_text()
    assert "built-in: git merge" in trace
    assert "git gc" not in trace
    assert "git maintenance" not in trace


def test_lfs_pointers_stay_pointers_where_the_program_is_missing(world: World) -> None:
    origin = world.origin("media", lfs.FILES)
    clone = world.clone("media")
    origin.commit({"b.bin": "another pointer\n"})
    world.git(clone, "fetch", "-q", "origin")
    words = ["merge", "--ff-only", "--quiet", "refs/remotes/origin/main"]
    with lfs.configured_and_missing(world):
        assert lfs_is_missing()
        assert fill(str(clone), words).code != 0
        world.git(clone, "-c", "filter.lfs.process=", "-c", "filter.lfs.required=false", "reset", "-q", "--hard")
        assert fill(str(clone), [*pool_options(), *words]).code == 0
    assert (clone / "b.bin").read_text() == "another pointer\n"


def test_lfs_works_where_the_program_is_there(world: World) -> None:
    program = world.base / "git-lfs"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    with environment({"PATH": f"{world.base}:/usr/bin:/bin"}):
        assert not lfs_is_missing()
        assert not any("lfs" in option for option in pool_options())

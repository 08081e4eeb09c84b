"""A repository read without running git in it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from looks import unseen
from orbit.errors import OrbitError
from orbit.pool.foreign import Foreign, Refs, make_view, open_foreign, read_refs, unpublished
from world import World


def read(path: Path, remote: str = "origin", *, mirror: bool = False) -> tuple[Refs, dict[str, str]]:
    foreign = open_foreign(str(path))
    view = path.parent / f"view-{path.name}"
    make_view(foreign, remote, str(view))
    refs = read_refs(foreign, str(view), "" if mirror else remote)
    return refs, unpublished(foreign, str(view), refs)


def source(world: World) -> Path:
    origin = world.origins.get("backend") or world.origin()
    world.git(world.base, "clone", "-q", origin.url, "src")
    return world.base / "src"


def test_refs_of_every_kind(world: World) -> None:
    origin = world.origin()
    origin.branch("release/1.x")
    clone = source(world)
    main = origin.sha()
    world.git(clone, "tag", "light")
    world.git(clone, "tag", "-m", "heavy", "heavy")
    world.git(clone, "tag", "of-a-tree", "HEAD^{tree}")
    world.git(clone, "checkout", "-q", "-b", "feat/x")
    world.git(clone, "commit", "-q", "--allow-empty", "-m", "mine")
    mine = world.git(clone, "rev-parse", "HEAD")
    world.git(clone, "pack-refs", "--all")
    refs, commits = read(clone)
    assert refs.branches == {"main": main, "release/1.x": main}
    assert refs.heads == {"main": main, "feat/x": mine}
    assert refs.tags["light"] == (main, main)
    assert refs.tags["heavy"] == (world.git(clone, "rev-parse", "heavy"), main)
    assert "of-a-tree" not in refs.tags
    assert (refs.default, refs.current, refs.stash) == ("main", "feat/x", "")
    assert commits == {mine: "refs/heads/feat/x"}


def test_nothing_local(world: World) -> None:
    assert read(source(world))[1] == {}


def test_a_stash_and_a_detached_head(world: World) -> None:
    clone = source(world)
    (clone / "README.md").write_text("changed")
    world.git(clone, "stash", "-q")
    world.git(clone, "checkout", "-q", "--detach")
    world.git(clone, "commit", "-q", "--allow-empty", "-m", "mine")
    refs, commits = read(clone)
    assert refs.current == ""
    assert refs.stash == world.git(clone, "rev-parse", "refs/stash")
    assert commits[world.git(clone, "rev-parse", "HEAD")] == "HEAD"


def test_a_linked_worktree_has_its_own_head(world: World) -> None:
    clone = source(world)
    world.git(clone, "worktree", "add", "-q", "-b", "side", f"{world.base}/linked")
    foreign = open_foreign(f"{world.base}/linked")
    assert foreign.common == f"{clone}/.git"
    assert read(world.base / "linked")[0].current == "side"


def test_a_mirror_keeps_the_branches_of_its_origin_as_its_own(world: World) -> None:
    world.git(world.base, "clone", "-q", "--mirror", world.origin().url, "mirror.git")
    refs, _ = read(world.base / "mirror.git", mirror=True)
    assert (refs.branches, refs.default) == ({"main": world.origins["backend"].sha()}, "main")


def test_another_object_format(world: World) -> None:
    path = world.base / "new"
    world.git(world.base, "init", "-q", "--object-format=sha256", str(path))
    world.git(path, "commit", "-q", "--allow-empty", "-m", "one")
    world.git(path, "update-ref", "refs/remotes/origin/main", "HEAD")
    assert len(read(path)[0].branches["main"]) == 64


def test_a_path_that_needs_quoting(world: World) -> None:
    odd = world.base / 'a "b"\n\\ünd\x07'
    source(world).rename(odd)
    foreign = open_foreign(str(odd))
    make_view(foreign, "origin", f"{world.base}/view")
    assert read_refs(foreign, f"{world.base}/view", "origin").default == "main"


def break_head(clone: Path) -> None:
    (clone / ".git/HEAD").write_text("nonsense\n")


def lose_objects(clone: Path) -> None:
    for pack in (clone / ".git/objects/pack").iterdir():
        pack.unlink()


@pytest.mark.parametrize(
    ("harm", "message"),
    [
        (break_head, "not a git repository"),
        (lose_objects, "missing object"),
        (lambda clone: (clone / ".git/config").unlink(), "its git config cannot be read .it is missing."),
        (lambda clone: (clone / ".git/config").write_text("[oops"), "its git config cannot be read .line 1"),
        (lambda clone: os.rename(clone / ".git/objects", clone / "objects"), "its objects are missing"),
    ],
)
def test_broken(world: World, harm: object, message: str) -> None:
    clone = source(world)
    assert callable(harm)
    harm(clone)
    with pytest.raises(OrbitError, match=message):
        read(clone)


def test_objects_behind_a_link_are_refused(world: World) -> None:
    clone = source(world)
    os.rename(clone / ".git/objects", world.base / "objects")
    (clone / ".git/objects").symlink_to(world.base / "objects")
    with pytest.raises(OrbitError, match="behind a symbolic link"):
        open_foreign(str(clone))


@pytest.mark.parametrize("text", ["gitdir: /gone\n", "nonsense\n", ""])
def test_a_git_file_that_leads_nowhere(tmp_path: Path, text: str) -> None:
    (tmp_path / ".git").write_text(text)
    with pytest.raises(OrbitError, match="not a repository that git could read"):
        open_foreign(str(tmp_path))


def test_refs_behind_links_are_not_read(world: World) -> None:
    clone = source(world)
    secret = world.base / "secret"
    secret.write_text("mine")
    (clone / ".git/refs/heads/leak").symlink_to(secret)
    foreign: Foreign = open_foreign(str(clone))
    make_view(foreign, "origin", f"{world.base}/view")
    assert not (world.base / "view/refs/heads/leak").exists()


def test_refs_that_cannot_be_looked_at_are_not_left_out(world: World) -> None:
    clone = source(world)
    world.git(clone, "pack-refs", "--all")
    with unseen(clone / ".git" / "packed-refs"), pytest.raises(OrbitError, match="cannot be read: Input/output error"):
        read(clone)


def test_a_directory_of_the_view_that_cannot_be_looked_at_is_used(world: World) -> None:
    clone = source(world)
    with unseen(clone.parent / "view-src" / "refs" / "heads"):
        assert read(clone)[0].heads

"""Which directories count as repositories, and how deep they are looked for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from orbit.pool.sources import find_repositories, is_repository, linked_to, submodule_of
from world import World, run_git


def init(path: Path, *words: str) -> Path:
    path.mkdir(parents=True)
    run_git(path, "init", "-q", *words)
    return path


def test_itself_and_two_levels_below(tmp_path: Path) -> None:
    top = init(tmp_path / "top")
    one, two = init(top / "one"), init(top / "group" / "two")
    init(top / "group" / "deeper" / "three")
    init(one / "inside")
    init(top / ".hidden")
    bare = init(top / "bare.git", "--bare")
    (top / "file").write_text("")
    found = find_repositories(str(top))
    assert found.places == tuple(map(str, (top, bare, two, one)))
    assert (found.links, found.unreadable) == ((), ())


def test_a_bare_repository_is_not_looked_into(tmp_path: Path) -> None:
    bare = init(tmp_path / "bare.git", "--bare")
    init(bare / "hooks" / "odd")
    assert find_repositories(str(bare)).places == (str(bare),)


def test_links_are_told_and_not_followed(tmp_path: Path) -> None:
    target = init(tmp_path / "elsewhere")
    top = tmp_path / "top"
    top.mkdir()
    (top / "link").symlink_to("../elsewhere")
    (top / "loop").symlink_to(top)
    (top / "dangling").symlink_to("gone")
    found = find_repositories(str(top))
    assert (found.places, found.links) == ((), ((f"{top}/link", str(target)),))


def test_one_directory_is_left_out(tmp_path: Path) -> None:
    init(tmp_path / "project" / "workspace")
    kept = init(tmp_path / "src")
    assert find_repositories(str(tmp_path), f"{tmp_path}/project").places == (str(kept),)


@pytest.mark.skipif(os.geteuid() == 0, reason="permissions do not bind root")
def test_what_cannot_be_read(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0)
    assert find_repositories(str(tmp_path)).unreadable == ((str(closed), "Permission denied"),)


def test_what_vanished_cannot_be_read(tmp_path: Path) -> None:
    gone = f"{tmp_path}/gone"
    assert find_repositories(gone).unreadable == ((gone, "No such file or directory"),)


def test_what_looks_like_a_repository(tmp_path: Path) -> None:
    assert is_repository(str(init(tmp_path / "a")))
    assert is_repository(str(init(tmp_path / "b", "--bare")))
    (tmp_path / "c" / "objects").mkdir(parents=True)
    assert not is_repository(f"{tmp_path}/c")


def test_linked_worktrees_and_submodules(world: World) -> None:
    main = world.clone()
    world.git(main, "worktree", "add", "-q", "--detach", f"{world.base}/linked")
    assert linked_to(f"{world.base}/linked") == f"{main}/.git"
    assert linked_to(str(main)) == linked_to(str(world.base)) == ""
    top = init(world.base / "top")
    world.git(top, "submodule", "--quiet", "add", world.origins["backend"].url, "inner")
    init(top / "other")
    assert submodule_of(f"{top}/inner", str(top))
    assert not submodule_of(f"{top}/other", str(top))
    assert not submodule_of(f"{world.base}/linked", str(top))
    assert not submodule_of(f"{top}/inner", str(world.base))

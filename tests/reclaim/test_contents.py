from __future__ import annotations

import os
from pathlib import Path

import pytest

from orbit.reclaim.contents import look_into, measure
from world import World


@pytest.fixture
def top(tmp_path: Path) -> Path:
    (tmp_path / "ws").mkdir()
    return tmp_path / "ws"


def test_loose_files_are_those_outside_every_worktree(top: Path) -> None:
    for name, size in {"notes/a.txt": 3, "b.txt": 4, "backend/src/c.py": 5, ".orbit": 6}.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_bytes(b"x" * size)
    found = look_into(str(top), {"backend"}, set(), "/pool")
    assert (found.loose_files, found.loose_bytes) == (2, 7)


def test_repositories_of_somebody_else_at_any_depth(world: World, top: Path) -> None:
    for name in ("one", "a/b/c/two"):
        (top / name).mkdir(parents=True)
        world.git(top / name, "init", "-q")
    world.git(top, "init", "-q", "--bare", "deep/mirror.git")
    (top / "file").mkdir()
    (top / "file" / ".git").write_text("gitdir: /somewhere/else\n")
    found = look_into(str(top), set(), set(), str(world.pool))
    assert found.foreign == ("a/b/c/two", "deep/mirror.git", "file", "one")


def test_a_directory_that_is_listed_and_not_entered(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its owner may list it, and would delete what nobody has seen."""
    (top / "notes" / "theirs" / ".git").mkdir(parents=True)
    (top / "notes").chmod(0o444)
    monkeypatch.chdir(top)
    superuser = os.geteuid() == 0
    if superuser:
        os.chown(top / "notes", 65534, -1)
        os.seteuid(65534)
    try:
        found = look_into(".", set(), set(), "/pool")
    finally:
        if superuser:
            os.seteuid(0)
        (top / "notes").chmod(0o755)
    assert found.unreadable == ("notes/theirs",)


def test_a_link_into_the_pool_that_is_not_registered_there(world: World, top: Path) -> None:
    (top / "copy").mkdir()
    (top / "copy" / ".git").write_text(f"gitdir: {world.pool}/backend/.git/worktrees/backend\n")
    assert look_into(str(top), set(), set(), os.path.realpath(world.pool)).broken == ("copy",)


def test_known_worktrees_and_their_submodules_are_not_foreign(top: Path) -> None:
    for name in ("backend", "backend/lib"):
        (top / name).mkdir()
        (top / name / ".git").write_text("gitdir: x\n")
    assert look_into(str(top), {"backend"}, {"backend/lib"}, "/pool").foreign == ()
    assert look_into(str(top), {"backend"}, set(), "/pool").foreign == ("backend/lib",)


def test_the_workspace_itself_may_be_a_repository(world: World, top: Path) -> None:
    world.git(top, "init", "-q")
    assert look_into(str(top), set(), set(), "/pool").foreign == (".",)


def test_links_are_not_followed(top: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (outside / ".git").mkdir(parents=True)
    (top / "sub").mkdir()
    (top / "direct").symlink_to(outside)
    (top / "sub" / "below").symlink_to(outside)
    (top / "dangling").symlink_to("/nowhere")
    found = look_into(str(top), set(), set(), "/pool")
    assert found.links == ("direct",)
    assert found.foreign == ()
    assert found.loose_files == 3


def test_ignored_places_are_measured(top: Path) -> None:
    (top / "build" / "deep").mkdir(parents=True)
    (top / "build" / "deep" / "a").write_bytes(b"x" * 10)
    (top / "one.o").write_bytes(b"x" * 5)
    (top / "link").symlink_to("/etc")
    assert measure(str(top), ["build/", "one.o", "link", "gone"]) == (3, 15 + len("/etc"))

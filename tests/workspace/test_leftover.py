"""What a dead checkout wrote is removed; what it cannot have written never is."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from looks import unseen
from orbit.errors import OrbitError
from orbit.workspace.leftover import remove_leftover
from world import World

FILES = {
    "README.md": "one\ntwo\nthree\n",
    "deep/er/file.txt": "text\n",
    "large.bin": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n",
}


def checked_out(directory: Path) -> None:
    for name, text in FILES.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (directory / ".git").write_text("gitdir: /nowhere\n")


def cut(directory: Path) -> None:
    (directory / "README.md").write_text("one\ntw")


def crlf(directory: Path) -> None:
    (directory / "README.md").write_bytes(b"one\r\ntwo\r")


def fetched(directory: Path) -> None:
    (directory / "large.bin").write_bytes(b"\0\1\2\3\4")


def partial(directory: Path) -> None:
    (directory / "README.md").unlink()
    (directory / "deep/er/file.txt").write_text("")


def only_link(directory: Path) -> None:
    for name in FILES:
        (directory / name).unlink()


def untouched(directory: Path) -> None:
    pass


def edited(directory: Path) -> None:
    (directory / "README.md").write_text("one\ntwo and a half\nthree\n")


def longer(directory: Path) -> None:
    (directory / "README.md").write_text(FILES["README.md"] + "four\n")


def new_file(directory: Path) -> None:
    (directory / "deep" / "notes.txt").write_text("mine")


def new_link(directory: Path) -> None:
    (directory / "link").symlink_to("README.md")


def link_in_place(directory: Path) -> None:
    (directory / "README.md").unlink()
    (directory / "README.md").symlink_to("deep")


def pipe_in_place(directory: Path) -> None:
    (directory / "README.md").unlink()
    os.mkfifo(directory / "README.md")


@pytest.fixture
def leftover(world: World) -> Path:
    world.origin(files=FILES)
    world.clone()
    path = world.workspace() / "backend"
    path.mkdir()
    checked_out(path)
    return path


def remove(world: World, leftover: Path, commit: str = "HEAD") -> str:
    clone = world.pool / "backend"
    sha = world.git(clone, "rev-parse", commit) if commit else ""
    return remove_leftover(str(clone), str(leftover), sha)


@pytest.mark.parametrize("change", [untouched, cut, crlf, fetched, partial, only_link])
def test_what_a_checkout_writes_is_removed(world: World, leftover: Path, change: Callable[[Path], None]) -> None:
    change(leftover)
    assert remove(world, leftover) == ""
    assert os.listdir(world.root / "task-01") == []


@pytest.mark.parametrize("change", [edited, longer, new_file, new_link, link_in_place, pipe_in_place])
def test_anything_else_is_kept_aside(world: World, leftover: Path, change: Callable[[Path], None]) -> None:
    change(leftover)
    kept = sorted(os.path.relpath(found, leftover) for found in leftover.rglob("*") if found.name != ".git")
    aside = remove(world, leftover)
    assert aside == f"{leftover}.interrupted"
    assert sorted(os.path.relpath(found, aside) for found in Path(aside).rglob("*")) == kept
    assert os.listdir(world.root / "task-01") == ["backend.interrupted"]


def test_an_earlier_aside_is_not_overwritten(world: World, leftover: Path) -> None:
    Path(f"{leftover}.interrupted").write_text("here already")
    new_file(leftover)
    assert remove(world, leftover) == f"{leftover}.interrupted-2"


def test_symlinks_of_the_commit_are_known(world: World, leftover: Path) -> None:
    clone = world.pool / "backend"
    (clone / "link").symlink_to("deep/er/file.txt")
    (clone / "folder-link").symlink_to("deep")
    world.git(clone, "add", "link", "folder-link")
    world.git(clone, "commit", "-q", "-m", "Link")
    (leftover / "link").symlink_to("deep/er/file.txt")
    (leftover / "folder-link").symlink_to("deep")
    assert remove(world, leftover) == ""


def test_in_an_empty_repository_every_file_is_somebodys(world: World, leftover: Path) -> None:
    assert remove(world, leftover, "") == f"{leftover}.interrupted"


def test_nothing_there(world: World, leftover: Path) -> None:
    assert remove_leftover(str(world.pool / "backend"), f"{leftover}-not", "") == ""


def test_what_cannot_be_removed_is_an_error(world: World, leftover: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("shutil.rmtree", refuse)
    with pytest.raises(OrbitError, match=r"what an interrupted add left cannot be removed \(Permission denied\)$"):
        remove(world, leftover)


def test_what_cannot_be_looked_into_is_not_removed(
    world: World, leftover: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with unseen(leftover), pytest.raises(OrbitError, match="cannot be looked at"):
        remove(world, leftover)
    scandir = os.scandir

    def failing(path: str) -> Any:
        if str(path).endswith("deep"):
            raise OSError(errno.EIO, os.strerror(errno.EIO), path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", failing)
    with pytest.raises(OrbitError, match=r"cannot be removed \(Input/output error\)"):
        remove(world, leftover)
    assert (leftover / "README.md").exists()

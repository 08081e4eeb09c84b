"""Pipes and devices where git expects files: no call to git waits for them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from orbit.errors import OrbitError
from orbit.git.endless import refuse_endless
from orbit.git.files import git_dir, list_refs, read_head, read_ref, read_symref
from orbit.git.reffiles import EndlessError
from orbit.git.run import change, network, observe
from world import World

ALWAYS_READ = [
    "HEAD",
    "config",
    "packed-refs",
    "index",
    "shallow",
    "commondir",
    "CHERRY_PICK_HEAD",
    "info/exclude",
    "info/grafts",
    "objects/info/alternates",
    "refs/heads/main",
    "refs/remotes/origin/HEAD",
]


def replaced(path: Path, make: Callable[[Path], None]) -> Path:
    path.unlink(missing_ok=True)
    path.parent.mkdir(exist_ok=True)
    make(path)
    return path


def to_a_pipe(path: Path) -> None:
    os.mkfifo(path.parent / "elsewhere")
    path.symlink_to("elsewhere")


@pytest.mark.parametrize("name", ALWAYS_READ)
@pytest.mark.parametrize("make", [os.mkfifo, to_a_pipe, lambda path: path.symlink_to("/dev/zero")])
def test_no_call_waits(world: World, name: str, make: Callable[[Path], None]) -> None:
    clone = world.clone()
    replaced(clone / ".git" / name, make)
    for call in (observe, change, network):
        with pytest.raises(EndlessError, match="a pipe or a device, not a file"):
            call(str(clone), ["status", "--porcelain=v2", "--branch"])


@pytest.mark.parametrize("name", ["index", "gitdir", "HEAD"])
def test_what_a_worktree_has_for_itself(world: World, name: str) -> None:
    world.clone()
    world.workspace()
    tree = world.worktree()
    directory = git_dir(str(tree))
    assert directory is not None
    replaced(Path(directory) / name, os.mkfifo)
    with pytest.raises(EndlessError, match=name):
        observe(str(tree), ["status"])


def test_what_a_worktree_shares(world: World) -> None:
    clone = world.clone()
    world.workspace()
    tree = world.worktree()
    branch = clone / ".git" / "refs" / "heads" / "ws" / "task-01" / "main"
    kept = branch.read_bytes()
    for path in (branch, clone / ".git" / "config"):
        before = path.read_bytes()
        replaced(path, os.mkfifo)
        with pytest.raises(EndlessError, match=path.name):
            observe(str(tree), ["status"])
        replaced(path, lambda path, content=before: path.write_bytes(content))  # type: ignore[misc]
    assert observe(str(tree), ["rev-parse", "HEAD"]).out == kept


def test_a_bare_repository(world: World, tmp_path: Path) -> None:
    world.git(tmp_path, "init", "--quiet", "--bare", "bare")
    replaced(tmp_path / "bare" / "config", os.mkfifo)
    with pytest.raises(EndlessError, match="config"):
        observe(str(tmp_path / "bare"), ["rev-parse", "--git-dir"])


def test_nothing_stands_for_a_missing_file_and_pipes_elsewhere_are_no_matter(world: World) -> None:
    clone = world.clone()
    replaced(clone / ".git" / "info" / "exclude", lambda path: path.symlink_to(os.devnull))
    os.mkfifo(clone / "pipe")
    os.mkfifo(world.pool / "pipe")
    assert observe(str(clone), ["rev-parse", "--git-dir"]).text == ".git"
    assert observe(str(world.pool), ["version"]).code == 0


@pytest.mark.parametrize(
    "content", [b"", b"gitdir: ", b"gitdir: \0\n", b"gitdir: nowhere\n", b"gitdir: .git\n", b"x" * 10_000]
)
def test_git_tells_what_else_is_wrong(tmp_path: Path, content: bytes) -> None:
    (tmp_path / ".git").write_bytes(content)
    refuse_endless(str(tmp_path / ".git"))
    assert observe(str(tmp_path), ["status"]).code == 128


@pytest.mark.parametrize("content", ["ref: refs/../x\n", "ref: refs/heads/nothing\n", "garbage"])
def test_git_tells_what_is_wrong_with_head(world: World, content: str) -> None:
    clone = world.clone()
    (clone / ".git" / "HEAD").write_text(content)
    refuse_endless(str(clone / ".git"))


def test_reading_refs_waits_for_none(world: World) -> None:
    clone = world.clone()
    directory = str(clone / ".git")
    replaced(clone / ".git" / "refs" / "remotes" / "origin" / "HEAD", os.mkfifo)
    replaced(clone / ".git" / "refs" / "remotes" / "origin" / "main", os.mkfifo)
    with pytest.raises(EndlessError, match="origin/HEAD"):
        read_symref(directory, "refs/remotes/origin/HEAD")
    with pytest.raises(EndlessError, match="origin/main"):
        read_ref(directory, "refs/remotes/origin/main")
    with pytest.raises(OrbitError, match="not a file"):
        list_refs(directory, "refs/remotes/origin/")
    assert read_head(str(clone)) is not None


@pytest.mark.parametrize("name", ["HEAD", "refs/heads/main"])
@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
def test_a_clone_whose_head_never_ends_is_no_repository(world: World, name: str, make: Callable[[Path], None]) -> None:
    clone = world.clone()
    replaced(clone / ".git" / name, make)
    assert read_head(str(clone)) is None


def test_a_ref_that_git_comes_across_holds_it_up_for_a_moment_only(world: World) -> None:
    clone = world.clone()
    world.workspace()
    tree = world.worktree()
    pipe = replaced(clone / ".git" / "refs" / "remotes" / "origin" / "topic", os.mkfifo)
    for checkout in (clone, tree):
        with pytest.raises(EndlessError, match=str(pipe)):
            observe(str(checkout), ["for-each-ref"])

"""What one working tree is like, and what no user setting may hide."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import lfs
from looks import unseen
from orbit.errors import OrbitError
from orbit.git.run import GitError
from orbit.git.status import TreeStatus, operation_in_progress, read_status
from world import World, environment, run_git


@pytest.fixture
def tree(world: World) -> Path:
    world.clone()
    world.workspace()
    return world.worktree()


def look(tree: Path, *, untracked: bool = True) -> TreeStatus:
    return read_status(str(tree), untracked=untracked)


def commit(world: World, tree: Path, name: str, text: str) -> None:
    (tree / name).write_text(text)
    world.git(tree, "add", "--", name)
    world.git(tree, "commit", "-q", "-m", "Change")


def test_a_clean_worktree(tree: Path) -> None:
    assert look(tree) == TreeStatus("origin/main", 0, 0, 0)


def test_ahead_and_behind(world: World, tree: Path) -> None:
    world.origins["backend"].commit({"upstream": "x"})
    world.origins["backend"].commit({"upstream": "y"})
    world.git(tree, "fetch", "-q", "origin")
    commit(world, tree, "own", "x")
    assert look(tree) == TreeStatus("origin/main", 1, 2, 0)


def test_every_kind_of_change_is_one_dirty_file(world: World, tree: Path) -> None:
    commit(world, tree, "moved", "a file that is moved\n" * 3)
    world.git(tree, "mv", "moved", "target")
    (tree / "README.md").write_text("changed")
    (tree / "new").write_text("untracked")
    (tree / "staged").write_text("x")
    world.git(tree, "add", "staged")
    (tree / "caf\N{LATIN SMALL LETTER E WITH ACUTE} \n 2").write_text("x")
    assert look(tree).dirty_files == 5
    assert look(tree, untracked=False).dirty_files == 3


def test_a_name_that_is_not_utf8_counts(tree: Path) -> None:
    with open(os.path.join(os.fsencode(tree), b"caf\xe9"), "w") as file:
        file.write("x")
    assert look(tree).dirty_files == 1


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("status.showUntrackedFiles", "no"),
        ("color.ui", "always"),
        ("status.branch", "false"),
        ("status.aheadBehind", "false"),
        ("status.renames", "copies"),
        ("core.quotePath", "true"),
        ("status.relativePaths", "false"),
        ("diff.ignoreSubmodules", "all"),
        ("alias.status", "log"),
        ("core.fsmonitor", "false"),
        ("status.showStash", "true"),
    ],
)
def test_no_setting_hides_anything(world: World, tree: Path, key: str, value: str) -> None:
    world.origins["backend"].commit()
    world.git(tree, "fetch", "-q", "origin")
    (tree / "new").write_text("x")
    world.git(tree, "config", key, value)
    assert look(tree) == TreeStatus("origin/main", 0, 1, 1)


def test_a_dirty_submodule_counts(world: World, tree: Path) -> None:
    world.git(tree, "submodule", "--quiet", "add", world.origin("library").url, "library")
    world.git(tree, "commit", "-q", "-m", "Submodule")
    world.git(tree, "config", "submodule.library.ignore", "all")
    assert look(tree).dirty_files == 0
    (tree / "library" / "new").write_text("x")
    assert look(tree).dirty_files == 1


def test_without_upstream(world: World, tree: Path) -> None:
    world.git(tree, "branch", "--unset-upstream")
    assert look(tree) == TreeStatus("", 0, 0, 0)


def test_an_upstream_that_is_gone_is_not_in_sync(world: World, tree: Path) -> None:
    world.git(tree, "update-ref", "-d", "refs/remotes/origin/main")
    assert look(tree) == TreeStatus("", 0, 0, 0)


def test_a_detached_and_an_unborn_head(world: World, tree: Path) -> None:
    world.git(tree, "checkout", "-q", "--detach")
    assert look(tree) == TreeStatus("", 0, 0, 0)
    world.git(tree, "checkout", "-q", "--orphan", "fresh")
    assert look(tree).upstream == ""


def test_a_blobless_clone_is_read_without_its_remote(world: World) -> None:
    origin = world.origin("backend", {f"f{n}": f"{n}\n" * 40 for n in range(3)})
    world.git(origin.path, "config", "uploadpack.allowFilter", "true")
    clone = world.base / "blobless"
    world.git(world.base, "clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{origin.url}", str(clone))
    world.git(clone, "read-tree", "HEAD")
    world.git(clone, "rm", "-q", "--cached", "f1")
    (clone / "moved").write_text("1\n" * 39)
    world.git(clone, "add", "moved")
    with environment({"GIT_TRACE": str(world.base / "trace")}):
        assert look(clone).dirty_files == 6
    assert "fetch" not in (world.base / "trace").read_text()


def test_lfs_that_is_configured_and_not_installed(world: World) -> None:
    """Its filter dies on any file that git has to look into, and git with it."""
    world.origin("media", lfs.FILES)
    clone = world.clone("media")
    os.utime(clone / "a.bin", (1, 1))
    with lfs.configured_and_missing(world):
        assert look(clone).dirty_files == 0
        (clone / "a.bin").write_text("changed\n")
        assert look(clone).dirty_files == 1


def test_what_git_cannot_read_is_an_error(world: World, tree: Path) -> None:
    (world.base / "plain").mkdir()
    with pytest.raises(GitError, match="reading its status: not a git repository"):
        look(world.base / "plain")
    (tree / ".git").write_text("gitdir: /nowhere\n")
    with pytest.raises(GitError, match="reading its status: not a git repository"):
        look(tree)


def fails(directory: Path, *args: str) -> None:
    with pytest.raises(AssertionError):
        run_git(directory, *args)


def in_conflict(world: World, tree: Path) -> str:
    """A commit that conflicts with HEAD; its name."""
    commit(world, tree, "README.md", "theirs")
    other = world.git(tree, "rev-parse", "HEAD")
    world.git(tree, "reset", "-q", "--hard", "HEAD~1")
    commit(world, tree, "README.md", "ours")
    return other


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (("merge",), "merge"),
        (("cherry-pick",), "cherry-pick"),
        (("rebase",), "rebase"),
        (("rebase", "--apply"), "rebase"),
    ],
)
def test_an_operation_in_progress(world: World, tree: Path, command: tuple[str, ...], name: str) -> None:
    other = in_conflict(world, tree)
    assert operation_in_progress(str(tree)) == ""
    fails(tree, *command, other)
    assert operation_in_progress(str(tree)) == name
    assert look(tree).dirty_files == 1


def test_a_revert_and_a_bisect(world: World, tree: Path) -> None:
    commit(world, tree, "README.md", "one")
    commit(world, tree, "README.md", "two")
    fails(tree, "revert", "--no-edit", "HEAD~1")
    assert operation_in_progress(str(tree)) == "revert"
    world.git(tree, "revert", "--abort")
    world.git(tree, "bisect", "start")
    assert operation_in_progress(str(tree)) == "bisect"


def test_no_operation_where_there_is_no_repository(world: World) -> None:
    assert operation_in_progress(str(world.base)) == ""


def test_an_operation_is_not_over_because_it_cannot_be_looked_for(world: World) -> None:
    clone = world.clone()
    assert operation_in_progress(str(clone)) == ""
    with unseen(clone / ".git" / "MERGE_HEAD"), pytest.raises(OrbitError, match="cannot be looked at"):
        operation_in_progress(str(clone))

"""Worktrees whose links to the pool no longer meet."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from orbit.checkup.links import check_links, repair_links
from orbit.places import Project
from world import World


@pytest.fixture
def tree(world: World) -> Path:
    world.clone()
    world.workspace()
    return world.worktree()


def project(world: World) -> Project:
    return Project(str(world.root))


def test_sound_links(world: World, tree: Path) -> None:
    links = check_links(project(world))
    assert (links.broken, links.lost) == ((), ())


def test_a_workspace_renamed_by_hand_is_joined_again(world: World, tree: Path) -> None:
    (world.root / "task-01").rename(world.root / "renamed")
    moved = str(world.root / "renamed" / "backend")
    links = check_links(project(world))
    assert [(link.repo, link.path) for link in links.broken] == [("backend", moved)]
    assert links.lost == ()
    assert repair_links(project(world), links) == [moved]
    listed = world.git(world.pool / "backend", "worktree", "list", "--porcelain")
    assert f"worktree {moved}" in listed
    assert world.git(moved, "status", "--porcelain") == ""


def test_a_whole_project_moved_by_hand_is_joined_again(world: World, tree: Path) -> None:
    elsewhere = world.base / "moved here"
    world.root.rename(elsewhere)
    moved = Project(str(elsewhere))
    links = check_links(moved)
    assert [link.path for link in links.broken] == [str(elsewhere / "task-01" / "backend")]
    assert repair_links(moved, links) == [str(elsewhere / "task-01" / "backend")]
    assert world.git(elsewhere / "task-01" / "backend", "rev-parse", "--abbrev-ref", "HEAD") == "ws/task-01/main"


def test_a_directory_removed_by_hand_leaves_a_lost_registration(world: World, tree: Path) -> None:
    shutil.rmtree(tree)
    links = check_links(project(world))
    assert links.broken == ()
    assert [(lost.repo, lost.path) for lost in links.lost] == [("backend", str(tree))]


def test_foreign_repositories_are_none_of_ours(world: World, tree: Path) -> None:
    world.git(world.root / "task-01", "init", "-q", "foreign")
    assert check_links(project(world)).broken == ()


@pytest.mark.parametrize("content", [None, b"", b"nonsense\n"])
def test_a_worktree_without_its_git_file_is_joined_again(world: World, tree: Path, content: bytes | None) -> None:
    (tree / "new.txt").write_text("kept\n")
    (tree / ".git").unlink()
    if content is not None:
        (tree / ".git").write_bytes(content)
    links = check_links(project(world))
    assert [(link.repo, link.path) for link in links.broken] == [("backend", str(tree))]
    assert links.lost == ()
    assert repair_links(project(world), links) == [str(tree)]
    assert world.git(tree, "status", "--porcelain") == "?? new.txt"


def test_a_repository_of_the_users_in_a_worktrees_place_is_left_alone(world: World, tree: Path) -> None:
    (tree / ".git").unlink()
    world.git(tree, "init", "-q")
    assert check_links(project(world)).broken == ()


def test_a_place_outside_the_project_is_not_touched(world: World, tree: Path) -> None:
    outside = world.base / "outside"
    world.git(world.pool / "backend", "worktree", "add", "-q", outside)
    (outside / ".git").unlink()
    assert check_links(project(world)).broken == ()

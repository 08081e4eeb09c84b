"""What a worktree holds, looked at where it stands and in the trash; the matrix of guards has the kinds of changes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from finished import commit
from orbit.places import Project
from orbit.reclaim.survey import Registered, view_clone
from orbit.reclaim.trees import DAMAGED, look_at, tips_of
from world import World


@pytest.fixture
def tree(world: World) -> Path:
    world.clone()
    world.workspace()
    return world.worktree()


def registered(world: World) -> Registered:
    return view_clone(Project(str(world.root)), "backend", "ws").registered[0]


def test_a_clean_worktree(world: World, tree: Path) -> None:
    look = look_at(registered(world), str(tree))
    assert (look.branch, look.changes, look.operation, look.alone, look.problem) == ("ws/task-01/main", (), "", 0, "")


def test_it_looks_the_same_in_the_trash(world: World, tree: Path) -> None:
    (tree / "new.txt").write_text("x")
    (tree / "README.md").write_text("changed")
    before = look_at(registered(world), str(tree))
    trash = world.root / ".prune-trash"
    trash.mkdir()
    os.rename(world.root / "task-01", trash / "task-01.1.2")
    moved = trash / "task-01.1.2" / "backend"
    assert look_at(registered(world), str(moved), moved=True).mark == before.mark
    (moved / "more.txt").write_text("x")
    assert look_at(registered(world), str(moved), moved=True).mark != before.mark


@pytest.mark.parametrize("what", ["file", "commit", "branch", "operation"])
def test_a_mark_changes_with_all_that_matters(world: World, tree: Path, what: str) -> None:
    before = look_at(registered(world), str(tree)).mark
    if what == "file":
        (tree / "new.txt").write_text("x")
    elif what == "commit":
        world.git(tree, "switch", "-q", "--detach")
        commit(world, tree)
    elif what == "branch":
        world.git(tree, "switch", "-q", "-c", "other")
    else:
        world.git(tree, "bisect", "start")
    assert look_at(registered(world), str(tree)).mark != before


def test_marks_say_whether_the_link_is_broken(world: World, tree: Path) -> None:
    assert not look_at(registered(world), str(tree)).mark.endswith(DAMAGED)
    (tree / ".git").unlink()
    assert look_at(registered(world), str(tree)).mark.endswith(DAMAGED)


def test_hidden_symbolic_links_and_odd_names(world: World, tree: Path) -> None:
    (tree / "link").symlink_to("README.md")
    (tree / "tab\tand ä").write_text("x")
    commit(world, tree)
    for name in ("link", "tab\tand ä"):
        world.git(tree, "update-index", "--assume-unchanged", name)
    assert look_at(registered(world), str(tree)).changes == ()
    (tree / "link").unlink()
    (tree / "link").symlink_to("elsewhere")
    (tree / "tab\tand ä").write_text("y")
    assert set(look_at(registered(world), str(tree)).changes) == {"h M link", "h M tab\tand ä"}


def test_a_file_that_became_a_directory_counts(world: World, tree: Path) -> None:
    world.git(tree, "update-index", "--skip-worktree", "README.md")
    (tree / "README.md").unlink()
    assert look_at(registered(world), str(tree)).changes == ()
    (tree / "README.md").mkdir()
    assert "h M README.md" in look_at(registered(world), str(tree)).changes


def test_unreadable_is_a_problem(world: World, tree: Path) -> None:
    (world.pool / "backend" / ".git" / "worktrees" / "backend" / "index").write_text("garbage")
    look = look_at(registered(world), str(tree))
    assert "index" in look.problem
    assert look.branch == "ws/task-01/main"


def test_what_only_the_registration_names(world: World, tree: Path) -> None:
    first = world.git(tree, "rev-parse", "HEAD")
    world.git(tree, "switch", "-q", "--detach")
    second = commit(world, tree)
    world.git(tree, "reset", "-q", "--hard", first)
    world.git(tree, "reset", "-q", "--hard", second)
    assert tips_of(registered(world).directory) == {"HEAD": second, "ORIG_HEAD": first}


def test_an_unborn_branch(world: World) -> None:
    world.origin("empty", empty=True)
    world.clone("empty")
    world.workspace()
    assert world.orbit("add", "empty", "-s", cwd=world.root / "task-01").code == 0
    entry = view_clone(Project(str(world.root)), "empty", "ws").registered[0]
    look = look_at(entry, str(world.root / "task-01" / "empty"))
    assert (look.branch.startswith("ws/task-01/"), look.alone, look.problem) == (True, 0, "")

from __future__ import annotations

import os
from pathlib import Path

import pytest

from finished import commit
from orbit.places import Project
from orbit.reclaim.submodules import Submodule, look_at_submodules
from orbit.reclaim.survey import view_clone
from world import World


@pytest.fixture
def inner(world: World) -> Path:
    """`lib` in the worktree `backend`, which has a submodule of its own, `deep`."""
    deep, library = world.origin("deep"), world.origin("library")
    copy = world.base / "copy"
    world.git(world.base, "clone", "-q", library.url, str(copy))
    world.git(copy, "submodule", "--quiet", "add", deep.url, "deep")
    world.git(copy, "commit", "-q", "-m", "Add deep")
    world.git(copy, "push", "-q", "origin", "HEAD:main")
    world.clone()
    world.workspace()
    tree = world.worktree()
    world.git(tree, "submodule", "--quiet", "add", library.url, "lib")
    world.git(tree, "submodule", "--quiet", "update", "--init", "--recursive")
    return tree / "lib"


def look(world: World, place: str) -> tuple[Submodule, ...]:
    [entry] = view_clone(Project(str(world.root)), "backend", "ws").registered
    return look_at_submodules(entry.directory, entry.path, place)


def test_clean_ones_nested_ones_included(world: World, inner: Path) -> None:
    found = look(world, str(inner.parent))
    assert [(sub.place, sub.changes, sub.unpushed, sub.problem) for sub in found] == [
        ("lib", 0, (), ""),
        ("lib/deep", 0, (), ""),
    ]
    assert found[0].head == world.git(inner, "rev-parse", "HEAD")


def test_changes_and_commits(world: World, inner: Path) -> None:
    tip = commit(world, inner / "deep")
    (inner / "deep" / "new.txt").write_text("x")
    world.git(inner, "switch", "-q", "-c", "aside")
    aside = commit(world, inner)
    world.git(inner, "switch", "-q", "--detach", "HEAD~1")
    by_place = {sub.place: sub for sub in look(world, str(inner.parent))}
    assert by_place["lib/deep"].unpushed == (tip[:10],)
    assert by_place["lib/deep"].changes == 1
    assert by_place["lib"].unpushed == (aside[:10],)


def test_they_look_the_same_in_the_trash(world: World, inner: Path) -> None:
    (inner / "deep" / "new.txt").write_text("x")
    before = look(world, str(inner.parent))
    trash = world.root / ".prune-trash" / "task-01.1.2"
    trash.parent.mkdir()
    os.rename(world.root / "task-01", trash)
    assert look(world, str(trash / "backend")) == before


def test_one_that_was_deinitialised_keeps_its_commits(world: World, inner: Path) -> None:
    world.git(inner, "switch", "-q", "-c", "aside")
    tip = commit(world, inner)
    world.git(inner.parent, "submodule", "--quiet", "deinit", "--force", "lib")
    assert any(sub.unpushed == (tip[:10],) for sub in look(world, str(inner.parent)))


def test_an_operation_in_progress(world: World, inner: Path) -> None:
    world.git(inner, "bisect", "start")
    assert look(world, str(inner.parent))[0].problem == "a bisect is in progress"


def test_damage_is_a_problem(world: World, inner: Path) -> None:
    [entry] = view_clone(Project(str(world.root)), "backend", "ws").registered
    (Path(entry.directory) / "modules" / "lib" / "index").write_text("garbage")
    assert "index" in look(world, str(inner.parent))[0].problem


def test_none(world: World) -> None:
    world.clone()
    world.workspace()
    assert look(world, str(world.worktree())) == ()

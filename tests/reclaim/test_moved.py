from __future__ import annotations

import os
import shutil
from pathlib import Path

from finished import finished
from orbit.places import Project
from orbit.reclaim.moved import Moved, find_moved, lost_registrations
from orbit.reclaim.survey import survey_pool
from world import World


def moved(world: World) -> dict[str, str]:
    project = Project(str(world.root))
    lost = lost_registrations(survey_pool(project, "ws"))
    return {os.path.basename(entry): place.place for entry, place in find_moved(project, lost).items()}


def test_nothing_is_lost_where_all_is_in_place(world: World) -> None:
    finished(world)
    assert moved(world) == {}


def test_a_renamed_workspace_and_a_deep_place(world: World) -> None:
    finished(world)
    (world.root / "attic" / "deep").mkdir(parents=True)
    os.rename(world.root / "task-01", world.root / "attic" / "deep" / "old")
    assert moved(world) == {"backend": str(world.root / "attic" / "deep" / "old" / "backend")}


def test_a_removed_one_is_lost_and_nowhere(world: World) -> None:
    finished(world)
    shutil.rmtree(world.root / "task-01")
    assert moved(world) == {}


def test_where_nobody_can_look_it_may_lie(world: World) -> None:
    finished(world)
    shutil.rmtree(world.root / "task-01")
    (world.root / "attic").mkdir()
    (world.root / "attic" / ".git").symlink_to(".git")
    project = Project(str(world.root))
    [found] = find_moved(project, lost_registrations(survey_pool(project, "ws"))).values()
    assert found == Moved(f"{world.root}/attic", certain=False)
    assert found.words == f"perhaps moved to {world.root}/attic (cannot be read)"


def test_a_moved_project(world: World, tmp_path: Path) -> None:
    finished(world)
    there = tmp_path / "there"
    os.rename(world.root, there)
    world.root, world.pool = there, there / ".repos"
    assert moved(world) == {"backend": str(there / "task-01" / "backend")}


def test_what_is_in_the_trash_is_not_moved(world: World) -> None:
    finished(world)
    (world.root / ".prune-trash").mkdir()
    os.rename(world.root / "task-01", world.root / ".prune-trash" / "task-01.1.2")
    assert moved(world) == {}

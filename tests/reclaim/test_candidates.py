from __future__ import annotations

import os
import shutil

import pytest

from finished import DONE_AT, finished
from orbit.errors import OrbitError
from orbit.places import Project
from orbit.reclaim.candidates import Candidates, find_candidates, named_candidate
from orbit.reclaim.survey import survey_pool
from world import World

NOW = DONE_AT + 3600


def find(world: World, older: int = 0) -> Candidates:
    project = Project(str(world.root))
    return find_candidates(project, survey_pool(project, "ws"), older, NOW)


def named(world: World, name: str, older: int = 0) -> Candidates:
    project = Project(str(world.root))
    return named_candidate(project, survey_pool(project, "ws"), name, older, NOW)


def test_only_what_the_user_called_done(world: World) -> None:
    finished(world)
    world.workspace("plain")
    world.workspace("active")
    world.git(world.root, "config", "--file", str(world.root / "active" / ".orbit"), "workspace.status", "active")
    world.workspace("damaged")
    (world.root / "damaged" / ".orbit").write_text("[workspace]\nstatus = done\n[broken\n")
    (world.root / "link").symlink_to(world.root / "task-01")
    (world.root / ".hidden").mkdir()
    assert find(world) == Candidates(live=("task-01",))


def test_what_is_left_of_a_removed_one_is_a_ghost(world: World) -> None:
    finished(world)
    shutil.rmtree(world.root / "task-01")
    assert find(world) == Candidates(ghosts=("task-01",))
    assert named(world, "task-01") == Candidates(ghosts=("task-01",))


def test_a_detached_worktree_that_was_removed_is_a_ghost_too(world: World) -> None:
    world.clone()
    path = world.workspace() / "backend"
    world.git(world.pool / "backend", "worktree", "add", "-q", "--detach", str(path))
    shutil.rmtree(world.root / "task-01")
    assert find(world).ghosts == ("task-01",)


def test_a_file_of_that_name_is_no_ghost(world: World) -> None:
    finished(world)
    shutil.rmtree(world.root / "task-01")
    (world.root / "task-01").write_text("mine")
    assert find(world) == Candidates()
    with pytest.raises(OrbitError, match="no such workspace: task-01"):
        named(world, "task-01")


def test_age_is_counted_from_done_else_created_else_the_directory(world: World) -> None:
    finished(world)
    assert find(world, older=3600).live == ("task-01",)
    assert find(world, older=3601) == Candidates(young=(("task-01", "1 hours"),))
    metadata = str(world.root / "task-01" / ".orbit")
    world.git(world.root, "config", "--file", metadata, "workspace.created", str(NOW - 60))
    world.git(world.root, "config", "--file", metadata, "workspace.done-at", "soon")
    assert find(world, older=61).young == (("task-01", "1 minutes"),)
    world.git(world.root, "config", "--file", metadata, "--unset", "workspace.created")
    os.utime(world.root / "task-01", (NOW - 5, NOW - 5))
    assert find(world, older=6).young == (("task-01", "less than a minute"),)
    assert find(world, older=5).live == ("task-01",)


def test_ghosts_have_no_age(world: World) -> None:
    finished(world)
    shutil.rmtree(world.root / "task-01")
    assert find(world, older=1) == Candidates()


def test_a_trailing_slash_is_from_completion(world: World) -> None:
    finished(world)
    assert named(world, "task-01/").live == ("task-01",)

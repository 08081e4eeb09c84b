from __future__ import annotations

import pytest

from orbit.commands.arguments import Words
from orbit.commands.place import cache_of, in_project, in_workspace, named_workspace, root_notices, some_workspaces
from orbit.commands.result import Call
from orbit.errors import OrbitError
from orbit.places import Here, Project
from orbit.places import World as Surroundings
from world import World


def call_from(directory: object) -> Call:
    surroundings = Surroundings(cwd=str(directory), env={})
    return Call(world=surroundings, words=Words({}), face=None, started_ms=0)


def test_anywhere_in_a_project(world: World) -> None:
    workspace = world.workspace()
    assert in_project(call_from(world.root)) == Here(Project(str(world.root)))
    assert in_project(call_from(workspace)) == Here(Project(str(world.root)), "task-01")
    with pytest.raises(OrbitError, match="project: not in an orbit project"):
        in_project(call_from(world.base))


def test_in_a_workspace(world: World) -> None:
    assert in_workspace(call_from(world.workspace()), "jot").workspace == "task-01"
    for outside in (world.root, world.pool):
        with pytest.raises(OrbitError) as caught:
            in_workspace(call_from(outside), "jot")
        assert str(caught.value) == "jot: not in a workspace"
        assert caught.value.hint == 'cd into one (task-01), or make one with: orbit new "GOAL"'


def test_the_first_few_workspaces_are_named(world: World) -> None:
    project = Project(str(world.root))
    assert some_workspaces(project) == ""
    for name in ("c", "a", "b\x1b[2J"):
        world.workspace(name)
    assert some_workspaces(project) == "a, b, c"
    world.workspace("d")
    assert some_workspaces(project) == "a, b, c, ..."
    with pytest.raises(OrbitError) as caught:
        in_workspace(call_from(world.root), "add")
    assert "(a, b, c, ...)" in caught.value.hint


@pytest.mark.parametrize("given", ["task-01", "task-01/", "task-01//"])
def test_a_workspace_by_name(world: World, given: str) -> None:
    world.workspace()
    assert named_workspace(Project(str(world.root)), given, "status") == "task-01"


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("task-02", "task-02"),
        ("./task-01", "./task-01"),
        ("task-01/backend", "task-01/backend"),
        ("..", ".."),
        (".repos", ".repos"),
        ("file", "file"),
        ("", "(empty)"),
        ("/", "(empty)"),
    ],
)
def test_no_such_workspace(world: World, given: str, shown: str) -> None:
    (world.workspace() / "backend").mkdir()
    (world.root / "file").write_text("")
    with pytest.raises(OrbitError) as caught:
        named_workspace(Project(str(world.root)), given, "status")
    assert str(caught.value) == f"status: no such workspace: {shown}"


def test_a_root_that_was_passed_over_is_told_once() -> None:
    here = Here(Project("/p"), ignored_root="/p/w/r")
    told = "orbit: project: ignoring .repos in /p/w/r, it lies inside the project /p"
    assert [notice.line for notice in root_notices(here)] == [told]
    assert root_notices(Here(Project("/p"))) == []


def test_a_cache_is_a_file_of_the_pool(world: World) -> None:
    cache = cache_of(Project(str(world.root)))
    cache.close()
    assert not (world.pool / ".cache").exists()

from __future__ import annotations

import os
from pathlib import Path

import pytest

from orbit.errors import OrbitError
from orbit.mcp.standing import named_workspace, root_path, stand
from orbit.places import World as Surroundings
from world import World


def at(path: Path, **env: str) -> Surroundings:
    return Surroundings(cwd=os.path.realpath(path), env=env)


def test_the_first_place_in_a_workspace(world: World, tmp_path: Path) -> None:
    first, second = world.workspace(), world.workspace("task-02")
    inner = first / "backend" / "src"
    inner.mkdir(parents=True)
    away = tmp_path / "away"
    away.mkdir()
    for cwd, roots, expected in (
        (first, [], first),
        (first, [second], second),
        (away, [second, first], second),
        (away, [inner], inner),
        (away, [away, world.root, second], second),
        (first, [away], first),
        (first, [world.root], first),
        (away, [world.root], world.root),
        (away, [away], away),
        (away, [], away),
        (world.root, [away, tmp_path / "nowhere"], world.root),
    ):
        assert stand(at(cwd), "", [path.as_uri() for path in roots]).cwd == os.path.realpath(expected), (cwd, roots)


def test_a_root_through_a_link(world: World, tmp_path: Path) -> None:
    workspace = world.workspace()
    (tmp_path / "link").symlink_to(workspace)
    assert stand(at(tmp_path), "", [(tmp_path / "link").as_uri()]).cwd == os.path.realpath(workspace)


def test_a_named_workspace_comes_before_everything(world: World) -> None:
    first, second = world.workspace(), world.workspace("task-02")
    assert stand(at(first), str(second), [first.as_uri()]).cwd == str(second)


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a/b", "/a/b"),
        ("file://localhost/a", "/a"),
        ("file:///a%20b/%C3%BC", "/a b/ü"),
        ("file:///a%00b", ""),
        ("file://elsewhere/a", ""),
        ("file:a", ""),
        ("https://example.com/a", ""),
        ("file://[", ""),
        ("/a", ""),
        ("", ""),
    ],
)
def test_the_path_of_a_root(uri: str, path: str) -> None:
    assert root_path(uri) == path


def test_a_workspace_by_name(world: World, tmp_path: Path) -> None:
    workspace = world.workspace()
    assert named_workspace(at(world.root), "task-01") == os.path.realpath(workspace)
    assert named_workspace(at(tmp_path), str(workspace)) == os.path.realpath(workspace)
    with pytest.raises(OrbitError, match="no such directory: task-09"):
        named_workspace(at(world.root), "task-09")
    with pytest.raises(OrbitError, match="not in a workspace"):
        named_workspace(at(world.root), ".")
    with pytest.raises(OrbitError, match="not in an orbit project"):
        named_workspace(at(tmp_path), "/")

"""Making a project, and the locks of one clone."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from orbit.errors import OrbitError
from orbit.places import Project
from orbit.pool.project import clone_lock, create_project, fetch_lock
from world import World


def test_a_project_is_the_pool_its_index_and_its_marker(tmp_path: Path) -> None:
    create_project(Project(str(tmp_path / "root")))
    pool = tmp_path / "root" / ".repos"
    assert sorted(path.name for path in pool.iterdir()) == [".orbit", "README.md"]
    assert (pool / ".orbit").read_bytes() == b""
    marker = (pool / "README.md").read_text()
    assert "infrastructure" in marker
    assert "`orbit repos`" in marker


def test_what_is_there_stays(world: World) -> None:
    (world.pool / ".orbit").write_text("[memo]\n\tmaxLines = 20\n")
    (world.pool / "README.md").write_text("ours")
    create_project(Project(str(world.root)))
    assert (world.pool / ".orbit").read_text() == "[memo]\n\tmaxLines = 20\n"
    assert (world.pool / "README.md").read_text() == "ours"


def test_a_marker_that_is_a_broken_link_stays(world: World) -> None:
    (world.pool / "README.md").symlink_to(world.base / "nowhere")
    create_project(Project(str(world.root)))
    assert (world.pool / "README.md").is_symlink()
    assert not (world.base / "nowhere").exists()


def test_many_at_once_make_one(tmp_path: Path) -> None:
    project = Project(str(tmp_path))
    problems: list[BaseException] = []

    def make() -> None:
        try:
            create_project(project)
        except OrbitError as problem:
            problems.append(problem)

    threads = [threading.Thread(target=make) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert sorted(path.name for path in (tmp_path / ".repos").iterdir()) == [".orbit", "README.md"]


def test_a_file_in_the_pool_s_place(tmp_path: Path) -> None:
    (tmp_path / ".repos").write_text("mine")
    with pytest.raises(OrbitError, match="cannot make the pool") as caught:
        create_project(Project(str(tmp_path)))
    assert caught.value.context == f"{tmp_path}/.repos"
    assert (tmp_path / ".repos").read_text() == "mine"


def test_the_locks_are_shared_by_worktrees_and_apart_from_each_other(world: World) -> None:
    clone = world.clone()
    world.workspace()
    tree = world.worktree()
    with clone_lock(str(tree)), fetch_lock(str(tree)):
        assert sorted(path.name for path in (clone / ".git").glob("*.lock")) == ["orbit-fetch.lock", "orbit.lock"]
    assert list((clone / ".git").glob("*.lock")) == []


def test_no_lock_where_there_is_no_repository(world: World) -> None:
    with pytest.raises(OrbitError, match="not a git repository"):
        clone_lock(str(world.base))
    with pytest.raises(OrbitError, match="not a git repository"):
        fetch_lock(str(world.base))


def test_one_at_a_time(world: World) -> None:
    clone = str(world.clone())
    inside: list[int] = []
    most: list[int] = []

    def work() -> None:
        with clone_lock(clone):
            inside.append(1)
            most.append(len(inside))
            inside.pop()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 8

"""Locks left behind."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from orbit.checkup.locks import find_stale_locks, remove_lock
from orbit.places import Project
from world import World


@pytest.fixture
def project(world: World) -> Project:
    world.clone()
    world.workspace()
    return Project(str(world.root))


def die_holding(path: Path) -> None:
    """A process that takes the lock and is gone without giving it back."""
    code = f"import os; from orbit.store.lock import FileLock; FileLock({str(path)!r}).__enter__(); os._exit(0)"
    subprocess.run([sys.executable, "-c", code], check=True)


def found(project: Project) -> list[tuple[str, bool]]:
    return [(lock.path.removeprefix(project.root + "/"), lock.ours) for lock in find_stale_locks(project)]


def test_none_at_first(project: Project) -> None:
    assert found(project) == []


def test_ours_of_a_dead_process_at_once(world: World, project: Project) -> None:
    die_holding(world.pool / ".orbit")
    die_holding(world.root / "task-01" / ".orbit")
    die_holding(world.pool / "backend" / ".git" / "orbit")
    assert sorted(found(project)) == [
        (".repos/.orbit.lock", True),
        (".repos/backend/.git/orbit.lock", True),
        ("task-01/.orbit.lock", True),
    ]
    assert all(remove_lock(lock) for lock in find_stale_locks(project))
    assert found(project) == []


def test_gits_own_only_when_old(world: World, project: Project) -> None:
    lock = world.pool / "backend" / ".git" / "index.lock"
    lock.write_text("")
    assert found(project) == []
    past = time.time() - 700
    os.utime(lock, (past, past))
    assert found(project) == [(".repos/backend/.git/index.lock", False)]


def test_gits_own_that_somebody_has_open_stays(world: World, project: Project) -> None:
    lock = world.pool / "backend" / ".git" / "config.lock"
    lock.write_text("")
    past = time.time() - 700
    os.utime(lock, (past, past))
    with lock.open():
        assert found(project) == []


def test_one_taken_again_meanwhile_is_not_removed(world: World, project: Project) -> None:
    from orbit.store.lock import FileLock

    die_holding(world.pool / ".orbit")
    (stale,) = find_stale_locks(project)
    with FileLock(str(world.pool / ".orbit")):
        assert not remove_lock(stale)
        assert (world.pool / ".orbit.lock").exists()


def test_what_a_killed_git_left_in_the_history(world: World, project: Project) -> None:
    assert world.orbit("memo", "backend", "--text", "# backend\n\nA service.\n").code == 0
    lock = world.pool / ".cards.git" / "refs" / "heads" / "main.lock"
    lock.write_text("")
    assert found(project) == []
    os.utime(lock, (time.time() - 700,) * 2)
    assert found(project) == [(".repos/.cards.git/refs/heads/main.lock", False)]

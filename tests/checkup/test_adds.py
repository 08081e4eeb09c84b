"""An `add` that was killed: a checkup tells it and ends it well."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from orbit.checkup.adds import end_add, find_adds
from orbit.places import Project
from orbit.pool.clones import list_clones
from orbit.pool.project import clone_lock
from orbit.workspace.intent import Note
from orbit.workspace.making import Making, make
from paused import Gate, kill, start_orbit
from worktrees import assert_usable
from world import World, run_git

BRANCH = "ws/task-01/main"


@pytest.fixture
def gate(tmp_path: Path) -> Iterator[Gate]:
    made = Gate(tmp_path)
    yield made
    made.close()


@pytest.fixture
def project(world: World) -> Project:
    world.clone("frontend")
    world.workspace()
    return Project(str(world.root))


def found(project: Project) -> list[str]:
    return find_adds(project, list_clones(project).clones)


def left_by_a_killed_add(world: World, project: Project, *, made: bool) -> Making:
    """The note of an `add`, with its whole worktree or with nothing of it."""
    checkout = str(world.clone())
    start = run_git(checkout, "rev-parse", "origin/main")
    making = Making(checkout, project.worktree("task-01", "backend"), BRANCH, "main", "", start)
    note = Note(project, making)
    os.close(note._descriptor)
    if made:
        make("backend", making)
        run_git(checkout, "branch", "--unset-upstream", BRANCH)
    return making


def test_none_at_first(project: Project) -> None:
    assert found(project) == []


def test_a_half_made_worktree_is_told_and_undone(world: World, project: Project, gate: Gate) -> None:
    world.origin(files={"a.txt": "a\n", "z.bin": "z\n", ".gitattributes": "*.bin filter=slow\n"})
    clone = world.clone()
    run_git(clone, "config", "filter.slow.smudge", f"{gate.script}; cat")
    process = start_orbit(world, "add", "backend", "-s", cwd=world.root / "task-01")
    gate.wait()
    assert found(project) == []
    kill(process)
    run_git(clone, "config", "--remove-section", "filter.slow")
    told = world.orbit("doctor")
    assert "[WARN] leftovers: interrupted adds of backend: orbit doctor --fix\n" in told.out
    repaired = world.orbit("doctor", "--fix")
    place = world.root / "task-01" / "backend"
    assert f"fixed: backend: removed what an interrupted add left at {place}\n" in repaired.out
    assert "[OK] leftovers: none\n" in repaired.out
    assert not place.exists()
    assert run_git(clone, "for-each-ref", "refs/heads/ws") == ""
    assert [name for name in os.listdir(clone / ".git") if name.startswith("orbit")] == []
    assert world.orbit("add", "backend", "-s", cwd=world.root / "task-01").code == 0


def test_a_whole_worktree_is_completed(world: World, project: Project) -> None:
    making = left_by_a_killed_add(world, project, made=True)
    (Path(making.path) / "mine").write_text("x\n")
    assert found(project) == ["backend"]
    assert end_add(project, "backend") == [f"completed the worktree {making.path}, which an interrupted add had begun"]
    assert (Path(making.path) / "mine").read_text() == "x\n"
    (Path(making.path) / "mine").unlink()
    assert_usable(Path(making.path), BRANCH)
    assert found(project) == []
    assert end_add(project, "backend") == []


@pytest.mark.parametrize("name", ["orbit-adding", "orbit-adding.new"])
def test_a_note_of_nothing_is_cleared(world: World, project: Project, name: str) -> None:
    """Killed before git was started, or while the note was written."""
    note = world.pool / "frontend" / ".git" / name
    note.write_bytes(b"task-01/front")
    assert "interrupted adds of frontend" in world.orbit("doctor").out
    repaired = world.orbit("doctor", "--fix")
    assert "fixed: cleared the note of an interrupted add of frontend\n" in repaired.out
    assert not note.exists()


def test_an_add_under_way_is_left_alone(world: World, project: Project) -> None:
    making = left_by_a_killed_add(world, project, made=False)
    with clone_lock(making.checkout):
        assert found(project) == []
        (told,) = end_add(project, "backend")
        assert told.startswith("could not end the interrupted add of backend: locked by ")
    assert found(project) == ["backend"]


def test_a_note_that_cannot_be_read_is_told(world: World, project: Project) -> None:
    (world.pool / "frontend" / ".git" / "orbit-adding").mkdir()
    outcome = world.orbit("doctor", "--fix")
    assert "fixed: could not end the interrupted add of frontend: cannot be read: is a directory\n" in outcome.out

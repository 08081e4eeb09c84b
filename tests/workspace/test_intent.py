"""An `add` that dies half way: the next one undoes it or completes it, and no work is lost."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from orbit.errors import OrbitError
from orbit.places import Project
from orbit.workspace.intent import Note, read_note, recover
from orbit.workspace.making import Making, make
from paused import Gate, kill, start_orbit
from worktrees import assert_usable, state_of, write_hook
from world import World, run_git

BRANCH = "ws/task-01/main"
DONE = (
    "added backend → task-01/backend (branch: ws/task-01/main, upstream: origin/main)\n",
    "orbit: backend: a bare git push here goes to origin/main: ",
)


@pytest.fixture
def gate(tmp_path: Path) -> Iterator[Gate]:
    made = Gate(tmp_path)
    yield made
    made.close()


def killed_in_filter(world: World, gate: Gate) -> Path:
    """Killed while git, which goes on, waits for a filter before its last file."""
    world.origin(files={"a.txt": "a\n", "z.bin": "z\n", ".gitattributes": "*.bin filter=slow\n"})
    clone = world.clone()
    world.workspace()
    world.git(clone, "config", "filter.slow.smudge", f"{gate.script}; cat")
    process = start_orbit(world, "add", "backend", "-s", cwd=world.root / "task-01")
    gate.wait()
    kill(process)
    world.git(clone, "config", "--remove-section", "filter.slow")
    return clone


def killed_in_hook(world: World, gate: Gate, *, empty: bool = False) -> Path:
    """Killed when the worktree is made, before its upstream is wired."""
    world.origin(empty=empty)
    clone = world.clone()
    world.workspace()
    hook = write_hook(clone, gate.script)
    process = start_orbit(world, "add", "backend", "-s", cwd=world.root / "task-01")
    gate.wait()
    kill(process)
    hook.unlink()
    return clone


def children_of(path: Path) -> list[str]:
    return sorted(os.listdir(path))


# --- killed during the checkout --------------------------------------------------------------------------------------


def test_an_unfinished_checkout_is_undone_and_made_again(world: World, gate: Gate) -> None:
    clone = killed_in_filter(world, gate)
    survivor = psutil.Process(gate.pid)
    workspace = world.root / "task-01"
    assert (workspace / "backend" / "a.txt").exists()
    again = world.orbit("add", "backend", "-s", cwd=workspace)
    assert (again.code, again.out) == (0, DONE[0])
    lines = again.err.splitlines()
    assert lines[0].startswith("orbit: lock: removed ")
    assert lines[1] == f"orbit: backend: removed what an interrupted add left at {workspace}/backend"
    assert lines[2].startswith(DONE[1])
    assert len(lines) == 3
    assert_usable(workspace / "backend")
    assert children_of(workspace) == ["backend"]
    assert children_of(clone / ".git" / "worktrees") == ["backend"]
    assert not survivor.is_running() or survivor.status() == psutil.STATUS_ZOMBIE, "what still waited was ended"
    assert state_of(world)["notes"] == []


def test_it_is_undone_by_an_add_elsewhere(world: World, gate: Gate) -> None:
    killed_in_filter(world, gate)
    other = world.workspace("task-02")
    made = world.orbit("add", "backend", "-s", cwd=other)
    assert made.code == 0
    assert_usable(other / "backend", "ws/task-02/main")
    assert children_of(world.root / "task-01") == []
    assert BRANCH not in run_git(world.pool / "backend", "for-each-ref")


def test_files_that_no_checkout_wrote_are_kept(world: World, gate: Gate) -> None:
    killed_in_filter(world, gate)
    workspace = world.root / "task-01"
    (workspace / "backend" / "notes.txt").write_text("mine")
    again = world.orbit("add", "backend", "-s", cwd=workspace)
    assert again.code == 0
    kept = f"files that are not of backend are kept in {workspace}/backend.interrupted"
    assert f"orbit: backend: removed what an interrupted add left at {workspace}/backend, {kept}\n" in again.err
    assert (workspace / "backend.interrupted" / "notes.txt").read_text() == "mine"
    assert_usable(workspace / "backend")
    listed = world.orbit("status", "--json", cwd=workspace).json()
    assert [row["name"] for row in listed["worktrees"]] == ["backend"]


def test_the_failure_of_the_next_add_still_tells_of_it(world: World, gate: Gate) -> None:
    killed_in_filter(world, gate)
    before = world.root / "task-01"
    refused = world.orbit("add", "backend", "--ref", "nope", cwd=before)
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.splitlines()[1:] == [
        f"orbit: backend: removed what an interrupted add left at {before}/backend",
        "orbit: backend: cannot fetch ref: nope",
    ]
    assert children_of(before) == []


def test_a_survivor_that_cannot_be_ended(world: World, gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    killed_in_filter(world, gate)
    monkeypatch.setattr("psutil.process_iter", lambda: iter(()))
    monkeypatch.setattr("orbit.workspace.intent._GRACE_SECONDS", 0.0)
    refused = world.orbit("add", "backend", cwd=world.root / "task-01")
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.splitlines()[1:] == [
        "orbit: backend: git of an interrupted add is still at work",
        "orbit: backend: end it, then add again",
    ]
    assert (world.root / "task-01" / "backend" / "a.txt").exists(), "nothing is taken from under it"


def test_ctrl_c_undoes_at_once(world: World, gate: Gate) -> None:
    world.origin(files={"z.bin": "z\n", ".gitattributes": "*.bin filter=slow\n"})
    clone = world.clone()
    world.workspace()
    world.git(clone, "config", "filter.slow.smudge", f"{gate.script}; cat")
    before = state_of(world)
    process = start_orbit(world, "add", "backend", cwd=world.root / "task-01")
    gate.wait()
    process.send_signal(signal.SIGINT)
    assert process.wait() == 130
    assert state_of(world) == before


# --- killed when the checkout was complete ---------------------------------------------------------------------------


def test_a_finished_worktree_is_completed_with_the_work_in_it(world: World, gate: Gate) -> None:
    killed_in_hook(world, gate)
    path = world.root / "task-01" / "backend"
    (path / "work.txt").write_text("hours of work")
    world.git(path, "add", "work.txt")
    world.git(path, "commit", "-q", "-m", "Work")
    (path / "more.txt").write_text("not committed")
    again = world.orbit("add", "backend", "-s", cwd=world.root / "task-01")
    assert (again.code, again.out) == (0, DONE[0])
    assert "interrupted" not in again.err
    assert run_git(path, "log", "-1", "--format=%s") == "Work"
    assert run_git(path, "status", "--porcelain") == "?? more.txt"
    assert run_git(path, "rev-parse", "--abbrev-ref", "@{upstream}") == "origin/main"
    once_more = world.orbit("add", "backend", cwd=world.root / "task-01")
    assert (once_more.code, once_more.err) == (1, "orbit: backend: worktree already exists (task-01/backend)\n")


def test_it_is_completed_by_an_add_elsewhere(world: World, gate: Gate) -> None:
    killed_in_hook(world, gate)
    made = world.orbit("add", "backend", "-s", cwd=world.workspace("task-02"))
    assert (made.code, made.out.count("\n")) == (0, 1)
    assert_usable(world.root / "task-01" / "backend")
    assert_usable(world.root / "task-02" / "backend", "ws/task-02/main")


def test_a_killed_add_of_an_empty_repository_is_completed(world: World, gate: Gate) -> None:
    killed_in_hook(world, gate, empty=True)
    again = world.orbit("add", "backend", "-s", cwd=world.root / "task-01")
    assert (again.code, again.out) == (0, DONE[0])
    path = world.root / "task-01" / "backend"
    world.git(path, "commit", "-q", "--allow-empty", "-m", "First")
    assert run_git(path, "rev-list", "--parents", BRANCH).split() == [run_git(path, "rev-parse", BRANCH)]


def test_a_worktree_that_was_removed_since_is_not_missed(world: World, gate: Gate) -> None:
    clone = killed_in_hook(world, gate)
    world.git(clone, "worktree", "remove", str(world.root / "task-01" / "backend"))
    again = world.orbit("add", "backend", "-s", cwd=world.root / "task-01")
    assert (again.code, again.out) == (0, DONE[0])
    assert_usable(world.root / "task-01" / "backend")


# --- notes as they may be found --------------------------------------------------------------------------------------


@pytest.fixture
def project(world: World) -> Project:
    world.clone()
    world.workspace()
    return Project(str(world.root))


def planned(project: Project, **changes: str) -> Making:
    clone = project.clone("backend")
    tip = run_git(clone, "rev-parse", "origin/main")
    plan = Making(clone, project.worktree("task-01", "backend"), BRANCH, "main", "", tip)
    return plan.replace(**changes)


def leave_note(project: Project, plan: Making) -> None:
    """As a process leaves it that dies."""
    os.close(Note(project, plan)._descriptor)


def test_a_note_is_read_as_written_and_cleared(project: Project) -> None:
    plan = planned(project)
    note = Note(project, plan)
    assert read_note(project, "backend") == plan
    note.clear()
    assert read_note(project, "backend") is None


def test_a_note_moves_with_the_project(world: World, project: Project) -> None:
    """A copy of the project must never reach into the original."""
    plan = planned(project)
    make("backend", plan)
    leave_note(project, plan)
    os.unlink(run_git(plan.path, "rev-parse", "--absolute-git-dir") + "/index")
    copy = world.base / "copy"
    shutil.copytree(world.root, copy, symlinks=True)
    recover(Project(str(copy)), "backend")
    assert os.path.exists(f"{plan.path}/README.md")


def test_killed_before_anything_was_made(project: Project, world: World) -> None:
    before = state_of(world)
    leave_note(project, planned(project))
    assert recover(project, "backend") == (None, [])
    assert state_of(world) == before


def test_killed_between_branch_and_worktree(project: Project, world: World) -> None:
    before = state_of(world)
    plan = planned(project)
    world.git(plan.checkout, "branch", BRANCH, plan.start)
    leave_note(project, plan)
    assert recover(project, "backend") == (None, [])
    assert state_of(world) == before


def test_a_leftover_branch_goes_back_to_where_it_was(project: Project, world: World) -> None:
    old = run_git(project.clone("backend"), "rev-parse", "HEAD~1")
    plan = planned(project, before=old)
    world.git(plan.checkout, "branch", BRANCH, plan.start)
    leave_note(project, plan)
    recover(project, "backend")
    assert run_git(plan.checkout, "rev-parse", BRANCH) == old


def test_a_folder_that_git_does_not_know_is_left_alone(project: Project, world: World) -> None:
    plan = planned(project)
    leave_note(project, plan)
    os.mkdir(plan.path)
    Path(plan.path, "README.md").write_text("somebody's")
    recover(project, "backend")
    assert Path(plan.path, "README.md").read_text() == "somebody's"
    refused = world.orbit("add", "backend", cwd=world.root / "task-01")
    said = "orbit: backend: task-01/backend exists and is not a worktree of the pool\n"
    assert (refused.code, refused.err) == (1, said)


@pytest.mark.parametrize("data", [b"", b"\0", b"one field", b"a\0b\0c", b"\0\0\0\0", b"\xff\xfe\0b\0\0\0"])
def test_a_damaged_note_is_nobodys(project: Project, world: World, data: bytes) -> None:
    note = world.pool / "backend" / ".git" / "orbit-adding"
    note.write_bytes(data)
    assert recover(project, "backend")[0] is None
    assert not note.exists()


def test_no_pool_clone_no_note(project: Project) -> None:
    with pytest.raises(OrbitError, match="not a git repository"):
        read_note(project, "absent")

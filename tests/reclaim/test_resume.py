"""Every state that a killed prune can leave, made by hand, and the next run."""

from __future__ import annotations

import errno
import os
import shutil
import time
from pathlib import Path

import pytest

from finished import branches, commit, digest, finished, mark_done
from looks import unseen
from orbit import places
from orbit.places import Project
from orbit.reclaim import ledger
from orbit.reclaim.candidates import Candidates
from orbit.reclaim.inspect import inspect
from orbit.reclaim.keeping import keep_tips
from orbit.reclaim.ledger import Entry
from orbit.reclaim.plan import decide
from orbit.reclaim.survey import survey_pool
from store.faults import failing_for, system_error
from worktrees import git_lets_go
from world import World

NOW = int(time.time()) - 100


def begun(world: World, stage: str = ledger.PLANNED, *, force: bool = False, away: bool = True) -> Path:
    """task-01 as a prune leaves it that is killed with its note at this stage; where its directory is."""
    project = Project(str(world.root))
    found = inspect(project, survey_pool(project, "ws"), Candidates(live=("task-01",)), ask_gh=False, jobs=1)
    step = decide(found.targets[0], force=force)
    target = step.target
    entry = Entry("task-01", NOW, stage, step.forced, step.deleted, target.trees, target.marks)
    ledger.write(project, entry)
    ledger.keep_metadata(project, entry, project.metadata("task-01"))
    keep_tips(project, entry)
    home, place = world.root / "task-01", world.root / ".prune-trash" / f"task-01.99999.{NOW}"
    if not away:
        return home
    place.parent.mkdir()
    os.rename(home, place)
    return place


def is_gone(world: World) -> bool:
    clone = world.pool / "backend"
    return (
        not (world.root / "task-01").exists()
        and not (world.root / ".prune-trash").exists()
        and branches(world) == ["main"]
        and world.git(clone, "worktree", "list").count("\n") == 0
        and "ws/task-01" not in (clone / ".git" / "config").read_text()
    )


@pytest.mark.parametrize("stage", [ledger.PLANNED, ledger.CHECKED])
def test_what_lies_in_the_trash_is_finished(world: World, stage: str) -> None:
    finished(world)
    begun(world, stage)
    assert world.orbit("prune", "--dry-run").out.startswith("would finish: task-01, whose removal an earlier run began")
    assert not is_gone(world)
    done = world.orbit("prune")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("pruned: task-01 (begun by an earlier run, finished now)\n")
    assert is_gone(world)


@pytest.mark.parametrize("what", ["the workspace's place", "its worktree's place"])
@pytest.mark.parametrize("deleted", [False, True])
def test_a_place_that_cannot_be_looked_at_is_not_a_new_workspace(world: World, what: str, deleted: bool) -> None:
    """Whose branches and registrations would be left alone, and stay for good."""
    finished(world)
    trashed = begun(world, ledger.CHECKED)
    if deleted:
        shutil.rmtree(trashed.parent)
    with unseen(world.root / "task-01" / ("" if what == "the workspace's place" else "backend")):
        told = world.orbit("prune")
    assert (told.code, "cannot be looked at: Input/output error" in told.err) == (1, True)
    assert world.orbit("prune").code == 0
    assert is_gone(world)


def test_a_forced_one_is_finished_by_a_plain_run(world: World) -> None:
    workspace = finished(world)
    (workspace / "backend" / "new.txt").write_text("x")
    commit(world, workspace / "backend", "work.txt")
    (workspace / "backend" / "more.txt").write_text("x")
    begun(world, force=True)
    assert world.orbit("prune").code == 0
    assert is_gone(world)
    assert world.orbit("prune", "--restore", "task-01").code == 0


def test_one_that_changed_in_the_trash_is_put_back(world: World) -> None:
    finished(world)
    place = begun(world)
    (place / "backend" / "new.txt").write_text("x")
    done = world.orbit("prune")
    assert "put back: task-01 (it changed meanwhile (backend))\n" in done.out
    assert (world.root / "task-01" / "backend" / "new.txt").read_text() == "x"
    assert world.git(world.root / "task-01" / "backend", "status", "--porcelain") == "?? new.txt"
    assert "kept: task-01" in done.out


def test_a_note_without_a_move_is_taken_back(world: World) -> None:
    workspace = finished(world)
    commit(world, workspace / "backend")
    begun(world, force=True, away=False)
    before = digest(workspace)
    world.orbit("prune")
    assert digest(workspace) == before
    assert ledger.entries(Project(str(world.root))) == []
    assert world.git(world.pool / "backend", "for-each-ref", "refs/orbit") == ""


def test_half_a_deletion_is_finished(world: World) -> None:
    finished(world)
    place = begun(world, ledger.CHECKED)
    os.unlink(place / "backend" / ".git")
    os.unlink(place / ".orbit")
    assert world.orbit("prune").code == 0
    assert is_gone(world)


def test_a_new_workspace_of_that_name_is_not_touched(world: World) -> None:
    finished(world)
    begun(world, ledger.CHECKED)
    assert world.orbit("new", "again", "--name", "task-01").code == 0
    git_lets_go(world, world.root / "task-01" / "backend")
    assert world.orbit("add", "backend", "--reuse", "-s", cwd=world.root / "task-01").code == 0
    done = world.orbit("prune")
    assert done.code == 0
    assert not (world.root / ".prune-trash").exists()
    assert world.git(world.root / "task-01" / "backend", "status", "--porcelain") == ""
    assert "ws/task-01/main" in branches(world)


def test_another_programs_deletion_without_a_note_is_finished(world: World) -> None:
    """One that had let go of the pool before it moved the directory."""
    world.clone()
    (world.root / ".prune-trash" / "old.1.2" / "notes").mkdir(parents=True)
    assert world.orbit("prune").code == 0
    assert not (world.root / ".prune-trash").exists()


def test_without_a_note_what_the_pool_still_has_is_put_back(world: World) -> None:
    finished(world)
    begun(world)
    ledger.forget(Project(str(world.root)), "task-01", NOW)
    done = world.orbit("prune", "elsewhere")
    assert done.code == 1
    assert (world.root / "task-01" / "backend" / "README.md").is_file()
    assert world.git(world.root / "task-01" / "backend", "status", "--porcelain") == ""


def test_a_note_that_cannot_be_read_leaves_all_as_it_is(world: World) -> None:
    """Neither the directory nor what the pool has of it is taken for somebody's leavings."""
    finished(world)
    place = begun(world)
    note = Path(ledger.directory_of(Project(str(world.root)), "task-01", NOW)) / "plan.json"
    note.rename(note.with_name("aside"))
    note.mkdir()
    done = world.orbit("prune")
    assert (done.code, done.out) == (1, "")
    assert done.err == f"orbit: task-01: not finished, {note} cannot be read (is a directory)\n"
    assert (place / "backend" / "README.md").is_file()
    assert (world.pool / "backend" / ".git" / "worktrees" / "backend").is_dir()
    assert branches(world) == ["main", "ws/task-01/main"]
    note.rmdir()
    note.with_name("aside").rename(note)
    assert world.orbit("prune").out.startswith("pruned: task-01 (begun by an earlier run, finished now)\n")
    assert is_gone(world)


def test_with_a_damaged_note_it_is_put_back(world: World) -> None:
    """Though nothing in it leads to the pool."""
    world.workspace()
    world.clone()
    mark_done(world, "task-01")
    assert world.orbit("jot", "backend", "not to be lost", cwd=world.root / "task-01").code == 0
    begun(world, force=True)
    Path(ledger.directory_of(Project(str(world.root)), "task-01", NOW), "plan.json").write_text("{")
    done = world.orbit("prune")
    assert "put back: task-01 (the note of its removal is damaged, so it was put back)\n" in done.out
    assert "not to be lost" in (world.root / "task-01" / ".orbit").read_text()


@pytest.mark.parametrize("name", [".prune-trash", ".reclaimed"])
def test_what_cannot_be_listed_is_told(world: World, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    finished(world)
    begun(world)
    with monkeypatch.context() as patch:
        patch.setattr(places, "os", failing_for(f"/{name}", "listdir", system_error(errno.EIO)))
        failed = world.orbit("prune")
    assert (failed.code, failed.out) == (1, "")
    assert failed.err.endswith(f"/{name} cannot be read (Input/output error)\n")
    assert branches(world) == ["main", "ws/task-01/main"]
    assert world.orbit("prune").code == 0
    assert is_gone(world)


def test_names_of_another_form_are_nobodys_business(world: World) -> None:
    world.clone()
    (world.root / ".prune-trash" / "mine").mkdir(parents=True)
    assert world.orbit("prune").out == "nothing to prune\n"
    assert (world.root / ".prune-trash" / "mine").is_dir()


def test_a_trash_that_is_a_link_is_refused(world: World) -> None:
    finished(world)
    (world.base / "elsewhere" / "task.1.2").mkdir(parents=True)
    (world.root / ".prune-trash").symlink_to(world.base / "elsewhere")
    done = world.orbit("prune")
    assert (done.code, done.out) == (1, "")
    assert ".prune-trash is a symbolic link" in done.err
    assert (world.base / "elsewhere" / "task.1.2").is_dir()
    assert (world.root / "task-01").is_dir()

from __future__ import annotations

import os
from pathlib import Path

import pytest

from orbit.errors import OrbitError
from orbit.places import Project
from orbit.reclaim.trash import Item, delete, empty, items, move_in, move_out


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / "task-01").mkdir()
    (tmp_path / "task-01" / "file").write_text("x")
    return Project(str(tmp_path))


def test_in_and_out_again(project: Project) -> None:
    place = move_in(project, "task-01", 17)
    assert place == f"{project.root}/.prune-trash/task-01.{os.getpid()}.17"
    assert items(project) == [Item(place, "task-01", 17)]
    move_out(project, "task-01", place)
    assert Path(project.root, "task-01", "file").read_text() == "x"
    assert not Path(project.root, ".prune-trash").exists()


def test_the_lock_under_which_it_went_does_not_come_back(project: Project) -> None:
    Path(project.root, "task-01", ".orbit.lock").write_text("")
    move_out(project, "task-01", move_in(project, "task-01", 17))
    assert not Path(project.root, "task-01", ".orbit.lock").exists()


def test_it_stays_where_something_else_took_its_place(project: Project) -> None:
    place = move_in(project, "task-01", 17)
    os.mkdir(f"{project.root}/task-01")
    with pytest.raises(OrbitError, match=r"task-01 exists again, what was removed stays in .*task-01\."):
        move_out(project, "task-01", place)
    assert Path(place, "file").read_text() == "x"


def test_only_names_of_its_own_form_are_looked_at(project: Project) -> None:
    trash = Path(project.root, ".prune-trash")
    for name in ("my.task.1.2", "task", "task.1", "task.x.2", "task.1.x", ".1.2", "task.1.²"):
        (trash / name).mkdir(parents=True)
    (trash / "file.1.2").write_text("x")
    (trash / "link.1.2").symlink_to(project.root)
    assert [(item.workspace, item.epoch) for item in items(project)] == [("my.task", 2)]


def test_links_are_refused(project: Project, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    os.symlink(elsewhere, f"{project.root}/.prune-trash")
    for act in (lambda: items(project), lambda: move_in(project, "task-01", 1)):
        with pytest.raises(OrbitError, match=r"\.prune-trash is a symbolic link"):
            act()
    os.unlink(f"{project.root}/.prune-trash")
    os.symlink(elsewhere, f"{project.root}/linked")
    with pytest.raises(OrbitError, match="linked is a symbolic link"):
        move_in(project, "linked", 1)


def test_what_cannot_be_moved_stays(project: Project) -> None:
    Path(project.root, ".prune-trash").write_text("a file")
    with pytest.raises(OrbitError, match="task-01 cannot be moved to the trash: "):
        move_in(project, "task-01", 1)
    assert Path(project.root, "task-01", "file").exists()


def test_read_only_directories_are_deleted_and_links_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o500)
    (tmp_path / "top" / "deep").mkdir(parents=True)
    (tmp_path / "top" / "deep" / "file").write_text("x")
    (tmp_path / "top" / "link").symlink_to(outside)
    (tmp_path / "top" / "deep").chmod(0o500)
    (tmp_path / "top").chmod(0o500)
    delete(str(tmp_path / "top"))
    assert not (tmp_path / "top").exists()
    assert outside.stat().st_mode & 0o777 == 0o500


def test_the_trash_goes_only_when_it_is_empty(project: Project) -> None:
    empty(project)
    (Path(project.root) / ".prune-trash" / "somebody's").mkdir(parents=True)
    empty(project)
    assert (Path(project.root) / ".prune-trash").is_dir()

from __future__ import annotations

import os
from pathlib import Path

import pytest

from orbit.knowledge.reading import note_read, read_at
from orbit.places import Project

REV = "0123456789abcdef0123456789abcdef01234567"
OTHER = "f" * 40
START = 5000


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / ".repos").mkdir()
    return Project(str(tmp_path))


def at(project: Project, revision: str = REV, workspace: str = "task-01", repo: str = "backend") -> int:
    return read_at(project, workspace, repo, revision, START)


def test_a_revision_read_here(project: Project) -> None:
    assert at(project) == START
    note_read(project, "task-01", "backend", REV, 1000)
    assert at(project) == at(project, REV[:4]) == at(project, REV.upper()) == 1000
    note_read(project, "task-01", "backend", REV, 999_999)
    assert at(project) == START
    note_read(project, "task-01", "backend", REV, 12)
    assert at(project) == 12


@pytest.mark.parametrize(
    ("revision", "workspace", "repo"),
    [
        (OTHER, "task-01", "backend"),
        ("none", "task-01", "backend"),
        ("", "task-01", "backend"),
        (REV, "task-02", "backend"),
        (REV, "", "task-01"),
        (REV, "task-01", "web"),
    ],
)
def test_any_other_reading_is_not_known(project: Project, revision: str, workspace: str, repo: str) -> None:
    note_read(project, "task-01", "backend", REV, 1000)
    assert at(project, revision, workspace, repo) == START


def test_the_last_revision_counts(project: Project) -> None:
    note_read(project, "task-01", "backend", REV, 1000)
    note_read(project, "task-01", "backend", OTHER, 2000)
    assert at(project) == START
    assert at(project, OTHER) == 2000


@pytest.mark.parametrize("kept", [b"", b"\n", REV.encode(), f"{REV} x".encode(), f"{REV} -1".encode(), b"\xff" * 300])
def test_a_damaged_record_is_no_record(project: Project, kept: bytes) -> None:
    note_read(project, "task-01", "backend", REV, 1000)
    path = Path(project.cache, "read", "task-01", "backend")
    path.write_bytes(kept)
    assert at(project) == START
    note_read(project, "task-01", "backend", REV, 1000)
    assert path.read_text() == f"{REV} 1000\n"


def test_a_reading_that_cannot_be_noted_is_no_failure(project: Project, tmp_path: Path) -> None:
    Path(project.cache).write_text("in the way")
    note_read(project, "task-01", "backend", REV, 1000)
    assert at(project) == START
    os.unlink(project.cache)
    os.makedirs(f"{project.cache}/read/task-01")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("not mine")
    os.symlink(elsewhere, f"{project.cache}/read/task-01/backend")
    note_read(project, "task-01", "backend", REV, 1000)
    assert elsewhere.read_text() == "not mine"

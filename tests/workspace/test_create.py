from __future__ import annotations

import os
import stat
import string
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from orbit.errors import OrbitError
from orbit.git.run import observe
from orbit.places import Project, workspace_name_problem
from orbit.workspace.create import create_workspace, next_number, require_free
from world import World

NOW = 1_700_000_000


@pytest.fixture
def project(world: World) -> Project:
    return Project(str(world.root))


@pytest.mark.parametrize(
    ("there", "number"),
    [
        ([], 1),
        (["task-01"], 2),
        (["task-01", "task-03"], 4),
        (["task-08", "task-09"], 10),
        (["task-099"], 100),
        (["task-100", "task-20"], 101),
        (["task-", "task-1x", "task-٣", "task-99999999999", "Task-50", "mine"], 1),
        ([".task-07"], 1),
    ],
)
def test_the_next_number_is_one_above_the_highest(
    world: World, project: Project, there: list[str], number: int
) -> None:
    for name in there:
        world.workspace(name)
    assert next_number(project) == number
    name, _ = create_workspace(project, "", "", NOW)
    assert name == f"task-{number:02d}"


def test_files_and_links_keep_their_names(world: World, project: Project) -> None:
    (world.root / "task-01").write_text("a file")
    (world.root / "task-02").symlink_to(world.base)
    assert create_workspace(project, "", "", NOW)[0] == "task-03"


def test_twenty_at_once_get_twenty_names(world: World, project: Project) -> None:
    with ThreadPoolExecutor(20) as pool:
        made = list(pool.map(lambda number: create_workspace(project, "", f"goal {number}", NOW)[0], range(20)))
    assert sorted(made) == [f"task-{number:02d}" for number in range(1, 21)]
    assert all((world.root / name / ".orbit").exists() for name in made)


def test_of_twenty_with_one_name_one_gets_it(world: World, project: Project) -> None:
    def attempt(number: int) -> str:
        try:
            return create_workspace(project, "mine", f"goal {number}", NOW)[0]
        except OrbitError as problem:
            return str(problem)

    with ThreadPoolExecutor(20) as pool:
        outcomes = sorted(pool.map(attempt, range(20)))
    assert outcomes == ["mine"] + ["mine: exists already"] * 19


@pytest.mark.parametrize("name", ["mine", "Umlaut-ä", "日本語", "a" * 50, "1", "a.b", "a@b", "x{y}"])
def test_good_names(project: Project, name: str) -> None:
    assert create_workspace(project, name, "", NOW)[0] == name


@pytest.mark.parametrize("character", [*string.punctuation.replace("/", ""), "\x01", "\x1f", " ", "\x7f", "a", "é"])
def test_a_character_is_refused_where_git_refuses_it(project: Project, character: str) -> None:
    name = f"a{character}b"
    refused_by_git = observe("/", ["check-ref-format", f"refs/heads/ws/{name}/main"]).code != 0
    assert bool(workspace_name_problem(name)) == refused_by_git


def test_a_name_that_is_taken_by_anything(world: World, project: Project) -> None:
    (world.root / "file").write_text("")
    (world.root / "link").symlink_to("nowhere")
    for name in ("file", "link"):
        with pytest.raises(OrbitError, match=f"^{name}: exists already$"):
            require_free(project, name)


def test_a_project_is_made_last(tmp_path: Path) -> None:
    root = tmp_path / "fresh"
    root.mkdir()
    create_workspace(Project(str(root)), "", "a goal", NOW)
    assert sorted(os.listdir(root / ".repos")) == [".orbit", "README.md"]


def test_a_failure_leaves_no_workspace_behind(tmp_path: Path) -> None:
    root = tmp_path / "fresh"
    root.mkdir()
    (root / ".repos").write_text("in the way")
    with pytest.raises(OrbitError, match="cannot make the pool"):
        create_workspace(Project(str(root)), "", "a goal", NOW)
    assert os.listdir(root) == [".repos"]


def test_a_root_that_cannot_be_written(world: World) -> None:
    with pytest.raises(OrbitError, match=r"^new: cannot make .*/gone/task-01 \(No such file or directory\)$"):
        create_workspace(Project(str(world.base / "gone")), "task-01", "", NOW)


def test_the_metadata_is_a_plain_file(world: World, project: Project) -> None:
    create_workspace(project, "", "goal", NOW)
    assert stat.S_ISREG(os.lstat(world.root / "task-01" / ".orbit").st_mode)
    assert os.listdir(world.root / "task-01") == [".orbit"]

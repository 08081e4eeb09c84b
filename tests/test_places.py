from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from looks import unseen
from orbit.errors import OrbitError
from orbit.places import (
    Here,
    Project,
    World,
    find_root,
    is_directory,
    is_file,
    is_there,
    locate,
    names_in,
    read_world,
    root_for_new_project,
    valid_repo_name,
    workspace_name_problem,
    workspaces,
)
from world import World as GitWorld
from world import run_git


def surroundings(cwd: Path | str, **env: str) -> World:
    return World(cwd=str(cwd), env=env)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with a workspace, a worktree-like directory in it, and a pool clone."""
    made = tmp_path / "root"
    for name in (".repos/backend/.git", "task-01/backend/src", "task-01/notes", ".prune-trash/task-00"):
        (made / name).mkdir(parents=True)
    (made / "task-01/backend/.git").write_text("gitdir: elsewhere\n")
    return made


@pytest.mark.parametrize(
    ("below", "workspace", "repo"),
    [
        (".", "", ""),
        ("task-01", "task-01", ""),
        ("task-01/backend", "task-01", "backend"),
        ("task-01/backend/src", "task-01", "backend"),
        ("task-01/notes", "task-01", "notes"),
        (".repos", "", ""),
        (".repos/backend", "", ""),
        (".prune-trash/task-00", "", ""),
    ],
)
def test_where_the_caller_stands(root: Path, below: str, workspace: str, repo: str) -> None:
    cwd = (root / below).resolve()
    assert locate(surroundings(cwd)) == Here(Project(str(root)), workspace, repo)


def test_a_hidden_directory_of_a_workspace_is_no_repo(root: Path) -> None:
    (root / "task-01/.claude").mkdir()
    assert locate(surroundings(root / "task-01/.claude")) == Here(Project(str(root)), "task-01")


@pytest.mark.parametrize(
    ("named", "cwd", "workspace"),
    [("{root}", "/", ""), ("root", "{top}", ""), ("../../root", "{root}/task-01", "task-01"), ("{link}", "/", "")],
)
def test_orbit_root_comes_first(root: Path, tmp_path: Path, named: str, cwd: str, workspace: str) -> None:
    (tmp_path / "link").symlink_to(root)
    names = {"root": root, "top": tmp_path, "link": tmp_path / "link"}
    here = locate(surroundings(cwd.format(**names), ORBIT_ROOT=named.format(**names)))
    assert here == Here(Project(str(root)), workspace)


def test_orbit_root_beats_the_nearest_pool(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    (other / ".repos").mkdir(parents=True)
    assert locate(surroundings(root / "task-01", ORBIT_ROOT=str(other))) == Here(Project(str(other)))


def test_an_empty_orbit_root_counts_as_unset(root: Path) -> None:
    assert locate(surroundings(root, ORBIT_ROOT="")).project.root == str(root)


@pytest.mark.parametrize(
    ("env", "told", "hint"),
    [
        (
            {},
            "project: not in an orbit project: no .repos/ here or above",
            "cd into one, or start one with: orbit clone URL",
        ),
        ({"ORBIT_ROOT": "bare"}, "project: bare has no .repos/ directory", "start one with: orbit clone URL"),
        ({"ORBIT_ROOT": "none"}, "ORBIT_ROOT: no such directory: none", ""),
    ],
)
def test_outside_a_project(tmp_path: Path, env: dict[str, str], told: str, hint: str) -> None:
    (tmp_path / "bare").mkdir()
    with pytest.raises(OrbitError) as caught:
        locate(surroundings(tmp_path, **env))
    assert (str(caught.value), caught.value.hint) == (told, hint)


def test_a_pool_that_is_a_file_is_no_pool(tmp_path: Path) -> None:
    (tmp_path / ".repos").write_text("")
    assert find_root(surroundings(tmp_path)) == ("", "")


def test_where_a_new_project_goes(root: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert root_for_new_project(surroundings(root / "task-01")) == str(root)
    assert root_for_new_project(surroundings(tmp_path / "empty")) == str(tmp_path / "empty")
    assert root_for_new_project(surroundings("/", ORBIT_ROOT=str(tmp_path / "empty"))) == str(tmp_path / "empty")
    with pytest.raises(OrbitError, match="no such directory"):
        root_for_new_project(surroundings("/", ORBIT_ROOT=str(tmp_path / "none")))


@pytest.mark.parametrize(
    "inner",
    [
        "task-01/backend",  # a worktree ships a .repos/ at its top
        "task-01/backend/src",  # or below
        ".repos/backend",  # so does a clone in the pool
        ".repos/backend/deep/er",
        "task-01/notes/cloned/src",  # a repository somebody cloned by hand, deeper in a workspace
    ],
)
def test_a_root_shipped_in_a_repository_is_ignored(root: Path, inner: str) -> None:
    (root / "task-01/notes/cloned/.git").mkdir(parents=True)
    (root / inner / ".repos").mkdir(parents=True)
    here = locate(surroundings(root / inner))
    assert (here.project.root, here.ignored_root) == (str(root), str(root / inner))


def test_a_root_inside_an_ignored_root_is_ignored_too(root: Path) -> None:
    (root / "task-01/backend/.repos").mkdir()
    inner = root / "task-01/backend/a/b"
    (inner / ".repos").mkdir(parents=True)
    (inner / ".git").write_text("gitdir: a submodule\n")
    here = locate(surroundings(inner))
    assert (here.project.root, here.ignored_root) == (str(root), str(inner))
    assert (here.workspace, here.repo) == ("task-01", "backend")


def test_a_project_of_its_own_in_a_workspace_is_one(root: Path) -> None:
    inner = root / "task-01/notes/playground"
    (inner / ".repos").mkdir(parents=True)
    assert locate(surroundings(inner)) == Here(Project(str(inner)))


def test_a_real_worktree_that_ships_a_root(world: GitWorld) -> None:
    world.origin("hostile", {".repos/.orbit": "[repos]\n", "README.md": "hello\n"})
    world.clone("hostile")
    world.workspace()
    tree = world.worktree(name="hostile")
    assert (tree / ".repos").is_dir()
    found = world.orbit("context", "workspace", cwd=tree)
    assert (found.code, found.out) == (0, "task-01\n")
    listed = world.orbit("repos", cwd=tree)
    assert listed.out.splitlines()[1].split()[0] == "hostile"
    warned = f"orbit: project: ignoring .repos in {tree}, it lies inside the project {world.root}\n"
    assert listed.err.count(warned) == 1


def test_the_way_in_may_be_a_symlink(root: Path, tmp_path: Path) -> None:
    (tmp_path / "way").symlink_to(root / "task-01/backend")
    command = "import orbit.places as p; print(p.locate(p.read_world()))"
    done = subprocess.run(
        ["sh", "-c", f'cd "{tmp_path}/way" && exec "{sys.executable}" -c "{command}"'],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == repr(Here(Project(str(root)), "task-01", "backend"))


def test_a_current_directory_that_is_gone(tmp_path: Path) -> None:
    done = subprocess.run(
        [
            "sh",
            "-c",
            f'mkdir "{tmp_path}/x" && cd "{tmp_path}/x" && rmdir "{tmp_path}/x" && "{sys.executable}" -m orbit repos',
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1] == "orbit: cwd: the current directory no longer exists"


def test_the_world_is_what_surrounds_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORBIT_JOBS", "3")
    seen = read_world()
    assert seen.cwd == os.path.realpath(os.curdir)
    assert (seen.get("ORBIT_JOBS"), seen.get("ORBIT_NO_SUCH")) == ("3", "")


def test_every_path_below_the_root() -> None:
    project = Project("/p")
    assert project.pool == "/p/.repos"
    assert project.index == "/p/.repos/.orbit"
    assert project.marker == "/p/.repos/README.md"
    assert project.cache == "/p/.repos/.cache"
    assert project.clone("backend") == "/p/.repos/backend"
    assert project.card("backend") == "/p/.repos/.backend.md"
    assert project.workspace("task-01") == "/p/task-01"
    assert project.metadata("task-01") == "/p/task-01/.orbit"
    assert project.worktree("task-01", "backend") == "/p/task-01/backend"


def test_every_directory_but_hidden_ones_is_a_workspace(root: Path) -> None:
    (root / "zeta").mkdir()
    (root / "file").write_text("")
    (root / "link").symlink_to(root / "zeta")
    assert workspaces(Project(str(root))) == ["task-01", "zeta"]


@pytest.mark.parametrize("name", ["backend", "Back_end-2.0", "a", "9", "x" * 200])
def test_repo_names(name: str) -> None:
    assert valid_repo_name(name)


@pytest.mark.parametrize("name", ["", ".x", "-x", "a/b", "a b", "é", "a\n", "a:b", "..", "x" * 201])
def test_no_repo_names(name: str) -> None:
    assert not valid_repo_name(name)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("task-01", ""),
        ("überlegung", ""),
        ("x" * 50, ""),
        ("x" * 51, "a workspace name has at most 50 characters"),
        ("", "a workspace name cannot be empty"),
        (".repos", "a workspace name cannot begin with '.' or '-'"),
        ("-x", "a workspace name cannot begin with '.' or '-'"),
        ("a/b", "a workspace name is one path component, without '/'"),
        ("a..b", "git does not allow this name in a branch"),
        ("a.", "git does not allow this name in a branch"),
        ("a.lock", "git does not allow this name in a branch"),
        ("@", "git does not allow this name in a branch"),
        ("a@{b", "git does not allow this name in a branch"),
        ("a b", "git does not allow one of its characters in a branch"),
        ("a\tb", "git does not allow one of its characters in a branch"),
        ("a\x7f", "git does not allow one of its characters in a branch"),
        ("a\u202eb", "git does not allow one of its characters in a branch"),
        ("a~b", "git does not allow one of its characters in a branch"),
        ("a\udcff", "git does not allow one of its characters in a branch"),
    ],
)
def test_workspace_names(name: str, problem: str) -> None:
    assert workspace_name_problem(name) == problem


_ODD = st.sampled_from([*"a.-/~^:?*[]\\@{} \x01\x7fé日", "..", ".lock", "@{", "//"])


@settings(deadline=None)
@given(st.lists(st.one_of(_ODD, st.characters(codec="utf-8", exclude_characters="\0")), max_size=6).map("".join))
def test_git_takes_every_name_that_is_allowed(name: str) -> None:
    if not workspace_name_problem(name):
        run_git("/", "check-ref-format", f"refs/heads/ws/{name}/main")


def test_names_in_a_directory_and_in_none(tmp_path: Path) -> None:
    for name in ("b", "a", ".c"):
        (tmp_path / name).touch()
    assert names_in(str(tmp_path)) == [".c", "a", "b"]
    assert names_in(str(tmp_path / "none")) == []
    assert names_in(str(tmp_path / "a")) == []


def test_what_stands_at_a_path(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "directory").mkdir()
    (tmp_path / "nowhere").symlink_to("none")
    (tmp_path / "ring").symlink_to("ring")
    (tmp_path / "link").symlink_to("directory")
    looks = (is_there, is_file, is_directory)
    found = {name: tuple(look(f"{tmp_path}/{name}") for look in looks) for name in os.listdir(tmp_path)}
    assert found == {
        "file": (True, True, False),
        "directory": (True, False, True),
        "link": (True, False, True),
        "nowhere": (True, False, False),
        "ring": (True, False, False),
    }
    for name in ("none", "file/below", "nowhere/below", "ring/below", "x" * 300, "a\0b", "\ud800"):
        assert not any(look(f"{tmp_path}/{name}") for look in looks)


@pytest.mark.parametrize("look", [is_there, is_file, is_directory])
def test_what_cannot_be_looked_at_is_not_absent(tmp_path: Path, look: Callable[[str], bool]) -> None:
    """`os.path` would say no."""
    with unseen(tmp_path), pytest.raises(OrbitError, match="cannot be looked at: Input/output error"):
        look(str(tmp_path))


@pytest.mark.parametrize("number", [errno.EIO, errno.ESTALE])
def test_a_pool_that_cannot_be_looked_at_is_not_passed_over(root: Path, number: int) -> None:
    """Else a new project would be begun inside this one."""
    for find in (locate, root_for_new_project):
        with unseen(f"{root}/.repos", number), pytest.raises(OrbitError, match="cannot be looked at"):
            find(surroundings(root / "task-01"))


def test_a_directory_above_that_may_not_be_looked_into_is_passed_over(root: Path) -> None:
    with unseen(f"{root.parent}/.repos", errno.EACCES):
        assert locate(surroundings(root / "task-01")).project.root == str(root)

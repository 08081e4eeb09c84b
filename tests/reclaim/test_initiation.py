"""Who may start what destroys."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from orbit.errors import OrbitError
from orbit.places import Project
from orbit.reclaim.initiation import Ancestor, read_ancestors, require_outside, workspace_of
from world import World


@pytest.fixture
def project(world: World) -> Project:
    world.workspace()
    return Project(str(world.root))


def shell(cwd: str | Path | None, *, ours: bool = True) -> Ancestor:
    return Ancestor(77, "bash", None if cwd is None else str(cwd), ours)


def test_the_real_ancestors_begin_with_the_parent_and_have_directories() -> None:
    found = read_ancestors()
    assert found[0].pid == os.getppid()
    assert found[0].cwd is not None


def test_at_the_root_with_clean_ancestors(world: World, project: Project) -> None:
    assert require_outside(project, "sync", str(world.root), [shell(world.base), shell("/")])


@pytest.mark.parametrize("below", ["", "/deep/er"])
def test_a_current_directory_inside_a_workspace_is_refused(world: World, project: Project, below: str) -> None:
    with pytest.raises(OrbitError, match="the current directory is inside the workspace task-01"):
        require_outside(project, "sync", f"{world.root}/task-01{below}", [shell("/")])


def test_an_ancestor_inside_a_workspace_is_refused_wherever_it_stands_in_the_line(
    world: World, project: Project
) -> None:
    with pytest.raises(OrbitError, match=r"process 77 \(bash\), above this one, works inside the workspace task-01"):
        require_outside(project, "sync", str(world.root), [shell("/"), shell(world.root / "task-01" / "backend")])


def test_a_plain_directory_without_metadata_is_a_workspace_too(world: World, project: Project) -> None:
    (world.root / "notes").mkdir()
    assert workspace_of(project, str(world.root / "notes")) == "notes"


def test_dot_directories_and_the_outside_are_no_workspace(world: World, project: Project) -> None:
    for path in (world.root, world.pool, world.root / ".git" / "x", world.base):
        assert workspace_of(project, str(path)) == ""


def test_a_link_into_a_workspace_counts(world: World, project: Project) -> None:
    (world.base / "link").symlink_to(world.root / "task-01")
    with pytest.raises(OrbitError, match="inside the workspace task-01"):
        require_outside(project, "sync", str(world.base / "link"), [shell("/")])


def test_an_unreadable_ancestor_of_another_user_is_passed_over(world: World, project: Project) -> None:
    assert require_outside(project, "sync", str(world.root), [shell("/"), shell(None, ours=False)])


def test_an_unreadable_ancestor_of_the_same_user_refuses(world: World, project: Project) -> None:
    with pytest.raises(OrbitError, match="cannot be read"):
        require_outside(project, "sync", str(world.root), [shell("/"), shell(None)])


def test_an_unreadable_first_process_is_passed_over_whoever_it_belongs_to(world: World, project: Project) -> None:
    first = Ancestor(1, "init", None, ours=True)
    assert require_outside(project, "sync", str(world.root), [shell("/"), first])


def test_without_any_ancestor_only_the_root_itself_will_do(world: World, project: Project) -> None:
    assert not require_outside(project, "sync", str(world.root), [])
    with pytest.raises(OrbitError, match="this is not the project root"):
        require_outside(project, "sync", str(world.base), [])


def test_no_refusal_names_a_way_round_it(world: World, project: Project) -> None:
    for cwd, ancestors in (
        (f"{world.root}/task-01", [shell("/")]),
        (str(world.root), [shell(world.root / "task-01")]),
        (str(world.root), [shell(None)]),
        (str(world.base), []),
    ):
        with pytest.raises(OrbitError) as refusal:
            require_outside(project, "sync", cwd, ancestors)
        said = f"{refusal.value.message} {refusal.value.hint}"
        assert not any(word in said for word in ("--", "cd ", "force", "orbit "))


def test_a_session_that_lives_in_a_workspace_is_refused_for_real(world: World, project: Project) -> None:
    """A parent process stands in the workspace; its child has left for the root."""
    child = f"import os, subprocess, sys; os.chdir({str(world.root)!r}); "
    child += "sys.exit(subprocess.run([sys.executable, '-m', 'orbit', 'sync', '--force']).returncode)"
    parent = f"import subprocess, sys; sys.exit(subprocess.run([sys.executable, '-c', {child!r}]).returncode)"
    world.clone()
    done = subprocess.run(
        [sys.executable, "-c", parent], cwd=world.root / "task-01", capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "works inside the workspace task-01" in done.stderr

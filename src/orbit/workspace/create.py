"""Making a workspace: a name nobody else gets, a directory, its metadata. Contract: commands.md, new."""

from __future__ import annotations

import os

from orbit.errors import OrbitError
from orbit.places import Project, workspace_name_problem, workspaces
from orbit.pool.project import create_project
from orbit.workspace.metadata import write_created

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.guidance.notice import Notice

_PREFIX = "task-"
_TRIES = 1000


def next_number(project: Project) -> int:
    """For `task-NN`: one above the highest in use."""
    numbers = [int(name[len(_PREFIX) :]) for name in workspaces(project) if _is_numbered(name)]
    return max(numbers, default=0) + 1


def _is_numbered(name: str) -> bool:
    number = name[len(_PREFIX) :]
    return name.startswith(_PREFIX) and number.isascii() and number.isdecimal() and len(number) < 10


def require_free(project: Project, name: str) -> None:
    """Raises OrbitError for a name that cannot be a workspace's, or that something else has already."""
    problem = workspace_name_problem(name)
    if problem:
        raise OrbitError(name or "new", problem)
    if os.path.lexists(project.workspace(name)):
        raise OrbitError(name, "exists already")


def create_workspace(project: Project, name: str, goal: str, now: int) -> tuple[str, list[Notice]]:
    """Make it and give its name; `name` "" picks the next number. Raises OrbitError, leaving no directory behind."""
    if name:
        require_free(project, name)
        if not _claim(project, name):
            raise OrbitError(name, "exists already")
    else:
        name = _claim_next(project)
    try:
        notices = write_created(project, name, goal, now)
        create_project(project)
    except BaseException:
        _undo(project, name)
        raise
    return name, notices


def _claim_next(project: Project) -> str:
    """The next number that is free: a file, or a workspace made this very moment, may have one."""
    number = 0
    for _ in range(_TRIES):
        number = max(next_number(project), number + 1)
        name = f"{_PREFIX}{number:02d}"
        if _claim(project, name):
            return name
    raise OrbitError("new", f"no free workspace name after {_TRIES} tries")


def _claim(project: Project, name: str) -> bool:
    """`mkdir` is the claim: of two callers, one gets the name."""
    try:
        os.mkdir(project.workspace(name))
    except FileExistsError:
        return False
    except OSError as error:
        raise OrbitError("new", f"cannot make {project.workspace(name)} ({error.strerror})") from None
    return True


def _undo(project: Project, name: str) -> None:
    for path in (project.metadata(name), project.workspace(name)):
        try:
            (os.rmdir if path.endswith(f"/{name}") else os.unlink)(path)
        except OSError:
            continue

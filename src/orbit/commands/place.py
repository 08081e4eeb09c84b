"""Where a command may run, and the surroundings most commands ask for. Contract: commands.md."""

from __future__ import annotations

from orbit.errors import OrbitError
from orbit.guidance import pool_notices
from orbit.places import Here, is_directory, locate, workspaces
from orbit.store.cache import Cache
from orbit.text import nearest, safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.commands.result import Call
    from orbit.guidance.notice import Notice
    from orbit.places import Project


_MOST_NAMES = 3


def in_project(call: Call) -> Here:
    """Anywhere in a project. Raises OrbitError outside."""
    return locate(call.world)


def in_workspace(call: Call, verb: str) -> Here:
    """In a workspace or a worktree. Raises OrbitError elsewhere: that failure tells an agent where it is not."""
    here = locate(call.world)
    if not here.workspace:
        names = some_workspaces(here.project)
        some = f" ({names})" if names else ""
        raise OrbitError(verb, "not in a workspace", f'cd into one{some}, or make one with: orbit new "GOAL"')
    return here


def some_workspaces(project: Project) -> str:
    """The first few workspaces, as a list in words; "" when there is none."""
    names = workspaces(project)
    return ", ".join([safe_line(name) for name in names[:_MOST_NAMES]] + ["..."] * (len(names) > _MOST_NAMES))


def named_workspace(project: Project, name: str, verb: str) -> str:
    """A workspace given by name; a trailing slash from completion is accepted. Raises OrbitError."""
    name = name.rstrip("/")
    if not name or "/" in name or name.startswith(".") or not is_directory(project.workspace(name)):
        close = nearest(name, workspaces(project), 1)
        raise OrbitError(verb, f"no such workspace: {name or '(empty)'}", f"did you mean {close[0]}?" if close else "")
    return name


def root_notices(here: Here) -> list[Notice]:
    """The one warning about a nested `.repos/` that was passed over."""
    return [pool_notices.nested_root_ignored(here.ignored_root, here.project.root)] if here.ignored_root else []


def cache_of(project: Project) -> Cache:
    return Cache(project.cache)

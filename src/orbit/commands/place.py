"""Where a command may run, and the surroundings most commands ask for. Contract: commands.md."""

from __future__ import annotations

from orbit.errors import OrbitError
from orbit.guidance import pool_notices
from orbit.places import Here, is_directory, locate
from orbit.store.cache import Cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.commands.result import Call
    from orbit.guidance.notice import Notice
    from orbit.places import Project


def in_project(call: Call) -> Here:
    """Anywhere in a project. Raises OrbitError outside."""
    return locate(call.world)


def in_workspace(call: Call, verb: str) -> Here:
    """In a workspace or a worktree. Raises OrbitError elsewhere: that failure tells an agent where it is not."""
    here = locate(call.world)
    if not here.workspace:
        raise OrbitError(verb, "not in a workspace", 'cd into one, or make one with: orbit new "GOAL"')
    return here


def named_workspace(project: Project, name: str, verb: str) -> str:
    """A workspace given by name; a trailing slash from completion is accepted. Raises OrbitError."""
    name = name.rstrip("/")
    if not name or "/" in name or name.startswith(".") or not is_directory(project.workspace(name)):
        raise OrbitError(verb, f"no such workspace: {name or '(empty)'}")
    return name


def root_notices(here: Here) -> list[Notice]:
    """The one warning about a nested `.repos/` that was passed over."""
    return [pool_notices.nested_root_ignored(here.ignored_root, here.project.root)] if here.ignored_root else []


def cache_of(project: Project) -> Cache:
    return Cache(project.cache)

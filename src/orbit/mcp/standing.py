"""Where a client stands: the named workspace, else the client's roots, else the directory the server was started in.

Contract: hosts.md, MCP.
"""

from __future__ import annotations

import os
from urllib.parse import unquote, urlsplit

from orbit.errors import OrbitError
from orbit.places import World, locate
from orbit.text import safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def stand(world: World, named: str, roots: Sequence[str]) -> World:
    """The surroundings that a command is run in: the first place inside a workspace, else the first in a project."""
    if named:
        return world.replace(cwd=named)
    places = [world.replace(cwd=os.path.realpath(path)) for path in map(root_path, roots) if path]
    places.append(world)
    ranked = sorted(places, key=_rank)  # stable: of two alike the first
    return ranked[0] if _rank(ranked[0]) < _NOWHERE else world


_NOWHERE = 2


def _rank(world: World) -> int:
    """0 inside a workspace, 1 in a project, 2 elsewhere."""
    try:
        here = locate(world)
    except OrbitError:
        return _NOWHERE
    return 0 if here.workspace else 1


def root_path(uri: str) -> str:
    """The path of a `file:` URI, "" for any other and for one that no file can have."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return ""
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return ""
    path = unquote(parts.path, errors="surrogateescape")
    return path if path.startswith("/") and "\0" not in path else ""


def named_workspace(world: World, given: str) -> str:
    """The directory that `--workspace` names. Raises OrbitError unless it is inside a workspace."""
    if not given:
        raise OrbitError("mcp", "--workspace cannot be empty")
    path = os.path.realpath(os.path.join(world.cwd, given))
    if not os.path.isdir(path):
        raise OrbitError("mcp", f"--workspace: no such directory: {safe_line(given)}")
    if not locate(world.replace(cwd=path)).workspace:
        raise OrbitError("mcp", f"--workspace: not in a workspace: {safe_line(given)}")
    return path

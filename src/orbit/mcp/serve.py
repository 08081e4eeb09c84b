"""`orbit mcp`: from the command line to the protocol. The SDK is an optional extra and is loaded here only."""

from __future__ import annotations

import os

from orbit.errors import OrbitError
from orbit.mcp.standing import named_workspace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.places import World

MISSING = "the MCP SDK is not installed, or not the version that is needed"
HOW = "pip install 'orbit-workspaces[mcp]'"


def serve(world: World, workspace: str | None) -> int:
    """Speak MCP on stdin and stdout until the client closes them. Raises OrbitError when it cannot begin."""
    named = named_workspace(world, workspace) if workspace is not None else ""
    try:
        from orbit.mcp.server import run  # the SDK takes a second to load
    except ImportError:
        raise OrbitError("mcp", MISSING, HOW) from None
    run(world, named, *_streams_for_messages())
    return 0


def _streams_for_messages() -> tuple[int, int]:
    """The real stdin and stdout under numbers of their own; under 0 is nothing to read, and what is written to 1 goes
    to stderr.
    """
    import fcntl  # once per server

    stdin, stdout = (fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, 3) for number in (0, 1))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return stdin, stdout

"""`orbit mcp`: the commands as tools for a host that speaks MCP. Contract: hosts.md, MCP."""

from __future__ import annotations

from orbit.commands.arguments import Usage, option
from orbit.commands.result import Result
from orbit.errors import OrbitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.commands.result import Call

USAGE = Usage(
    forms=("orbit mcp [--workspace DIR]",),
    about="""Speaks MCP on stdin and stdout, for an agent host to start. The workspace is DIR, else the client's roots
tell it, else the current directory. Needs the extra: pip install 'orbit-workspaces[mcp]'.""",
    arguments=(option("--workspace", "DIR", "the workspace's directory"),),
    examples=(
        ("orbit mcp", "in the workspace that the host starts it in"),
        ("orbit mcp --workspace ~/work/task-01", "what to put into a host's configuration"),
    ),
    related=("context", "repos", "add"),
)


def run(call: Call) -> Result:
    if call.face.in_terminal:
        raise OrbitError("mcp", "this is for an agent host to start, a terminal speaks no MCP", "orbit mcp --help")
    return Result(code=call.face.serve_mcp(call.words.one("workspace")))

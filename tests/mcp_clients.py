"""MCP clients for tests: the SDK's own, beside the server in one process or over the real stdio; and one that speaks
bare lines.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from orbit.mcp.server import build
from orbit.mcp.wire import Wire
from orbit.places import World

Talk = Callable[[Client], Awaitable[Any]]
MODES = ("legacy", "auto")  # the two eras of the protocol


def talk_inside(talk: Talk, cwd: Path, *, workspace: str = "", mode: str = "legacy") -> Any:
    """A talk with a server in this process; nothing is handed over on a wire."""
    world = World(cwd=os.path.realpath(cwd), env=dict(os.environ))

    async def main() -> Any:
        async with Client(build(world, workspace, Wire(-1)), mode=mode) as client:
            return await talk(client)

    return anyio.run(main)


def talk_over_stdio(
    talk: Talk, cwd: Path, *, args: Sequence[str] = (), roots: Sequence[str] | None = None, mode: str = "legacy"
) -> Any:
    """A talk with a real process; `roots` are what the client offers, None = it has none to offer."""
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "orbit", "mcp", *args], cwd=cwd, env=dict(os.environ)
    )

    async def list_roots(_: object) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=root) for root in roots or ()])

    async def main() -> Any:
        asked = list_roots if roots is not None else None
        async with Client(stdio_client(server), mode=mode, list_roots_callback=asked) as client:
            return await talk(client)

    return anyio.run(main)


class BareClient:
    """A server process and its pipes, for what no decent client does."""

    def __init__(self, cwd: Path, *args: str) -> None:
        command = [sys.executable, "-m", "orbit", "mcp", *args]
        self.process = subprocess.Popen(
            command, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self._initialize()

    def _initialize(self) -> None:
        info = {"name": "bare", "version": "0"}
        self.send("initialize", 0, protocolVersion="2025-11-25", capabilities={}, clientInfo=info)
        assert self.receive()["id"] == 0
        self.send("notifications/initialized")

    def send(self, method: str, request: int | str | None = None, **params: object) -> None:
        message: dict[str, object] = {"jsonrpc": "2.0", "method": method, "params": params}
        if request is not None:
            message["id"] = request
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def call(self, tool: str, request: int | str, **given: object) -> None:
        self.send("tools/call", request, name=tool, arguments=given)

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.end()
        message: dict[str, Any] = json.loads(line)
        return message

    def end(self) -> tuple[int, str]:
        """Close its stdin; exit status and stderr."""
        try:
            _, err = self.process.communicate(timeout=60)
        finally:
            self.process.kill()
        return self.process.returncode, err.decode()

"""The command itself; what it serves is in tests/mcp."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest

from orbit.cli.face import TerminalFace
from orbit.cli.render import Streams
from orbit.commands import mcp
from orbit.commands.arguments import Words
from orbit.commands.result import Call
from orbit.places import World as Surroundings
from world import World


class Asked(TerminalFace):
    """Notes what it is to serve."""

    def serve_mcp(self, workspace: str | None) -> int:
        self.workspace = workspace
        return 7


@pytest.mark.parametrize(("words", "workspace"), [({}, None), ({"workspace": ("here",)}, "here")])
def test_the_face_serves(world: World, words: dict[str, tuple[str, ...]], workspace: str | None) -> None:
    surroundings = Surroundings(cwd=str(world.root), env={})
    with open(os.devnull, "rb") as nothing, open(os.devnull, "wb", buffering=0) as away:
        face = Asked(surroundings, Streams(stdin=nothing, out=away, err=away))
    result = mcp.run(Call(world=surroundings, words=Words(words), face=face, started_ms=0))
    assert (result.code, result.text, face.workspace) == (7, "", workspace)


def test_a_terminal_is_told_at_once(world: World) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "orbit", "mcp"]
    done = subprocess.run(command, cwd=world.root, stdin=theirs, capture_output=True, timeout=60, check=False)
    os.close(ours)
    os.close(theirs)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode() == (
        "orbit: mcp: this is for an agent host to start, a terminal speaks no MCP\norbit: mcp: orbit mcp --help\n"
    )


def test_help_needs_no_extra(world: World) -> None:
    assert world.orbit("mcp", "--help").out.startswith("usage: orbit mcp [--workspace DIR]\n")

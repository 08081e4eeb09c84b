"""The moving line in real processes: nothing of it stays, however the work ends, and nothing is written behind it."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from orbit.cli.main import run
from orbit.cli.render import Streams
from orbit.commands.result import Call, Result
from orbit.errors import OrbitError
from orbit.places import World as Surroundings
from terminal import open_terminal, orbit_at_terminal, read_terminal, visible
from world import SilentServer, World


def start_on(terminal: int, *args: str, cwd: Path) -> subprocess.Popen[bytes]:
    """Both output streams on one terminal, as a person has them."""
    command = [sys.executable, "-m", "orbit", *args]
    env = {**os.environ, "TERM": "xterm"}
    return subprocess.Popen(command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=terminal, stderr=terminal)


@pytest.mark.parametrize(("how", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("several", [False, True])
def test_an_interrupt_takes_the_line_back(
    world: World, silent_server: SilentServer, how: signal.Signals, status: int, several: bool
) -> None:
    ours, theirs = open_terminal()
    urls = [silent_server.url, f"{silent_server.url}2"][: 1 + several]
    process = start_on(theirs, "clone", *urls, cwd=world.root)
    os.close(theirs)
    assert silent_server.connected.wait(60)
    process.send_signal(how)
    shown = read_terminal(ours)
    assert process.wait(60) == status
    assert "cloning" in shown
    assert visible(shown).strip() == ""


def test_what_is_said_afterwards_begins_on_an_empty_line(world: World) -> None:
    for name in ("backend", "frontend"):
        world.origin(name)
    urls = [world.origins["backend"].url, str(world.remotes / "missing.git"), world.origins["frontend"].url]
    ours, theirs = open_terminal()
    process = start_on(theirs, "clone", *urls, cwd=world.root)
    os.close(theirs)
    shown = read_terminal(ours)
    assert process.wait(60) == 1
    assert "\x1b[2Kcloning " in shown
    lines = visible(shown).splitlines()
    assert [line.split()[0] for line in lines[:2]] == ["cloned", "cloned"]
    assert all(line.startswith("orbit: ") for line in lines[2:])


def test_an_error_in_mid_work_takes_the_line_back(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(call: Call) -> Result:
        call.face.progress(3, "working").start("backend")
        raise OrbitError("backend", "went wrong")

    monkeypatch.setattr("orbit.commands.version.run", fails)
    told = io.BytesIO()
    streams = Streams(stdin=io.BytesIO(), out=io.BytesIO(), err=told, err_terminal=True)
    assert run(["version"], Surroundings(cwd=str(world.root), env={}), streams) == 1
    assert "working 0/3: backend" in told.getvalue().decode()
    assert visible(told.getvalue().decode()) == "orbit: backend: went wrong\n"


def test_a_dumb_terminal_gets_plain_lines(world: World) -> None:
    for name in ("backend", "frontend"):
        world.clone(name)
    done = orbit_at_terminal("sync", cwd=world.root, env={"TERM": "dumb"})
    assert sorted(line.partition(" (")[0] for line in done.err.splitlines()) == [
        "orbit: backend: up to date",
        "orbit: frontend: up to date",
    ]
    moving = orbit_at_terminal("sync", cwd=world.root, columns=30)
    assert "syncing 0/2: " in moving.err
    assert visible(moving.err) == ""

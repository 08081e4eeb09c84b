"""Orbit held up half way: a filter or hook of git waits at a gate until the test has done its worst."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

from world import World

_PATIENCE_MILLISECONDS = 30_000


class Gate:
    """Two named pipes: on one a shell script says who it is, on the other it waits."""

    def __init__(self, directory: Path) -> None:
        self._arrived, self._opened = directory / "arrived", directory / "opened"
        os.mkfifo(self._arrived)
        os.mkfifo(self._opened)
        self._listening = os.open(self._arrived, os.O_RDONLY | os.O_NONBLOCK)
        self.pid = 0

    @property
    def script(self) -> str:
        """The shell commands that wait at the gate."""
        return f'echo $$ > "{self._arrived}"; read _ < "{self._opened}"'

    def wait(self) -> None:
        """Until a script has arrived; its process is then `pid`."""
        poll = select.poll()
        poll.register(self._listening, select.POLLIN)
        assert poll.poll(_PATIENCE_MILLISECONDS), "nothing arrived at the gate"
        self.pid = int(os.read(self._listening, 100))

    def close(self) -> None:
        """Whoever still waits is ended."""
        os.close(self._listening)
        if self.pid:
            try:
                os.kill(self.pid, signal.SIGKILL)
            except ProcessLookupError:
                return


def start_orbit(world: World, *args: str, cwd: Path) -> subprocess.Popen[bytes]:
    """Orbit as a process that goes on while the test does something else."""
    world.tick()
    nowhere = subprocess.DEVNULL
    words = [sys.executable, "-m", "orbit", *args]
    return subprocess.Popen(words, cwd=cwd, stdin=nowhere, stdout=nowhere, stderr=nowhere)


def kill(process: subprocess.Popen[bytes]) -> None:
    """SIGKILL to this one process, not to what it has started."""
    process.kill()
    process.wait()

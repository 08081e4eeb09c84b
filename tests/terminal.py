"""orbit at a terminal: its output streams on pseudo-terminals of a given width."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from world import Outcome, as_text


def orbit_at_terminal(
    *args: str, cwd: str | Path, columns: int = 80, env: Mapping[str, str] | None = None, out_is_pipe: bool = False
) -> Outcome:
    """What stdout and stderr showed, each on a terminal of its own, with `\\n` line ends. stdin is empty."""
    out, out_end = os.pipe() if out_is_pipe else _terminal(columns)
    err, err_end = _terminal(columns)
    settings = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    process = subprocess.Popen(
        [sys.executable, "-m", "orbit", *args],
        cwd=cwd,
        env={**settings, "TERM": "xterm", **(env or {})},
        stdin=subprocess.DEVNULL,
        stdout=out_end,
        stderr=err_end,
    )
    os.close(out_end)
    os.close(err_end)
    with ThreadPoolExecutor(2) as readers:  # a terminal that nobody reads is soon full
        shown = list(readers.map(_read_all, (out, err)))
    return Outcome(process.wait(60), *(as_text(data).replace("\r\n", "\n") for data in shown))


def _terminal(columns: int) -> tuple[int, int]:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    return ours, theirs


def _read_all(descriptor: int) -> bytes:
    """Until nobody writes any more, which a terminal tells by an error."""
    data = b""
    try:
        while chunk := os.read(descriptor, 65536):
            data += chunk
    except OSError:
        pass
    os.close(descriptor)
    return data

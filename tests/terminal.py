"""orbit at a terminal: its output streams on pseudo-terminals of a given width."""

from __future__ import annotations

import fcntl
import os
import pty
import re
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


def visible(shown: str) -> str:
    """What is left to see of lines that were drawn over: returns, erased lines and line ends are understood."""
    lines, column = [""], 0
    for part in re.split(r"(\r|\n|\x1b\[2K)", shown):
        if part == "\n":
            lines.append("")
        elif part == "\x1b[2K":
            lines[-1] = " " * column
        elif part and part != "\r":
            lines[-1] = lines[-1][:column].ljust(column) + part + lines[-1][column + len(part) :]
        column = 0 if part in ("\r", "\n") else column + len(part) * (part != "\x1b[2K")
    return "\n".join(line.rstrip() for line in lines)


def open_terminal(columns: int = 80) -> tuple[int, int]:
    """Our end and the program's."""
    return _terminal(columns)


def read_terminal(ours: int) -> str:
    """Everything that is shown until the program's end is closed."""
    return as_text(_read_all(ours)).replace("\r\n", "\n")


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

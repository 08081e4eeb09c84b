"""Long work shown as it goes: one moving line on a terminal, a plain line per finished item elsewhere."""

from __future__ import annotations

import os
import threading

from orbit.cli.render import write_all
from orbit.cli.table import cut_to_width
from orbit.text import safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.cli.render import Streams
    from orbit.commands.result import Progress

_CLEAR = "\r\x1b[2K"


class Silent:
    """One item needs no display off a terminal."""

    def start(self, item: str) -> None:
        """Nothing to show."""

    def done(self, item: str, outcome: str) -> None:
        """Nothing to show."""


class Counter:
    """`verb 3/50: name`, kept up to date by any number of threads."""

    def __init__(self, streams: Streams, total: int, verb: str) -> None:
        self._streams = streams
        self._total = total
        self._verb = verb
        self._finished = 0
        self._lock = threading.Lock()

    def start(self, item: str) -> None:
        with self._lock:
            if self._streams.err_terminal:
                counted = f" {self._finished}/{self._total}" if self._total > 1 else ""
                self._draw(f"{self._verb}{counted}: {item}")

    def done(self, item: str, outcome: str) -> None:
        with self._lock:
            self._finished += 1
            line = f"orbit: {item}: {outcome} ({self._finished}/{self._total})"
            if not self._streams.err_terminal:
                self._show(safe_line(line) + "\n")
            else:
                self._draw(line if self._finished < self._total else "")

    def _draw(self, line: str) -> None:
        """One row of the terminal, which the next call replaces: a longer line could not be taken back."""
        self._show(_CLEAR + (cut_to_width(safe_line(line), max(self._columns() - 1, 1)) if line else ""))

    def _columns(self) -> int:
        try:
            return os.get_terminal_size(self._streams.err.fileno()).columns or 80
        except OSError:
            return 80

    def _show(self, text: str) -> None:
        try:
            write_all(self._streams.err, text)
        except OSError:
            return


def make_progress(streams: Streams, total: int, verb: str) -> Progress:
    """A display for `total` items; a single one is shown only where its line can be taken back."""
    return Counter(streams, total, verb) if total > 1 or streams.err_terminal else Silent()

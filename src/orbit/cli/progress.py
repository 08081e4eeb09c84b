"""Long work shown as it goes: one moving line on a terminal, a plain line per finished item elsewhere."""

from __future__ import annotations

import os
import threading
import time

from orbit.cli.render import told_line, write_all
from orbit.cli.table import cut_to_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from orbit.cli.render import Streams

_CLEAR = "\r\x1b[2K"
_SETTLED_SECONDS = 2  # before that a rate says nothing


class Silent:
    """One item needs no display off a terminal."""

    def start(self, item: str) -> None:
        """Nothing to show."""

    def done(self, item: str, outcome: str) -> None:
        """Nothing to show."""

    def close(self) -> None:
        """Nothing to take back."""


class Counter:
    """`verb 3/50 (2.1/s, 22 s left): name`, kept up to date by any number of threads.

    The name is that of the item which has been at work the longest: the one to wait for. `clock` counts seconds.
    """

    def __init__(self, streams: Streams, total: int, verb: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._streams = streams
        self._total = total
        self._verb = verb
        self._clock = clock
        self._begun = clock()
        self._finished = 0
        self._running: dict[str, None] = {}
        self._drawn = False
        self._closed = False
        self._lock = threading.Lock()

    def start(self, item: str) -> None:
        with self._lock:
            if self._total == 1:
                self._running.clear()  # the same one, further on
            self._running[item] = None
            self._draw()

    def done(self, item: str, outcome: str) -> None:
        with self._lock:
            self._finished += 1
            self._running.pop(item, None)
            if self._total == 1:
                self._running.clear()
            if self._streams.err_terminal:
                self._draw()
            elif not self._closed:
                self._show(told_line(f"orbit: {item}: {outcome} ({self._finished}/{self._total})") + "\n")

    def close(self) -> None:
        """Take the line back, for good: whoever is still at work, after a Ctrl-C, draws no more."""
        with self._lock:
            self._closed = True
            self._erase()

    def _draw(self) -> None:
        """One row of the terminal, which the next call replaces: a longer line could not be taken back."""
        if self._closed or not self._streams.err_terminal:
            return
        oldest = next(iter(self._running), "")
        if not oldest:
            self._erase()
            return
        counted = f" {self._finished}/{self._total}{self._pace()}" if self._total > 1 else ""
        line = told_line(f"{self._verb}{counted}: {oldest}")
        self._show(_CLEAR + cut_to_width(line, max(self._columns() - 1, 1)))
        self._drawn = True

    def _erase(self) -> None:
        if self._drawn:
            self._show(_CLEAR)
            self._drawn = False

    def _pace(self) -> str:
        """How fast it goes, and how long it takes if it goes on so."""
        passed = self._clock() - self._begun
        if passed < _SETTLED_SECONDS or not self._finished:
            return ""
        rate = self._finished / passed
        each = f"{rate:.1f}/s" if rate >= 1 else f"{rate * 60:.0f}/min" if rate * 60 >= 1 else "under 1/min"
        return f" ({each}, {_duration((self._total - self._finished) / rate)} left)"

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


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"


def make_progress(streams: Streams, total: int, verb: str) -> Counter | Silent:
    """A display for `total` items; a single one is shown only where its line can be taken back."""
    return Counter(streams, total, verb) if total > 1 or streams.err_terminal else Silent()

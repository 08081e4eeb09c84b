"""When a call to a remote is given up: it shows no sign of life, or the user asked to stop.

Contract: refinements.md, 23.
"""

from __future__ import annotations

import os
from contextvars import ContextVar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# CPU time that counts as work; a git that only waits wakes up for some microseconds a second.
_WORK_SECONDS = 0.1

# Asked by every network call while it waits: `many.side_by_side` answers in its threads, which no Ctrl-C reaches.
stop_asked: ContextVar[Callable[[], bool]] = ContextVar("stop_asked", default=lambda: False)


class Silence:
    """How long a network call has shown no sign of life: output, growing packs, CPU time of its process group.

    The two costly signs are looked at only after an eighth of `limit` without output, so a stall is noticed after
    `limit` to a quarter more, never earlier. `now` is monotonic seconds.
    """

    __slots__ = ("_cpu", "_group", "_limit", "_looked", "_packs", "_quiet_since", "_size")

    def __init__(self, limit: float, group: int, packs: tuple[str, ...], now: float) -> None:
        self._limit = limit
        self._group = group
        self._packs = packs
        self._quiet_since = self._looked = now
        self._size, self._cpu = -1, 0.0

    def heard(self, now: float) -> None:
        """It said something."""
        self._quiet_since = now

    def is_over_limit(self, now: float) -> bool:
        """Whether nothing has happened for `limit` seconds."""
        if now - max(self._quiet_since, self._looked) < self._limit / 8:
            return False
        self._looked = now
        if self._worked():
            self._quiet_since = now
        return now - self._quiet_since >= self._limit

    def _worked(self) -> bool:
        size, cpu = sum(map(_size_of_files, self._packs)), _cpu_seconds(self._group)
        worked = size != self._size or abs(cpu - self._cpu) >= _WORK_SECONDS
        if worked:
            self._size, self._cpu = size, cpu
        return worked


def _size_of_files(directory: str) -> int:
    total = 0
    try:
        with os.scandir(directory) as entries:
            for entry in entries:
                try:
                    total += entry.stat(follow_symlinks=False).st_size
                except FileNotFoundError:  # a temporary pack that has just got its name
                    continue
    except OSError:
        return 0
    return total


def _cpu_seconds(group: int) -> float:
    """User and system time of every process of the group and of those it has waited for."""
    import psutil  # reads other processes the same way on Linux and macOS; only a suspected stall needs it

    total = 0.0
    for pid in psutil.pids():
        try:
            if os.getpgid(pid) == group:
                total += sum(psutil.Process(pid).cpu_times()[:4])
        except (ProcessLookupError, PermissionError, psutil.Error):
            continue
    return total

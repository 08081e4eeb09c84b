"""Standing in line for a lock that another process holds, asleep until it is given back.

A holder has its own lock file flocked, so whoever flocks it too sleeps until the holder closes it or dies, and the
waiters come one after the other. Only a place in the line comes from this; the lock itself is the file. Where it cannot
be had (another program's lock, a thread, a file system without flock) the caller looks again from time to time.
"""

from __future__ import annotations

import fcntl
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType


class _TimeIsUpError(Exception):
    """The alarm clock rang while asleep."""


def claim(fd: int) -> None:
    """What a holder does to its lock file before it appears, so that others can stand in line behind it."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return  # then they look from time to time


class Line:
    """`with Line(lock, seconds) as line:` waits; inside, `line.reached` says whether the turn came.

    While the block lasts nobody behind us in this line gets on.
    """

    def __init__(self, lock: str, seconds: float) -> None:
        self._lock = lock
        self._seconds = seconds
        self._fd = -1
        self.reached = False

    def __enter__(self) -> Line:
        try:
            self._fd = os.open(self._lock, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except FileNotFoundError:
            self.reached = True
            return self
        except OSError:
            return self
        try:
            self.reached = _flock_within(self._fd, self._seconds)
        except BaseException:
            self._leave()
            raise
        return self

    def moved_on(self) -> bool:
        """Whether the turn came and another holder's lock stands there already."""
        if not self.reached or self._fd < 0:
            return self.reached
        try:
            there, ours = os.lstat(self._lock), os.fstat(self._fd)
        except OSError:
            return True
        return (there.st_dev, there.st_ino) != (ours.st_dev, ours.st_ino)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave()

    def _leave(self) -> None:
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)


def _flock_within(fd: int, seconds: float) -> bool:
    """Sleep in flock for at most so long. Only the main thread has an alarm clock; others may not sleep here."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except BlockingIOError:
        pass
    except OSError:
        return False
    import _signal as signals  # type: ignore[import-not-found]  # the C half: `signal` itself imports enum

    asleep = True

    def ring(*_: object) -> None:
        if asleep:
            raise _TimeIsUpError

    try:
        before = signals.signal(signals.SIGALRM, ring)
    except ValueError:  # not the main thread
        return False
    try:
        signals.setitimer(signals.ITIMER_REAL, max(seconds, 0.001))
        fcntl.flock(fd, fcntl.LOCK_EX)
        return True
    except (_TimeIsUpError, OSError):
        return False
    finally:
        asleep = False
        signals.setitimer(signals.ITIMER_REAL, 0)
        signals.signal(signals.SIGALRM, before)

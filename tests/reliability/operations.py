"""Every operation that orbit asks of the system, counted, and any one of them made to fail.

The calls of `os` and `flock` are replaced for a while; only those that orbit's own code makes count, directly or
through the standard library. EINTR is not among the failures: Python repeats what a signal interrupted.
"""

from __future__ import annotations

import errno
import fcntl
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orbit

_SOURCE = str(Path(orbit.__file__).parent)
_LIBRARY = str(Path(os.__file__).parent)
_BETWEEN = ("<frozen", f"{_LIBRARY}/shutil.py", f"{_LIBRARY}/os.py", f"{_LIBRARY}/posixpath.py", __file__)

_READING = (errno.EIO, errno.EACCES)
_WRITING = (errno.ENOSPC, errno.EIO)
_NAMING = (errno.EACCES, errno.EIO, errno.ENOSPC)
_LOOKING = (errno.EIO, errno.ESTALE)  # what may not be looked at cannot be reached by any other call either
FAILURES: dict[str, tuple[int, ...]] = {
    "open": (errno.EACCES, errno.EIO, errno.ENOSPC, errno.EMFILE),
    "read": _READING[:1],
    "write": _WRITING,
    "fsync": _WRITING,
    "fchmod": (errno.EPERM,),
    "rename": _NAMING,
    "replace": _NAMING,
    "link": (errno.EPERM, *_NAMING),
    "unlink": _NAMING[:2],
    "mkdir": _NAMING,
    "rmdir": _NAMING[:2],
    "listdir": _READING,
    "scandir": _READING,
    "readlink": _READING,
    "flock": (errno.ENOLCK,),
    "stat": _LOOKING,
    "lstat": _LOOKING,
    "fstat": _LOOKING,
}
"""What each call may fail with, the likeliest first."""

LOOKS = frozenset(("stat", "lstat", "fstat"))
"""They ask what is there. `os.path.exists` and its like take a failure for a no."""


class Operations:
    """`log` holds what was asked, in order; `failed` the one that was made to fail."""

    def __init__(self, fail_at: int, choice: int) -> None:
        self.log: list[str] = []
        self.failed = ""
        self.reason = ""
        self._fail_at = fail_at
        self._choice = choice
        self._lock = threading.Lock()

    def is_told(self, text: str) -> bool:
        """Python's own makedirs and which take what they cannot look at for a file, and for no program."""
        reasons = (self.reason, "File exists", "on PATH") if self.failed.startswith("stat") else (self.reason,)
        return any(reason in text for reason in reasons)

    def wrapped(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            # Git's own pipes are no files: what passes through them is `git/child.py`'s own affair.
            if not _asked_by_orbit():
                return real(*arguments, **named)
            target = arguments[0] if arguments else "."
            with self._lock:
                self.log.append(f"{name} {target if isinstance(target, str) else ''}".rstrip())
                fails = len(self.log) == self._fail_at
            if not fails:
                return real(*arguments, **named)
            self.failed = self.log[-1]
            if name == "write":
                real(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
            numbers = FAILURES[name]
            number = numbers[self._choice % len(numbers)]
            self.reason = os.strerror(number)
            paths = [given for given in arguments[:2] if isinstance(given, str)]
            raise OSError(number, self.reason, *(paths[:1] if paths else ()))

        return call


def _asked_by_orbit() -> bool:
    frame = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename.startswith(_BETWEEN):
        frame = frame.f_back  # type: ignore[assignment]
    if frame is None:
        return False
    name = frame.f_code.co_filename
    return name.startswith(_SOURCE) and not name.endswith(("git/child.py", "cli/render.py"))


@contextmanager
def operations(fail_at: int = 0, choice: int = 0) -> Iterator[Operations]:
    """Count every operation; the `fail_at`-th fails, in the way of this choice. A write fails half done."""
    watched = Operations(fail_at, choice)
    places = {name: fcntl if name == "flock" else os for name in FAILURES}
    before = {name: getattr(place, name) for name, place in places.items()}
    for name, place in places.items():
        setattr(place, name, watched.wrapped(name, before[name]))
    try:
        yield watched
    finally:
        for name, place in places.items():
            setattr(place, name, before[name])

"""Every start of git, counted, and any one of them made to go wrong: it does not start, or it ends badly.

What ends badly has done nothing or all of its work, for who starts it cannot tell.
"""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_NOT_STARTED = {"EAGAIN": errno.EAGAIN, "ENOMEM": errno.ENOMEM, "ENOENT": errno.ENOENT}
_FATAL = "echo 'fatal: out of memory, in the test' >&2; exit 128"
_ENDED = {
    "is killed at once": "kill -KILL $$",
    "fails at once": _FATAL,
    "is killed when it is done": '"$@"; kill -KILL $$',
    "fails when it is done": f'"$@"; {_FATAL}',
}
WAYS = (*_NOT_STARTED, *_ENDED)


class Starts:
    """`log` holds the words git was given, in order; `failed` those of the call that went wrong."""

    def __init__(self, fail_at: int, way: str) -> None:
        self.log: list[str] = []
        self.failed = ""
        self._fail_at = fail_at
        self._way = way
        self._lock = threading.Lock()

    def wrapped(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(program: str, words: tuple[str, ...], *arguments: Any, **named: Any) -> Any:
            with self._lock:
                self.log.append(" ".join(words[7:]))
                fails = len(self.log) == self._fail_at
            if not fails:
                return real(program, words, *arguments, **named)
            self.failed = self.log[-1]
            if self._way in _NOT_STARTED:
                number = _NOT_STARTED[self._way]
                raise OSError(number, os.strerror(number), program)
            return real("sh", ("sh", "-c", _ENDED[self._way], "sh", *words), *arguments, **named)

        return call


@contextmanager
def starts(fail_at: int = 0, way: str = "") -> Iterator[Starts]:
    """Count every start; the `fail_at`-th goes wrong in this way."""
    watched = Starts(fail_at, way)
    before = os.posix_spawnp
    os.posix_spawnp = watched.wrapped(before)
    try:
        yield watched
    finally:
        os.posix_spawnp = before

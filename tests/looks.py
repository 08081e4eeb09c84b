"""A path at which the system does not tell what is there, as on a failing disk or a stale mount."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def unseen(path: str | Path, number: int = errno.EIO) -> Iterator[None]:
    """`stat` and `lstat` of exactly this path fail; `os.path.exists` says no."""

    def failing(real: Callable[..., Any]) -> Callable[..., Any]:
        def look(target: Any, *arguments: Any, **named: Any) -> Any:
            if str(target) == str(path):
                raise OSError(number, os.strerror(number), target)
            return real(target, *arguments, **named)

        return look

    before = os.stat, os.lstat
    os.stat, os.lstat = failing(os.stat), failing(os.lstat)
    try:
        yield
    finally:
        os.stat, os.lstat = before

"""The `os` module with some of its calls replaced, to make one of them fail where no real file system would."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import Any


class Patched:
    """Stands in for `os` in one module: `Patched(fsync=failing("fsync", OSError(...)))`."""

    def __init__(self, **calls: Callable[..., Any]) -> None:
        self._calls = calls

    def __getattr__(self, name: str) -> Any:
        return self._calls.get(name) or getattr(os, name)


def failing(name: str, error: BaseException, at: int = 0) -> Callable[..., Any]:
    """A call that raises `error` the `at`-th time, every time for 0."""
    count = 0

    def call(*arguments: Any, **named: Any) -> Any:
        nonlocal count
        count += 1
        if at in (0, count):
            raise error
        return getattr(os, name)(*arguments, **named)

    return call


def failing_for(suffix: str, name: str, error: BaseException) -> Patched:
    """The call `name` raises `error` for files whose path ends in `suffix`, by path or by descriptor."""
    descriptors: set[int] = set()

    def call(name_: str, *arguments: Any, **named: Any) -> Any:
        concerned = str(arguments[0]).endswith(suffix)
        if name_ == name and (concerned or arguments[0] in descriptors):
            raise error
        result = getattr(os, name_)(*arguments, **named)
        if name_ == "open" and concerned:
            descriptors.add(result)
        return result

    return Patched(**{name_: partial(call, name_) for name_ in {"open", name}})


def system_error(number: int) -> OSError:
    return OSError(number, os.strerror(number))

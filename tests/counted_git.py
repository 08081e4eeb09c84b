"""A `git` first on PATH that writes down each call and then becomes the real one."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from world import environment


class Calls:
    """The calls of git so far, one line of arguments each."""

    def __init__(self, log: Path) -> None:
        self._log = log

    @property
    def lines(self) -> list[str]:
        return self._log.read_text().splitlines() if self._log.exists() else []


@contextmanager
def counted_git(directory: Path) -> Iterator[Calls]:
    """Every git that is started within, by this process or its children, is counted."""
    real = shutil.which("git")
    assert real is not None
    bin_directory, log = directory / "counted-bin", directory / "git-calls"
    bin_directory.mkdir(exist_ok=True)
    log.unlink(missing_ok=True)
    script = bin_directory / "git"
    script.write_text(f'#!/bin/sh\nprintf "%s\\n" "$*" >> {shlex.quote(str(log))}\nexec {shlex.quote(real)} "$@"\n')
    script.chmod(0o755)
    with environment({"PATH": f"{bin_directory}{os.pathsep}{os.environ['PATH']}"}):
        yield Calls(log)

"""Programs that stand in for real ones, first on PATH."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from world import environment


@contextmanager
def stand_in(directory: Path, name: str, script: str) -> Iterator[None]:
    """A shell script of that name, found before any other program, for a while."""
    path = directory / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    with environment({"PATH": f"{directory}{os.pathsep}{os.environ['PATH']}"}):
        yield

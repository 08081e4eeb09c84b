"""A directory tree as a value: whether anything in it changed."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path


def digest(top: Path) -> dict[str, tuple[int, int, str]]:
    """Path to (mode, time of last change in nanoseconds, content), `.git` and directories included."""
    found = {}
    for directory, _, names in os.walk(top):
        for path in (directory, *(os.path.join(directory, name) for name in names)):
            status = os.lstat(path)
            if stat.S_ISLNK(status.st_mode):
                content = os.readlink(path)
            else:
                content = hashlib.sha256(Path(path).read_bytes()).hexdigest() if stat.S_ISREG(status.st_mode) else ""
            found[os.path.relpath(path, top)] = (status.st_mode, status.st_mtime_ns, content)
    return found

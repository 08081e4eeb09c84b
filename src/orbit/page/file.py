"""Where the page goes: what may be overwritten, and writing it whole or not at all. Contract: commands.md, report."""

from __future__ import annotations

import os

from orbit.errors import OrbitError
from orbit.places import is_directory, is_there
from orbit.text import safe_line

MARK = b"<!doctype html>\n<!-- orbit report -->\n"


def checked_target(path: str) -> str:
    """The file itself, behind a symbolic link too.

    Raises OrbitError for a directory, for a file that is no earlier report, and where no file can be.
    """
    target = os.path.realpath(path)
    shown = safe_line(target)
    if path.endswith("/") or is_directory(target):
        raise OrbitError("report", f"{shown} is a directory, name a file in it")
    if not is_directory(os.path.dirname(target)):
        raise OrbitError("report", f"no such directory: {safe_line(os.path.dirname(target))}")
    if is_there(target) and not _may_be_replaced(target):
        raise OrbitError("report", f"{shown} is there and is no report, it is not overwritten")
    return target


def _may_be_replaced(path: str) -> bool:
    """An empty file, or one that this command wrote."""
    if not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            return file.read(len(MARK)) in (b"", MARK)
    except OSError:
        return False


def write_page(target: str, page: str) -> None:
    """Beside the target, then renamed over it. Raises OrbitError with the old file in place."""
    directory, name = os.path.split(target)
    new = f"{directory}/.{name[:100]}.{os.getpid()}-{os.urandom(4).hex()}"
    try:
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
        try:
            with open(descriptor, "wb") as file:
                file.write(page.encode("utf-8", "replace"))
                file.flush()
                os.fsync(descriptor)
            os.rename(new, target)
        except BaseException:
            os.unlink(new)
            raise
    except OSError as problem:
        raise OrbitError("report", f"cannot write {safe_line(target)}: {problem.strerror}") from None

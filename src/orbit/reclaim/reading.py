"""Reading for who destroys: what cannot be read is never taken for what is not there. Contract: prune.md, Guards."""

from __future__ import annotations

import errno
import os

from orbit.errors import OrbitError
from orbit.places import list_names
from orbit.store.disk import reason_of, try_read

MISSING = (errno.ENOENT, errno.ENOTDIR)
"""What the system answers where nothing is."""


def bytes_of(path: str) -> bytes | None:
    """A whole file, None when it is not there. Raises OrbitError when it cannot be read."""
    data, reason = try_read(path)
    if reason:
        raise OrbitError("prune", f"{path} cannot be read ({reason})")
    return data


def text_of(path: str) -> str | None:
    """The same for a small file, as text without its last newline."""
    data = bytes_of(path)
    return None if data is None else data.decode("utf-8", "surrogateescape").rstrip("\n")


def names_of(directory: str) -> list[str]:
    """Everything in a directory, sorted; nothing when it is not there. Raises OrbitError when it cannot be read."""
    try:
        return list_names(directory)
    except OSError as error:
        raise OrbitError("prune", f"{directory} cannot be read ({reason_of(error)})") from None


def shared_directory(git_dir: str) -> str:
    """Where refs, worktrees and config of a git directory are. Raises OrbitError when that cannot be read."""
    link = text_of(f"{git_dir}/commondir")
    return git_dir if link is None else os.path.realpath(os.path.join(git_dir, link.rstrip("\r")))


def is_gone(path: str) -> bool:
    """Whether the system says that nothing is there, which it does not of a mount that is down."""
    try:
        os.lstat(path)
    except OSError as error:
        return error.errno in MISSING
    return False

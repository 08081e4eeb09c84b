"""Pipes and devices where git expects its files: it would wait for a writer or read for ever, and orbit for git.

What git always reads is looked at before every start, in some tens of microseconds beside the milliseconds it takes;
every ref, of which there may be thousands, only once git has been silent for a while.
Contract: quality.md, Reliability (metadata damaged).
"""

from __future__ import annotations

import os
import stat

from orbit.git.reffiles import EndlessError, OddError, joined, read_file, ref_file, shared_by, target_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# What git reads further below, at nearly every call.
_BELOW = ("info/exclude", "info/grafts", "objects/info/alternates", "refs/remotes/origin/HEAD")


def refuse_endless(git_directory: str) -> None:
    """Raises EndlessError for a pipe or a device among the files that git reads at nearly every call.

    `git_directory` may be the `.git` file of a linked worktree. What else is wrong there, git itself tells.
    """
    _refuse(_always_read(git_directory))


def refuse_endless_refs(git_directory: str) -> None:
    """The same for every ref."""
    _refuse(_refs(git_directory))


def _refuse(paths: Iterator[str]) -> None:
    try:
        for path in paths:
            if _is_endless(path):
                raise EndlessError(path)
    except (OSError, OddError, ValueError):  # ValueError: a NUL in a link
        return


def _always_read(git_directory: str) -> Iterator[str]:
    """In the order in which one file leads to the next."""
    directory = _linked(git_directory)
    yield from _odd_entries(directory)
    common = shared_by(directory)
    if common != directory:
        yield from _odd_entries(common)
    for name in _BELOW:
        yield f"{common}/{name}"
    branch = target_of(read_file(f"{directory}/HEAD") or b"")
    if branch:
        yield ref_file(directory, common, branch)


def _refs(git_directory: str) -> Iterator[str]:
    for directory, _, _ in os.walk(f"{shared_by(_linked(git_directory))}/refs"):
        yield from _odd_entries(directory)


def _linked(git_directory: str) -> str:
    link = read_file(git_directory, 0)
    return git_directory if link is None else joined(os.path.dirname(git_directory), link[len(b"gitdir: ") :])


def _odd_entries(directory: str) -> list[str]:
    """The system tells the kind with the name: what is a file or a directory is looked at no further."""
    with os.scandir(directory) as entries:
        return [entry.path for entry in entries if not (entry.is_file() or entry.is_dir())]


def _is_endless(path: str) -> bool:
    try:
        found = os.stat(path)
        # /dev/null is how one says "nothing here".
        return stat.S_ISFIFO(found.st_mode) or (
            stat.S_ISCHR(found.st_mode) and found.st_rdev != os.stat(os.devnull).st_rdev
        )
    except OSError:
        return False  # nothing there, or nothing that git could open either

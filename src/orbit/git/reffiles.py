"""The files that refs lie in, below one git directory: loose, packed, symbolic.

What only git itself can make out is an `OddError`. Contract: git.md; refinements.md, 22 and 30.
"""

from __future__ import annotations

import os
import stat

from orbit.errors import OrbitError

_FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK  # a named pipe must not hold us up
_CHUNK = 8192
_LONGEST_CHAIN = 5
# What a worktree has for itself below refs/; everything else there is shared.
_PRIVATE = ("refs/bisect/", "refs/worktree/", "refs/rewritten/")


class OddError(Exception):
    """For git to read."""


class EndlessError(OrbitError):
    """A pipe or a device in place of a file of git's, which git might read for ever."""

    def __init__(self, path: str) -> None:
        directory, name = os.path.split(path)
        super().__init__("git", f"{os.path.realpath(directory)}/{name} is a pipe or a device, not a file")


def read_file(path: str, follow: int = os.O_NOFOLLOW) -> bytes | None:
    """The whole file; None if nothing or a directory is there. Raises OSError, EndlessError for a pipe or device."""
    try:
        return read_entry(path, follow)
    except IsADirectoryError:
        return None


def read_entry(path: str, follow: int) -> bytes | None:
    """The same; raises IsADirectoryError for a directory."""
    try:
        descriptor = os.open(path, _FLAGS | follow)
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        data = os.read(descriptor, _CHUNK)
        if 0 < len(data) < _CHUNK:
            return data
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise EndlessError(path)
        parts = [data]
        while data:
            data = os.read(descriptor, 1 << 22)
            parts.append(data)
        return b"".join(parts)
    finally:
        os.close(descriptor)


def joined(base: str, link: bytes) -> str:
    """Where the line in a file of git's leads that names a directory, from `base`."""
    return os.path.join(base, os.fsdecode(link.rstrip(b"\r\n")))


def shared_by(directory: str) -> str:
    """The directory of what a linked worktree's git directory shares with others, as it is written; else itself."""
    link = read_file(f"{directory}/commondir", 0)
    return directory if link is None else joined(directory, link)


def ref_file(directory: str, common: str, ref: str) -> str:
    """The loose file of a ref; raises OddError for one that would leave the directory or be no plain ref."""
    if ref == "HEAD":
        return f"{directory}/HEAD"
    if not ref.startswith("refs/") or ".." in ref or "/." in ref or "//" in ref or "\0" in ref:
        raise OddError
    return f"{directory if ref.startswith(_PRIVATE) else common}/{ref}"


def resolve(directory: str, common: str, ref: str, links: int) -> str:
    """The object name of a ref after `links` symbolic ones, "" when there is none. Raises OSError, OddError."""
    content = read_file(ref_file(directory, common, ref))
    if content is None:
        return packed(common, ref)
    target = target_of(content)
    if not target:
        return object_name(content)
    if links == _LONGEST_CHAIN:
        raise OddError
    return resolve(directory, common, target, links + 1)


def target_of(content: bytes) -> str:
    """What a symbolic ref's file names, "" for any other content."""
    return os.fsdecode(content[5:].strip()) if content.startswith(b"ref: ") else ""


def object_name(content: bytes) -> str:
    """Raises OddError for anything else."""
    name = content.rstrip(b"\n")
    if len(name) not in (40, 64) or name.strip(b"0123456789abcdef"):
        raise OddError
    return name.decode("ascii")


def packed(common: str, ref: str) -> str:
    """A search through the bytes: a clone may have 50,000 refs. Each line is an object name, a blank, the ref."""
    data = read_file(f"{common}/packed-refs")
    end = data.find(b" %b\n" % os.fsencode(ref)) if data else -1
    if data is None or end < 0:
        refuse_reftable(common)
        return ""
    return object_name(data[data.rfind(b"\n", 0, end) + 1 : end])


def refuse_reftable(common: str) -> None:
    """A ref that is in no file is missing, unless refs are kept another way."""
    try:
        os.lstat(f"{common}/reftable")
    except (FileNotFoundError, NotADirectoryError):
        return
    raise OddError

"""What a killed checkout left in a directory: its own files, or somebody's among them. Contract: commands.md, add."""

from __future__ import annotations

import hashlib
import os
import stat

from orbit.errors import OrbitError
from orbit.git.run import observe
from orbit.places import is_directory, is_there

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def remove_leftover(checkout: str, path: str, commit: str) -> str:
    """Remove the directory, unless it holds what a checkout of `commit` cannot have written: then move it aside.

    Gives the place it was moved to, "" when it is gone. Raises OrbitError.
    """
    if not is_directory(path):
        return ""
    try:
        if _holds_other_files(checkout, path, commit):
            return _move_aside(path)
        import shutil  # after a kill only

        shutil.rmtree(path)
    except OSError as error:
        raise OrbitError(path, f"what an interrupted add left cannot be removed ({error.strerror})") from None
    return ""


def _move_aside(path: str) -> str:
    aside = first = f"{path}.interrupted"
    number = 1
    while is_there(aside):
        number += 1
        aside = f"{first}-{number}"
    os.rename(path, aside)
    if is_there(f"{aside}/.git"):
        os.unlink(f"{aside}/.git")  # without its registration it would only look like a damaged worktree
    return aside


def _holds_other_files(checkout: str, path: str, commit: str) -> bool:
    blobs = _blobs(checkout, commit) if commit else {}
    for name in _files(path):
        blob = blobs.get(os.fsencode(name))
        if blob is None or not _is_written_from(checkout, f"{path}/{name}", blob):
            return True
    return False


def _blobs(checkout: str, commit: str) -> dict[bytes, str]:
    """Path to object name of every file of the commit."""
    listed = observe(checkout, ["ls-tree", "-r", "-z", "--full-tree", commit]).out
    fields = (line.partition(b"\t") for line in listed.split(b"\0") if line)
    return {name: about.split(b" ")[2].decode("ascii") for about, _, name in fields}


def _files(top: str) -> Iterator[str]:
    """Relative paths of everything that is not a directory, git's own link at the top left out. Raises OSError."""
    for directory, below, names in os.walk(top, onerror=_give_up):
        links = [name for name in below if stat.S_ISLNK(os.lstat(f"{directory}/{name}").st_mode)]
        for name in (*names, *links):
            found = os.path.relpath(f"{directory}/{name}", top)
            if found != ".git":
                yield found


def _give_up(error: OSError) -> None:
    raise error


def _is_written_from(checkout: str, path: str, blob: str) -> bool:
    """Whether the file is the blob, whole or cut short, perhaps with CRLF or in place of an LFS pointer."""
    if os.path.islink(path):
        return _name_of(os.fsencode(os.readlink(path)), blob) == blob
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        data = file.read()
    if _name_of(data, blob) == blob:
        return True
    content = observe(checkout, ["cat-file", "blob", blob]).out
    plain = data.replace(b"\r\n", b"\n").removesuffix(b"\r")
    return content.startswith((data, plain, b"version https://git-lfs.github.com/"))


def _name_of(data: bytes, like: str) -> str:
    """The object name git gives these bytes, in the object format of `like`."""
    kind = "sha1" if len(like) == 40 else "sha256"
    return hashlib.new(kind, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()

"""Objects of one repository taken into another: hard-linked, copied where that cannot be. git is not started.

Nothing in the source changes, and nothing that its config names is run. Contract: git.md, How git is used.
"""

from __future__ import annotations

import os
import shutil
import stat

from orbit.errors import OrbitError
from orbit.places import list_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_HEX = frozenset("0123456789abcdef")
_LOOSE_NAMES = (38, 62)  # what follows the two digits of the directory, for SHA-1 and SHA-256
_PACK_PARTS = (".pack", ".idx", ".rev", ".promisor", ".mtimes")
_MOST_PASSES = 5
_MOST_STORES = 20


def take_objects(source: str, target: str) -> None:
    """Every object that the object directory `source` holds or borrows; `target` borrows nothing afterwards.

    A `gc` in the source may replace files meanwhile: then it is looked at again. Raises OrbitError.
    """
    try:
        for store in object_stores(source):
            _take_store(store, target)
    except OSError as problem:
        raise OrbitError("objects", f"cannot take its objects: {problem.strerror} ({problem.filename})") from None


def object_stores(directory: str) -> list[str]:
    """The object directory and every one that it borrows from (`info/alternates`), each once, if it is there.

    Raises OSError.
    """
    found = [os.path.realpath(directory)]
    for store in found:  # grows while it is read: a lender may borrow itself
        for lender in _lenders(store):
            if lender not in found and os.path.isdir(lender) and len(found) < _MOST_STORES:
                found.append(lender)
    return found


def _lenders(store: str) -> list[str]:
    try:
        with open(f"{store}/info/alternates", encoding="utf-8", errors="surrogateescape") as file:
            lines = file.read().split("\n")
    except (FileNotFoundError, NotADirectoryError):
        return []
    paths = [line for line in lines if line and line[0] != "#"]
    return [os.path.realpath(os.path.join(store, path)) for path in paths if "\0" not in path]


def _take_store(store: str, target: str) -> None:
    for _ in range(_MOST_PASSES):
        if _take_once(store, target):
            return
    raise OrbitError("objects", f"another git keeps changing {store}")


def _take_once(store: str, target: str) -> bool:
    """One pass over the store; False when a file vanished on the way."""
    whole = True
    for name in sorted(os.listdir(store)):
        if len(name) != 2 or not _HEX.issuperset(name) or os.path.islink(f"{store}/{name}"):
            continue
        files = [file for file in list_names(f"{store}/{name}") if len(file) in _LOOSE_NAMES and _HEX.issuperset(file)]
        whole &= _take_files(f"{store}/{name}", f"{target}/{name}", files)
    if not os.path.islink(f"{store}/pack"):
        files = [f for f in list_names(f"{store}/pack") if f.startswith("pack-") and f.endswith(_PACK_PARTS)]
        whole &= _take_files(f"{store}/pack", f"{target}/pack", files)
    return whole


def _take_files(source: str, target: str, names: Sequence[str]) -> bool:
    if names:
        os.makedirs(target, exist_ok=True)
    taken = [take_file(f"{source}/{name}", f"{target}/{name}") for name in names]
    return all(taken)


def take_tree(source: str, target: str) -> None:
    """Every regular file below `source`, for content-addressed stores such as that of LFS. Raises OSError."""
    for directory, _, names in os.walk(source, onerror=_give_up):
        _take_files(directory, os.path.normpath(os.path.join(target, os.path.relpath(directory, source))), names)


def _give_up(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError):
        raise error


def take_file(source: str, target: str) -> bool:
    """Link or copy one file that never changes; False when it has vanished. Anything but a regular file is left.

    The directory of the target is there. A file of another owner is copied: they could change it under the link.
    """
    try:
        status = os.lstat(source)
    except FileNotFoundError:
        return False
    if not stat.S_ISREG(status.st_mode):
        return True
    if status.st_uid == os.geteuid():
        try:
            os.link(source, target, follow_symlinks=False)
            return True
        except FileExistsError:
            return True
        except FileNotFoundError:
            return False
        except OSError:
            pass  # another file system, or one without links
    return copy_file(source, target)


def copy_file(source: str, target: str) -> bool:
    """The same without a link, for what may change later. Raises OSError."""
    try:
        reading = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    with open(reading, "rb") as old:
        try:
            writing = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o444)
        except FileExistsError:
            return True
        with open(writing, "wb") as new:
            shutil.copyfileobj(old, new, 1 << 20)
    return True

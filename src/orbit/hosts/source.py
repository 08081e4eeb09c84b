"""Where the hosts install from: a copy of the integration tree in the user's data directory.

The package itself may move (another Python, another virtual environment, a run from a cache), and some hosts use the
tree where it lies. The copy stays where it is until the last host has let go of it. Contract: hosts.md, `orbit setup`.
"""

from __future__ import annotations

import hashlib
import os
import shutil

import orbit
from orbit.errors import OrbitError
from orbit.hosts.clients import user_home
from orbit.places import names_in
from orbit.store.disk import read_bytes, reason_of
from orbit.store.lock import FileLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

PACKAGED = os.path.join(os.path.dirname(orbit.__file__), "hosts", "tree")


def data_directory(env: Mapping[str, str]) -> str:
    """What setup keeps for this user. Raises OrbitError when HOME is not set."""
    base = env.get("XDG_DATA_HOME", "")
    if not base.startswith("/"):
        base = f"{user_home(env)}/.local/share"
    return f"{base}/orbit/hosts"


def tree_place(env: Mapping[str, str]) -> str:
    return f"{data_directory(env)}/tree"


def kept_directory(env: Mapping[str, str]) -> str:
    """What was noted at each host's setup."""
    return f"{data_directory(env)}/kept"


def tree_files(tree: str) -> list[str]:
    """Every file below a tree, relative, sorted; none where there is no tree. Raises OrbitError for one that cannot be
    read, which else would pass for another tree.
    """

    def fail(error: OSError) -> None:
        if not isinstance(error, (FileNotFoundError, NotADirectoryError)):
            raise OrbitError(tree, f"cannot be read: {reason_of(error)}") from None

    found = []
    for directory, _, names in os.walk(tree, onerror=fail):
        found += [os.path.relpath(os.path.join(directory, name), tree) for name in names]
    return sorted(found)


def tree_digest(tree: str) -> str:
    """A short name for what a tree holds; "" when it is not there."""
    sums = hashlib.sha256()
    files = tree_files(tree)
    for name in files:
        data = read_bytes(f"{tree}/{name}") or b""
        sums.update(f"{name}\0{len(data)}\0".encode("utf-8", "surrogateescape") + data)
    return sums.hexdigest()[:16] if files else ""


def is_current(env: Mapping[str, str]) -> bool:
    """Whether the copy is what this orbit carries."""
    return tree_digest(tree_place(env)) == tree_digest(PACKAGED)


def write_tree(env: Mapping[str, str]) -> None:
    """Put the tree that this orbit carries in its place, whole or not at all. Raises OrbitError."""
    place = tree_place(env)
    if is_current(env):
        return
    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with FileLock(place):
            _put(place)
    except OSError as error:
        raise OrbitError(place, f"cannot be written: {reason_of(error)}") from None


def _put(place: str) -> None:
    """Under the lock, by fixed names: what a killed call left is used up, or put back if it was the only one."""
    new, old = _asides(place)
    if os.path.lexists(old) and not os.path.lexists(place):
        os.rename(old, place)
    for path in (new, old):
        shutil.rmtree(path, ignore_errors=True)
    try:
        shutil.copytree(PACKAGED, new, ignore=shutil.ignore_patterns("__pycache__"))
        if os.path.lexists(place):
            os.rename(place, old)
        try:
            os.rename(new, place)
        except OSError:
            if os.path.lexists(old):
                os.rename(old, place)  # some hosts read it where it lies
            raise
        shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _asides(place: str) -> tuple[str, str]:
    return f"{place}.new", f"{place}.old"


def drop_tree(env: Mapping[str, str]) -> None:
    """Take the copy away, and the directories above it that nothing else is in. Raises OrbitError."""
    place = tree_place(env)
    try:
        for path in (*_asides(place), place):
            if os.path.lexists(path):
                shutil.rmtree(path)
        for path in (kept_directory(env), data_directory(env), os.path.dirname(data_directory(env))):
            if os.path.isdir(path) and not names_in(path):
                os.rmdir(path)
    except OSError as error:
        raise OrbitError(place, f"cannot be removed: {reason_of(error)}") from None

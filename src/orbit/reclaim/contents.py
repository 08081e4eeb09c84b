"""Everything in a workspace's directory that is no worktree of the pool: other repositories, mounts, loose files.

One walk, links not followed. Contract: prune.md, Guards.
"""

from __future__ import annotations

import os
import stat

from orbit.git.files import git_dir
from orbit.places import names_in
from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

_BARE = frozenset(("HEAD", "objects", "refs"))
# orbit's own in a workspace, and what its writes leave for a moment.
_OWN = (".orbit", ".orbit.lock", ".orbit.new")


class Contents(Record):
    """Paths are relative to the workspace. `foreign`: repositories of somebody else; `broken`: worktrees of this pool
    whose registration is another's or gone; `links`: symbolic links to a checkout; `mounts`: other file systems.
    """

    foreign: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    mounts: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()
    loose_files: int = 0
    loose_bytes: int = 0


def look_into(directory: str, trees: Collection[str], inner: Collection[str], pool: str) -> Contents:
    """Walk a workspace. `trees` are the registered worktrees in it, `inner` their submodules, both relative."""
    found: dict[str, list[str]] = {name: [] for name in ("foreign", "broken", "links", "mounts", "unreadable")}
    files = size = 0
    device = os.lstat(directory).st_dev
    pending = [("", False)]
    while pending:
        place, in_tree = pending.pop()
        in_tree = in_tree or place in trees
        try:
            with os.scandir(f"{directory}/{place}" if place else directory) as scan:
                entries = list(scan)
        except OSError:
            found["unreadable"].append(place or ".")
            continue
        names = {entry.name for entry in entries}
        # A submodule whose own link gave way to a repository of somebody's is none any more.
        own = place in trees or (place in inner and not os.path.isdir(f"{directory}/{place}/.git"))
        if not own and (".git" in names or names >= _BARE):
            kind = _kind(f"{directory}/{place}", pool) if ".git" in names else "foreign"
            found[kind].append(place or ".")
        for entry in entries:
            below = f"{place}/{entry.name}" if place else entry.name
            try:
                status = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue  # gone since the directory was read
            except OSError:
                found["unreadable"].append(below)
                continue
            if stat.S_ISDIR(status.st_mode):
                if entry.name == ".git":
                    continue
                if status.st_dev != device:
                    found["mounts"].append(below)
                    continue
                pending.append((below, in_tree))
                continue
            if entry.is_symlink() and not place and os.path.lexists(f"{directory}/{below}/.git"):
                found["links"].append(below)
            if not in_tree and entry.name != ".git" and not (not place and entry.name in _OWN):
                files += 1
                size += status.st_size
    return Contents(
        **{name: tuple(sorted(places)) for name, places in found.items()}, loose_files=files, loose_bytes=size
    )


def linked_from(directory: str, pool: str) -> set[str]:
    """Names of the clones that the links of the directories at the top of a workspace lead to."""
    targets = [git_dir(f"{directory}/{name}") for name in names_in(directory)]
    paths = (os.path.realpath(target) for target in targets if target is not None)
    return {path[len(pool) + 1 :].split("/")[0] for path in paths if path.startswith(f"{pool}/")}


def _kind(path: str, pool: str) -> str:
    """A `.git` file that leads into this pool is a worktree that came apart; anything else is somebody's repository."""
    target = git_dir(path) if os.path.isfile(f"{path}/.git") else None
    return "broken" if target is not None and os.path.realpath(target).startswith(f"{pool}/") else "foreign"


def measure(directory: str, places: Sequence[str]) -> tuple[int, int]:
    """(files, bytes) at and below places relative to a directory."""
    sizes = [size for place in places for size in _sizes(f"{directory}/{place.rstrip('/')}")]
    return len(sizes), sum(sizes)


def _sizes(path: str) -> Iterator[int]:
    try:
        status = os.lstat(path)
    except OSError:
        return
    if not stat.S_ISDIR(status.st_mode):
        yield status.st_size
        return
    for parent, _, names in os.walk(path):
        for name in names:
            try:
                yield os.lstat(f"{parent}/{name}").st_size
            except OSError:
                continue

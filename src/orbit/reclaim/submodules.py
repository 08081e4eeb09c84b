"""Initialised submodules of a worktree: their git directories lie in its registration, and go with it.

They are addressed by git directory and work tree, so that they can be read where the links between the two do not
meet. Contract: prune.md, Guards.
"""

from __future__ import annotations

import os

from orbit.errors import OrbitError
from orbit.git.files import read_ref
from orbit.git.run import checked, observe
from orbit.git.status import operation_in
from orbit.reclaim.reading import MISSING
from orbit.record import Record
from orbit.store.document import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_NAMES = 5
_STATUS = ("status", "--porcelain=v2", "-z", "--untracked-files=all", "--ignore-submodules=all", "--no-renames")


class Submodule(Record):
    """One submodule; `place` is below the worktree. `unpushed` are tips with commits that no remote branch holds."""

    place: str
    head: str = ""
    changes: int = 0
    unpushed: tuple[str, ...] = ()
    problem: str = ""


def look_at_submodules(registration: str, registered_at: str, lies_at: str) -> tuple[Submodule, ...]:
    """Every submodule that has a git directory, nested ones too, by place. Never raises."""
    found, unreadable = [], list[OSError]()
    for directory in git_directories(f"{registration}/modules", unreadable):
        tree = load(f"{directory}/config").config.get("core", None, "worktree") or ""
        work_tree = os.path.normpath(os.path.join(directory, tree)) if tree else ""
        place = os.path.relpath(work_tree, registered_at) if tree else directory[len(registration) + 9 :]
        found.append(_look(directory, place, f"{lies_at}/{place}" if tree else ""))
    for error in unreadable:
        place = os.path.relpath(str(error.filename), f"{registration}/modules")
        found.append(Submodule(place, problem=f"{error.filename} cannot be read: {error.strerror}"))
    return tuple(sorted(found, key=lambda submodule: submodule.place))


def commits_at_stake(registration: str, registered_at: str) -> str:
    """Of a worktree whose directory is gone: which submodules hold commits that no remote has, in words; "" for none.

    They lie in the registration, and go with it.
    """
    found = look_at_submodules(registration, registered_at, registered_at)
    parts = [
        f"submodule {sub.place}: {sub.problem or f'commits its remote does not have ({listed(sub.unpushed)})'}"
        for sub in found
        if sub.problem or sub.unpushed
    ]
    return ", ".join(parts)


def listed(names: Sequence[str]) -> str:
    """The first few, and how many more there are."""
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more


def git_directories(top: str, unreadable: list[OSError]) -> list[str]:
    """Git directories anywhere below `top`; what cannot be looked into is added to `unreadable`."""
    found = []

    def note(error: OSError) -> None:
        if error.errno not in MISSING:
            unreadable.append(error)

    for directory, below, files in os.walk(top, onerror=note):
        if "HEAD" in files and "objects" in below:
            found.append(directory)
            below[:] = [name for name in below if name == "modules"]
    return found


def _look(directory: str, place: str, path: str) -> Submodule:
    present = os.path.lexists(f"{path}/.git")
    # git goes to the work tree that the config names before anything else, and in the trash that is nowhere.
    address = f"--work-tree={path if present else directory}"

    def ask(*words: str) -> str:
        answer = observe(directory, [address, "-c", "core.fsmonitor=false", *words])
        return checked(answer, place, f"looking at the submodule {place}").text

    try:
        refs = ask("for-each-ref", "--format=%(objectname)", "refs/heads").split()
        head = read_ref(directory, "HEAD")
        tips = list(dict.fromkeys([*refs, *([head] if head else [])]))
        alone = (tip for tip in tips if ask("rev-list", "--max-count=1", tip, "--not", "--remotes", "--tags", "--"))
        unpushed = tuple(tip[:10] for tip in alone)
        if not present:
            return Submodule(place, head, 0, unpushed)  # deinitialised: what is left is what was committed
        changes = sum(1 for field in ask(*_STATUS).split("\0") if field)
        busy = operation_in(directory)
        return Submodule(place, head, changes, unpushed, f"a {busy} is in progress" if busy else "")
    except OrbitError as problem:
        return Submodule(place, problem=problem.message)

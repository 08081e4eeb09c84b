"""Initialised submodules of a worktree: their git directories lie in its registration, and go with it.

They are addressed by git directory and work tree, so that they can be read where the links between the two do not
meet. Contract: prune.md, Guards.
"""

from __future__ import annotations

import os

from orbit.errors import OrbitError
from orbit.git.run import checked, observe
from orbit.git.status import operation_in
from orbit.record import Record
from orbit.store.document import load

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
    found = []
    for directory in git_directories(f"{registration}/modules"):
        tree = load(f"{directory}/config").config.get("core", None, "worktree") or ""
        work_tree = os.path.normpath(os.path.join(directory, tree)) if tree else ""
        place = os.path.relpath(work_tree, registered_at) if tree else directory[len(registration) + 9 :]
        found.append(_look(directory, place, f"{lies_at}/{place}" if tree else ""))
    return tuple(sorted(found, key=lambda submodule: submodule.place))


def git_directories(top: str) -> list[str]:
    """Git directories anywhere below `top`."""
    found = []
    for directory, below, files in os.walk(top):
        if "HEAD" in files and "objects" in below:
            found.append(directory)
            below[:] = [name for name in below if name == "modules"]
    return found


def _look(directory: str, place: str, path: str) -> Submodule:
    try:
        head = checked(observe(directory, ["rev-parse", "--verify", "--quiet", "HEAD"]), place, "reading HEAD").text
        unpushed = _unpushed(directory, place)
        if not os.path.lexists(f"{path}/.git"):
            return Submodule(place, head, 0, unpushed)  # deinitialised: what is left is what was committed
        words = [f"--work-tree={path}", "-c", "core.fsmonitor=false", *_STATUS]
        out = checked(observe(directory, words), place, "reading its status").out
        changes = sum(1 for field in out.split(b"\0") if field)
        busy = operation_in(directory)
        return Submodule(place, head, changes, unpushed, f"{busy} in progress" if busy else "")
    except OrbitError as problem:
        return Submodule(place, problem=problem.message)


def _unpushed(directory: str, place: str) -> tuple[str, ...]:
    """Tips, HEAD included, that hold commits no remote-tracking branch has, abbreviated."""
    refs = checked(observe(directory, ["for-each-ref", "--format=%(objectname)", "refs/heads"]), place, "listing refs")
    tips = list(dict.fromkeys([*refs.text.split(), *_detached(directory)]))
    alone = []
    for tip in tips:
        words = ["rev-list", "--max-count=1", tip, "--not", "--remotes", "--tags", "--"]
        if checked(observe(directory, words), place, "looking at its commits").text:
            alone.append(tip[:10])
    return tuple(alone)


def _detached(directory: str) -> list[str]:
    answer = observe(directory, ["rev-parse", "--verify", "--quiet", "HEAD"])
    return [answer.text] if answer.code == 0 else []

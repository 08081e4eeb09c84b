"""Why a finished workspace may not go: everything in it that exists nowhere else. Contract: prune.md, Guards.

`see` looks, once where the workspace stands and once in the trash; `guards_of` makes reasons of what was seen.
"""

from __future__ import annotations

import hashlib
import os

from orbit.errors import OrbitError
from orbit.git.many import side_by_side
from orbit.knowledge.jots import read_queues
from orbit.reclaim.contents import Contents, look_into, measure
from orbit.reclaim.plan import Extras, Reason, Tree
from orbit.reclaim.reading import is_gone
from orbit.reclaim.submodules import commits_at_stake, listed
from orbit.reclaim.trees import DAMAGED, Look, look_at, tips_of
from orbit.record import Record
from orbit.store.document import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from orbit.places import Project
    from orbit.reclaim.occupants import Occupant
    from orbit.reclaim.survey import Registered


class Seen(Record):
    """A workspace as it was found at `directory`: what each worktree holds, what lies around, whether jots wait.

    `lost` is what only the registration of a worktree holds whose directory is gone.
    """

    directory: str
    looks: tuple[tuple[Tree, Look | None], ...]
    contents: Contents
    jots: str
    locked: tuple[Reason, ...]
    lost: tuple[Reason, ...] = ()

    @property
    def marks(self) -> dict[str, str]:
        """By part of the workspace a digest that must stay the same until the directory is gone."""
        found = self.contents
        around = (sorted((*found.foreign, *found.broken)), found.mounts, found.links, found.unreadable, self.jots)
        digest = hashlib.sha256(repr(around).encode("utf-8", "surrogateescape")).hexdigest()
        return {".": digest, **{tree.place: look.mark for tree, look in self.looks if look is not None}}


def see(
    project: Project,
    workspace: str,
    registered: Sequence[Registered],
    directory: str,
    *,
    jobs: int = 1,
    moved_from: Mapping[str, str] | None = None,
) -> Seen:
    """Look at a workspace at `directory`; `moved_from` are the marks it had before it was moved there."""
    home = project.workspace(workspace)

    def look(entry: Registered) -> tuple[Tree, Look | None]:
        place = os.path.relpath(entry.path, home)
        found = None
        if not is_gone(f"{directory}/{place}"):
            moved = moved_from is not None and DAMAGED not in moved_from.get(place, "")
            found = look_at(entry, f"{directory}/{place}", moved=moved)
        # What only a registration names is kept whether its directory is there or not.
        tips = found.tips if found else kept_tips(entry)
        return Tree(entry.repo, entry.entry, place, found.branch if found else "", tips), found

    looks: list[tuple[Tree, Look | None]] = []
    for outcome in side_by_side(look, registered, jobs):
        if isinstance(outcome, OrbitError):
            raise outcome
        looks.append(outcome)
    present = {tree.place: look for tree, look in looks if look is not None}
    inner = [f"{place}/{sub.place}" for place, look in present.items() for sub in look.submodules]
    contents = look_into(directory, present, inner, os.path.realpath(project.pool))
    held = (entry for entry in registered if entry.locked is not None)
    locked = tuple(locked_reason(entry, os.path.relpath(entry.path, home)) for entry in held)
    gone = (entry for entry, (_, look) in zip(registered, looks, strict=True) if look is None)
    lost = tuple(reason for entry in gone for reason in lost_of(entry))
    return Seen(directory, tuple(looks), contents, _jots(f"{directory}/.orbit"), locked, lost)


def lost_of(entry: Registered) -> list[Reason]:
    """What goes for good with the registration of a worktree whose directory is gone."""
    stake = at_stake(entry)
    return [Reason(entry.repo, f"the worktree {entry.path} is gone, not so its {stake}")] if stake else []


def at_stake(entry: Registered) -> str:
    """The same in words: commits that lie in the registration, and what of it cannot be read; "" for nothing."""
    found = commits_at_stake(entry.directory, entry.path)
    try:
        tips_of(entry.directory)
    except OrbitError as problem:
        return ", ".join((*([found] if found else []), f"registration ({problem.message})"))
    return found


def kept_tips(entry: Registered) -> dict[str, str]:
    """What can be kept of a registration; `at_stake` tells when that may not be all."""
    try:
        return tips_of(entry.directory)
    except OrbitError:
        return {}


def guards_of(seen: Seen, occupants: Sequence[Occupant]) -> tuple[Reason, ...]:
    """Every reason but the branches', in the order of the repositories; those of the whole workspace first."""
    reasons = [Reason("", f"process {one.pid} ({one.name}) works inside it") for one in occupants]
    if seen.jots:
        reasons.append(Reason("", seen.jots))
    reasons += _around(seen.contents)
    reasons += (*seen.locked, *seen.lost)
    for tree, look in seen.looks:
        if look is not None:
            reasons += [Reason(tree.repo, text, review=review) for text, review in _of(tree, look, seen.directory)]
    return tuple(reasons)


def extras_of(seen: Seen, stashes: int) -> Extras:
    """What goes along without blocking, counted and measured."""
    files = size = 0
    for tree, look in seen.looks:
        if look is not None:
            count, sum_ = measure(f"{seen.directory}/{tree.place}", look.ignored)
            files, size = files + count, size + sum_
    return Extras(files, size, seen.contents.loose_files, seen.contents.loose_bytes, stashes)


def locked_reason(entry: Registered, place: str) -> Reason:
    """`git worktree lock` is somebody's word that this one stays."""
    why = f" ({entry.locked})" if entry.locked else ""
    return Reason(entry.repo, f"worktree {place} is locked{why}", final=True)


def _jots(metadata: str) -> str:
    """What waits in the queues, in words; metadata that cannot be read counts as holding jots."""
    loaded = load(metadata)
    if loaded.state == "damaged":
        return f"its metadata cannot be read ({loaded.reason}), so jots may be waiting"
    queues = {repo: (len(q.entries), len(q.popped)) for repo, q in read_queues(loaded.config).items()}
    waiting = [f"{entries} jots waiting for {repo}" for repo, (entries, _) in queues.items() if entries]
    popped = [f"{count} popped, not merged for {repo}" for repo, (_, count) in queues.items() if count]
    return ", ".join((*waiting, *popped))


def _around(contents: Contents) -> list[Reason]:
    found = [
        (contents.foreign, "not of the pool: repository in {}", False),
        (contents.broken, "a worktree of the pool that is damaged or was moved: {}", False),
        (contents.links, "a symbolic link in place of a worktree: {}", True),
        (contents.mounts, "another file system is mounted at {}", True),
        (contents.unreadable, "cannot be looked into: {}", True),
    ]
    return [Reason("", words.format(listed(places)), final=final) for places, words, final in found if places]


def _of(tree: Tree, look: Look, directory: str) -> list[tuple[str, str]]:
    """(text, review command) for everything that one worktree holds."""
    from shlex import quote  # prune only

    where = f" in {tree.place}" if tree.place != tree.repo else ""
    git = f"git -C {quote(f'{directory}/{tree.place}')}"
    if look.problem:
        return [(f"worktree cannot be read{where} ({look.problem})", ""), *_inner(look, where)]
    found = []
    untracked = sum(1 for change in look.changes if change[0] == "?")
    changed = len(look.changes) - untracked
    words = [f"{changed} uncommitted changes" if changed else "", f"{untracked} untracked files" if untracked else ""]
    if look.changes:
        found.append((", ".join(word for word in words if word) + where, f"{git} status"))
    if look.operation:
        found.append((f"a {look.operation} is in progress{where}", f"{git} status"))
    if look.alone:
        found.append(
            (f"{look.alone} commits on a detached HEAD that no branch holds{where}", f"{git} log -{look.alone}")
        )
    return [*found, *_inner(look, where)]


def _inner(look: Look, where: str) -> list[tuple[str, str]]:
    found = []
    for sub in look.submodules:
        if sub.problem:
            found.append((f"submodule {sub.place}{where}: {sub.problem}", ""))
        if sub.changes:
            found.append((f"submodule {sub.place}{where}: {sub.changes} uncommitted changes", ""))
        if sub.unpushed:
            tips = listed(sub.unpushed)
            found.append((f"submodule {sub.place}{where}: commits its remote does not have ({tips})", ""))
    return found

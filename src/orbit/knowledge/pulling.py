"""What one pull does, planned without any lock and then done under all of them.

The cards first, so that a kill leaves texts that the next pull finds already alike; then the index, then the history.
Contract: refinements.md, 27.
"""

from __future__ import annotations

from contextlib import ExitStack

from orbit.errors import OrbitError
from orbit.git.history import merge_bases
from orbit.git.run import OWN, change, checked, observe
from orbit.git.tree import top_entries
from orbit.guidance import card_notices, pool_notices, sharing_notices
from orbit.knowledge import card, history
from orbit.knowledge.brief.extract import card_brief
from orbit.knowledge.conflicts import conflict_trailers, open_conflicts
from orbit.knowledge.history import Version
from orbit.knowledge.merging import Merge, is_card, looks_like_cards, merge_trees, merged_tree, repo_of
from orbit.places import is_there
from orbit.pool.clones import list_clones
from orbit.pool.index import SECTION, clone_url, written_notices
from orbit.record import Record
from orbit.store.disk import read_bytes, replace_file
from orbit.store.document import update
from orbit.store.lock import FileLock
from orbit.store.syntax import Set
from orbit.text import safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from orbit.git.tree import Entry
    from orbit.guidance.notice import Notice
    from orbit.knowledge.merging import Tree
    from orbit.places import Project
    from orbit.store.syntax import Change

_SHOWN = 12  # characters of a revision
_MOST_NAMED = 3
_NOTHING = Merge({}, {}, (), ())


class NoCardsError(OrbitError):
    """What was fetched is something else."""


class Incoming(Record):
    """A text for the pool: regular as a card is, `revision` what the remote calls it, `head` the commit it is for."""

    repo: str
    text: bytes
    brief: str
    revision: str
    head: str


class Plan(Record):
    """What a pull is about to do.

    `ours` and `theirs` are commits, ours "" when nothing was kept yet; `here` is our tree. `merge` says what is taken,
    `way` how the two become one: `forward` (theirs becomes ours), `merge`, or "" when ours has all of theirs.
    `writes` go into the pool, `conflicts` (repository to the revision of their text) are open afterwards, `refused`
    tells why a text cannot be a card, `waiting` are repositories of cards that are not here.
    """

    ours: str
    theirs: str
    here: Tree
    merge: Merge
    way: str
    writes: tuple[Incoming, ...]
    conflicts: Mapping[str, str]
    refused: Mapping[str, str]
    waiting: tuple[str, ...]


def make_plan(project: Project, theirs: str, shown: str) -> Plan:
    """Compare both sides as they are now. Raises OrbitError, also for a remote that is no place for cards."""
    ours = history.tip(project)
    bases = merge_bases(project.history, ours, theirs) if ours else []
    here = top_entries(project.history, ours) if ours else {}
    there = top_entries(project.history, theirs)
    if not bases:
        _require_cards(project, theirs, there, shown)
    trees = [top_entries(project.history, base) for base in bases]
    merge = _NOTHING if theirs in bases else merge_trees(trees, here, there)
    clones = list_clones(project).clones
    merge = _without_overtaken(project, merge, here, [theirs, *(f"^{base}" for base in bases)])
    merge = _without_absent(project, merge, clones)
    wanted = _wanted(project, clones, merged_tree(here, merge), merge)
    looked_at = {**wanted, **{repo_of(file): entry for file, entry in merge.conflicts.items()}}
    texts, refused = _read(project, looked_at)
    merge = merge.replace(
        taken={f: e for f, e in merge.taken.items() if repo_of(f) not in refused or f not in here},
        conflicts={f: e for f, e in merge.conflicts.items() if repo_of(f) not in refused},
    )
    before = open_conflicts(project)
    return Plan(
        ours,
        theirs,
        here,
        merge,
        _way(ours, theirs, bases, same=merged_tree(here, merge) == there),
        _with_heads(project, (ours, theirs), [texts[repo] for repo in sorted(wanted) if repo in texts]),
        before if theirs in bases else _open_after(before, here, there, merge),
        refused,
        tuple(repo_of(f) for f, e in merge.taken.items() if is_card(f, e) and repo_of(f) not in clones),
    )


def _way(ours: str, theirs: str, bases: list[str], *, same: bool) -> str:
    if theirs in bases:
        return ""
    return "forward" if not ours or (ours in bases and same) else "merge"


def _with_heads(project: Project, commits: tuple[str, str], writes: list[Incoming]) -> tuple[Incoming, ...]:
    """Each with the commit it was last written for, as either side tells."""
    heads = history.written_for(project, [commit for commit in commits if commit]) if writes else {}
    return tuple(one.replace(head=heads.get((one.repo, one.revision), "")) for one in writes)


def _require_cards(project: Project, theirs: str, there: Tree, shown: str) -> None:
    """A history that began elsewhere may be anything; the code of a project must not end up among the cards."""
    if looks_like_cards(there):
        return
    words = ["log", "-1", "--format=%H", "--fixed-strings", "--grep=Orbit-Pool-Head: ", theirs, "--"]
    if observe(project.history, words).out:
        return
    others = [file for file, entry in there.items() if not is_card(file, entry)]
    named = ", ".join(safe_line(file) for file in others[:_MOST_NAMED]) + (", ..." if others[_MOST_NAMED:] else "")
    raise NoCardsError("memo", f"{shown} does not hold cards (it has {named}), nothing was pulled")


def _without_overtaken(project: Project, merge: Merge, here: Tree, since: list[str]) -> Merge:
    """Where ours is a text that they have gone on from, theirs is the newer one.

    So it is after a pull that was killed before its history, and after a history that was lost and begun again.
    """
    passed = history.written_for(project, since) if merge.conflicts else {}
    overtaken = {f: e for f, e in merge.conflicts.items() if (repo_of(f), here[f].name) in passed}
    rest = {file: entry for file, entry in merge.conflicts.items() if file not in overtaken}
    return merge.replace(taken={**merge.taken, **overtaken}, conflicts=rest)


def _without_absent(project: Project, merge: Merge, clones: tuple[str, ...]) -> Merge:
    """Without a card in the pool, or even its repository, none is kept: ours is in the history, theirs goes on."""
    present = {repo for repo in clones if is_there(project.card(repo))}
    absent = {file: entry for file, entry in merge.conflicts.items() if repo_of(file) not in present}
    mine = {file: entry for file, entry in merge.conflicts.items() if file not in absent}
    return merge.replace(taken={**merge.taken, **absent}, conflicts=mine)


def _wanted(project: Project, clones: tuple[str, ...], merged: Tree, merge: Merge) -> dict[str, Entry]:
    """What the pool is to get: cards that were taken, and those whose repository has no card here."""
    wanted = {}
    for repo in clones:
        entry = merged.get(file := history.card_file(repo))
        if entry and is_card(file, entry) and (file in merge.taken or not is_there(project.card(repo))):
            wanted[repo] = entry
    return wanted


def _read(project: Project, entries: Mapping[str, Entry]) -> tuple[dict[str, Incoming], dict[str, str]]:
    """(texts, reasons) by repository: each text as a card's write would store it, or why it would not."""
    small = {repo: entry for repo, entry in entries.items() if entry.size <= card.MAX_WRITE_BYTES}
    found = history.read_texts(project, list({entry.name: None for entry in small.values()})) if small else {}
    texts: dict[str, Incoming] = {}
    refused = dict.fromkeys(entries.keys() - small.keys(), f"it is over {card.MAX_WRITE_BYTES // 1024} KiB")
    for repo, entry in small.items():
        try:
            text = card.normalised(found.get(entry.name, b""), repo)
        except OrbitError as problem:
            refused[repo] = problem.message.removeprefix("card refused, ")
            continue
        brief = card_brief(text)
        if brief:
            texts[repo] = Incoming(repo, text.encode(), brief, entry.name, "")
        else:
            refused[repo] = "no brief can be extracted"
    return texts, refused


def _open_after(before: Mapping[str, str], here: Tree, there: Tree, merge: Merge) -> dict[str, str]:
    """A conflict of an earlier pull is over when both sides have one text now; a new one takes its place."""
    still = {}
    for repo, revision in before.items():
        file = history.card_file(repo)
        if file not in merge.taken and here.get(file) != there.get(file):
            still[repo] = revision
    return still | {repo_of(file): entry.name for file, entry in merge.conflicts.items()}


def carry_out(project: Project, plan: Plan) -> list[Notice] | None:
    """Do all of it, or None with nothing changed when a card or the history has changed since. Raises OrbitError."""
    with ExitStack() as locks:
        for one in plan.writes:
            locks.enter_context(FileLock(project.card(one.repo)))
        locks.enter_context(history.lock(project))
        if history.tip(project) != plan.ours or not all(_is_as_planned(project, plan, one) for one in plan.writes):
            return None
        for one in plan.writes:
            replace_file(project.card(one.repo), one.text)
        notices = _record_rows(project, plan)
        try:
            _record_merge(project, plan)
        except OrbitError as problem:
            if not plan.writes:
                raise
            notices += [card_notices.history_failed(one.repo, problem.message) for one in plan.writes]
    return notices + _told(plan)


def _is_as_planned(project: Project, plan: Plan, one: Incoming) -> bool:
    data = read_bytes(project.card(one.repo))
    kept = plan.here.get(history.card_file(one.repo))
    return data is None or (kept is not None and kept.name == card.revision(data))


def _record_rows(project: Project, plan: Plan) -> list[Notice]:
    """The cards stand when the index cannot be written: what is left to do is told."""
    changes: list[Change] = []
    for one in plan.writes:
        row = {"url": clone_url(project, one.repo), "brief": one.brief, "card": card.revision(one.text)}
        changes += [Set(SECTION, one.repo, key, (value,)) for key, value in row.items() if value]
        # Without one its distance is unknown; an older card's head would tell a wrong one.
        changes.append(Set(SECTION, one.repo, "head", (one.head,) if one.head else ()))
    if not changes:
        return []
    try:
        return written_notices(project, update(project.index, lambda _: changes))
    except OrbitError as problem:
        lost = [pool_notices.index_out_of_sync(one.repo) for one in plan.writes]
        return [pool_notices.metadata_damaged(".repos/.orbit", problem.message), *lost]


def _record_merge(project: Project, plan: Plan) -> None:
    """The history last: where it fails, the next pull finds the texts alike.

    A text that had to be made regular is a version of its own after the merge.
    """
    regular = [
        (one.repo, Version(one.text, "made regular", "", one.head))
        for one in plan.writes
        if card.revision(one.text) != one.revision
    ]
    if plan.way == "forward":
        words = ["update-ref", history.BRANCH, plan.theirs, plan.ours or "0" * 40]
        checked(change(project.history, [*OWN, *words]), "memo", "keeping what was pulled")
    merge = _merge_commit(plan) if plan.way == "merge" else b""
    if merge or regular:
        history.append(project, regular, merge)


def _merge_commit(plan: Plan) -> bytes:
    """In the words of fast-import. The message names neither the remote nor this machine."""
    subject = f"pull: {len(plan.merge.taken)} taken, {len(plan.merge.conflicts)} kept"
    message = f"{subject}\n\n{conflict_trailers(plan.conflicts)}" if plan.conflicts else f"{subject}\n"
    files = [f"M {entry.mode} {entry.name} {file}\n" for file, entry in plan.merge.taken.items()]
    lines = [f"from {plan.ours}\n", f"merge {plan.theirs}\n", *files, "\n"]
    return history.commit_head(message) + "".join(lines).encode()


def _told(plan: Plan) -> list[Notice]:
    notices = [sharing_notices.card_refused(repo, reason) for repo, reason in sorted(plan.refused.items())]
    notices += [sharing_notices.card_lost_there(repo_of(file)) for file in plan.merge.gone]
    for one in plan.writes:
        found = card.control_characters(one.text.decode())
        if found:
            notices.append(sharing_notices.control_characters(one.repo, ", ".join(found)))
    for repo, revision in sorted(plan.conflicts.items()):
        mine = plan.here.get(history.card_file(repo))
        notices.append(sharing_notices.card_conflict(repo, mine.name[:_SHOWN] if mine else "none", revision[:_SHOWN]))
    return notices

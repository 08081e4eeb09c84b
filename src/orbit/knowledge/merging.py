"""Two sides of a shared history, card by card: what is taken from theirs, what both changed. Pure.

A card is one file, and its text is one piece: nothing is merged line by line. Contract: refinements.md, 27.
"""

from __future__ import annotations

from orbit.git.tree import REGULAR, Entry
from orbit.places import valid_repo_name
from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Tree = Mapping[str, Entry]

_SUFFIX = ".md"


class Merge(Record):
    """What becomes of each file that differs.

    `taken` goes from theirs into the merged tree; of `conflicts` (cards) ours stays there. `odd` are files of theirs
    that are no cards and are new; `gone` are cards that theirs lost, which stay.
    """

    taken: Mapping[str, Entry]
    conflicts: Mapping[str, Entry]
    odd: tuple[str, ...]
    gone: tuple[str, ...]


def repo_of(file: str) -> str:
    """The repository whose card would have this file name, "" for none: a name is never more than a name."""
    name = file.removesuffix(_SUFFIX)
    return name if file.endswith(_SUFFIX) and valid_repo_name(name) else ""


def is_card(file: str, entry: Entry | None) -> bool:
    """A plain file with the name of a card: no link, no program, no directory."""
    return entry is not None and entry.mode == REGULAR and repo_of(file) != ""


def merge_trees(bases: Sequence[Tree], ours: Tree, theirs: Tree) -> Merge:
    """Theirs where only they changed a file, ours where only we did. `bases` are all that both sides grew from.

    With no base, what only one side has is what it added. With several, a text that any of them has is old. A card that
    one side no longer has is not gone from the other: a pool without a repository says nothing about its card.
    """
    taken, conflicts, odd, gone = {}, {}, [], []
    for file in sorted({*ours, *theirs}):
        mine, other = ours.get(file), theirs.get(file)
        before = [base.get(file) for base in bases]
        if mine == other:
            continue
        if other is None:
            if repo_of(file) and any(before):
                gone.append(file)
            continue
        news, kept_by_us = other not in before, mine in before
        if news and not is_card(file, other):
            odd.append(file)
        if mine is None:
            if _is_plain_name(file):
                taken[file] = other
        elif repo_of(file) and not is_card(file, other):
            continue  # a card is not given up for what is none
        elif news and kept_by_us:
            taken[file] = other
        elif is_card(file, other) and (news or kept_by_us):
            conflicts[file] = other
    return Merge(taken, conflicts, tuple(odd), tuple(gone))


def _is_plain_name(file: str) -> bool:
    """What can be written into a tree as it is; git has refused the dangerous ones as they arrived."""
    return file.isprintable() and file[0] != '"' and file.lower() not in (".", "..", ".git")


def merged_tree(ours: Tree, merge: Merge) -> dict[str, Entry]:
    return {**ours, **merge.taken}


def looks_like_cards(tree: Tree) -> bool:
    """Whether a repository without a commit of orbit's may be meant for cards: new, or kept by hand."""
    return all(is_card(file, entry) or file.startswith((".", "README", "LICENSE")) for file, entry in tree.items())

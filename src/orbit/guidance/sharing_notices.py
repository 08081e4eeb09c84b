"""What is said when cards are shared with a remote. Contract: guidance.md; refinements.md, 27."""

from __future__ import annotations

from orbit.guidance.notice import Notice
from orbit.text import safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_NAMED = 5


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(safe_line(name) for name in names[:_MOST_NAMED])
    return shown + (f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else "")


def card_conflict(repo: str, mine: str, theirs: str) -> Notice:
    """`memo --pull`: both sides changed this card and nobody has merged the two texts yet"""
    fact = f"changed here and in the remote, kept {mine}, theirs is {theirs}"
    return Notice("card-conflict", repo, fact, f"memo {repo} --show {theirs}, merge, memo {repo} --expect {mine}")


def card_refused(repo: str, reason: str) -> Notice:
    """`memo --pull`: the remote's text cannot be a card, the one here stays"""
    return Notice("card-refused", repo, f"not taken from the remote, {reason}")


def card_lost_there(repo: str) -> Notice:
    """`memo --pull`: the remote no longer has this card; it is kept, and a push brings it back"""
    return Notice("card-lost-there", repo, "the remote no longer has this card, kept here")


def control_characters(repo: str, found: str) -> Notice:
    """`memo --pull`: the text that was taken holds what would steer a terminal; orbit never shows it"""
    return Notice("control-characters", repo, f"the pulled card holds control characters ({found})", f"memo {repo}")


def no_cards_there(remote: str, names: Sequence[str]) -> Notice:
    """`memo --pull`: files of the remote that are no cards are left in its history and go no further"""
    return Notice("no-cards-there", remote, f"ignored {_listed(names)}, not a card")


def cards_not_in_pool(remote: str, names: Sequence[str]) -> Notice:
    """`memo --pull`: cards of repositories that this pool does not have wait in the history"""
    fact = f"{len(names)} cards wait for their repositories ({_listed(names)})"
    return Notice("cards-not-in-pool", remote, fact, f"clone URL, memo --pull {remote}")


def nothing_to_pull(remote: str, branch: str) -> Notice:
    """`memo --pull`: the remote is new"""
    return Notice("nothing-to-pull", remote, f"no cards there yet, it has no branch {branch}", f"memo --push {remote}")


def first_push(remote: str, cards: int) -> Notice:
    """`memo --push`: the first one to this remote says what is shared"""
    fact = f"shared {cards} cards with all their versions, the names of workspaces and the jots they settled"
    return Notice("first-push", remote, fact)


def credentials_shared(repo: str) -> Notice:
    """`memo --push`: the card's own text holds a URL with credentials"""
    fact = "the card that was pushed holds a URL with credentials"
    return Notice("credentials-shared", repo, fact, f"change them where they are used, memo {repo}")


def hand_edit_kept(repo: str, rev: str) -> Notice:
    """`memo --pull`, `--push`: a card that was edited by hand is a version of its own now"""
    return Notice("hand-edit-kept", repo, f"edited by hand, kept as {rev}")

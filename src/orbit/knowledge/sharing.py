"""Sharing cards with a remote: which one is meant, `memo --pull`, `memo --push`.

One at a time for each pool, while cards may be written meanwhile. What leaves is the branch of `.cards.git` and nothing
else. Contract: refinements.md, 27; knowledge.md, History.
"""

from __future__ import annotations

import os
from contextlib import ExitStack

from orbit.errors import OrbitError
from orbit.git.exchange import Address, BehindError, drop_ref, drop_unreachable, fetch_branch, push_branch
from orbit.git.run import GitError
from orbit.git.ssh import ssh_host
from orbit.git.tree import top_entries
from orbit.git.urls import redact_url, refused_transport
from orbit.guidance import pool_notices, sharing_notices
from orbit.knowledge import card, history, pulling
from orbit.knowledge.conflicts import open_conflicts
from orbit.knowledge.history import Version
from orbit.knowledge.memo import brief_of, card_text, read_card
from orbit.knowledge.merging import is_card, repo_of
from orbit.pool.clones import list_clones
from orbit.pool.index import IndexEntry, read_index
from orbit.record import Record
from orbit.store.document import load
from orbit.store.lock import FileLock
from orbit.text import safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.guidance.notice import Notice
    from orbit.places import Project

_BRANCH = history.BRANCH.removeprefix("refs/heads/")
_THEIRS = "refs/orbit/theirs"
_WAIT_SECONDS = 60.0  # for another pull or push, which waits for its remote
_TRIES = 10
_SHOWN = 12  # characters of a revision


class Shared(Record):
    """What a pull or push did: (repository, brief) of each card that moved; `conflicts` and `waiting` are counts."""

    cards: tuple[tuple[str, str], ...]
    notices: tuple[Notice, ...]
    conflicts: int = 0
    waiting: int = 0


def find_remote(project: Project, given: str, directory: str) -> Address:
    """A remote of `.cards.git` by name, else a URL, else a path from `directory`. Raises OrbitError, as for `ext::`."""
    _require_transport(given)
    config = load(f"{project.history}/config").config
    known = config.subsections("remote")
    if given in known:
        for url in (*config.get_all("remote", given, "url"), *config.get_all("remote", given, "pushurl")):
            _require_transport(url)
        return Address(given, safe_line(given))
    if "://" in given or ssh_host(given):
        return Address(given, safe_line(redact_url(given)))
    path = os.path.join(directory, given)
    if not os.path.lexists(path):
        names = ", ".join(safe_line(name) for name in known)
        hint = f"remotes of .cards.git: {names}" if names else "give its URL or path"
        raise OrbitError("memo", f"no such remote or path: {safe_line(given)}", hint)
    return Address(path, safe_line(given))


def _require_transport(url: str) -> None:
    if reason := refused_transport(url):
        raise OrbitError("memo", reason)


def pull(project: Project, remote: Address) -> Shared:
    """Fetch, merge card by card, write what was taken into the pool. Raises OrbitError with the pool as it was."""
    with FileLock(f"{project.pool}/.cards.sharing", _WAIT_SECONDS) as sharing:
        with history.lock(project) as own:
            history.create(project)
        notices = [*_lock_notices(sharing), *_lock_notices(own)]
        try:
            theirs = _fetch(project, remote)
            if not theirs:
                return Shared((), (*notices, sharing_notices.nothing_to_pull(remote.shown, _BRANCH)))
            return _merge(project, remote, theirs, notices)
        except pulling.NoCardsError:
            with history.lock(project):
                drop_unreachable(project.history, _THEIRS)
            raise
        finally:
            drop_ref(project.history, _THEIRS)


def _fetch(project: Project, remote: Address) -> str:
    """The commit of the remote's branch, "" when it has none. Raises GitError."""
    try:
        return fetch_branch(project.history, remote, history.BRANCH, _THEIRS)
    except GitError as problem:
        if problem.kind == "no-ref":
            return ""
        raise


def _merge(project: Project, remote: Address, theirs: str, notices: list[Notice]) -> Shared:
    """As often as cards are written between planning and doing."""
    for _ in range(_TRIES):
        notices += keep_found(project)
        plan = pulling.make_plan(project, theirs, remote.shown)
        done = pulling.carry_out(project, plan)
        if done is not None:
            return _pulled(remote, plan, [*notices, *done])
    raise OrbitError("memo", "the cards were written again and again meanwhile, nothing was pulled")


def _pulled(remote: Address, plan: pulling.Plan, notices: list[Notice]) -> Shared:
    if plan.merge.odd:
        notices.append(sharing_notices.no_cards_there(remote.shown, plan.merge.odd))
    if plan.waiting:
        notices.append(sharing_notices.cards_not_in_pool(remote.shown, plan.waiting))
    cards = tuple((one.repo, one.brief) for one in plan.writes)
    return Shared(cards, tuple(notices), len(plan.conflicts), len(plan.waiting))


def push(project: Project, remote: Address) -> Shared:
    """Push the cards and their versions, never by force. Raises OrbitError, also while a conflict is open."""
    if remote.url.rstrip("/").rpartition("/")[2] == os.path.basename(project.history):
        hint = "pull from it in the other pool, or share through a repository between the two"
        raise OrbitError("memo", f"{remote.shown} is the history of a pool, nothing was pushed", hint)
    with FileLock(f"{project.pool}/.cards.sharing", _WAIT_SECONDS) as sharing:
        notices = [*_lock_notices(sharing), *keep_found(project)]
        newest = history.tip(project)
        if not newest:
            raise OrbitError("memo", "there is no card yet, nothing was pushed", "write one with: orbit memo REPO")
        _require_merged(project)
        try:
            pushed = push_branch(project.history, remote, newest, history.BRANCH)
        except BehindError as problem:
            hint = f"orbit memo --pull {remote.shown}, then push again"
            raise OrbitError(problem.context, problem.message, hint) from None
    before = top_entries(project.history, pushed.before) if pushed.before else {}
    now = top_entries(project.history, newest)
    moved = {repo_of(f): e.name for f, e in now.items() if is_card(f, e) and before.get(f) != e} if pushed.moved else {}
    texts = history.read_texts(project, list(moved.values())) if moved else {}
    for repo, name in moved.items():
        if card.holds_credentials(card_text(texts[name])):
            notices.append(sharing_notices.credentials_shared(repo))
    if pushed.moved and not pushed.before:
        notices.append(sharing_notices.first_push(remote.shown, len(moved)))
    rows = read_index(project).entries
    briefs = {repo: row.brief for repo, row in rows.items() if row.card == moved.get(repo)}
    cards = tuple((repo, briefs.get(repo) or brief_of(texts[name])) for repo, name in moved.items())
    return Shared(cards, tuple(notices))


def _require_merged(project: Project) -> None:
    """Pushing one text over the other would hide it from everybody else."""
    still = open_conflicts(project)
    if not still:
        return
    repo, revision = min(still.items())
    names = ", ".join(sorted(still))
    raise OrbitError(
        "memo",
        f"{len(still)} cards were changed on both sides and are not merged yet ({names}), nothing was pushed",
        f"orbit memo {repo} --show {revision[:_SHOWN]}, merge, orbit memo {repo}; the same text again keeps yours",
    )


def keep_found(project: Project) -> list[Notice]:
    """Put every card that the history does not know (edited by hand, or older than it) there, as a write would."""
    found = [repo for repo, _ in _unkept(project, list_clones(project).clones)]
    if not found:
        return []
    notices = []
    with ExitStack() as locks:
        for repo in found:
            notices += _lock_notices(locks.enter_context(FileLock(project.card(repo))))
        locks.enter_context(history.lock(project))
        history.create(project)
        still = _unkept(project, tuple(found))
        rows = read_index(project).entries
        known = {repo: rows.get(repo, IndexEntry()) for repo, _ in still}
        versions = [(repo, Version(data, "found before sharing", "", known[repo].head)) for repo, data in still]
        if versions:
            history.append(project, versions)
    revisions = {repo: card.revision(data) for repo, data in still}
    edited = {repo: rev for repo, rev in revisions.items() if known[repo].card not in ("", rev)}
    return notices + [sharing_notices.hand_edit_kept(repo, rev[:_SHOWN]) for repo, rev in edited.items()]


def _unkept(project: Project, repos: tuple[str, ...]) -> list[tuple[str, bytes]]:
    """Cards whose text is not the newest one in the history."""
    newest = history.tip(project)
    kept = top_entries(project.history, newest) if newest else {}
    found = []
    for repo in repos:
        data, entry = read_card(project, repo), kept.get(history.card_file(repo))
        if data is not None and (entry is None or entry.name != card.revision(data)):
            found.append((repo, data))
    return found


def _lock_notices(lock: FileLock) -> list[Notice]:
    return [pool_notices.stale_lock_removed(lock.notice)] if lock.notice else []

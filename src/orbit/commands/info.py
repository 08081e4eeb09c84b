"""`orbit info`: Level 1, one repository's card and how fresh it is. Contract: commands.md, info; json.md."""

from __future__ import annotations

import time

from orbit.commands.arguments import JSON, JSON_SCHEMA, Usage, positional
from orbit.commands.place import cache_of, in_project, root_notices
from orbit.commands.result import Result
from orbit.guidance import card_notices, pool_notices
from orbit.knowledge import card
from orbit.knowledge.evidence import NOTHING, evidence_json, read_evidence
from orbit.knowledge.memo import card_text, pool_head
from orbit.knowledge.reading import note_read
from orbit.knowledge.staleness import memo_notice, memo_staleness, remote_ahead, remote_notice
from orbit.pool.clones import require_clone
from orbit.pool.index import read_index
from orbit.record import Record
from orbit.store.disk import try_read
from orbit.text import framed, safe_line, safe_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.commands.result import Call
    from orbit.guidance.notice import Notice
    from orbit.places import Here
    from orbit.pool.index import Index
    from orbit.store.cache import Cache

USAGE = Usage(
    forms=("orbit info REPO... [--json]",),
    about="""The card in full on stdout; on stderr how far it is behind the pool, and the pool behind upstream as last
fetched. Without a card, the beginning of the README. Purely local.""",
    arguments=(positional("REPO", "a repository in the pool", "some", completes="repo"), JSON, JSON_SCHEMA),
    examples=(("orbit info backend", "the card of backend"), ("orbit info backend frontend --json", "two at once")),
    related=("repos", "add", "memo"),
)


class _Shown(Record):
    """One repository as `info` shows it: where `content` came from, and what goes to stderr and JSON."""

    repo: str
    content: str
    data: dict[str, object]
    notices: tuple[Notice, ...]


def run(call: Call) -> Result:
    here = in_project(call)
    names = tuple(dict.fromkeys(call.words.many("repo")))
    for name in names:
        require_clone(here.project, name)
    index = read_index(here.project)
    cache = cache_of(here.project)
    shown = [_show(here, name, index, cache) for name in names]
    cache.close()
    notices = [*root_notices(here), *index.notices, *(notice for one in shown for notice in one.notices)]
    if len(shown) == 1:
        return Result(text=shown[0].content, data=shown[0].data, notices=notices)
    text = "\n".join(f"--- {one.repo} ---\n{framed(one.content).rstrip()}" for one in shown)
    return Result(text=text, data=[one.data for one in shown], notices=notices)


def _show(here: Here, repo: str, index: Index, cache: Cache) -> _Shown:
    project = here.project
    checkout = project.clone(repo)
    # A pop that comes while the card is on its way to the reader must not count as merged by what they write.
    looked_ms = time.time_ns() // 1_000_000
    data, damage = try_read(project.card(repo))
    entry = index.entries.get(repo)
    stored, current = entry.head if entry else "", pool_head(project, repo)
    stale = memo_staleness(checkout, stored, current, cache, has_card=data is not None)
    ahead = remote_ahead(checkout, cache)
    notices = [pool_notices.metadata_damaged(f".repos/.{repo}.md", damage)] if damage else []
    revision = ""
    evidence = NOTHING
    if data is not None:
        content, source = card_text(data), "memo"
        revision = card.revision(data)
        evidence = read_evidence(checkout, stored, current, data, cache)
        notices.append(card_notices.revision(repo, revision[:12]))
        if here.workspace:
            note_read(project, here.workspace, repo, revision, looked_ms)
    else:
        content, source, told = _readme(repo, checkout, index)
        notices.append(told)
    notices += [n for n in (memo_notice(repo, stale, evidence), remote_notice(repo, ahead)) if n is not None]
    return _Shown(
        repo,
        content,
        {
            "repo": repo,
            "content": safe_text(content),
            "remoteAhead": ahead.commits,
            "memoBehind": stale.behind,
            "source": source,
            "revision": revision or None,
            "memoHead": safe_line(stored) or None,
            "poolHead": current or None,
            "memoState": card.card_state(data, card.budget(index.settings)),
            "staleness": stale.state,
            "evidence": evidence_json(evidence, stale.behind),
        },
        tuple(notices),
    )


def _readme(repo: str, checkout: str, index: Index) -> tuple[str, str, Notice]:
    """The beginning of the README, as much as a card may have."""
    from orbit.knowledge.brief.extract import decode  # only without a card
    from orbit.knowledge.readme import read_readme

    readme = read_readme(checkout)
    text = safe_text(decode(readme.data) or "").rstrip() if readme is not None else ""
    if readme is None or not text:
        return "", "none", card_notices.nothing_known(repo)
    limits = card.budget(index.settings)
    shown = _beginning(text, limits.maximum, limits.bytes)
    cut = not readme.whole or len(shown) <= len(text)
    return shown, "readme", card_notices.readme_shown(repo, readme.name, cut=cut)


def _beginning(text: str, lines: int, room: int) -> str:
    """At most so many lines and bytes, the last newline included."""
    data = "\n".join(text.split("\n")[:lines]).encode("utf-8", "replace")
    return data[: room - 1].decode("utf-8", "ignore").rstrip() + "\n"

"""`orbit done`: mark the task as finished, after naming what is still open. Contract: commands.md, done; json.md."""

from __future__ import annotations

import time

from orbit.commands.arguments import JSON, JSON_SCHEMA, Usage, option
from orbit.commands.place import cache_of, in_workspace, root_notices
from orbit.commands.result import Result
from orbit.errors import OrbitError
from orbit.git.urls import redact_url
from orbit.guidance import workspace_notices
from orbit.knowledge.card import budget
from orbit.knowledge.status import workspace_status
from orbit.pool.index import read_index
from orbit.text import safe_line
from orbit.workspace.metadata import mark_done

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.commands.result import Call
    from orbit.guidance.notice import Notice
    from orbit.knowledge.status import RepoStatus
    from orbit.store.settings import Settings

USAGE = Usage(
    forms=("orbit done [--pr URL]... [--json]",),
    about="""Marks the workspace as finished, so that it may be reclaimed. Names per repository what is still open:
jots, a thin card, a card over budget, a raw branch. It never blocks. Again: refreshes the time, adds PRs.""",
    arguments=(option("--pr", "URL", "a pull request of this task (may be repeated)", repeats=True), JSON, JSON_SCHEMA),
    examples=(
        ("orbit done", "finished; what is still open is named first"),
        ("orbit done --pr https://example.com/team/backend/pull/7", "finished, with its pull request"),
    ),
    related=("jot", "memo", "goal"),
)


def run(call: Call) -> Result:
    here = in_workspace(call, "done")
    prs = tuple(dict.fromkeys(_checked_pr(url) for url in call.words.many("pr")))
    index = read_index(here.project)
    cache = cache_of(here.project)
    statuses, _ = workspace_status(here.project, here.workspace, index.settings, cache)
    cache.close()
    open_debts = [status for status in statuses if _owes(status)]
    now = int(time.time())
    date = time.strftime("%Y-%m-%d %H:%M:%S %z", time.localtime(now))
    recorded, written = mark_done(here.project, here.workspace, prs, now, date)
    notices = [*root_notices(here), *index.notices, *written, *_debt_notices(open_debts, index.settings)]
    lines = [f"{here.workspace} is done", *(f"PR: {url}" for url in recorded)]
    data = {
        "workspace": here.workspace,
        "status": "done",
        "doneAt": now,
        "prs": list(recorded),
        "debts": [_json(status) for status in open_debts],
    }
    return Result(text="\n".join(lines), data=data, notices=notices)


def _checked_pr(url: str) -> str:
    scheme, separator, rest = url.partition("://")
    host = rest.partition("/")[0].rpartition("@")[2]
    readable = url.isprintable() and " " not in url
    if scheme.lower() not in ("http", "https") or not separator or host[:1] in ("", "?", "#", ":") or not readable:
        raise OrbitError("done", f"--pr takes an http(s) URL, not {safe_line(redact_url(url)) or 'nothing'}")
    return redact_url(url)


def _owes(status: RepoStatus) -> bool:
    queue = status.queue
    if queue.entries or queue.popped or status.raw:
        return True
    return status.worktree is not None and status.memo_state in ("none", "thin", "over")


def _debt_notices(open_debts: list[RepoStatus], settings: Settings) -> list[Notice]:
    notices = []
    budget_matters = False
    for status in open_debts:
        jots = len(status.queue.entries)
        notices.append(
            workspace_notices.debts(
                status.name,
                jots=jots,
                popped=len(status.queue.popped),
                thin=status.worktree is not None and status.memo_state in ("none", "thin") and not jots,
                over=status.memo_state == "over",
                raw=status.raw,
            )
        )
        budget_matters = budget_matters or bool(status.queue.entries) or status.memo_state == "over"
    if budget_matters:
        limits = budget(settings)
        notices.append(workspace_notices.card_budget(limits.minimum, limits.maximum))
    if notices:
        notices.append(workspace_notices.only_memo_survives())
    return notices


def _json(status: RepoStatus) -> dict[str, object]:
    return {
        "repo": status.name,
        "jots": len(status.queue.entries),
        "popped": len(status.queue.popped),
        "memoState": status.memo_state,
        "raw": safe_line(status.raw) or None,
    }

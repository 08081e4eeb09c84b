"""`orbit repos`: Level 0, the roster. Contract: commands.md, repos; json.md."""

from __future__ import annotations

from orbit.commands.arguments import JSON, JSON_SCHEMA, Usage, flag, option, positional
from orbit.commands.place import cache_of, in_project, root_notices
from orbit.commands.result import Column, Result, Table
from orbit.errors import UsageError
from orbit.git.files import tracked_branch
from orbit.git.many import jobs
from orbit.git.urls import short_url
from orbit.guidance import freshness_notices, pool_notices, search_notices
from orbit.knowledge.roster import read_roster
from orbit.knowledge.staleness import memo_column, memo_notice
from orbit.pool.worktrees import list_worktrees
from orbit.store.settings import positive
from orbit.text import safe_line, shortened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.commands.result import Call
    from orbit.guidance.notice import Notice
    from orbit.knowledge.roster import Row
    from orbit.places import Here, Project

_MOST_LINES = 5
_MOST_CHARACTERS = 100  # of the words, where they are repeated
_FEW = 10  # matches that are shown however weak they are
_WEAK = 0.2  # of the best score: what is below is left out of a longer answer

USAGE = Usage(
    forms=("orbit repos [WORD...] [--limit N] [--stale] [--no-card] [--urls | --no-urls] [--json]",),
    about="""The roster of the pool: name, whether the current workspace has it, the state of its card, its brief,
its URL. Purely local. With WORDs, which may be a whole sentence, only what matches some of them in name, brief or
card, best first; without --limit, weak matches are left out when there are many.""",
    arguments=(
        positional("WORD", "words to search for", "many"),
        option("--limit", "N", "show at most N repositories"),
        flag("--stale", "only repositories whose card is behind the pool"),
        flag("--no-card", "only repositories without a card"),
        flag("--urls", "show whole URLs"),
        flag("--no-urls", "leave URLs out"),
        JSON,
        JSON_SCHEMA,
    ),
    examples=(
        ("orbit repos", "everything in the pool"),
        ("orbit repos auth session", "repositories about these words, best first"),
    ),
    related=("info", "add", "clone"),
)


def run(call: Call) -> Result:
    words = call.words
    limit = _limit(words.one("limit"))
    if words.flag("urls") and words.flag("no_urls"):
        raise UsageError("repos", "--urls and --no-urls exclude each other")
    here = in_project(call)
    project = here.project
    cache = cache_of(project)
    roster = read_roster(project, cache, jobs(call.world.get("ORBIT_JOBS"), network=False))
    cache.close()
    rows = list(roster.rows)
    notices = [*root_notices(here), *roster.notices]
    if not rows:
        return Result(data=[], notices=(*notices, pool_notices.pool_empty()))
    searched = words.many("word")
    scores: dict[str, float] = {}
    if searched:
        rows, scores = _search(project, rows, searched)
    filters = [name for name in ("stale", "no_card") if words.flag(name)]
    if "stale" in filters:
        rows = [row for row in rows if row.staleness.stale]
    if "no_card" in filters:
        rows = [row for row in rows if not row.has_card]
    if not rows:
        asked = [shortened(safe_line(" ".join(searched)), _MOST_CHARACTERS)] if searched else []
        asked += [f"--{name.replace('_', '-')}" for name in filters]
        notices.append(pool_notices.no_match(" ".join(asked)))
    if rows and searched and not limit:
        limit = _strongest(rows, scores, roster.index.settings.number("context.rosterLimit"))
        if limit < len(rows):
            notices.append(search_notices.weaker_matches(len(rows) - limit, len(rows)))
    rows = rows[:limit] if limit else rows
    notices += _row_notices(rows)
    added = _added(here)
    if words.flag("json"):
        return Result(data=[_json(project, row, added, scores) for row in rows], notices=notices)
    return Result(table=_table(rows, added, _url_mode(call)) if rows else None, notices=notices)


def _limit(given: str | None) -> int:
    if given is None:
        return 0
    if positive(given):
        raise UsageError("repos", f"--limit takes a positive number, not '{shortened(safe_line(given), 20)}'")
    return int(given)


def _search(project: Project, rows: list[Row], words: tuple[str, ...]) -> tuple[list[Row], dict[str, float]]:
    """The repositories that are about the words, best first, and how much each is."""
    from orbit.knowledge.search.order import best_first  # the plain roster needs neither
    from orbit.knowledge.search.ranking import rank

    scores = rank(project.cache, rows, " ".join(words))
    return best_first(project, [row for row in rows if row.name in scores], scores), scores


def _strongest(rows: list[Row], scores: dict[str, float], most: int) -> int:
    """How many of the best are worth showing: the first ten, then those that come near the best."""
    least = scores[rows[0].name] * _WEAK
    return min(most, sum(1 for at, row in enumerate(rows) if at < _FEW or scores[row.name] >= least))


def _row_notices(rows: list[Row]) -> list[Notice]:
    """Lines for at most five repositories of each kind, then one line that counts the rest."""
    apart = [row for row in rows if row.out_of_sync]
    notices = [pool_notices.index_out_of_sync(row.name) for row in apart[:_MOST_LINES]]
    if len(apart) > _MOST_LINES:
        notices.append(pool_notices.more_out_of_sync(len(apart) - _MOST_LINES))
    stale = [row for row in rows if row.staleness.stale]
    told = [memo_notice(row.name, row.staleness) for row in stale[:_MOST_LINES]]
    notices += [notice for notice in told if notice is not None]
    if len(stale) > _MOST_LINES:
        notices.append(freshness_notices.more_stale(len(stale) - _MOST_LINES))
    return notices


def _added(here: Here) -> frozenset[str]:
    """The repositories that the current workspace has a worktree of."""
    if not here.workspace:
        return frozenset()
    return frozenset(worktree.name for worktree in list_worktrees(here.project, here.workspace))


def _url_mode(call: Call) -> str:
    if call.words.flag("no_urls"):
        return "none"
    return "whole" if call.words.flag("urls") else "short"


def _table(rows: list[Row], added: frozenset[str], urls: str) -> Table:
    columns = [Column("NAME"), Column("ADDED"), Column("MEMO"), Column("BRIEF", flexible=True)]
    if urls != "none":
        columns.append(Column("URL", flexible=True, optional=True))
    cells = []
    for row in rows:
        memo = memo_column(row.staleness, row.memo_state)
        line = [row.name, "*" if row.name in added else "", memo, row.brief or "-"]
        if urls != "none":
            line.append(row.url if urls == "whole" else short_url(row.url))
        cells.append(tuple(line))
    return Table(tuple(columns), tuple(cells))


def _json(project: Project, row: Row, added: frozenset[str], scores: dict[str, float]) -> dict[str, object]:
    score = {"score": float(f"{scores[row.name]:.4g}")} if row.name in scores else {}
    return {
        "name": row.name,
        "url": row.url,
        "brief": row.brief,
        "head": row.head,
        "incomplete": row.incomplete,
        "memoBehind": row.staleness.behind,
        "memoState": row.memo_state,
        "staleness": row.staleness.state,
        "added": row.name in added,
        "branch": safe_line(tracked_branch(project.clone(row.name))),
        **score,
    }

"""`orbit context`: the block a model reads. Contract: knowledge.md, context; json.md."""

from __future__ import annotations

from orbit.commands.arguments import JSON, JSON_SCHEMA, Usage, flag, positional
from orbit.commands.place import cache_of, in_workspace, root_notices
from orbit.commands.result import Result
from orbit.errors import UsageError
from orbit.guidance import pool_notices
from orbit.places import Here
from orbit.text import safe_line
from orbit.workspace.metadata import Metadata, damage_notice, read_metadata

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.commands.result import Call
    from orbit.guidance.notice import Notice
    from orbit.hosts.draft import Draft
    from orbit.knowledge.roster import Roster, Row
    from orbit.places import Project

_KEYS = ("workspace", "path", "goal", "state")
_MODES = ("startup", "prime", "reignite")

USAGE = Usage(
    forms=("orbit context [KEY] [--startup | --prime | --reignite] [--json]",),
    about="""The block a model reads. Bare: where you are and what is pending, cheap. --startup picks --prime (the
roster, while there is no worktree) or --reignite (cards and freshness of every worktree). KEY (workspace, path, goal,
state) prints one bare value. Fails outside a workspace. Purely local.""",
    arguments=(
        positional("KEY", "workspace, path, goal or state", "optional", completes="workspace|path|goal|state"),
        flag("--startup", "prime or reignite, by what the workspace holds"),
        flag("--prime", "the roster of the pool"),
        flag("--reignite", "each worktree with its card"),
        JSON,
        JSON_SCHEMA,
    ),
    examples=(("orbit context", "what is pending here"), ("orbit context goal", "the goal alone")),
    related=("status", "goal", "repos"),
)


def run(call: Call) -> Result:
    words = call.words
    modes = [mode for mode in _MODES if words.flag(mode)]
    key = words.one("key")
    if len(modes) > 1 or (modes and key is not None):
        raise UsageError("context", f"--{modes[0]} stands alone")
    if key is not None and key not in _KEYS:
        raise UsageError("context", f"no such key: {safe_line(key)} (one of {', '.join(_KEYS)})")
    here = in_workspace(call, "context")
    metadata = read_metadata(here.project, here.workspace)
    notices = [*root_notices(here), *damage_notice(here.workspace, metadata)]
    if key is not None:
        value = _value(here, metadata, key)
        return Result(text=value, data={key: value}, notices=notices)
    return block(here, metadata, modes[0] if modes else "", notices, whole=words.flag("json"))


def _value(here: Here, metadata: Metadata, key: str) -> str:
    if key == "goal":
        return metadata.goal
    if key == "state":
        return metadata.state
    return here.workspace if key == "workspace" else here.project.workspace(here.workspace)


def _ordered(project: Project, roster: Roster, goal: str, *, whole: bool) -> list[Row]:
    """What the goal is about first. Unless the `whole` pool is shown, what will not be named is left as it comes."""
    from orbit.knowledge.search.order import best_first  # the other blocks name no roster

    scores = {}
    if goal:
        from orbit.knowledge.search.ranking import rank  # only what has a goal is ranked

        scores = rank(project.cache, roster.rows, goal)
    first = best_first(project, (row for row in roster.rows if row.name in scores), scores)
    rest = [row for row in roster.rows if row.name not in scores]
    if whole or len(first) < roster.index.settings.number("context.rosterLimit"):
        rest = best_first(project, rest, scores)
    return first + rest


def block(
    here: Here, metadata: Metadata, mode: str, notices: list[Notice], draft: Draft | None = None, *, whole: bool = False
) -> Result:
    """The block of a mode (`startup`, `prime`, `reignite`, "" for cruise); the hook's within `draft.room`. `whole`: the
    data is wanted too, with every repository of the pool in its place.
    """
    from orbit.knowledge import context as blocks  # a bare KEY needs none of it
    from orbit.knowledge.status import workspace_status
    from orbit.pool.index import read_index

    project = here.project
    head = blocks.Head(here.workspace, project.workspace(here.workspace), metadata.goal, metadata.state)
    index = read_index(project)
    if draft is not None:
        index = index.replace(settings=draft.narrowed(index.settings))
        draft.ready = blocks.cruise_text(head, (), draft.room)
    cache = cache_of(project)
    statuses, _ = workspace_status(project, here.workspace, index.settings, cache)
    notices += [
        pool_notices.metadata_damaged(f".repos/.{status.name}.md", status.damage)
        for status in statuses
        if status.damage
    ]
    if draft is not None:
        draft.ready = blocks.cruise_text(head, statuses, draft.room)
    populated = any(status.worktree is not None for status in statuses)
    if mode == "startup":
        mode = "reignite" if populated else "prime"
    if mode == "prime":
        from orbit.knowledge.roster import read_roster  # the other blocks look at no more than what is here

        roster = read_roster(project, cache, 1, index=index, distances=False)
        ordered = _ordered(project, roster, metadata.goal, whole=whole)
        text, shown = blocks.prime_text(head, statuses, roster, ordered)
        told = dict.fromkeys((*notices, *roster.notices))  # a card of a repository that is here is in the roster too
        result = Result(text=text, data=blocks.prime_json(head, ordered, shown), notices=list(told))
    elif mode == "reignite":
        details = blocks.read_details(project, statuses, index, cache)
        text = blocks.reignite_text(head, details, index)
        data = blocks.reignite_json(head, details)
        result = Result(text=text, data=data, notices=[*notices, *index.notices])
    else:
        text = blocks.cruise_text(head, statuses, index.settings.number("context.maxBytes"))
        data = blocks.cruise_json(head, statuses)
        result = Result(text=text, data=data, notices=[*notices, *index.notices])
    cache.close()
    return result

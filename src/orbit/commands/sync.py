"""`orbit sync`: bring the pool up to upstream. Contract: commands.md, sync; json.md."""

from __future__ import annotations

import os

from orbit.commands.arguments import JSON, JSON_SCHEMA, Usage, flag, option, positional
from orbit.commands.place import cache_of, in_project, root_notices
from orbit.commands.result import Result
from orbit.errors import OrbitError, UsageError
from orbit.git.many import jobs, side_by_side
from orbit.git.ssh import Doors
from orbit.guidance import freshness_notices, pool_notices, sync_notices, workspace_notices
from orbit.knowledge.status import behind_upstream
from orbit.pool.clones import clone_config, is_clone, list_clones, origin_url, require_clone, upstream_of
from orbit.pool.index import read_index
from orbit.pool.sync import Synced, sync_one
from orbit.pool.worktrees import list_worktrees

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from orbit.commands.result import Call
    from orbit.guidance.notice import Notice
    from orbit.places import Here, Project
    from orbit.store.settings import Settings

_IN_WORDS = {
    "current": "up to date",
    "forwarded": "fast-forwarded",
    "reset": "reset",
    "moved": "moved",
    "left": "left alone",
    "failed": "failed",
}

USAGE = Usage(
    forms=("orbit sync [REPO...] [--json]", "orbit sync [REPO...] --force", "orbit sync REPO --branch B"),
    about="""Fetches and fast-forwards pool clones: all of them at the root, the workspace's in a workspace, the one in
a worktree; names override. Worktrees and cards are never touched, so a card may be behind afterwards. --force and
--branch run at the project root only.""",
    arguments=(
        positional("REPO", "a repository in the pool", "many", completes="repo"),
        flag("--force", "reset diverged clones to upstream; the old tip is kept and named"),
        option("--branch", "B", "make the pool clone of one REPO follow branch B", completes="upstream-branch"),
        JSON,
        JSON_SCHEMA,
    ),
    examples=(
        ("orbit sync", "everything in scope"),
        ("orbit sync backend", "one repository"),
        ("orbit sync backend --branch release/2.x", "follow another branch from now on"),
    ),
    related=("info", "repos", "status"),
    exits="1 also when only some failed",
)


def run(call: Call) -> Result:
    here = in_project(call)
    index = read_index(here.project)
    act, guarded = _way(call, here)
    names = _scope(here, call.words.many("repo"))
    notices: list[Notice] = [*root_notices(here), *index.notices, *guarded]
    if not names:
        notices.append(
            pool_notices.pool_empty() if not here.workspace else workspace_notices.no_worktrees(here.workspace)
        )
        return Result(data=[], notices=notices)
    outcomes = _sync_all(call, here.project, names, lambda name: act(here.project, name, index.settings))
    notices += [notice for outcome in outcomes for notice in outcome.notices]
    notices += _left_behind(here, outcomes)
    return Result(
        text="\n".join(outcome.line for outcome in outcomes if outcome.line),
        data=[_json(outcome) for outcome in outcomes],
        notices=notices,
        code=1 if any(outcome.state == "failed" for outcome in outcomes) else 0,
    )


def _way(call: Call, here: Here) -> tuple[Callable[[Project, str, Settings], Synced], list[Notice]]:
    """Which way of syncing is asked for. What may throw commits away is for those outside every workspace only.

    Raises OrbitError or UsageError.
    """
    branch = call.words.one("branch")
    if branch is None and not call.words.flag("force"):
        return sync_one, []
    from orbit.pool.reset import reset_one  # the rare ways
    from orbit.reclaim.initiation import read_ancestors, require_outside

    if branch is not None and (call.words.flag("force") or len(call.words.many("repo")) != 1):
        raise UsageError("sync", "--branch takes one REPO and no --force")
    looked = require_outside(here.project, "sync", call.world.cwd, read_ancestors())
    notices = [] if looked else [sync_notices.guard_inactive("sync")]
    if branch is None:
        return reset_one, notices
    wanted = branch
    return lambda project, name, settings: _move(project, name, wanted, settings), notices


def _move(project: Project, name: str, branch: str, settings: Settings) -> Synced:
    """A card written for another branch may not fit: said, once the clone has moved."""
    from orbit.pool.reset import move_to_branch  # the rare way

    moved = move_to_branch(project, name, branch, settings)
    if moved.state != "moved" or not os.path.lexists(project.card(name)):
        return moved
    return moved.replace(notices=(*moved.notices, sync_notices.card_may_not_fit(name, branch)))


def _sync_all(call: Call, project: Project, names: Sequence[str], act: Callable[[str], Synced]) -> list[Synced]:
    """Side by side; whom an ssh server turned away tries once more, alone."""
    progress = call.face.progress(len(names), "syncing")
    urls = {name: origin_url(project.clone(name)) for name in names}
    doors = Doors(urls.values())

    def sync(name: str) -> Synced:
        progress.start(name)
        synced = doors.through(urls[name], lambda: act(name))
        if not synced.turned_away:
            progress.done(name, _IN_WORDS[synced.state])
        return synced

    outcomes = []
    found = side_by_side(sync, names, jobs(call.world.get("ORBIT_JOBS"), network=True))
    for name, outcome in zip(names, found, strict=True):
        if isinstance(outcome, OrbitError):
            raise outcome
        if not outcome.turned_away:
            outcomes.append(outcome)
            continue
        again = act(name)
        progress.done(name, _IN_WORDS[again.state])
        before = [notice for notice in outcome.notices if notice.name != "sync-failed"]
        outcomes.append(again.replace(notices=(*before, *again.notices)))
    return outcomes


def _scope(here: Here, named: tuple[str, ...]) -> list[str]:
    """Names override; else the worktree's repo, the workspace's repos, or the whole pool."""
    if named:
        for name in named:
            require_clone(here.project, name)
        return list(dict.fromkeys(named))
    if here.workspace:
        if here.repo and is_clone(here.project, here.repo):
            return [here.repo]
        worktrees = list_worktrees(here.project, here.workspace)
        return [worktree.name for worktree in worktrees if is_clone(here.project, worktree.name)]
    return list(list_clones(here.project).clones)


def _left_behind(here: Here, outcomes: list[Synced]) -> list[Notice]:
    """Worktrees of the current workspace that track a branch which moved."""
    moved = {outcome.repo: outcome.branch for outcome in outcomes if outcome.state == "forwarded"}
    if not here.workspace or not moved:
        return []
    cache = cache_of(here.project)
    notices = []
    for worktree in list_worktrees(here.project, here.workspace):
        branch = moved.get(worktree.name)
        if branch is None or not worktree.branch:
            continue
        _, upstream = upstream_of(clone_config(worktree.path), worktree.branch)
        behind = behind_upstream(worktree, cache) if upstream == f"origin/{branch}" else ""
        if behind.isdecimal():
            notices.append(freshness_notices.worktree_behind(worktree.name, here.workspace, int(behind), branch))
    cache.close()
    return notices


def _json(outcome: Synced) -> dict[str, object]:
    return {
        "repo": outcome.repo,
        "state": outcome.state,
        "commits": outcome.commits,
        "branch": outcome.branch,
        "error": outcome.error or None,
    }

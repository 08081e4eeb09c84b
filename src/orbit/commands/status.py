"""`orbit status`: the workspace's worktrees at a glance. Contract: commands.md, status; json.md."""

from __future__ import annotations

from orbit.commands.arguments import JSON, JSON_SCHEMA, Usage, positional
from orbit.commands.place import in_project, named_workspace, root_notices, some_workspaces
from orbit.commands.result import Column, Result, Table
from orbit.errors import OrbitError
from orbit.git.many import jobs
from orbit.guidance import card_notices, workspace_notices
from orbit.knowledge.jots import jot_level, read_queues
from orbit.pool.index import read_index
from orbit.store.document import load
from orbit.text import safe_line
from orbit.workspace.metadata import damage_notice, read_metadata
from orbit.workspace.overview import glance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.commands.result import Call
    from orbit.guidance.notice import Notice
    from orbit.places import Project
    from orbit.workspace.overview import Glance

USAGE = Usage(
    forms=("orbit status [WORKSPACE] [--json]",),
    about="""Per worktree: branch, upstream, commits ahead and behind, dirty files, a rebase or merge in progress.
In a workspace it shows that one; at the root name one.""",
    arguments=(positional("WORKSPACE", "a workspace's name", "optional", completes="workspace"), JSON, JSON_SCHEMA),
    examples=(("orbit status", "the workspace you are in"), ("orbit status task-02", "another one, from the root")),
    related=("context", "sync", "done"),
)


def run(call: Call) -> Result:
    here = in_project(call)
    named = call.words.one("workspace")
    workspace = named_workspace(here.project, named, "status") if named is not None else here.workspace
    if not workspace:
        names = some_workspaces(here.project)
        about = f"there are {names}" if names else 'none is there yet: orbit new "GOAL" makes one'
        raise OrbitError("status", "not in a workspace", f"name one: orbit status WORKSPACE ({about})")
    index = read_index(here.project)
    prefix = index.settings.text("branch.prefix")
    found = glance(here.project, workspace, prefix, jobs(call.world.get("ORBIT_JOBS"), network=False))
    metadata = read_metadata(here.project, workspace)
    notices: list[Notice] = [*root_notices(here), *index.notices, *damage_notice(workspace, metadata)]
    notices += [workspace_notices.raw_branch(g.name, g.branch) for g in found if _is_raw(g)]
    notices += _queue_notices(here.project, workspace, index.settings.number("jot.bufferSize"))
    data = {
        "workspace": workspace,
        "goal": metadata.goal,
        "status": metadata.state,
        "worktrees": [_json(g) for g in found],
    }
    if not found:
        notices.append(workspace_notices.no_worktrees(workspace))
    return Result(table=_table(found) if found else None, data=data, notices=notices)


def _is_raw(g: Glance) -> bool:
    return not g.scoped and g.branch not in ("", "detached")


def _queue_notices(project: Project, workspace: str, buffer: int) -> list[Notice]:
    """Waiting and popped jots, with or without a worktree."""
    told = {
        "": card_notices.jots_waiting,
        "building": card_notices.jots_building,
        "overflow": card_notices.jots_overflow,
    }
    notices = []
    for repo, queue in read_queues(load(project.metadata(workspace)).config).items():
        count = len(queue.entries)
        if count:
            notices.append(told[jot_level(count, buffer)](repo, count))
        if queue.popped:
            notices.append(card_notices.popped_in_flight(repo, len(queue.popped)))
    return notices


def _table(found: list[Glance]) -> Table:
    columns = ("REPO", "BRANCH", "UPSTREAM", "AHEAD", "BEHIND", "DIRTY", "STATE")
    return Table(
        tuple(Column(title, flexible=title in ("BRANCH", "UPSTREAM", "STATE")) for title in columns),
        tuple(_row(g) for g in found),
    )


def _row(g: Glance) -> tuple[str, ...]:
    if g.error:
        return (g.name, f"error: {g.error}")
    tree = g.tree
    if not tree.upstream:
        counts = ("(no upstream)", "-", "-")
    else:
        counts = (tree.upstream, str(tree.ahead), str(tree.behind))
    return (g.name, g.branch, *counts, str(tree.dirty_files), g.operation or "-")


def _json(g: Glance) -> dict[str, object]:
    return {
        "name": g.name,
        "branch": safe_line(g.branch),
        "ahead": g.tree.ahead,
        "behind": g.tree.behind,
        "dirty": g.tree.dirty_files > 0,
        "scoped": g.scoped,
        "upstream": safe_line(g.tree.upstream) or None,
        "dirtyFiles": g.tree.dirty_files,
        "operation": g.operation or None,
        "error": safe_line(g.error) or None,
    }

"""From candidates to targets: everything that a plan has to know is looked at here, and nothing is changed.

Contract: prune.md, Footprint, Guards, Branch verdicts.
"""

from __future__ import annotations

import os

from orbit.errors import OrbitError
from orbit.git.files import read_text
from orbit.git.many import side_by_side
from orbit.git.run import observe
from orbit.reclaim.guards import extras_of, guards_of, kept_tips, locked_reason, lost_of, see
from orbit.reclaim.holders import holders, require_config
from orbit.reclaim.moved import Moved, find_moved, lost_registrations
from orbit.reclaim.occupants import inside, read_occupants
from orbit.reclaim.plan import GHOST, LIVE, Branch, Reason, Target, Tree, branch_marks
from orbit.reclaim.pull_requests import PullRequests
from orbit.reclaim.verdicts import judge
from orbit.record import Record
from orbit.workspace.metadata import read_metadata

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from orbit.places import Project
    from orbit.reclaim.candidates import Candidates
    from orbit.reclaim.occupants import Occupant
    from orbit.reclaim.survey import CloneView, Registered, Survey


class Inspection(Record):
    """Targets in the order of the candidates; `moved`: ghosts left alone, with where a worktree of theirs lies now."""

    targets: tuple[Target, ...]
    moved: tuple[tuple[str, Moved], ...]
    gh_problem: str


class Pool(Record):
    """What is read once for all targets."""

    survey: Survey
    verdicts: dict[tuple[str, str], Branch]
    moved: dict[str, Moved]
    occupants: tuple[Occupant, ...]
    stashes: dict[str, int]
    jobs: int


def inspect(project: Project, survey: Survey, candidates: Candidates, *, ask_gh: bool, jobs: int) -> Inspection:
    """Look at every candidate, side by side. Raises OrbitError when git cannot be started."""
    names = (*candidates.live, *candidates.ghosts)
    requests = PullRequests(ask=ask_gh)
    lost = [e for e in lost_registrations(survey) if _workspace_of(project, e) in names]
    pool = Pool(
        survey,
        _verdicts(project, survey, names, requests, jobs),
        find_moved(project, lost),
        read_occupants(os.path.realpath(project.root or "/")) if candidates.live else (),
        _stashes(survey) if candidates.live else {},
        1 if len(names) > 1 else jobs,
    )
    found = side_by_side(lambda name: _target(project, pool, name, name in candidates.live), names, jobs)
    targets, moved = [], []
    for name, target in zip(names, found, strict=True):
        if isinstance(target, OrbitError):
            raise target
        if isinstance(target, Moved):
            moved.append((name, target))
        else:
            targets.append(target)
    return Inspection(tuple(targets), tuple(moved), requests.problem)


def _verdicts(
    project: Project, survey: Survey, names: Sequence[str], requests: PullRequests, jobs: int
) -> dict[tuple[str, str], Branch]:
    """(repo, branch) to its verdict, for all targets: one look at each clone that has any."""
    urls = {name: read_metadata(project, name).prs for name in names}
    wanted: dict[str, tuple[CloneView, list[str]]] = {}
    for name in names:
        for clone, branch, _ in survey.branches_of(name):
            wanted.setdefault(clone.repo, (clone, []))[1].append(branch)

    def merged(clone: CloneView, branch: Branch) -> bool:
        workspace = branch.name[len(survey.prefix) + 1 :].split("/")[0]
        return requests.covers(urls[workspace], clone, branch.upstream, branch.sha)

    def of(item: tuple[CloneView, list[str]]) -> dict[str, Branch]:
        return judge(item[0], item[1], merged, project.cache)

    verdicts = {}
    for repo, found in zip(wanted, side_by_side(of, list(wanted.values()), jobs), strict=True):
        if isinstance(found, OrbitError):
            raise found
        verdicts.update({(repo, name): branch for name, branch in found.items()})
    return verdicts


def _target(project: Project, pool: Pool, name: str, live: bool) -> Target | Moved:
    home = project.workspace(name)
    registered = pool.survey.registered_below(os.path.realpath(home))
    own = {(entry.repo, entry.entry) for entry in registered}
    scoped = pool.survey.branches_of(name)
    held: dict[str, dict[str, str]] = {}
    unread = [Reason(clone.repo, clone.problem, final=True) for clone in pool.survey.unlisted]
    for clone in {clone.repo: clone for clone, _, _ in scoped}.values():
        try:
            held[clone.repo] = holders(clone, _entries(own, clone))
            require_config(clone)
        except OrbitError as problem:
            unread.append(Reason(clone.repo, problem.message, final=True))
    branches = tuple(
        pool.verdicts[clone.repo, branch].replace(holder=held.get(clone.repo, {}).get(branch, ""))
        for clone, branch, _ in scoped
    )
    if not live:
        return _ghost(pool, name, registered, branches, unread)
    seen = see(project, name, registered, home, jobs=pool.jobs)
    moved = tuple(
        Reason(entry.repo, f"its worktree was {pool.moved[entry.directory].words}", final=True)
        for entry in registered
        if entry.directory in pool.moved
    )
    return Target(
        name,
        LIVE,
        branches,
        tuple(tree for tree, _ in seen.looks),
        (*unread, *moved, *guards_of(seen, inside(pool.occupants, os.path.realpath(home)))),
        extras_of(seen, pool.stashes.get(name, 0)),
        {**seen.marks, **branch_marks((branch.repo, branch.name, branch.sha) for branch in branches)},
    )


def _entries(own: set[tuple[str, str]], clone: CloneView) -> set[str]:
    return {entry for repo, entry in own if repo == clone.repo}


def _ghost(
    pool: Pool, name: str, registered: Sequence[Registered], branches: tuple[Branch, ...], unread: Sequence[Reason]
) -> Target | Moved:
    """What is left of a workspace; where one of its worktrees lies now when it was only moved."""
    for entry in registered:
        if entry.directory in pool.moved:
            return pool.moved[entry.directory]
    locked = tuple(locked_reason(entry, f"{name}/{entry.entry}") for entry in registered if entry.locked is not None)
    trees = tuple(
        Tree(entry.repo, entry.entry, entry.path.partition(f"/{name}/")[2], tips=kept_tips(entry))
        for entry in registered
    )
    lost = tuple(reason for entry in registered for reason in lost_of(entry))
    return Target(name, GHOST, branches, trees, (*unread, *locked, *lost))


def _workspace_of(project: Project, entry: Registered) -> str:
    start = os.path.realpath(project.root or "/").rstrip("/") + "/"
    return entry.path[len(start) :].split("/")[0] if entry.path.startswith(start) else ""


def _stashes(survey: Survey) -> dict[str, int]:
    """By workspace, the stashes made on its branches; they stay in the pool."""
    found: dict[str, int] = {}
    for clone in survey.clones:
        log = read_text(f"{clone.git_directory}/logs/refs/stash")
        if log is None and os.path.lexists(f"{clone.git_directory}/reftable"):
            log = observe(clone.checkout, ["stash", "list", "--format=\t%gs"]).text
        for line in (log or "").split("\n"):
            on = next((start for start in ("WIP on ", "On ") if f"\t{start}{survey.prefix}/" in line), "")
            name = line.partition(f"\t{on}{survey.prefix}/")[2].partition("/") if on else ("", "", "")
            if name[1]:
                found[name[0]] = found.get(name[0], 0) + 1
    return found

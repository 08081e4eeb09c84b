"""From candidates to targets: everything that a plan has to know is looked at here, and nothing is changed.

Contract: prune.md, Footprint, Guards, Branch verdicts.
"""

from __future__ import annotations

import os

from orbit.errors import OrbitError
from orbit.git.files import read_text
from orbit.git.many import side_by_side
from orbit.git.run import observe
from orbit.reclaim.guards import extras_of, guards_of, locked_reason, lost_of, see
from orbit.reclaim.holders import holders
from orbit.reclaim.moved import find_moved, lost_registrations
from orbit.reclaim.occupants import inside, read_occupants
from orbit.reclaim.plan import GHOST, LIVE, Branch, Reason, Target, Tree, branch_marks
from orbit.reclaim.pull_requests import PullRequests
from orbit.reclaim.trees import tips_of
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
    moved: tuple[tuple[str, str], ...]
    gh_problem: str


class Pool(Record):
    """What is read once for all targets."""

    survey: Survey
    verdicts: dict[tuple[str, str], Branch]
    moved: dict[str, str]
    occupants: tuple[Occupant, ...]
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
        1 if len(names) > 1 else jobs,
    )
    found = side_by_side(lambda name: _target(project, pool, name, name in candidates.live), names, jobs)
    targets, moved = [], []
    for name, target in zip(names, found, strict=True):
        if isinstance(target, OrbitError):
            raise target
        if isinstance(target, str):
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


def _target(project: Project, pool: Pool, name: str, live: bool) -> Target | str:
    home = project.workspace(name)
    registered = pool.survey.registered_below(os.path.realpath(home))
    own = {(entry.repo, entry.entry) for entry in registered}
    scoped = pool.survey.branches_of(name)
    clones = {clone.repo: clone for clone, _, _ in scoped}
    held = {repo: holders(clone, _entries(own, clone)) for repo, clone in clones.items()}
    branches = tuple(
        pool.verdicts[clone.repo, branch].replace(holder=held[clone.repo].get(branch, ""))
        for clone, branch, _ in scoped
    )
    unlisted = tuple(
        Reason(clone.repo, f"its branches cannot be listed ({clone.problem})", final=True)
        for clone in pool.survey.unlisted
    )
    if not live:
        return _ghost(pool, name, registered, branches, unlisted)
    seen = see(project, name, registered, home, jobs=pool.jobs)
    moved = tuple(
        Reason(entry.repo, f"its worktree was moved by hand to {pool.moved[entry.directory]}", final=True)
        for entry in registered
        if entry.directory in pool.moved
    )
    stashes = sum(_stashes(clone, pool.survey.prefix, name) for clone in pool.survey.clones)
    return Target(
        name,
        LIVE,
        branches,
        tuple(tree for tree, _ in seen.looks),
        (*unlisted, *moved, *guards_of(seen, inside(pool.occupants, os.path.realpath(home)))),
        extras_of(seen, stashes),
        {**seen.marks, **branch_marks((branch.repo, branch.name, branch.sha) for branch in branches)},
    )


def _entries(own: set[tuple[str, str]], clone: CloneView) -> set[str]:
    return {entry for repo, entry in own if repo == clone.repo}


def _ghost(
    pool: Pool, name: str, registered: Sequence[Registered], branches: tuple[Branch, ...], unlisted: tuple[Reason, ...]
) -> Target | str:
    """What is left of a workspace; where one of its worktrees lies now when it was only moved."""
    for entry in registered:
        if entry.directory in pool.moved:
            return pool.moved[entry.directory]
    locked = tuple(locked_reason(entry, f"{name}/{entry.entry}") for entry in registered if entry.locked is not None)
    trees = tuple(
        Tree(entry.repo, entry.entry, entry.path.partition(f"/{name}/")[2], tips=tips_of(entry.directory))
        for entry in registered
    )
    lost = tuple(reason for entry in registered for reason in lost_of(entry))
    return Target(name, GHOST, branches, trees, (*unlisted, *locked, *lost))


def _workspace_of(project: Project, entry: Registered) -> str:
    start = os.path.realpath(project.root or "/").rstrip("/") + "/"
    return entry.path[len(start) :].split("/")[0] if entry.path.startswith(start) else ""


def _stashes(clone: CloneView, prefix: str, workspace: str) -> int:
    """Stashes made on the workspace's branches; they stay in the pool."""
    log = read_text(f"{clone.git_directory}/logs/refs/stash")
    if log is None and os.path.lexists(f"{clone.git_directory}/reftable"):
        log = observe(clone.checkout, ["stash", "list", "--format=\t%gs"]).text
    on = (f"\tWIP on {prefix}/{workspace}/", f"\tOn {prefix}/{workspace}/")
    return sum(1 for line in (log or "").split("\n") if any(mark in line for mark in on))

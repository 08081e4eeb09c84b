"""`orbit prune`: reclaim finished workspaces; `prune --restore`: take the last reclamation back. Contract: prune.md."""

from __future__ import annotations

import os
import time

from orbit.commands.arguments import JSON, JSON_SCHEMA, Usage, flag, option, positional
from orbit.commands.place import in_project, root_notices
from orbit.commands.result import Result
from orbit.errors import OrbitError, UsageError
from orbit.git.many import jobs, side_by_side
from orbit.guidance import prune_notices, sync_notices
from orbit.pool.clones import clone_config
from orbit.pool.index import read_index
from orbit.pool.maintain import differing
from orbit.pool.sync import fetch_named, has_origin
from orbit.reclaim import report
from orbit.reclaim.candidates import Candidates, find_candidates, named_candidate
from orbit.reclaim.duration import parse_duration
from orbit.reclaim.execute import Means, Outcome, reclaim, reclaim_ghost
from orbit.reclaim.initiation import read_ancestors, require_outside
from orbit.reclaim.inspect import inspect
from orbit.reclaim.keeping import expire
from orbit.reclaim.plan import KEEP, LIVE, decide, has_work
from orbit.reclaim.residue import Residue, find_residue, repair
from orbit.reclaim.resume import resume, waiting
from orbit.reclaim.scratch import sweep
from orbit.reclaim.survey import survey_pool, view_again
from orbit.record import Record
from orbit.store.lock import FileLock
from orbit.text import safe_line
from orbit.workspace.metadata import read_metadata

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from orbit.commands.result import Call
    from orbit.guidance.notice import Notice
    from orbit.places import Here, Project
    from orbit.reclaim.plan import Step
    from orbit.reclaim.survey import Survey
    from orbit.store.settings import Settings

USAGE = Usage(
    forms=(
        "orbit prune [WORKSPACE] [--older DUR] [--dry-run] [--force] [--yes] [--json]",
        "orbit prune --restore WORKSPACE",
    ),
    about="""Removes finished workspaces: their directory, worktrees and scoped branches. A workspace goes wholly or
not at all; one with uncommitted changes, waiting jots or work that upstream does not have stays, with every reason.
--force gives that work up. Branch tips are kept for prune.keepDays; --restore brings the last ones back. Runs at the
project root only.""",
    arguments=(
        positional("WORKSPACE", "only this one", "optional", completes="workspace"),
        option("--older", "DUR", "only what was done at least so long ago: 12h, 30d, 2w, 1m"),
        flag("--dry-run", "print the plan; change nothing, fetch nothing"),
        flag("--force", "discard uncommitted work, jots and unmerged branches"),
        flag("--yes", "do not ask"),
        option("--restore", "WORKSPACE", "bring the branches of its last reclamation back", completes="reclaimed"),
        JSON,
        JSON_SCHEMA,
    ),
    examples=(
        ("orbit prune --dry-run", "what would go, what would stay and why"),
        ("orbit prune --older 2w", "everything finished two weeks ago or earlier"),
        ("orbit prune --restore task-01", "its branches, goal and jots come back"),
    ),
    related=("done", "status", "doctor"),
)

_LOCK = ".prune"


class Plan(Record):
    """All that a run is about to do."""

    steps: tuple[Step, ...]
    residue: Residue
    notices: tuple[Notice, ...]


def run(call: Call) -> Result:
    here = in_project(call)
    words = call.words
    older = parse_duration(words.one("older") or "") if words.one("older") is not None else 0
    looked = require_outside(here.project, "prune", call.world.cwd, read_ancestors())
    notices = [*root_notices(here), *([] if looked else [sync_notices.guard_inactive("prune")])]
    if words.one("restore") is not None:
        if words.one("workspace") is not None or any(words.flag(k) for k in ("older", "dry_run", "force", "json")):
            raise UsageError("prune", "--restore takes a workspace and nothing else")
        with _one_at_a_time(here.project):
            return _restored(call, here, notices)
    if words.flag("dry_run"):
        return _dry_run(call, here, older, notices)
    with _one_at_a_time(here.project):
        return _real_run(call, here, older, notices)


def _one_at_a_time(project: Project) -> FileLock:
    return FileLock(f"{project.pool}/{_LOCK}")


def _dry_run(call: Call, here: Here, older: int, notices: list[Notice]) -> Result:
    index = read_index(here.project)
    survey = survey_pool(here.project, index.settings.text("branch.prefix"))
    candidates = _candidates(call, here.project, survey, older)
    plan = _plan(call, here.project, survey, candidates)
    begun = waiting(here.project)
    lines = [f"would finish: {name}, whose removal an earlier run began" for name in begun]
    lines += [line for step in plan.steps for line in report.planned(step)]
    lines += report.residue(plan.residue, would=True)
    previews = _config_previews(here.project, plan.steps, index.settings)
    notices += [*index.notices, *plan.notices, *_younger(candidates), *previews]
    kept = [step for step in plan.steps if step.action == KEEP]
    lines += report.summary(kept, index.settings.number("prune.keepDays"))
    return Result(
        text="\n".join(lines) or "nothing to prune",
        data=_data([(step, None) for step in plan.steps], begun, plan.residue, dry_run=True),
        notices=notices,
    )


def _real_run(call: Call, here: Here, older: int, notices: list[Notice]) -> Result:
    project = here.project
    index = read_index(project)
    prefix, days = index.settings.text("branch.prefix"), index.settings.number("prune.keepDays")
    now = int(time.time())
    sweep(project.cache)
    means = Means(prefix, jobs(call.world.get("ORBIT_JOBS"), network=False))
    earlier = resume(project, means)
    expire(project, days, now)
    survey = survey_pool(project, prefix)
    lines = [line for outcome in earlier for line in report.resumed(outcome)]
    try:
        candidates = _candidates(call, project, survey, older, earlier)
    except OrbitError:
        if not call.words.flag("json"):
            call.face.say("".join(f"{line}\n" for line in lines))
        raise
    survey, fetched = _fetched(call, project, survey, candidates, index.settings)
    plan = _plan(call, project, survey, candidates)
    means = means.replace(survey=survey)
    notices += [*index.notices, *fetched, *plan.notices, *_younger(candidates)]
    if not _agreed(call, plan):
        return Result(text="\n".join([*lines, "nothing was removed"]), data=_data([], [], Residue()), notices=notices)
    outcomes = _carry_out(call, project, plan, means, now)
    for step, outcome in outcomes:
        lines += report.done(step, outcome)
    repaired, failed = repair(project, plan.residue, prefix, now)
    lines += [*repaired, *report.residue(plan.residue, would=False)]
    problems = [(o.workspace, o.problem) for o in (*earlier, *(o for _, o in outcomes)) if o.problem]
    notices += [prune_notices.step_failed(name, problem) for name, problem in problems]
    notices += [prune_notices.step_failed("pool", problem) for problem in failed]
    lines += report.summary([step for step, _ in outcomes if step.action == KEEP], days)
    return Result(
        text="\n".join(lines) or ("" if problems else "nothing to prune"),
        data=_data(outcomes, [outcome.workspace for outcome in earlier], plan.residue),
        notices=notices,
        code=1 if problems or failed else 0,
    )


def _candidates(
    call: Call, project: Project, survey: Survey, older: int, earlier: Sequence[Outcome] = ()
) -> Candidates:
    """`earlier` are the removals that this run has just finished: the one that was named may be among them."""
    named, now = call.words.one("workspace"), int(time.time())
    if named is None:
        return find_candidates(project, survey, older, now)
    just_now = {outcome.workspace for outcome in earlier if outcome.removed or outcome.problem}
    if named.rstrip("/") in just_now and not os.path.lexists(project.workspace(named.rstrip("/"))):
        return Candidates()
    return named_candidate(project, survey, named, older, now)


def _plan(call: Call, project: Project, survey: Survey, candidates: Candidates) -> Plan:
    dry, force = call.words.flag("dry_run"), call.words.flag("force")
    limit = jobs(call.world.get("ORBIT_JOBS"), network=False)
    found = inspect(project, survey, candidates, ask_gh=not dry, jobs=limit)
    notices = [
        prune_notices.ghost_moved(name, moved.place)
        if moved.certain
        else prune_notices.ghost_perhaps_moved(name, moved.place)
        for name, moved in found.moved
    ]
    if found.gh_problem:
        notices.append(prune_notices.gh_silent(found.gh_problem))
    recorded = sum(len(read_metadata(project, name).prs) for name in candidates.live) if dry else 0
    if recorded:
        notices.append(prune_notices.prs_not_asked(recorded))
    residue = Residue()
    if call.words.one("workspace") is None:
        residue = find_residue(project, survey, (*candidates.live, *candidates.ghosts))
        notices += [prune_notices.not_looked_at(repo, problem) for repo, problem in residue.unread]
    return Plan(tuple(decide(target, force=force) for target in found.targets), residue, tuple(notices))


def _fetched(
    call: Call, project: Project, survey: Survey, candidates: Candidates, settings: Settings
) -> tuple[Survey, list[Notice]]:
    """Bring what the verdicts compare with up to date, for the clones that hold a candidate's branches."""
    names = (*candidates.live, *candidates.ghosts)
    repos = sorted({clone.repo for name in names for clone, _, _ in survey.branches_of(name)})
    notices: list[Notice] = []

    def fetch(repo: str) -> None:
        own: list[Notice] = []
        if has_origin(repo, project.clone(repo)):
            try:
                fetch_named(repo, project.clone(repo), settings, own)
            finally:
                notices.extend(own)

    outcomes = side_by_side(fetch, repos, jobs(call.world.get("ORBIT_JOBS"), network=True))
    for repo, outcome in zip(repos, outcomes, strict=True):
        if isinstance(outcome, OrbitError):
            notices.append(prune_notices.not_fetched(repo, outcome.message))
    return view_again(project, survey, repos), notices


def _agreed(call: Call, plan: Plan) -> bool:
    """Asked once, at a terminal, when more than one workspace would go."""
    going = [step for step in plan.steps if step.action != KEEP]
    if len(going) < 2 or call.words.flag("yes") or not (call.face.in_terminal and call.face.out_terminal):
        return True
    for step in plan.steps:
        call.face.say("\n".join(report.planned(step)) + "\n")
    return call.face.confirm(f"Remove these {len(going)} workspaces?")


def _carry_out(call: Call, project: Project, plan: Plan, means: Means, now: int) -> list[tuple[Step, Outcome]]:
    progress = call.face.progress(len(plan.steps), "pruning") if has_work(plan.steps) else None
    outcomes = []
    for step in plan.steps:
        name = step.target.name
        if step.action == KEEP:
            outcomes.append((step, Outcome(name)))
            continue
        if not call.words.flag("json"):
            call.face.say("".join(f"{line}\n" for line in report.announced(step)))
        if progress:
            progress.start(name)
        act = reclaim if step.target.kind == LIVE else reclaim_ghost
        outcome = act(project, step, means, now)
        if progress:
            progress.done(name, "removed" if outcome.removed else "kept" if outcome.why else "failed")
        outcomes.append((step, outcome))
    return outcomes


def _younger(candidates: Candidates) -> list[Notice]:
    return [prune_notices.younger(name, age) for name, age in candidates.young]


def _config_previews(project: Project, steps: tuple[Step, ...], settings: Settings) -> list[Notice]:
    """Managed config that a real run would put back."""
    notices = []
    for repo in sorted({branch.repo for step in steps for branch in step.target.branches}):
        config = clone_config(project.clone(repo))
        if not config.get("remote", "origin", "url"):
            continue
        for managed, stored in differing(config, settings, ("always",)):
            old = ", ".join(stored)
            notices.append(prune_notices.config_would_be_restored(repo, managed.name, old, managed.value))
    return notices


def _data(
    outcomes: Sequence[tuple[Step, Outcome | None]],
    earlier: list[str],
    residue: Residue,
    *,
    dry_run: bool = False,
) -> dict[str, object]:
    return {
        "dryRun": dry_run,
        "workspaces": [report.data(step, outcome) for step, outcome in outcomes],
        "trashResumed": earlier,
        "residue": {
            "registrations": [{"repo": entry.repo, "path": entry.path} for entry in residue.registrations],
            "holding": [
                {"repo": entry.repo, "path": entry.path, "holds": safe_line(stake)} for entry, stake in residue.holding
            ],
            "sections": [{"repo": clone.repo, "branch": branch} for clone, branch in residue.sections],
            "rawBranches": [
                {"repo": raw.repo, "branch": raw.name, "merged": raw.merged, "command": raw.command}
                for raw in residue.raw
            ],
        },
    }


def _restored(call: Call, here: Here, notices: list[Notice]) -> Result:
    """A removal that was interrupted is finished first: it would take away again what comes back."""
    from orbit.reclaim.restore import restore  # the rare way

    project, workspace = here.project, (call.words.one("restore") or "").rstrip("/")
    prefix = read_index(project).settings.text("branch.prefix")
    earlier = resume(project, Means(prefix, jobs(call.world.get("ORBIT_JOBS"), network=False)))
    call.face.say("".join(f"{line}\n" for outcome in earlier for line in report.resumed(outcome)))
    notices += [prune_notices.step_failed(one.workspace, one.problem) for one in earlier if one.problem]
    back = restore(project, workspace)
    lines = [f"restored: {workspace} ({len(back.branches)} branches{', its goal and jots' if back.metadata else ''})"]
    for branch in back.branches:
        upstream = f", upstream: origin/{branch.upstream}" if branch.upstream else ""
        lines.append(f"  branch {branch.name} at {branch.sha[:10]} in {branch.repo}{upstream}")
    for repo, _, sha, ref in back.commits:
        lines.append(f"  detached commit {sha[:10]} in {repo}, kept as {ref}")
    if back.repos:
        lines.append(f"Next, in {workspace}: orbit add {' '.join(back.repos)} --reuse")
    told = [*notices, prune_notices.files_are_gone(workspace)]
    return Result(text="\n".join(lines), notices=told, code=1 if any(one.problem for one in earlier) else 0)

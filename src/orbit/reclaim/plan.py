"""What a prune would do, as a value: computed from what was seen, printed as it is, carried out by `execute`.

Nothing here reads or writes anything. Contract: prune.md, All or nothing, Branch verdicts, Report.
"""

from __future__ import annotations

from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

LIVE, GHOST = "live", "ghost"
REMOVE, KEEP, PARTIAL, FAILED = "remove", "keep", "partial", "failed"

UNMERGED = "unmerged"
# Verdict of a branch, and how the report names it.
VERDICTS = {"pr-merged": "PR merged", "merged": "merged", "content": "content upstream", UNMERGED: "unmerged"}


class Reason(Record):
    """Why a workspace is kept. `repo` is "" for the workspace itself; nothing releases a `final` one.

    `review` is a shell command that shows what is at stake, "" for none. `branch`: it is this branch's work.
    """

    repo: str
    text: str
    final: bool = False
    review: str = ""
    branch: str = ""


class Branch(Record):
    """A scoped branch of a clone. `upstream` is the remote branch it tracks, `holder` what else has it checked out."""

    repo: str
    name: str
    sha: str
    verdict: str = UNMERGED
    upstream: str = ""
    holder: str = ""
    review: str = ""
    hint: str = ""


class Tree(Record):
    """A worktree registered in a pool clone. `place` is its path below the workspace, `entry` its registration.

    `tips` are the commits that only the registration names (HEAD, ORIG_HEAD, a rebase's start), by those names.
    """

    repo: str
    entry: str
    place: str
    branch: str = ""
    tips: Mapping[str, str] = {}


class Extras(Record):
    """What goes with the directory and does not block: ignored files, files outside every worktree, stashes."""

    ignored_files: int = 0
    ignored_bytes: int = 0
    loose_files: int = 0
    loose_bytes: int = 0
    stashes: int = 0


class Target(Record):
    """A workspace, or what is left of one, as it was seen. `marks` tell by part whether something changed since."""

    name: str
    kind: str
    branches: tuple[Branch, ...] = ()
    trees: tuple[Tree, ...] = ()
    guards: tuple[Reason, ...] = ()
    extras: Extras = Extras()
    marks: Mapping[str, str] = {}


class Step(Record):
    """One target and what is to become of it; `reasons` hold all of a kept one, or what force releases."""

    target: Target
    action: str
    reasons: tuple[Reason, ...] = ()
    deleted: tuple[Branch, ...] = ()
    kept: tuple[Branch, ...] = ()
    forced: bool = False


def decide(target: Target, *, force: bool) -> Step:
    """All or nothing for a workspace, each branch for itself where the directory is gone."""
    free = tuple(branch for branch in target.branches if not branch.holder)
    held = tuple(branch for branch in target.branches if branch.holder)
    unmerged = tuple(branch for branch in free if branch.verdict == UNMERGED)
    final = tuple(reason for reason in target.guards if reason.final)
    if target.kind == GHOST:
        if final or (target.guards and not force):
            return Step(target, KEEP, target.guards, (), target.branches)
        going = free if force else tuple(b for b in free if b.verdict != UNMERGED)
        staying = tuple(branch for branch in target.branches if branch not in going)
        action = KEEP if not (going or target.trees) else PARTIAL if staying else REMOVE
        reasons = (*target.guards, *(unmerged_reason(branch) for branch in going if branch in unmerged))
        return Step(target, action, reasons, going, staying, bool(reasons))
    reasons = (*target.guards, *(unmerged_reason(branch) for branch in unmerged))
    if final or (reasons and not force):
        return Step(target, KEEP, reasons, (), target.branches)
    return Step(target, REMOVE, reasons, free, held, bool(reasons))


def unmerged_reason(branch: Branch) -> Reason:
    """A branch whose commits upstream does not have, as a reason."""
    text = f"kept branch (unmerged): {branch.name}" + (f", {branch.hint}" if branch.hint else "")
    return Reason(branch.repo, text, review=branch.review, branch=branch.name)


def word_for(branch: Branch, *, forced: bool) -> str:
    """How the report names the ground on which a branch goes."""
    return "forced" if forced and branch.verdict == UNMERGED else VERDICTS[branch.verdict]


def branch_marks(tips: Iterable[tuple[str, str, str]]) -> dict[str, str]:
    """Marks of branches, given as (repo, name, object name): a commit made meanwhile is a change as well."""
    return {f"{name} in {repo}": sha for repo, name, sha in tips}


def changed_parts(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Parts of a workspace that are not as they were, sorted by name."""
    return sorted(part for part in {*before, *now} if before.get(part) != now.get(part))


def has_work(steps: Sequence[Step]) -> bool:
    """Whether any step would change something."""
    return any(step.action in (REMOVE, PARTIAL) for step in steps)

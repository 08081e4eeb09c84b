"""What prune prints: the plan as `would ...`, what was done, what was kept and why. Contract: prune.md, Report."""

from __future__ import annotations

from orbit.reclaim.plan import FAILED, GHOST, KEEP, PARTIAL, UNMERGED, VERDICTS, unmerged_reason, word_for
from orbit.text import binary_size, safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from orbit.reclaim.execute import Outcome
    from orbit.reclaim.plan import Branch, Extras, Reason, Step
    from orbit.reclaim.residue import Residue

_SHORT = 10


def planned(step: Step) -> list[str]:
    """A step of a dry run."""
    name = step.target.name
    if step.action == KEEP:
        return _kept(f"would keep: {name}", step)
    worktrees, branches = len(step.target.trees), len(step.deleted)
    lines = [f"would prune: {name} ({_gone(step)}{worktrees} worktrees, {branches} branches)"]
    lines += [f"  would discard: {_released(reason)}" for reason in step.reasons if step.forced]
    lines += [f"  would delete {_branch(branch, forced=step.forced)}" for branch in step.deleted]
    return [*lines, *_staying(step, step.kept), *_extras(step.target.extras)]


def announced(step: Step) -> list[str]:
    """What force gives up, said before the act."""
    if not step.forced:
        return []
    lines = [f"  {_released(reason)}" for reason in step.reasons]
    return [f"discarding in {step.target.name}:", *lines] if lines else []


def done(step: Step, outcome: Outcome) -> list[str]:
    """A step that was carried out, or that came to nothing."""
    name = step.target.name
    if step.action == KEEP:
        return _kept(f"kept: {name} (nothing of it was changed)", step)
    if outcome.why:
        return [f"kept: {name} ({safe_line(outcome.why)})"]
    lines = []
    if outcome.removed:
        counts = f"{outcome.worktrees} worktrees removed, {len(outcome.deleted)} branches deleted"
        lines.append(f"pruned: {name} ({_gone(step)}{counts})")
    lines += [f"  deleted {_branch(branch, forced=step.forced)}" for branch in outcome.deleted]
    gone = {(branch.repo, branch.name) for branch in outcome.deleted}
    lines += _staying(step, [branch for branch in step.kept if (branch.repo, branch.name) not in gone])
    lines += [f"  kept branch ({_why_kept(branch)}): {branch.name} in {branch.repo}" for branch in outcome.kept]
    return [*lines, *(_extras(step.target.extras) if outcome.removed else [])]


def resumed(outcome: Outcome) -> list[str]:
    """What an earlier run had begun."""
    name = outcome.workspace
    if outcome.why:
        return [f"put back: {name} ({safe_line(outcome.why)})"]
    if not outcome.removed:
        return []
    lines = [f"pruned: {name} (begun by an earlier run, finished now)"]
    lines += [f"  deleted {_branch(branch, forced=True)}" for branch in outcome.deleted]
    return lines + [f"  kept branch ({_why_kept(branch)}): {branch.name} in {branch.repo}" for branch in outcome.kept]


def residue(found: Residue, *, would: bool) -> list[str]:
    """What a dry run would repair, and raw branches, which only a person deletes."""
    lines = []
    if would:
        lines += [
            f"would clear the registration of {entry.path}, whose directory is gone, in {entry.repo}"
            for entry in found.registrations
        ]
        lines += [
            f"would drop the config of {branch}, a branch that is gone, in {clone.repo}"
            for clone, branch in found.sections
        ]
    lines += [
        safe_line(f"kept the registration of {entry.path}, whose directory is gone, in {entry.repo}: {stake}")
        for entry, stake in found.holding
    ]
    if found.raw:
        lines.append("raw branches that exist nowhere else (orbit never deletes them):")
    for raw in found.raw:
        state = "merged" if raw.merged else "not merged"
        lines.append(f"  {raw.name} in {raw.repo} ({state}): {raw.command}")
    return lines


def summary(kept: Sequence[Step], days: int) -> list[str]:
    """The one block that says what can be done about kept workspaces."""
    names = [step.target.name for step in kept]
    if not names:
        return []
    releasable = [step for step in kept if _can_be_forced(step)]
    lines = [f"kept {len(names)}: {', '.join(names)}. Review with the commands above; commit and push, or merge."]
    if releasable:
        one = releasable[0].target.name
        lines.append(
            f"To discard uncommitted work, jots and unmerged branches for good: orbit prune {one} --force "
            f"(branch tips stay restorable for {days} days)"
        )
    return lines


def _can_be_forced(step: Step) -> bool:
    """Nothing releases a final reason; of a ghost only unmerged branches that nobody holds are left to give up."""
    if any(reason.final for reason in step.reasons):
        return False
    free = any(not branch.holder for branch in step.kept)
    return step.target.kind != GHOST or bool(step.reasons) or free


def data(step: Step, outcome: Outcome | None) -> dict[str, object]:
    """One workspace of `--json`."""
    action = step.action
    if outcome is not None and (outcome.why or outcome.problem):
        action = KEEP if outcome.why else FAILED
    deleted = {(b.repo, b.name) for b in (outcome.deleted if outcome is not None else step.deleted)}
    if action == KEEP and outcome is None:
        deleted = set()
    reasons = [_reason(reason) for reason in step.reasons]
    if outcome is not None:
        reasons += [text for text in (outcome.why, outcome.problem) if text]
    return {
        "name": step.target.name,
        "kind": step.target.kind,
        "action": action,
        "reasons": [safe_line(text) for text in reasons],
        "worktrees": [{"repo": tree.repo, "path": tree.place} for tree in step.target.trees],
        "branches": [_branch_data(branch, (branch.repo, branch.name) in deleted) for branch in step.target.branches],
        "ignoredFiles": step.target.extras.ignored_files,
        "ignoredBytes": step.target.extras.ignored_bytes,
        "looseFiles": step.target.extras.loose_files,
        "looseBytes": step.target.extras.loose_bytes,
        "stashes": step.target.extras.stashes,
    }


def size(count: int) -> str:
    """Bytes in the unit that a person would use."""
    value, unit = binary_size(count)
    return f"{value:.1f} {unit}" if unit else f"{count} bytes"


def _kept(head: str, step: Step) -> list[str]:
    lines = [head]
    lines += [f"  {_reason(reason)}" for reason in step.reasons]
    if step.target.kind == GHOST:
        lines += _staying(step, step.kept)
    return lines


def _gone(step: Step) -> str:
    return "its directory is gone, " if step.target.kind == GHOST else ""


def _reason(reason: Reason) -> str:
    where = f"{reason.repo}: " if reason.repo else ""
    return safe_line(f"{where}{reason.text}" + (f" (review: {reason.review})" if reason.review else ""))


def _released(reason: Reason) -> str:
    """A reason that force overrules: its branch is not kept then."""
    return _reason(reason.replace(text=f"unmerged branch {reason.branch}") if reason.branch else reason)


def _branch(branch: Branch, *, forced: bool) -> str:
    word = word_for(branch, forced=forced)
    return safe_line(f"branch ({word}): {branch.name} (was {branch.sha[:_SHORT]}) in {branch.repo}")


def _branch_data(branch: Branch, deleted: bool) -> dict[str, object]:
    return {
        "repo": branch.repo,
        "branch": safe_line(branch.name),
        "sha": branch.sha,
        "verdict": branch.verdict,
        "action": "delete" if deleted else "keep",
    }


def _staying(step: Step, branches: Sequence[Branch]) -> list[str]:
    """Branches that stay although the rest goes: held elsewhere, or a ghost's without proof."""
    lines = []
    for branch in branches:
        if branch.holder:
            lines.append(f"  kept branch ({_why_kept(branch)}): {branch.name} in {branch.repo}")
        elif step.action in (PARTIAL, KEEP) and branch.verdict == UNMERGED:
            lines.append(f"  {_reason(unmerged_reason(branch))}")
        elif step.action == KEEP:
            lines.append(f"  kept branch ({VERDICTS[branch.verdict]}): {branch.name} in {branch.repo}")
    return [safe_line(line) for line in lines]


def _why_kept(branch: Branch) -> str:
    return f"checked out in {branch.holder}" if branch.holder else "it moved meanwhile"


def _extras(extras: Extras) -> list[str]:
    """What went along, for the record."""
    parts = []
    if extras.ignored_files:
        parts.append(f"{extras.ignored_files} ignored files ({size(extras.ignored_bytes)})")
    if extras.loose_files:
        parts.append(f"{extras.loose_files} files outside the worktrees ({size(extras.loose_bytes)})")
    lines = [f"  with it: {', '.join(parts)}"] if parts else []
    if extras.stashes:
        lines.append(f"  {extras.stashes} stashes made on its branches stay in the pool")
    return lines

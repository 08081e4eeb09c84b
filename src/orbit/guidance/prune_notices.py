"""What is said when finished workspaces are reclaimed. Contract: guidance.md; prune.md."""

from __future__ import annotations

from orbit.guidance.notice import Notice


def gh_silent(reason: str) -> Notice:
    """`prune`: pull requests are recorded, and gh could not be asked about them"""
    return Notice("gh-silent", "prune", f"merged pull requests are judged by git alone, {reason}")


def prs_not_asked(count: int) -> Notice:
    """`prune --dry-run`: recorded pull requests are not asked for, since a dry run stays off the network"""
    return Notice("prs-not-asked", "prune", f"{count} recorded pull requests were not asked for, a dry run is local")


def not_fetched(repo: str, reason: str) -> Notice:
    """`prune`: the clone could not be fetched; its branches are judged by what was last fetched"""
    return Notice("not-fetched", repo, f"not fetched, judged by what was last fetched ({reason})")


def ghost_moved(workspace: str, place: str) -> Notice:
    """`prune`: a workspace's directory is gone, but one of its worktrees lies elsewhere below the root"""
    return Notice("ghost-moved", workspace, f"left alone, it was moved by hand to {place}", "doctor --fix")


def ghost_perhaps_moved(workspace: str, place: str) -> Notice:
    """`prune`: a workspace's directory is gone, and a worktree of it may lie where nobody can look"""
    what = f"left alone, it may have been moved to {place}, which cannot be read"
    return Notice("ghost-perhaps-moved", workspace, what)


def not_looked_at(repo: str, reason: str) -> Notice:
    """`prune`: what others left in a clone could not be looked for"""
    return Notice("not-looked-at", repo, f"not looked at for what others left in it, {reason}")


def step_failed(workspace: str, reason: str) -> Notice:
    """`prune`: a step failed; what is left of the removal is finished by the next run"""
    return Notice("step-failed", workspace, f"not finished, {reason}")


def younger(workspace: str, age: str) -> Notice:
    """`prune --older`: a finished workspace is not old enough"""
    return Notice("younger", workspace, f"left alone, it was done {age} ago")


def config_would_be_restored(repo: str, key: str, old: str, new: str) -> Notice:
    """`prune --dry-run`: managed git config differs and would be put back"""
    return Notice("config-would-be-restored", repo, f"{key}: {old or 'unset'} -> {new} would be put back")


def files_are_gone(workspace: str) -> Notice:
    """`prune --restore`: what the kept refs do not hold"""
    return Notice("files-are-gone", workspace, "what was never committed is gone")

"""What is said when the pool is brought up to upstream. Contract: guidance.md."""

from __future__ import annotations

from orbit.guidance.notice import Notice


def sync_failed(repo: str, reason: str) -> Notice:
    """`sync`: this repository could not be fetched or moved; the others go on"""
    return Notice("sync-failed", repo, f"not synced, {reason}")


def sync_diverged(repo: str, branch: str, ahead: int, behind: int) -> Notice:
    """`sync`: the pool clone's branch and upstream both have commits of their own"""
    fact = f"left alone, {branch} has {ahead} commits that origin/{branch} lacks and lacks {behind} of its commits"
    return Notice("sync-diverged", repo, fact)


def pool_ahead(repo: str, branch: str, commits: int) -> Notice:
    """`sync`: the pool clone has commits that upstream no longer has"""
    return Notice("pool-ahead", repo, f"left alone, {branch} is {commits} commits ahead of origin/{branch}")


def pool_dirty(repo: str, files: int) -> Notice:
    """`sync`: the pool clone has uncommitted changes"""
    return Notice("pool-dirty", repo, f"left alone, the pool clone has {files} uncommitted changes")


def pool_detached(repo: str, branch: str) -> Notice:
    """`sync`: the pool clone was on another commit than its tracked branch and was put back on it"""
    return Notice("pool-detached", repo, f"the pool clone was put back on {branch}")


def pool_off_branch(repo: str, branch: str, commits: int) -> Notice:
    """`sync`: the pool clone is on a detached HEAD whose commits nothing else holds"""
    fact = f"left alone, the pool clone is detached from {branch} with {commits} commits that no branch holds"
    return Notice("pool-off-branch", repo, fact)


def config_restored(repo: str, key: str, old: str, new: str, setting: str) -> Notice:
    """`sync`, `add`: managed git config was put back"""
    fact = f"{key}: {old or 'unset'} -> {new} put back, config {setting} once stops it"
    return Notice("config-restored", repo, fact)


def default_branch_renamed(repo: str, old: str, new: str) -> Notice:
    """`sync`: upstream's default branch has another name now"""
    fact = f"upstream's default branch is now {new}, the pool stays on {old}"
    return Notice("default-branch-renamed", repo, fact, f"sync {repo} --branch {new}")


def tip_kept(repo: str, name: str, ref: str, sha: str) -> Notice:
    """`sync --force`: what the branch held before is kept under this ref"""
    return Notice("tip-kept", repo, f"the old tip of {name} ({sha}) is kept as {ref}")


def card_may_not_fit(repo: str, branch: str) -> Notice:
    """`sync --branch`: the card was written for another branch"""
    return Notice("card-may-not-fit", repo, f"the card was written before the pool went to {branch}", f"info {repo}")


def guard_inactive(verb: str) -> Notice:
    """`sync --force`, `sync --branch`: the processes above this one cannot be looked at"""
    return Notice("guard-inactive", verb, "process ancestry cannot be read, so this guard is inactive")


def default_branch_lost(repo: str, branch: str) -> Notice:
    """`sync`: the tracked branch is gone upstream"""
    return Notice("default-branch-lost", repo, f"origin has no branch {branch} any more")

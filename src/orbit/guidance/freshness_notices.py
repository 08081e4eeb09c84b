"""What is said about how far a card is behind its clone, and a clone behind upstream. Contract: guidance.md."""

from __future__ import annotations

from orbit.guidance.notice import Notice
from orbit.wording import Paths, about_paths


def memo_behind(
    repo: str, commits: int, *, at_least: bool = False, dropped: int | None = None, paths: Paths | None = None
) -> Notice:
    """`repos`, `info`, reignite: the card was written for an earlier HEAD of the pool clone"""
    fact = f"memo is {commits} commits behind HEAD"
    if dropped is not None:
        fact += f" (history rewritten, {dropped} dropped)"
    elif at_least:
        fact += " (at least)"
    return Notice("memo-behind", repo, fact + about_paths(paths), _renew(repo, paths))


def memo_distance_unknown(repo: str, reason: str, paths: Paths | None = None) -> Notice:
    """`repos`, `info`, reignite: how far the card is behind cannot be known"""
    fact = f"memo distance unknown, {reason}" + about_paths(paths)
    return Notice("memo-distance-unknown", repo, fact, _renew(repo, paths))


def paths_gone(repo: str, paths: Paths) -> Notice:
    """`info`, reignite: the card is fresh, but paths that it names are not there"""
    return Notice("paths-gone", repo, about_paths(paths).removeprefix("; "), f"memo {repo}")


def _renew(repo: str, paths: Paths | None) -> str:
    if paths is not None and paths.untouched:
        return f"memo {repo} --refresh, or memo {repo} if its roles changed"
    return f"memo {repo} with what changed, or memo {repo} --refresh if the card still holds"


def more_stale(count: int) -> Notice:
    """`repos`: more than five stale cards; the rest is counted"""
    return Notice("more-stale", "repos", f"{count} more memos are stale", "repos --stale")


def remote_ahead(repo: str, commits: int, branch: str, *, at_least: bool = False) -> Notice:
    """`info`, reignite: the pool clone is behind upstream as last fetched"""
    fact = f"{commits} new commits on origin/{branch}" + (" (at least)" if at_least else "")
    return Notice("remote-ahead", repo, fact, f"sync {repo}")


def remote_ahead_unknown(repo: str, branch: str) -> Notice:
    """`info`, reignite: the pool clone and upstream differ, and the clone's history is too short to count"""
    return Notice("remote-ahead-unknown", repo, f"origin/{branch} differs, distance unknown", f"sync {repo}")


def worktree_behind(repo: str, workspace: str, commits: int, branch: str) -> Notice:
    """`sync`: a worktree of the current workspace tracks the branch that moved"""
    fact = f"worktree {workspace}/{repo} is {commits} commits behind origin/{branch}; git in the worktree can catch up"
    return Notice("worktree-behind", repo, fact)

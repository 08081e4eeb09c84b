"""What is said when a repository is added to a workspace. Contract: guidance.md."""

from __future__ import annotations

from orbit.guidance.notice import Notice


def explore_scope(repo: str, scope: str, *, missing: bool) -> Notice:
    """`add`: the card is thin or missing"""
    fact = "memo thin" + (" (no card yet)" if missing else "")
    return Notice("explore-scope", repo, fact, f"explore {scope}, then memo {repo} before done")


def workspace_is_done(workspace: str) -> Notice:
    """`add` in a workspace that is marked done"""
    return Notice("workspace-is-done", workspace, "marked done, so it may be reclaimed", 'goal "<text>" to go on here')


def push_goes_to_default(repo: str, branch: str) -> Notice:
    """`add`: a bare `git push` on the new branch would go to the default branch"""
    fact = f"a bare git push here goes to origin/{branch}"
    return Notice("push-goes-to-default", repo, fact, f"switch -c {repo} NAME before the first commit")


def item_failed(context: str, message: str, hint: str) -> Notice:
    """`add` of several, `clone` of several: one of them failed; the others go on"""
    return Notice("item-failed", context, message, hint)


def submodules_present(repo: str) -> Notice:
    """`add`: the repository has submodules; they are not initialised"""
    fact = "submodules are not initialised, git submodule update --init in the worktree does it"
    return Notice("submodules-present", repo, fact)


def lfs_not_smudged(repo: str) -> Notice:
    """`add`, `switch`: the repository uses LFS and git-lfs is not installed"""
    return Notice("lfs-not-smudged", repo, "large files are pointers, git lfs pull in the worktree fetches them")


def hook_failed(repo: str, hook: str) -> Notice:
    """`add`: the user's hook failed after the worktree was made"""
    return Notice("hook-failed", repo, f"the {hook} hook failed, the worktree and its branch are in place")


def earlier_add_undone(repo: str, path: str) -> Notice:
    """`add`: an earlier `add` was killed half way; what it left was removed"""
    return Notice("earlier-add-undone", repo, f"removed what an interrupted add left at {path}")


def registration_cleared(repo: str, place: str) -> Notice:
    """`add`: the worktree was removed by hand; what git still knew of it was cleared"""
    return Notice("registration-cleared", repo, f"cleared the registration of {place}, whose directory is gone")


def branch_reset(repo: str, branch: str) -> Notice:
    """`add`: a leftover branch without commits of its own starts afresh"""
    return Notice("branch-reset", repo, f"branch {branch} was left over without commits of its own and starts afresh")

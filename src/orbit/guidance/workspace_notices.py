"""What is said about a workspace: what is open, what waits, what was made. Contract: guidance.md."""

from __future__ import annotations

from orbit.guidance.notice import Notice


def debts(repo: str, *, jots: int, popped: int, thin: bool, over: bool, raw: str) -> Notice:
    """`done`: what is still open for one repo, in one line"""
    found = (
        (jots, f"{jots} jots remain (pop + merge)", (f"jot {repo} --pop", f"memo {repo}")),
        (popped, f"{popped} popped, not merged", (f"memo {repo}",)),
        (thin, "memo thin (explore + write)", (f"memo {repo}",)),
        (over, "memo over budget (curate once)", (f"memo {repo}",)),
        (raw, f"raw branch {raw}", (f"switch -c {repo} {raw}",)),
    )
    facts = [fact for open_, fact, _ in found if open_]
    steps = dict.fromkeys(step for open_, _, named in found if open_ for step in named)
    return Notice("debts", repo, ", ".join(facts), ", ".join(steps))


def card_budget(minimum: int, maximum: int) -> Notice:
    """`done`: jots remain or a card is over budget"""
    return Notice("card-budget", "done", f"card budget is {minimum}~{maximum} lines", "curate, do not append")


def only_memo_survives() -> Notice:
    """`done`: something is still open"""
    return Notice("only-memo-survives", "done", "only memo survives done, jots and notes go with the workspace")


def no_worktrees(workspace: str) -> Notice:
    """`status`: the workspace has no worktree yet"""
    return Notice("no-worktrees", workspace, "no worktrees yet", "repos, then add REPO")


def raw_branch(repo: str, branch: str) -> Notice:
    """a worktree is on a branch outside the workspace's own names"""
    return Notice("raw-branch", repo, f"raw branch {branch}", f"switch -c {repo} {branch}")


def reactivated(workspace: str) -> Notice:
    """`goal "<text>"` in a done workspace"""
    return Notice("reactivated", workspace, "active again, the done mark and its PRs were cleared")


def workspace_ready(workspace: str) -> Notice:
    """`new`: how to go on, when agent.recommend is not set"""
    return Notice("workspace-ready", workspace, "workspace ready", "repos, then add REPO in it")


def as_last_fetched(repo: str, branch: str, reason: str) -> Notice:
    """`switch NAME`: the remote cannot be asked, so the branch starts where it was last fetched"""
    return Notice("as-last-fetched", repo, f"origin/{branch} as last fetched ({reason})")


def switched_all_the_same(repo: str, reason: str) -> Notice:
    """`switch`: git failed after it had gone to the branch, as when a hook of the user's fails"""
    return Notice("switched-all-the-same", repo, f"{reason} (it is on the branch all the same)")


def remote_branch_differs(repo: str, branch: str) -> Notice:
    """`switch -c NAME`: the remote has a branch of that name with other commits"""
    fact = f"origin has a branch {branch} with other commits, a push would be refused"
    return Notice("remote-branch-differs", repo, fact, f"switch {repo} {branch} takes that one")

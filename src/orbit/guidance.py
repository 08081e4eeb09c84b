"""Everything orbit says on stderr besides errors: each line defined once, as a function with named parameters.

A notice is `orbit: <subject>: <fact>` (information) or `orbit: <subject>: <fact>: <next step>` (steering).
The first docstring line of each function says when it appears; `docs/spec-warnings.md` is generated from here.
Contract: guidance.md.
"""

from __future__ import annotations

from orbit.record import Record
from orbit.wording import Paths, about_paths


class Notice(Record):
    """One line for stderr. `name` is stable, for tests and documents; `next` is empty for information."""

    name: str
    subject: str
    fact: str
    next: str = ""

    @property
    def line(self) -> str:
        return f"orbit: {self.subject}: {self.fact}" + (f": {self.next}" if self.next else "")


# --- freshness -------------------------------------------------------------------------------------------------------


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


# --- the index and the pool ------------------------------------------------------------------------------------------


def index_rebuilt(entries: int, *, written: bool) -> Notice:
    """any command that reads the index: it was missing or damaged and was made again from the clones"""
    return Notice("index-rebuilt", "index", f"rebuilt from {entries} clones" + ("" if written else " (not written)"))


def metadata_damaged(path: str, reason: str, kept: str = "") -> Notice:
    """a metadata file cannot be read; the work goes on without it"""
    return Notice("metadata-damaged", path, f"cannot be used ({reason})" + (f", kept as {kept}" if kept else ""))


def stale_lock_removed(note: str) -> Notice:
    """a lock left by a process that no longer lives was removed"""
    return Notice("stale-lock-removed", "lock", note)


def index_out_of_sync(repo: str) -> Notice:
    """`repos`: the card has a brief that the index lacks"""
    return Notice("index-out-of-sync", repo, "index out of sync with the card", f"memo {repo} --refresh")


def more_out_of_sync(count: int) -> Notice:
    """`repos`: more than five cards are out of step with the index; the rest is counted"""
    return Notice("more-out-of-sync", "repos", f"{count} more cards are out of step with the index", "memo")


def not_a_repository(name: str) -> Notice:
    """`repos`: a directory in the pool is not a git repository and is skipped"""
    return Notice("not-a-repository", name, "skipped, this directory in the pool is not a git repository")


def pool_empty() -> Notice:
    """`repos`, prime: nothing has been cloned yet"""
    return Notice("pool-empty", "pool", "no repositories yet", "clone URL")


def no_match(words: str) -> Notice:
    """`repos WORD…`: nothing matches"""
    return Notice("no-match", "repos", f"nothing matches {words}")


def bad_setting(key: str, value: str, default: str) -> Notice:
    """a stored setting breaks its rule; the default is used"""
    return Notice("bad-setting", "config", f"{key} = {value} is not valid, using {default}", f"config {key} VALUE")


def default_shown(key: str) -> Notice:
    """`config KEY`: nothing is stored, the value is the default"""
    return Notice("default-shown", key, "(default)")


def nested_root_ignored(inner: str, outer: str) -> Notice:
    """the nearest `.repos/` lies inside a repository of an outer project; the outer root is used"""
    return Notice("nested-root-ignored", "project", f"ignoring .repos in {inner}, it lies inside the project {outer}")


def origin_missing(repo: str) -> Notice:
    """`sync`, `add`: a pool clone made by hand has no remote named origin"""
    return Notice("origin-missing", repo, "the pool clone has no remote named origin, working with what it has")


# --- info and add ----------------------------------------------------------------------------------------------------


def readme_shown(repo: str, name: str, *, cut: bool) -> Notice:
    """`info`: there is no card; the README is shown instead"""
    return Notice("readme-shown", repo, f"no memo yet, showing {name}" + (" (cut)" if cut else ""))


def nothing_known(repo: str) -> Notice:
    """`info`: neither card nor README"""
    return Notice("nothing-known", repo, "no memo and no README")


def revision(repo: str, rev: str) -> Notice:
    """`info`, `memo`: which text of the card was shown or written, for `memo --expect`"""
    return Notice("revision", repo, f"revision {rev}")


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


# --- jots and cards --------------------------------------------------------------------------------------------------


def jots_building(repo: str, count: int) -> Notice:
    """`jot`: more than half of jot.bufferSize is waiting"""
    return Notice("jots-building", repo, f"{count} jots (building)")


def jots_overflow(repo: str, count: int) -> Notice:
    """`jot`: more than jot.bufferSize is waiting"""
    return Notice("jots-overflow", repo, f"{count} jots (overflow)", f"jot {repo} --pop, merge, memo {repo}")


def jots_waiting(repo: str, count: int) -> Notice:
    """`status`: jots wait, within the buffer"""
    return Notice("jots-waiting", repo, f"{count} jots")


def no_jots(repo: str) -> Notice:
    """`jot --pop`, `--list`: nothing is waiting"""
    return Notice("no-jots", repo, "no jots waiting")


def nothing_popped(repo: str) -> Notice:
    """`jot --requeue`: nothing is in flight"""
    return Notice("nothing-popped", repo, "nothing to put back, no popped jots")


def popped_in_flight(repo: str, count: int) -> Notice:
    """`jot --pop`, `context`, `status`: popped jots wait for the card that merges them"""
    return Notice("popped-in-flight", repo, f"{count} popped, not merged", f"memo {repo}, or jot {repo} --requeue")


def popped_settled(repo: str, count: int) -> Notice:
    """`memo`: popped jots of this repo are settled by the card just written"""
    return Notice("popped-settled", repo, f"{count} popped jots settled by this card")


def memo_over_budget(repo: str, size: str) -> Notice:
    """`memo`: the card just written is over budget"""
    return Notice("memo-over-budget", repo, f"memo over budget, {size}", f"curate once, then memo {repo}")


def memo_shrank(repo: str, before: int, after: int, rev: str) -> Notice:
    """`memo`: the new card has less than half of the old one's lines"""
    return Notice("memo-shrank", repo, f"the card went from {before} to {after} lines", f"memo {repo} --restore {rev}")


def no_versions(repo: str) -> Notice:
    """`memo --log`: no version of this card was kept"""
    return Notice("no-versions", repo, "no versions of this card")


def history_failed(repo: str, reason: str) -> Notice:
    """`memo`: the card was written, but this version could not be kept in the history"""
    return Notice("history-failed", repo, f"written, but not kept in the history ({reason})")


def memo_findings(repo: str, findings: str) -> Notice:
    """`memo`: the card just written has placeholders left or lacks a section"""
    return Notice("memo-findings", repo, findings, f"memo {repo} --check")


# --- workspace -------------------------------------------------------------------------------------------------------


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


# --- sync and managed config -----------------------------------------------------------------------------------------


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


def workspace_ready(workspace: str) -> Notice:
    """`new`: how to go on, when agent.recommend is not set"""
    return Notice("workspace-ready", workspace, "workspace ready", "repos, then add REPO in it")


def as_last_fetched(repo: str, branch: str, reason: str) -> Notice:
    """`switch NAME`: the remote cannot be asked, so the branch starts where it was last fetched"""
    return Notice("as-last-fetched", repo, f"origin/{branch} as last fetched ({reason})")


def remote_branch_differs(repo: str, branch: str) -> Notice:
    """`switch -c NAME`: the remote has a branch of that name with other commits"""
    fact = f"origin has a branch {branch} with other commits, a push would be refused"
    return Notice("remote-branch-differs", repo, fact, f"switch {repo} {branch} takes that one")

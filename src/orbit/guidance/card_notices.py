"""What is said about jots and about cards as they are written. Contract: guidance.md."""

from __future__ import annotations

from orbit.guidance.notice import Notice


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
    """`memo`, `memo --pull`: the card was written, but this version could not be kept in the history"""
    return Notice("history-failed", repo, f"written, but not kept in the history ({reason})")


def memo_findings(repo: str, findings: str) -> Notice:
    """`memo`: the card just written has placeholders left or lacks a section"""
    return Notice("memo-findings", repo, findings, f"memo {repo} --check")


def revision(repo: str, rev: str) -> Notice:
    """`info`, `memo`: which text of the card was shown or written, for `memo --expect`"""
    return Notice("revision", repo, f"revision {rev}")


def readme_shown(repo: str, name: str, *, cut: bool) -> Notice:
    """`info`: there is no card; the README is shown instead"""
    return Notice("readme-shown", repo, f"no memo yet, showing {name}" + (" (cut)" if cut else ""))


def nothing_known(repo: str) -> Notice:
    """`info`: neither card nor README"""
    return Notice("nothing-known", repo, "no memo and no README")

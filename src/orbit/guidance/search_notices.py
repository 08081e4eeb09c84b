"""What is said about a search. Contract: guidance.md."""

from __future__ import annotations

from orbit.guidance.notice import Notice


def weaker_matches(count: int, total: int) -> Notice:
    """`repos WORD…` without `--limit`: matches that are far weaker than the best are not shown"""
    return Notice("weaker-matches", "repos", f"{count} weaker matches are not shown", f"repos WORDS --limit {total}")

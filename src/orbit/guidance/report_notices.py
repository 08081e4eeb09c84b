"""What is said beside the report. Contract: guidance.md; commands.md, report."""

from __future__ import annotations

from orbit.guidance.notice import Notice


def growth_unknown(reason: str) -> Notice:
    """`report`: the history of the cards cannot be read, so their growth is not shown"""
    return Notice("growth-unknown", "report", f"the history of the cards cannot be read ({reason})")

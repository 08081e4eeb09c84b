"""Durations as `prune --older` takes them. Contract: prune.md, Candidates."""

from __future__ import annotations

from orbit.errors import UsageError
from orbit.text import safe_line

_UNITS = {"h": 3600, "d": 86_400, "w": 7 * 86_400, "m": 30 * 86_400}
_LONGEST_NUMBER = 6


def parse_duration(text: str) -> int:
    """Seconds in `12h`, `30d`, `2w`, `1m` (30 days). Raises UsageError for anything else, zero included."""
    number, unit = text[:-1], text[-1:]
    decimal = number.isascii() and number.isdecimal() and len(number) <= _LONGEST_NUMBER
    if unit not in _UNITS or not decimal or not int(number):
        shown = safe_line(text) or "nothing"
        raise UsageError("prune", f"--older takes a number above 0 with h, d, w or m (12h, 30d, 2w, 1m), not {shown}")
    return int(number) * _UNITS[unit]


def in_words(seconds: int) -> str:
    """How long ago, in the largest unit that fits: `3 hours`, `12 days`."""
    for size, word in ((86_400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= size:
            return f"{seconds // size} {word}"
    return "less than a minute"

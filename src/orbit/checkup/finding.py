"""One finding of a checkup."""

from __future__ import annotations

from orbit.record import Record

OK, INFO, WARN, FAIL = "OK", "INFO", "WARN", "FAIL"


class Finding(Record):
    """`level` is OK, INFO, WARN or FAIL; `remedy` is what to do about a WARN or FAIL."""

    name: str
    level: str
    message: str
    remedy: str = ""


def shortened_list(names: list[str], most: int = 5) -> str:
    """A few names, and how many more there are."""
    shown = ", ".join(names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")

"""Text that somebody hands in, as bytes: a card, a jot, a goal. Contract: knowledge.md, The card and Jots."""

from __future__ import annotations

from orbit.errors import OrbitError


def decoded(data: bytes, context: str, what: str) -> str:
    """UTF-8 text as it is. Raises OrbitError `WHAT refused, …` for NUL or other bytes."""
    if b"\0" in data:
        raise OrbitError(context, f"{what} refused, it contains NUL bytes")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise OrbitError(context, f"{what} refused, it is not UTF-8 (byte {error.start})") from None

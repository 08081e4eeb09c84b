"""Parts of lines that take more than a format: what became of the paths a card names."""

from __future__ import annotations

from orbit.record import Record


class Paths(Record):
    """What became of the paths that a card names: how many, which are gone, which changed; `untouched`: surely none."""

    count: int
    gone: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    untouched: bool = False


def about_paths(paths: Paths | None) -> str:
    """What to add to a line about a card: `; 1 of 4 paths it names is gone (a/b), 1 changed (c)`, or ""."""
    if paths is None:
        return ""
    if paths.untouched:
        return "; nothing it names changed"
    parts = []
    if paths.gone:
        parts.append(f"{len(paths.gone)} of {paths.count} paths it names {_be(paths.gone)} gone ({_few(paths.gone)})")
    if paths.changed:
        first = "" if parts else f" of {paths.count} paths it names"
        parts.append(f"{len(paths.changed)}{first} changed ({_few(paths.changed)})")
    return f"; {', '.join(parts)}" if parts else ""


def _be(names: tuple[str, ...]) -> str:
    return "is" if len(names) == 1 else "are"


def _few(names: tuple[str, ...]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")

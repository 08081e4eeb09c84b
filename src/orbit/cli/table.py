"""A table as text: aligned, cut on a terminal. Contract: concepts.md, Output."""

from __future__ import annotations

from orbit.text import safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.commands.result import Column, Table

_BOLD, _RESET = "\x1b[1m", "\x1b[0m"
_GAP = 2
_READABLE = 24  # terminal columns that a flexible column keeps while others are wider
# Latin, Greek, Cyrillic, typographic punctuation, arrows: wcwidth, which costs more than a bare start, is for the rest.
_ONE_WIDE = frozenset(map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x300), *range(0x370, 0x483), *range(0x2010, 0x2028))))


def width(text: str) -> int:
    """Terminal columns of text without control characters."""
    if text.isascii() or _ONE_WIDE.issuperset(text):
        return len(text)
    from wcwidth import wcswidth  # wide and combining characters only

    columns = wcswidth(text)
    return columns if columns >= 0 else len(text)


def cut_to_width(text: str, columns: int) -> str:
    """At most `columns` terminal columns (1 or more), cut with an ellipsis, never inside a joined character."""
    if width(text) <= columns:
        return text
    kept = ""
    for end in range(1, len(text)):
        if text[end - 1] == "\N{ZERO WIDTH JOINER}" or width(text[end]) == 0:
            continue
        if width(text[:end]) > columns - 1:
            break
        kept = text[:end]
    return kept.rstrip() + "…"


def table_text(table: Table, *, columns: int = 0, colour: bool = False) -> str:
    """One line of titles and one for each row; within `columns`, or neither cut nor wrapped when that is 0."""
    rows = [tuple(column.title for column in table.columns)]
    rows += [tuple(safe_line(cell) for cell in row) for row in table.rows]
    natural = [max(map(width, cells)) for cells in zip(*rows, strict=True)]
    kept = list(range(len(natural)))
    widths = natural
    if columns:
        kept = _columns_kept(table.columns, natural, columns)
        widths = _shrunk(table.columns, natural, kept, columns)
    lines = [_line([row[i] for i in kept], [widths[i] for i in kept]) for row in rows]
    if colour:
        lines[0] = f"{_BOLD}{lines[0]}{_RESET}"
    return "\n".join(lines) + "\n"


def _columns_kept(columns: tuple[Column, ...], natural: list[int], limit: int) -> list[int]:
    """Without the optional columns for which there is no room, the last one first."""
    kept = list(range(len(columns)))
    for i in reversed(range(len(columns))):
        wanted = sum(min(natural[k], 40) if columns[k].flexible else natural[k] for k in kept)
        if wanted + _GAP * (len(kept) - 1) <= limit:
            break
        if columns[i].optional:
            kept.remove(i)
    return kept


def _shrunk(columns: tuple[Column, ...], natural: list[int], kept: list[int], limit: int) -> list[int]:
    """Widths within the limit: the widest flexible column gives first, down to what is readable, then the widest."""
    widths = list(natural)
    excess = sum(widths[i] for i in kept) + _GAP * (len(kept) - 1) - limit
    for givers, least in (([i for i in kept if columns[i].flexible], _READABLE), (kept, 1)):
        while excess > 0 and (widest := max((widths[i] for i in givers), default=0)) > least:
            widths[next(i for i in givers if widths[i] == widest)] -= 1
            excess -= 1
    return widths


def _line(cells: list[str], widths: list[int]) -> str:
    parts = []
    for cell, room in zip(cells, widths, strict=True):
        if cell.isascii() and len(cell) <= room:  # nearly every cell of a large table
            parts.append(cell.ljust(room))
            continue
        shown = cut_to_width(cell, room)
        parts.append(shown + " " * (room - width(shown)))
    return (" " * _GAP).join(parts).rstrip()

"""A table as text: aligned, cut on a terminal, never wrapped. Contract: concepts.md, Output."""

from __future__ import annotations

from orbit.text import safe_line, safe_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from orbit.commands.result import Column, Section, Table

_BOLD, _RESET = "\x1b[1m", "\x1b[0m"
_GAP = 2
_READABLE = 24  # terminal columns that a flexible column keeps while others are wider
_LEAST = 8  # what every column keeps; a terminal without room for that gets records instead
# Latin, Greek, Cyrillic, typographic punctuation, arrows: wcwidth, which costs more than a bare start, is for the rest.
_ONE_WIDE = frozenset(map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x300), *range(0x370, 0x483), *range(0x2010, 0x2028))))
_JOINER, _AS_EMOJI = "\u200d", "\ufe0f"


def width(text: str) -> int:
    """The most terminal columns that text without control characters takes.

    Terminals disagree about joined emoji: some draw one, some each part. Room for the parts never wraps a line.
    """
    if text.isascii() or _ONE_WIDE.issuperset(text):
        return len(text)
    return sum(map(_width, text))


def _width(character: str) -> int:
    if character in _ONE_WIDE:
        return 1
    from wcwidth import wcwidth  # wide and combining characters only

    return 1 if character == _AS_EMOJI else max(wcwidth(character), 0)


def cut_to_width(text: str, columns: int) -> str:
    """At most `columns` terminal columns (1 or more), cut with an ellipsis, never inside a joined character."""
    if width(text) <= columns:
        return text
    kept, used = 0, 0
    for end, c in enumerate(text[:-1], 1):
        used += _width(c)
        if used > columns - 1:
            break
        if c != _JOINER and text[end] != _AS_EMOJI and _width(text[end]) > 0:
            kept = end
    return text[:kept].rstrip() + "…"


def table_text(table: Table, *, columns: int = 0, colour: bool = False) -> str:
    """One line of titles and one for each row; within `columns`, or neither cut nor wrapped when that is 0.

    Where there is no room for a table, each row is a record: its first cell, then a line for each other that says
    something.
    """
    titles = tuple(column.title for column in table.columns)
    rows = [tuple(safe_line(cell) for cell in row) for row in table.rows]
    widths = _natural(titles, rows)
    kept = list(range(len(widths)))
    if columns:
        kept = _columns_kept(table.columns, widths, columns)
        if sum(min(widths[i], _LEAST) for i in kept) + _GAP * (len(kept) - 1) > columns:
            return _records(titles, rows, columns, colour=colour)
        widths = _shrunk(table.columns, widths, kept, columns)
    lines = [_line(row, widths, kept, columns) for row in (titles, *rows)]
    if colour:
        lines[0] = f"{_BOLD}{lines[0]}{_RESET}"
    return "\n".join(lines) + "\n"


def _natural(titles: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[int]:
    """The widest cell of each column; a short row's last cell reaches over the rest and so counts for none."""
    widths = list(map(width, titles))
    full = [row for row in rows if len(row) == len(titles)]
    for i, cells in enumerate(zip(*full, strict=True)):
        widths[i] = max(widths[i], *map(width, cells))
    for row in rows:
        if len(row) < len(titles):
            widths[: len(row) - 1] = map(max, widths, map(width, row[:-1]))
    return widths


def _records(titles: tuple[str, ...], rows: list[tuple[str, ...]], limit: int, *, colour: bool) -> str:
    lines = []
    for row in rows:
        name = cut_to_width(row[0], limit)
        lines.append(f"{_BOLD}{name}{_RESET}" if colour else name)
        labels = [f"{title.lower()}: " for title in titles]
        if len(row) < len(titles):
            labels[len(row) - 1] = ""
        told = [label + cell for label, cell in zip(labels[1:], row[1:], strict=False) if cell not in ("", "-")]
        lines += [cut_to_width(f"  {text}", limit) for text in told]
    return "\n".join(lines) + "\n"


def sections_text(sections: Sequence[Section], *, columns: int = 0, colour: bool = False) -> str:
    """Each under its title, indented, a blank line between two; within `columns` unless that is 0."""
    parts = []
    for section in sections:
        title = safe_line(section.title)
        title = cut_to_width(title, columns) if columns else title
        parts.append(f"{_BOLD}{title}{_RESET}" if colour else title)
        room = max(columns - _GAP, 1) if columns else 0
        if section.table is not None:
            body = table_text(section.table, columns=room)
        else:
            body = "\n".join(_wrapped(safe_text(section.text), room))
        parts += [f"{' ' * _GAP}{line}".rstrip() for line in body.rstrip("\n").split("\n")]
        parts.append("")
    return "\n".join(parts)


def _wrapped(text: str, columns: int) -> list[str]:
    """Lines of at most so many columns, broken at blanks; as they are for 0."""
    lines: list[str] = []
    for line in text.split("\n"):
        line_so_far = ""
        for word in line.split(" "):
            longer = f"{line_so_far} {word}" if line_so_far else word
            if columns and line_so_far and width(longer) > columns:
                lines.append(line_so_far)
                longer = word
            line_so_far = longer
        lines.append(line_so_far)
    return [cut_to_width(line, columns) for line in lines] if columns else lines


def _columns_kept(columns: tuple[Column, ...], natural: list[int], limit: int) -> list[int]:
    """Without the optional columns for which there is no room, the last one first."""
    kept = list(range(len(columns)))
    for i in reversed(range(1, len(columns))):
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
    for givers, least in (([i for i in kept if columns[i].flexible], _READABLE), (kept, _LEAST)):
        while excess > 0 and (widest := max((widths[i] for i in givers), default=0)) > least:
            widths[next(i for i in givers if widths[i] == widest)] -= 1
            excess -= 1
    return widths


def _line(row: tuple[str, ...], widths: list[int], kept: list[int], limit: int) -> str:
    """One row. The last cell of a short one has all the room that is left; what ends a line needs no padding."""
    last = len(row) - 1 if len(row) < len(widths) else kept[-1]
    parts = []
    used = 0
    for i in kept:
        if i >= last:
            break
        cell, room = row[i], widths[i]
        used += room + _GAP
        if cell.isascii() and len(cell) <= room:  # nearly every cell of a large table
            parts.append(cell.ljust(room))
            continue
        shown = cut_to_width(cell, room)
        parts.append(shown + " " * (room - width(shown)))
    left = limit - used if limit else width(row[last])
    parts.append(cut_to_width(row[last], left) if left > 0 else "")
    return (" " * _GAP).join(parts).rstrip()

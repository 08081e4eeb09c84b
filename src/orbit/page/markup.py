"""HTML from values: every text escaped, tables that a screen reader can follow and a script can sort. Pure."""

from __future__ import annotations

from html import escape

from orbit.record import Record
from orbit.text import safe_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class Cell(Record):
    """One cell: `shown` is HTML already, `sort` what the column is sorted by ("" = the text that is shown)."""

    shown: str
    sort: str = ""


class Heading(Record):
    """A column; `number` ones stand to the right and sort by size, `wide` ones hold sentences."""

    title: str
    number: bool = False
    wide: bool = False


def text(value: str) -> str:
    """Untrusted text for an element or a quoted attribute: nothing in it is markup, steers a terminal or turns text."""
    return escape(safe_text(value), quote=True)


def cell(value: str) -> Cell:
    return Cell(text(value))


def count_cell(value: int | None) -> Cell:
    """A number; None is unknown, and sorts above every number."""
    return Cell("unknown", "1e99") if value is None else Cell(str(value), str(value))


def table(caption: str, headings: Sequence[Heading], rows: Sequence[Sequence[Cell]]) -> str:
    """The first cell of each row names it. Roles are spelled out: on a narrow screen the rows are no CSS table."""
    head = "".join(f'<th role="columnheader" scope="col"{_kind(h)}>{text(h.title)}</th>' for h in headings)
    body = "\n".join(f'<tr role="row">{_cells(headings, row)}</tr>' for row in rows)
    return (
        f'<table role="table" data-sortable><caption>{text(caption)}</caption>\n'
        f'<thead role="rowgroup"><tr role="row">{head}</tr></thead>\n'
        f'<tbody role="rowgroup">\n{body}\n</tbody></table>\n'
    )


def _cells(headings: Sequence[Heading], row: Sequence[Cell]) -> str:
    parts = []
    for number, (heading, one) in enumerate(zip(headings, row, strict=True)):
        sort = f' data-sort="{text(one.sort)}"' if one.sort else ""
        label = f' data-label="{text(heading.title)}"'
        tag, role = ("th", 'role="rowheader" scope="row"') if number == 0 else ("td", 'role="cell"')
        parts.append(f"<{tag} {role}{_kind(heading)}{label}{sort}>{one.shown}</{tag}>")
    return "".join(parts)


def _kind(heading: Heading) -> str:
    if heading.number:
        return ' class="number"'
    return ' class="wide"' if heading.wide else ""

"""Plain text read into blocks: paragraphs between blank lines; titles, banners, lists and tables told apart by looks.

Contract: knowledge.md, Brief: the extraction rule.
"""

from __future__ import annotations

import re

from orbit.knowledge.brief.blocks import Block
from orbit.knowledge.brief.cut import joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST_PARAGRAPH = 2000
_UNDERLINE = re.compile(r"\s*([=\-~*#^_+\"'`.])\1{2,}\s*$")
_LIST = re.compile(r"\s*(?:[-*+o•·]|\(?(?:\d{1,3}|[a-z#])[.)])\s+\S")
_COLUMNS = re.compile(r"\S(?:   +|\t+)\S")
_PAIR = re.compile(r"\s*[A-Z][\w /-]{0,30}:(?:\s+\S|\s*$)")
_FIELD = re.compile(r"[A-Z][\w /-]{0,40}:$")
_KEYWORD = re.compile(r".*\$[A-Z]\w+: .*\$|\W*(?:vi|vim|vile|ex):|.*-\*-.*-\*-")  # version control and editor marks
_LETTER = re.compile(r"[^\W\d_]")
_ENUMERATED = re.compile(r"\s*(?:\d{1,2}(?:\.\d{1,2})*[.)]?|[IVX]{1,5}\.)\s+[A-Z]")


def plain_blocks(text: str) -> Iterator[Block]:
    """The blocks of a window of plain text, in reading order."""
    first = True
    for group in _groups(text.expandtabs(8).split("\n")):
        for block in _blocks(_without_frame(group), first):
            yield block
            first = False


def _blocks(lines: list[str], first: bool) -> Iterator[Block]:
    """The blocks of one group of lines; `first` when nothing came before it."""
    in_field = False
    if not lines:
        return
    if len(lines) > 1 and _UNDERLINE.match(lines[1]):
        yield Block("heading", lines[0].strip(), 1 if first else 2)
        lines, first = lines[2:], False
    elif len(lines) > 1 and _FIELD.match(lines[0]):
        yield Block("heading", lines[0].rstrip(":"), 2)
        lines, in_field = lines[1:], True
    lines = _before_list([line for line in lines if not _UNDERLINE.match(line)])
    if not lines:
        yield Block("rule", "")
    elif not in_field and _is_heading(lines, first):
        yield Block("heading", " ".join(lines[0].split()), 1 if first else 2)
    elif not _is_left_out(lines):
        yield Block("text", joined([line.strip() for line in lines])[:_LONGEST_PARAGRAPH])


def _groups(lines: list[str]) -> Iterator[list[str]]:
    group: list[str] = []
    for line in [*lines, ""]:
        if line.strip():
            group.append(line.rstrip())
        elif group:
            yield group
            group = []


def _without_frame(lines: list[str]) -> list[str]:
    """Comment marks and box lines around the text go; a line drawn with punctuation is no text."""
    for mark in ("#", "*", "//", ";", "%", "|"):
        if len(lines) > 1 and all(line.lstrip().startswith(mark) for line in lines):
            lines = [line.strip().lstrip(mark).rstrip(mark if mark in "#*|" else "").strip() for line in lines]
            lines = [line for line in lines if line]
    return [line for line in lines if _UNDERLINE.match(line) or (_is_words(line) and not _KEYWORD.match(line))]


def _before_list(lines: list[str]) -> list[str]:
    """The lines above a list that follows without a blank line."""
    at = next((at for at, line in enumerate(lines) if at and _LIST.match(line)), len(lines))
    return lines[:at] if at < len(lines) and lines[at - 1].endswith((":", ".")) else lines


def _is_words(line: str) -> bool:
    shown = line.replace(" ", "")
    letters = len(_LETTER.findall(shown))
    return letters * 2 >= len(shown) or (letters >= 8 and letters * 3 >= len(shown))


def _is_heading(lines: list[str], first: bool) -> bool:
    if len(lines) > 1:
        return False
    line = lines[0].strip()
    words = line.split()
    if line[-1] in ".!?:,;" and not line.isupper():
        return line[-1] == ":" and len(words) <= 5
    if line.isupper() or (_ENUMERATED.match(line) and len(words) <= 8):
        return True
    centred = lines[0].startswith("        ")
    return len(words) <= (8 if centred or first else 4) and len(line) <= 70


def _is_left_out(lines: list[str]) -> bool:
    """Lists, tables, tables of contents, commands and label: value lines."""
    marked = sum(bool(_LIST.match(line)) for line in lines)
    if _LIST.match(lines[0]) and not (len(lines) > 1 and not marked > 1 and not lines[1].startswith("  ")):
        return True
    pairs = sum(bool(_PAIR.match(line) or _COLUMNS.search(line.strip())) for line in lines)
    if pairs * 2 > len(lines) and (len(lines) > 1 or _COLUMNS.search(lines[0].strip())):
        return True
    command = lines[0].strip().startswith(("$ ", "> ", "% ", "# ", ">>>", "./"))
    return command or (len(lines) > 1 and all(line.startswith("    ") and len(line.split()) < 4 for line in lines))

"""reStructuredText read into blocks: titles, paragraphs and block quotes; directives, lists, tables and code left out.

Contract: knowledge.md, Brief: the extraction rule.
"""

from __future__ import annotations

import re

from orbit.knowledge.brief.blocks import Block, paragraph, visible
from orbit.knowledge.brief.cut import joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST_PARAGRAPH = 2000
_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1+\s*$")
_LIST = re.compile(r"(?:[-*+•‣]|\(?(?:\d{1,3}|[a-zA-Z#])[.)])(?:\s|$)")
_FIELD = re.compile(r":[^:`\s][^:`]{0,80}:(?:\s|$)")
_TABLE = re.compile(r"\+[-=+]{3,}$|=+(?: +=+)+\s*$|\|.*\|$")
_SUBSTITUTION = re.compile(r"^\.\. \|([^|\n]{1,80})\| replace:: *(.*)$", re.MULTILINE)
_TARGET = re.compile(r"^\.\. _`?([^:`\n]{1,120})`?:", re.MULTILINE)
_INLINE = re.compile(
    r"``(?P<literal>.+?)``"
    r"|(?P<role>:[\w:+.-]+:)?`(?P<quoted>[^`]+)`(?P<link>__?)?(?P<after>:[\w+-]+:)?"
    r"|\*\*(?P<strong>[^*]+)\*\*|\*(?P<em>[^\s*](?:[^*]*[^\s*])?)\*"
    r"|\|(?P<name>[^\s|](?:[^|]*[^\s|])?)\|_{0,2}"
    r"|\s?\[(?:\d+|#[\w.-]*|\*|[A-Z]\w+)\]_"
    r"|\\(?P<escaped>.)"
    r"|(?<![\w`])(?P<word>[A-Za-z][\w.-]*?)__?(?![\w`])",
    re.DOTALL,
)


def rst_blocks(text: str, rest: str = "") -> Iterator[Block]:
    """The blocks of a window of reStructuredText, in reading order; `rest` is searched for link targets only."""
    lines = text.expandtabs(8).split("\n")
    names = {name.lower(): value for name, value in _SUBSTITUTION.findall(text)}
    targets = {name.lower() for name in (*_TARGET.findall(text), *_TARGET.findall(rest))}
    styles: list[str] = []
    literal = False
    at = 0
    while at < len(lines):
        line = lines[at]
        heading = _heading(lines, at)
        if not line.strip() or line.rstrip() == "::":
            literal = literal or line.rstrip() == "::"
            at += 1
        elif heading:
            style, title, at = heading
            if style not in styles:
                styles.append(style)
            yield Block("heading", _inline(title, names, targets)[0], styles.index(style) + 1)
            literal = False
        elif line.startswith((" ", "\t")) and literal:
            at = _after_indented(lines, at)
        elif _is_left_out(line):
            at = _after_indented(lines, at + 1)
            literal = False
        elif _TABLE.match(line.strip()) or line.startswith(">>>"):
            at = _after_paragraph(lines, at)
        elif _ADORNMENT.match(line):
            yield Block("rule", "")
            at += 1
        else:
            end = _after_paragraph(lines, at)
            yield from _paragraph(
                [part.strip() for part in lines[at:end]], _is_definition(lines, at, end), names, targets
            )
            literal = lines[end - 1].rstrip().endswith("::")
            at = end


def _heading(lines: list[str], at: int) -> tuple[str, str, int] | None:
    """(style, title, next line) when a title with an underline, or over- and underline, starts here."""
    line = lines[at].rstrip()
    below = lines[at + 1].rstrip() if at + 1 < len(lines) else ""
    if not line or not below:
        return None
    adornment = _ADORNMENT.match(line)
    if adornment and len(line) >= 3 and at + 2 < len(lines):
        under = lines[at + 2].rstrip()
        if under[:1] == line[0] and _ADORNMENT.match(under) and not _ADORNMENT.match(below):
            return line[0] * 2, below.strip(), at + 3
    is_underline = _ADORNMENT.match(below) and below not in ("..", "::") and not below.startswith(">>>")
    if is_underline and not adornment and not line.startswith(" ") and len(below) >= min(3, len(line)):
        return below[0], line, at + 2
    return None


def _is_left_out(line: str) -> bool:
    if line.startswith(("..", "__ ")) and (line in ("..", "__") or line[2:3] == " "):
        return True
    return bool(_LIST.match(line) or _FIELD.match(line) or _LIST.match(line.strip()) or _FIELD.match(line.strip()))


def _is_definition(lines: list[str], at: int, end: int) -> bool:
    """A term with its indented definition below; a long first line is rather a paragraph with a hanging indent."""
    return end > at + 1 and not lines[at].startswith(" ") and lines[at + 1].startswith(" ") and len(lines[at]) < 50


def _after_indented(lines: list[str], at: int) -> int:
    while at < len(lines) and (not lines[at].strip() or lines[at].startswith(" ")):
        at += 1
    return at


def _after_paragraph(lines: list[str], at: int) -> int:
    while at < len(lines) and lines[at].strip():
        at += 1
    return at


def _paragraph(lines: list[str], is_definition: bool, names: dict[str, str], targets: set[str]) -> Iterator[Block]:
    if is_definition:
        return
    if all(line.startswith("| ") for line in lines):  # a line block: each line stands alone
        for line in lines:
            yield from paragraph(*_inline(line[2:], names, targets))
        return
    text, linked = _inline(joined(lines), names, targets)
    if text.endswith("::"):
        text = text[:-2].rstrip() + ":" if text[:-2].strip() else ""
    yield from paragraph(text, linked)


def _inline(source: str, names: dict[str, str], targets: set[str]) -> tuple[str, int]:
    """Plain text of one paragraph and how many characters of it are linked."""
    linked = 0

    def plain(found: re.Match[str]) -> str:
        nonlocal linked
        text, is_link = _plain(found, names, targets)
        linked += visible(text) if is_link else 0
        return text

    text = " ".join(_INLINE.sub(plain, source[:_LONGEST_PARAGRAPH]).split())
    return text, linked


def _plain(found: re.Match[str], names: dict[str, str], targets: set[str]) -> tuple[str, bool]:
    for group in ("literal", "strong", "em", "escaped"):
        if found[group] is not None:
            return found[group].strip(), False
    if found["name"] is not None:
        return names.get(found["name"].lower(), ""), False
    if found["word"] is not None:
        is_link = found["word"].lower() in targets
        return (found["word"] if is_link else found.group()), is_link
    if found["quoted"] is None:
        return "", False  # a footnote mark
    text, _, address = found["quoted"].partition("<")
    if address and text.strip():
        text = text.strip()
    elif address:
        text = address.rstrip("> ")
    text = " ".join(text.split())
    if found["role"] and text.startswith("~"):
        text = text[1:].rpartition(".")[2]
    return text, found["link"] is not None or bool(found["role"] and address)

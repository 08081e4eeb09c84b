"""RDoc read into blocks: headings and paragraphs; lists, labels, verbatim text and directives left out.

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
_HEADING = re.compile(r"(={1,6})\s*(\S.*)$")
_LIST = re.compile(r"(?:[*-]|\d{1,3}\.|[a-zA-Z]\.)\s|\[[^\]]*\](?:\s|$)|\S.{0,60}::(?:\s|$)")
_LINK = re.compile(
    r"(?:\{(?P<braced>(?:[^{}]|\{[^{}]*\})*)\}|(?P<word>[\w.-]+))\[(?P<address>[\w-]+:[^\]\s]*|[^\]\s]*[./][^\]\s]*)\]"
)
_TAG = re.compile(r"</?(?:tt|code|b|em|i|del|s|br|img|a)\b[^<>]*>", re.IGNORECASE)
_SPAN = re.compile(r"(?<![\w*_+])([*_+])([\w:./?!-]+)\1(?![\w*_+])")
_DIRECTIVE = re.compile(r"\s*:(?:\w+):|#?--\s*$|#?\+\+\s*$")


def rdoc_blocks(text: str) -> Iterator[Block]:
    """The blocks of a window of RDoc, in reading order."""
    lines = text.expandtabs(8).split("\n")
    at = 0
    while at < len(lines):
        line = lines[at].rstrip()
        heading = _HEADING.match(line)
        if not line or _DIRECTIVE.match(line):
            at += 1
        elif heading:
            yield Block("heading", _inline(heading[2])[0], len(heading[1]))
            at += 1
        elif re.match(r"-{3,}$", line):
            yield Block("rule", "")
            at += 1
        else:
            end = at
            while end < len(lines) and lines[end].strip() and not _HEADING.match(lines[end]):
                end += 1
            if line.startswith(" ") or _LIST.match(line):
                at = _after_indented(lines, at + 1)
                continue
            yield from paragraph(*_inline(joined(lines[at:end])))
            at = end


def _after_indented(lines: list[str], at: int) -> int:
    while at < len(lines) and lines[at].startswith(" "):
        at += 1
    return at


def _inline(source: str) -> tuple[str, int]:
    """Plain text of one paragraph and how many characters of it are linked."""
    linked = 0

    def link(found: re.Match[str]) -> str:
        nonlocal linked
        text = _TAG.sub("", found["braced"] if found["braced"] is not None else found["word"])
        linked += visible(text)
        return text

    text = _TAG.sub("", _LINK.sub(link, source[:_LONGEST_PARAGRAPH]))
    text = re.sub(r"\brdoc-(?:ref|image|label|link):\S+", "", text)
    text = re.sub(r"\\(?=[A-Za-z<*_+])", "", _SPAN.sub(r"\2", text))
    text = " ".join(text.split())
    return text, linked

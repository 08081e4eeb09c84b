"""Org files read into blocks: headlines and paragraphs; keywords, drawers, blocks, lists and tables left out.

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
_TITLE = re.compile(r"#\+title:\s*(.*)$", re.IGNORECASE)
_HEADLINE = re.compile(r"(\*+)\s+(?:(?:TODO|DONE|WIP|NEXT)\s+)?(?:\[#[A-Z]\]\s+)?(.*?)(?:\s+:[\w@#%:]+:)?\s*$")
_BEGIN = re.compile(r"\s*#\+begin_(\w+)", re.IGNORECASE)
_DRAWER = re.compile(r"\s*:[\w-]+:\s*$")
_LEFT_OUT = re.compile(r"\s*(?:#(?:\+|\s|$)|[|:]|>>>)|\s*(?:[-+]|\d{1,3}[.)])\s|\s+\*\s")
_LINK = re.compile(r"\[\[([^\[\]]*)\](?:\[((?:[^\[\]]|\[[^\[\]]*\])*)\])?\]|<((?:https?|file|mailto):[^<>\s]*)>")
_PICTURE = re.compile(r"\.(?:png|svg|jpe?g|gif|webp)(?:\?.*)?$|badge", re.IGNORECASE)
_SPAN = re.compile(r"(?<![\w/*~=_+])([*/~=_+])(?=\S)(.+?)(?<=\S)\1(?![\w/*~=_+])")
_DROPPED = re.compile(r"\[fn:[^\]]*\]|<<<?[^<>]*>?>>|@@\w+:.*?@@|\\\\\s*$")
_PROSE_BLOCKS = frozenset(("quote", "abstract", "center"))


def org_blocks(text: str) -> Iterator[Block]:
    """The blocks of a window of an Org file, in reading order."""
    lines = text.expandtabs(8).split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        title, headline, begin = _TITLE.match(line), _HEADLINE.match(line), _BEGIN.match(line)
        if title:
            yield Block("heading", _inline(title[1])[0], 1)
            at += 1
        elif headline:
            yield Block("heading", _inline(headline[2])[0], len(headline[1]) + 1)
            at += 1
        elif begin and begin[1].lower() not in _PROSE_BLOCKS:
            at = _after(lines, at, re.compile(rf"\s*#\+end_{re.escape(begin[1])}", re.IGNORECASE))
        elif _DRAWER.match(line):
            at = _after(lines, at, re.compile(r"\s*:end:", re.IGNORECASE))
        elif re.match(r"\s*-{5,}\s*$", line):
            yield Block("rule", "")
            at += 1
        elif not line.strip() or _LEFT_OUT.match(line):
            at = _after_item(lines, at)
        else:
            end = at
            while (
                end < len(lines)
                and lines[end].strip()
                and not _LEFT_OUT.match(lines[end])
                and not _HEADLINE.match(lines[end])
            ):
                end += 1
            yield from paragraph(*_inline(joined(lines[at:end])))
            at = end


def _after(lines: list[str], at: int, closing: re.Pattern[str]) -> int:
    """Behind the line that closes what starts here; what is never closed is taken as a single line."""
    for end in range(at + 1, len(lines)):
        if closing.match(lines[end]):
            return end + 1
    return at + 1


def _after_item(lines: list[str], at: int) -> int:
    """Behind this line and, if it is a list item, its indented continuation."""
    is_item = re.match(r"\s*(?:[-+*]|\d{1,3}[.)])\s", lines[at])
    at += 1
    while is_item and at < len(lines) and lines[at].startswith("  ") and not _LEFT_OUT.match(lines[at]):
        at += 1
    return at


def _inline(source: str) -> tuple[str, int]:
    """Plain text of one paragraph and how many characters of it are linked."""
    linked = 0

    def link(found: re.Match[str]) -> str:
        nonlocal linked
        text = found[2] or found[1] or found[3] or ""
        if _PICTURE.search(text):
            return ""
        linked += visible(text)
        return text

    text = _LINK.sub(link, _DROPPED.sub("", source[:_LONGEST_PARAGRAPH]))
    for _ in range(2):  # emphasis inside emphasis
        text = _SPAN.sub(r"\2", text)
    text = " ".join(text.split())
    return text, linked

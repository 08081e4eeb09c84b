"""AsciiDoc read into blocks: titles and paragraphs; attributes, macros, delimited blocks, lists and tables left out.

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
_ATTRIBUTE = re.compile(r":(!?[\w-]+!?):(?:\s+(.*))?$")
_NAME = re.compile(r"\{([\w-]+)\}")
_HEADING = re.compile(r"(={1,6}|#{1,6})\s+(\S.*)$")
_DELIMITER = re.compile(r"(-{4,}|\.{4,}|={4,}|\*{4,}|\+{4,}|/{4,}|`{3,}\w*|\|===+|,===+|:===+|!===+)\s*$")
_OPEN = re.compile(r"(?:--|_{4,})\s*$")
_LEFT_OUT = re.compile(
    r"(?://|\[.*\]\s*$|\.[^\s.]|(?:image|video|audio|include|toc|ifdef|ifndef|ifeval|endif)::|<<<$|'{3,}$)"
)
_LIST = re.compile(r"\s*(?:[*.\-]{1,5}|\d{1,3}\.|<\.>|\S.{0,60}(?:::|;;))(?:\s|$)")
_AUTHOR = re.compile(r"[^<>]{1,80}<[^<>\s]{1,120}>|v?\d[\w.]*,|\w+ \w+$")
_LINK = re.compile(
    r"(?:link:|xref:|mailto:)?(?P<address>(?:https?://|ftp://|irc://)[^\s\[\]]*|(?<=link:)[^\s\[\]]+|(?<=xref:)[^\s\[\]]+"
    r"|(?<=mailto:)[^\s\[\]]+)(?:\[(?P<text>[^\]]*)\])?"
)
_CROSS = re.compile(r"<<([^<>,]+)(?:,\s*([^<>]+))?>>")
_MACRO = re.compile(
    r"(?:image|icon|footnote|footnoteref|indexterm2?|anchor):[^\[\]]{0,300}\[(?:\"[^\"]*\"|[^\]\"])*\]|\[\[[^\]]*\]\]|\(\(\([^)]*\)\)\)"
)
_KEPT_MACRO = re.compile(r"(?:pass|kbd|btn|menu|stem|latexmath|asciimath):\w*\[([^\]]*)\]")
_SPAN = re.compile(r"(?<![\w*_`+#])(\*\*|\*|__|_|``|`|\+\+\+|\+|##|#)(?=\S)(.+?)(?<=\S)\1(?![\w*_`+#])")
_ROLE = re.compile(r"\[[.#%\w -]*\](?=[#*_`])")


def asciidoc_blocks(text: str) -> Iterator[Block]:
    """The blocks of a window of AsciiDoc, in reading order."""
    lines = [line.rstrip() for line in text.split("\n")]
    attributes: dict[str, str] = {}
    header = False
    at = 0
    while at < len(lines):
        line = lines[at]
        heading, attribute = _HEADING.match(line), _ATTRIBUTE.match(line)
        if not line:
            header = False
            at += 1
        elif attribute:
            attributes[attribute[1].lower()] = attribute[2] or ""
            at += 1
        elif _DELIMITER.match(line):
            at = _after_block(lines, at)
        elif heading or _is_underlined(lines, at):
            level = len(heading[1]) if heading else "=-~^+".find(lines[at + 1][0]) + 1
            yield Block("heading", _inline(heading[2] if heading else line, attributes)[0], level)
            header = level == 1
            at += 1 if heading else 2
        elif _OPEN.match(line) or _LEFT_OUT.match(line) or (header and _AUTHOR.match(line)):
            at += 1
        else:
            end = _after_paragraph(lines, at)
            yield from _paragraph(lines[at:end], attributes)
            at = end


def _is_underlined(lines: list[str], at: int) -> bool:
    below = lines[at + 1] if at + 1 < len(lines) else ""
    return re.fullmatch(r"([=\-~^+])\1+", below) is not None and abs(len(below) - len(lines[at])) <= 2


def _after_block(lines: list[str], at: int) -> int:
    """Behind the delimited block that starts here; an unclosed one is taken as a single line."""
    closing = re.match(r"[^\w\s]+=*", lines[at])
    for end in range(at + 1, len(lines)):
        if closing and lines[end] == closing.group():
            return end + 1
    return at + 1


def _after_paragraph(lines: list[str], at: int) -> int:
    while at < len(lines) and lines[at] and not _DELIMITER.match(lines[at]):
        at += 1
    return at


def _paragraph(lines: list[str], attributes: dict[str, str]) -> Iterator[Block]:
    if _LIST.match(lines[0]) or lines[0].startswith((" ", "|")):
        return
    lines = [line.removesuffix(" +") for line in lines if not line.startswith("//") and not _ATTRIBUTE.match(line)]
    yield from paragraph(*_inline(joined(lines), attributes))


def _inline(source: str, attributes: dict[str, str]) -> tuple[str, int]:
    """Plain text of one paragraph and how many characters of it are linked."""
    linked = 0

    def link(found: re.Match[str]) -> str:
        nonlocal linked
        text = (found["text"] or "").split(",")[0].strip(' "^') or found["address"]
        linked += visible(text)
        return text

    text = source[:_LONGEST_PARAGRAPH]
    for _ in range(3):  # attributes in attributes
        text = _NAME.sub(lambda found: attributes.get(found[1].lower(), "")[:300], text)[:_LONGEST_PARAGRAPH]
    text = text.replace('"`', "“").replace('`"', "”").replace("'`", "‘").replace("`'", "’")
    text = _MACRO.sub("", text)
    text = _KEPT_MACRO.sub(r"\1", text)
    text = _CROSS.sub(lambda found: found[2] or found[1], text)
    text = _LINK.sub(link, text)
    text = _ROLE.sub("", text)
    for _ in range(2):  # emphasis inside emphasis
        text = _SPAN.sub(r"\2", text)
    text = " ".join(text.split())
    return text, linked

"""Markdown read into blocks by a CommonMark parser; the text of a paragraph only when somebody asks for it.

Contract: knowledge.md, Brief: the extraction rule.
"""

from __future__ import annotations

import re

from orbit.knowledge.brief.blocks import Block, paragraph, visible
from orbit.knowledge.brief.cut import joined
from orbit.knowledge.brief.html import html_blocks, image, picture
from orbit.text import safe_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from markdown_it.token import Token

    Inline = Callable[[str], list[Token]]

# An inline parser is quadratic in unclosed brackets: longer paragraphs are cut, walls of brackets are no text.
_LONGEST_INLINE = 2500
_MOST_BRACKETS = 250
_DEFINITION = re.compile(r"^ {0,3}\[[^\]\n\[]{1,200}\]:[ \t]*\n?[ \t]*\S[^\n]{0,400}$", re.MULTILINE)
_MOST_DEFINITIONS = 300
_FOOTNOTE = re.compile(r"^\[\^[\w-]{1,30}\]:.*$|\[\^[\w-]{1,30}\]", re.MULTILINE)
_FRONT = re.compile(r"\A\s*(---|\+\+\+)[ \t]*\n(.*?\n)?(?:\1|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_SUMMARY = re.compile(r"^(?:description|summary|tagline|abstract)\s*[:=]\s*(\S.*)$", re.MULTILINE | re.IGNORECASE)
# Markup that the parser did not take: references without a definition, links cut off, attribute lists.
_LEFTOVERS = (
    (re.compile(r"!\[[^\[\]]*\](?:\([^()]*\)?|\[[^\[\]]*\]?)|\[?!\[[^\[\]]*\Z"), ""),
    (re.compile(r"\[([^\[\]]+)\](?:\[[^\[\]]*\]?|\([^()\s]*(?:\s+\"[^\"]*\"?)?\)?)"), r"\1"),
    (re.compile(r"\[\s*\](?:\([^()]*\)?)?"), ""),
    (re.compile(r"\{[:.#][^{}]{0,200}\}|\{%[^{}]{0,200}%\}"), ""),
)
# Emphasis that the flanking rules refuse, as they do between CJK letters.
_LOOSE_MARKS = re.compile(r"\*\*|__(?=\w)|(?<=\w)__|`")
_ENDS = (".", "!", "?", "。", "！", "？", ":", "：")
_OPENED = ("bullet_list_open", "ordered_list_open", "table_open")
_CLOSED = ("bullet_list_close", "ordered_list_close", "table_close")
_FOLDED = ("details", "table")


def markdown_blocks(text: str, rest: str = "") -> Iterator[Block]:
    """The blocks of the window `text`; `rest` is what follows the window, searched for link definitions only."""
    from markdown_it import MarkdownIt  # 70 ms to import; a cached brief does without

    front = _FRONT.match(text)
    if front:
        summary = _SUMMARY.search(front[2] or "")
        if summary:
            yield Block("summary", summary[1].strip().strip("\"'>|").strip())
        text = text[front.end() :]
    text = _FOOTNOTE.sub("", text)
    definitions = [
        found.group() for found, _ in zip(_DEFINITION.finditer(rest), range(_MOST_DEFINITIONS), strict=False)
    ]
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"]).disable(["inline", "text_join"])
    known: dict[str, Any] = {}
    tokens = parser.parse("\n".join((text, "", safe_text("\n".join(definitions)))), known)

    def inline(source: str) -> list[Token]:
        children: list[Token] = []
        parser.inline.parse(source, parser, known, children)
        return children

    lowered, later = text.lower(), rest.lower()
    folded = [tag for tag in _FOLDED if lowered.count(f"<{tag}") <= lowered.count(f"</{tag}") + later.count(f"</{tag}")]
    yield from _blocks(tokens, inline, folded)


def _blocks(tokens: Sequence[Token], inline: Inline, folded: list[str]) -> Iterator[Block]:
    lists = quotes = hidden = 0
    alert = False
    for at, token in enumerate(tokens):
        if token.type in _OPENED:
            lists += 1
        elif token.type in _CLOSED:
            lists -= 1
        elif token.type == "blockquote_open":
            quotes += 1
            alert = False
        elif token.type == "blockquote_close":
            quotes -= 1
        elif lists:
            continue
        elif token.type == "html_block":
            if not hidden:
                yield from _html(token.content, inline)
            hidden = _still_hidden(token.content.lower(), hidden, folded)
        elif token.type == "hr" and not quotes:
            yield Block("rule", "")
        elif token.type == "inline" and not hidden:
            alert = quotes > 0 and (alert or token.content.startswith("[!"))
            if not alert:
                yield from _paragraph(tokens[at - 1], token.content, inline)


def _still_hidden(source: str, depth: int, folded: list[str]) -> int:
    """How many folded elements are open after a piece of HTML; Markdown inside them is as hidden as they are."""
    opened = sum(source.count(f"<{tag}") - source.count(f"</{tag}") for tag in folded)
    return max(0, depth + opened)


def _html(source: str, inline: Inline) -> Iterator[Block]:
    for block in html_blocks(source):
        if block.kind != "image" and any(mark in block.text for mark in "*`[_"):
            texts = [piece.text for piece in _pieces(block.text, inline) if piece.kind == "text"]
            yield block.replace(text=joined(texts))
        else:
            yield block


def _paragraph(opening: Token, source: str, inline: Inline) -> Iterator[Block]:
    pieces = list(_pieces(source, inline))
    text = joined([piece.text for piece in pieces if piece.kind == "text"])
    if opening.type != "heading_open" or _is_underlined_prose(opening, text):
        yield from pieces
        return
    yield from (piece for piece in pieces if piece.kind == "image")
    yield Block("heading", text, int(opening.tag[1:]))


def _is_underlined_prose(opening: Token, text: str) -> bool:
    """A rule right under a paragraph makes a setext heading of it; a full sentence is no heading."""
    return opening.markup == "-" and text.endswith((".", "。")) and len(text.split()) >= 8


def _pieces(source: str, inline: Inline) -> Iterator[Block]:
    """The paragraph, parted where a hard break ends a sentence or begins or ends a line of links."""
    source = source[:_LONGEST_INLINE]
    if source.count("[") > _MOST_BRACKETS:
        return
    pending: Block | None = None
    for piece in _lines(inline(source)):
        if piece.kind == "image":
            yield piece
        elif pending is None:
            pending = piece
        elif pending.text.endswith(_ENDS) or max(pending.linked, piece.linked) > 0.8:
            yield pending
            pending = piece
        else:
            text = joined([pending.text, piece.text])
            pending = Block("text", text, 0, (pending.linked + piece.linked) / 2)
    if pending is not None:
        yield pending


def _lines(children: Sequence[Token]) -> list[Block]:
    """Inline tokens as plain text, a block for each line that a hard break ends, and pictures."""
    blocks: list[Block] = []
    parts: list[str] = []
    links = linked = 0
    for name, content, shown in [*map(_meaning, children), ("hardbreak", "", None)]:
        if shown is not None:
            blocks.append(shown)
        elif name == "hardbreak":
            text = _without_leftovers(joined("".join(parts).split("\n")))
            blocks += paragraph(text, linked)
            parts, linked = [], 0
        elif name == "link_open":
            links += 1
        elif name == "link_close":
            links = max(0, links - 1)
        elif content:
            parts.append(content)
            linked += visible(content) if links else 0
    return blocks


def _meaning(token: Token) -> tuple[str, str, Block | None]:
    """(what the token does, its text, the picture it shows)."""
    name, content = token.type, token.content
    if name == "image":
        return name, "", picture(content, str(token.attrGet("src") or ""))
    if name == "html_inline":
        tag = content.lower()
        if tag.startswith("<img"):
            return "image", "", image(content)
        starts = {"<br": "hardbreak", "<a ": "link_open", "<a>": "link_open", "</a": "link_close"}
        return starts.get(tag[:3], name), "", None
    if name == "softbreak":
        return name, "\n", None
    if name == "text":
        return name, _LOOSE_MARKS.sub("", content), None
    return name, content if name in ("text_special", "code_inline") else "", None


def _without_leftovers(text: str) -> str:
    if "[" in text or "{" in text:
        for pattern, replacement in _LEFTOVERS:
            text = pattern.sub(replacement, text)
    return " ".join(text.split())

"""HTML inside a README read into blocks: banners, taglines and titles that are written as tags.

Contract: knowledge.md, Brief: the extraction rule. A tag scanner, not a parser: it must survive anything and needs
only where text starts, ends and is linked.
"""

from __future__ import annotations

import re
from html import unescape

from orbit.knowledge.brief.blocks import Block, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_TAG = re.compile(r"<(/?)([A-Za-z][\w:-]*)((?:\"[^\"]*\"|'[^']*'|[^<>\"'])*+)>")
_LONGEST_TAG = 3000
_ATTRIBUTE = re.compile(r"\b(alt|src)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))", re.IGNORECASE)

_BADGE = re.compile(
    r"badge|shields\.io|travis-ci|circleci|codecov|coveralls|appveyor|workflows/|goreportcard|david-dm|snyk\.io"
    r"|star-history|contrib\.rocks|opencollective|githubusercontent\.com/u/",
    re.IGNORECASE,
)

_BREAKING = frozenset((
    "address", "article", "aside", "blockquote", "body", "br", "center", "dd", "div", "dl", "dt", "figcaption",
    "figure", "footer", "form", "header", "hr", "html", "main", "nav", "p", "section", "td", "th", "tr", "h1",
    "h2", "h3", "h4", "h5", "h6",
))  # fmt: skip
_WRAPPING = _BREAKING - {"br", "hr"}
# Small print, keys, lists, tables and code: none of them says what a project is.
_SKIPPED = frozenset((
    "button", "code-block", "details", "head", "iframe", "kbd", "math", "noscript", "ol", "picture", "pre",
    "script", "select", "style", "sub", "summary", "sup", "svg", "table", "template", "textarea", "title", "ul",
    "video", "audio",
))  # fmt: skip


def html_blocks(source: str) -> list[Block]:
    """Headings, texts and pictures of a piece of HTML, in reading order; comments and small print are dropped."""
    scan = _Scan()
    for piece in _pieces(source):
        if isinstance(piece, str):
            scan.text(unescape(piece))
        else:
            scan.tag(piece)
    scan.flush()
    return scan.blocks


def image(tag: str) -> Block | None:
    """The alternative text of an `<img>` tag; None for a badge or a picture without words."""
    found = {name.lower(): a or b or c for name, a, b, c in _ATTRIBUTE.findall(tag[:_LONGEST_TAG])}
    return picture(unescape(found.get("alt", "")), found.get("src", ""))


def picture(alternative: str, address: str) -> Block | None:
    """The block of a picture that is no badge."""
    text = " ".join(alternative.split())
    return Block("image", text) if text and not _BADGE.search(address) else None


def _pieces(source: str) -> Iterator[str | re.Match[str]]:
    """Texts and tags in turn; comments, declarations and what looks like a tag but is none are no tags."""
    at, last = 0, source.rfind(">")
    while at < len(source):
        start = source.find("<", at)
        is_comment = start >= 0 and source.startswith("<!--", start)
        if start < 0 or (start > last and not is_comment):
            yield source[at:]
            return
        if start > at:
            yield source[at:start]
        if is_comment:
            end = source.find("-->", start + 4)
            if end < 0:
                return
            at = end + 3
            continue
        tag = _TAG.match(source, start, start + _LONGEST_TAG)
        if source[start + 1 : start + 2] in "!?" and start < last:  # a declaration
            at = source.find(">", start) + 1
        elif tag:
            yield tag
            at = tag.end()
        else:
            yield "<"
            at = start + 1


class _Scan:
    """Where the scanner is: what is open, and the text gathered since the last break."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._parts: list[str] = []
        self._linked = self._links = self._depth = self._level = 0
        self._hidden: list[str] = []
        self._continues = False

    def text(self, value: str) -> None:
        if self._hidden or not value:
            return
        self._parts.append(value)
        if self._links:
            self._linked += visible(value)

    def tag(self, tag: re.Match[str]) -> None:
        closing, name = bool(tag[1]), tag[2].lower()
        if name in _SKIPPED or self._hidden:
            self._hide(name, closing)
        elif name == "a":
            self._links = max(0, self._links - 1) if closing else self._links + 1
        elif name == "img":
            shown = image(tag[0])
            if shown:
                self.blocks.append(shown)
        elif name in _BREAKING:
            self._break(name, closing)

    def _hide(self, name: str, closing: bool) -> None:
        if name not in _SKIPPED:
            return
        if not closing:
            self._hidden.append(name)
        elif name in self._hidden:
            while self._hidden.pop() != name:
                pass

    def _break(self, name: str, closing: bool) -> None:
        self.flush()
        self._continues = name == "br"
        if name == "hr":
            self.blocks.append(Block("rule", ""))
        if name in _WRAPPING:
            self._depth = max(0, self._depth - 1) if closing else self._depth + 1
        if len(name) == 2 and name[0] == "h" and name[1].isdigit():
            self._level = 0 if closing else int(name[1])

    def flush(self) -> None:
        text, linked = " ".join("".join(self._parts).split()), self._linked
        self._parts, self._linked = [], 0
        if not text:
            return
        share = linked / visible(text)
        last = self.blocks[-1] if self._continues and self.blocks else None
        if self._level:
            self.blocks.append(Block("heading" if self._level == 1 else "banner", text, self._level, share))
        elif last and last.kind == "html" and _continues(last.text, text):
            self.blocks[-1] = last.replace(text=f"{last.text} {text}", linked=min(last.linked, share))
        else:
            self.blocks.append(Block("html" if self._depth else "text", text, 0, share))


def _continues(before: str, text: str) -> bool:
    return (text[:1].islower() and before[-1:] not in ".!?:") or before[-1:] == ","

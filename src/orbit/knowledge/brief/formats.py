"""The formats of a README: which one a file has, and its reader.

Contract: knowledge.md, Brief: the extraction rule.
"""

from __future__ import annotations

import re

from orbit.knowledge.brief.asciidoc import asciidoc_blocks
from orbit.knowledge.brief.html import html_blocks
from orbit.knowledge.brief.markdown import markdown_blocks
from orbit.knowledge.brief.org import org_blocks
from orbit.knowledge.brief.plain import plain_blocks
from orbit.knowledge.brief.rdoc import rdoc_blocks
from orbit.knowledge.brief.rst import rst_blocks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from orbit.knowledge.brief.blocks import Block, Kind

_MARKDOWN = ("md", "markdown", "mdown", "mkd", "mkdn", "mdx", "qmd", "rmd")
_SUFFIXES = {
    **dict.fromkeys(_MARKDOWN, "markdown"),
    **dict.fromkeys(("html", "htm", "xhtml"), "html"),
    **dict.fromkeys(("adoc", "asciidoc", "asc"), "asciidoc"),
    **dict.fromkeys(("rst", "rest"), "rst"),
    "org": "org",
    "rdoc": "rdoc",
}
_WHOLE_HTML: dict[str, Kind] = {"html": "text", "banner": "heading"}


def blocks(text: str, rest: str, filename: str) -> Iterator[Block]:
    """The blocks of a README's window `text`; `rest` is what follows it, searched for link definitions only."""
    form = format_of(text, filename)
    if form == "markdown":
        return markdown_blocks(text, rest)
    if form == "rst":
        return rst_blocks(text, rest)
    return _READERS[form](text)


def format_of(text: str, filename: str) -> str:
    """By the name's suffix; a name without a known one is plain text unless it looks otherwise."""
    _, dot, suffix = filename.rpartition("/")[2].rpartition(".")
    known = _SUFFIXES.get(suffix.lower(), "") if dot else ""
    return known or _looks_like(text)


def _looks_like(text: str) -> str:
    def has(pattern: str) -> bool:
        return re.search(pattern, text, re.MULTILINE) is not None

    if has(r"\]\([^)\s]{1,500}\)|^#{1,6} \w.*\n\s*\n|^```|^</?(?:p|div|h\d|img)\b"):
        return "markdown"
    if has(r"^\.\. (?:[\w-]+::|_|\|)|`[^`\n]{1,300} <[^>\n]{1,300}>`_|^[^\s].*::\n\s*\n +\S"):
        return "rst"
    return "org" if has(r"(?i)^#\+(?:title|author|begin_\w+)\b") else "plain"


def _page_blocks(text: str) -> Iterator[Block]:
    """A file that is HTML as a whole: its text is the text, no banner beside it."""
    return (block.replace(kind=_WHOLE_HTML.get(block.kind, block.kind)) for block in html_blocks(text))


_READERS: dict[str, Callable[[str], Iterator[Block]]] = {
    "html": _page_blocks,
    "asciidoc": asciidoc_blocks,
    "org": org_blocks,
    "rdoc": rdoc_blocks,
    "plain": plain_blocks,
}

"""The line of a card that says what the repository is.

Contract: refinements.md, 29 (card briefs); knowledge.md, The card.
"""

from __future__ import annotations

import re

from orbit.knowledge.brief.cut import folded
from orbit.knowledge.brief.markdown import markdown_blocks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.knowledge.brief.blocks import Block

_MOSTLY_LINKS = 0.9
_AFTER_NAME = re.compile(r"\S+(?:\s\S+){0,2}?\s?(?:\s[-–—|]{1,3}\s|:\s|：)\s*(?P<text>\S.*)")
_COMMENTS = re.compile(r"\A(?:\s*<!--.*?-->)+", re.DOTALL)


def card_line(text: str, rest: str = "") -> str:
    """The uncut brief of a card: its first line if that is prose, else its first paragraph, else its title's own words.

    "" when none of them is there. `rest` is what follows the part that is read, for link definitions.
    """
    blocks = [block for block in markdown_blocks(text, rest) if block.kind in ("heading", "text") and _is_prose(block)]
    if not blocks:
        return ""
    if blocks[0].kind == "text":
        return _first_line(text, blocks[0])
    title = folded(blocks[0].text)
    own = next((block.text for block in blocks[1:2] if block.kind == "text"), "")
    return (
        own or _after_name(title) or next((block.text for block in blocks if block.kind == "text"), "") or _words(title)
    )


def _is_prose(block: Block) -> bool:
    return bool(block.text.strip()) and block.linked < _MOSTLY_LINKS


def _first_line(text: str, paragraph: Block) -> str:
    """The paragraph's first line, unless it goes on in the middle of a sentence."""
    lines = _COMMENTS.sub("", text).lstrip().split("\n", 2)
    first = next((block.text for block in markdown_blocks(lines[0]) if block.kind == "text"), "")
    goes_on = len(lines) > 1 and lines[1].strip()[:1].islower() and first[-1:] not in ".!?。！？:"
    return first if first and not goes_on and paragraph.text.startswith(first) else paragraph.text


def _after_name(title: str) -> str:
    """ "name - text" and "name: text" without the name; "" when nothing follows a name."""
    found = _AFTER_NAME.fullmatch(title)
    return found["text"].strip() if found else ""


def _words(title: str) -> str:
    """A title of several words says something; a single one is the repository's name."""
    return title if len(title.split()) > 1 else ""

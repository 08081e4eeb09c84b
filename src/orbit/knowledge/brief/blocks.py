"""What every format of README is read into, so that one rule chooses among paragraphs."""

from __future__ import annotations

from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Kind = Literal["heading", "banner", "text", "html", "rule", "image", "summary"]


class Block(Record):
    """One piece of a README in reading order.

    `heading` (its level; 1 is the title's), `banner` a lower heading written in HTML, `text` a paragraph, `html` text
    inside an HTML block, `rule` a thematic break, `image` the alternative text of a picture, `summary` the description
    in the front matter. `linked` is the share of the text (0 to 1) that is inside links.
    """

    kind: Kind
    text: str
    level: int = 0
    linked: float = 0.0


def paragraph(text: str, linked: int) -> list[Block]:
    """The block of a paragraph of which `linked` characters (blanks not counted) are inside links; none for no text."""
    share = linked / max(1, len(text.replace(" ", "")))
    return [Block("text", text, 0, min(1.0, share))] if text else []


def visible(text: str) -> int:
    """How many characters of a text count in the share of links."""
    return len("".join(text.split()))

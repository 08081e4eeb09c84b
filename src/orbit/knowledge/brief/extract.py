"""The brief of a repository: one line that says what the thing is, taken from its card or its README.

Contract: knowledge.md, Brief: the extraction rule; refinements.md, 29. Pure: no file is read here. The readers of the
formats are imported when they are needed: a pool whose briefs are cached needs none of them.
"""

from __future__ import annotations

from orbit.text import safe_text

LIMIT = 120  # characters (code points) of a brief

# What a brief can be found in. A README may be a book, a line may be a megabyte.
_LINES = 200
_FIRST_LINES = 60  # most READMEs have said it by then
_CHARACTERS = 40_000
_LINE = 4_000
_REST = 200_000


def readme_brief(text: str, filename: str) -> str:
    """One line of at most `LIMIT` characters that says what the README's project is; "" when it does not say.

    `filename` decides how the text is read; a name without a known suffix is plain text unless it looks otherwise.
    """
    # Patterns and word lists: 30 ms that a cached brief does not need.
    from orbit.knowledge.brief.choose import chosen
    from orbit.knowledge.brief.cut import cut
    from orbit.knowledge.brief.formats import blocks

    brief = ""
    for most in (_FIRST_LINES, _LINES):
        window, rest = _window(text, most)
        brief, is_final = chosen(blocks(window, rest, filename))
        if is_final or not rest:
            break
    return cut(brief, LIMIT)


def card_brief(text: str) -> str:
    """The brief of a card: its first line if that is prose, else its first paragraph, else its title's own words.

    "" when none of them is there.
    """
    # As above.
    from orbit.knowledge.brief.card import card_line
    from orbit.knowledge.brief.cut import cut

    window, rest = _window(text, _LINES)
    return cut(card_line(window, rest), LIMIT)


def decode(data: bytes) -> str | None:
    """The text of a file: UTF-8 (or UTF-16 with its mark), wrong bytes replaced, the mark dropped.

    None when it holds NUL: that is no text.
    """
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    text = data.decode(encoding, "replace")
    return None if "\0" in text else text


def _window(text: str, most: int) -> tuple[str, str]:
    """(the part that is read, made safe to show; a part after it in which link definitions are looked up).

    The part ends with a paragraph, not inside one, if there is a blank line in it.
    """
    head = text[: 2 * _CHARACTERS].replace("\r\n", "\n").replace("\r", "\n")
    lines = head.split("\n")
    if len(lines) > most:
        lines = lines[: next((at for at in range(most, 0, -1) if not lines[at].strip()), most)]
    taken = sum(map(len, lines)) + len(lines)
    window = "\n".join(line[:_LINE] for line in lines)[:_CHARACTERS]
    return safe_text(window), text[taken : taken + _REST]

"""A bash command line up to the cursor, as bash reads it; and a value as bash would have to be told it.

bash hands a completion function its own, differently cut words, and inserts what it gets back without quoting it.
"""

from __future__ import annotations

from orbit.record import Record

_BLANKS, _ENDS = " \t\n", ";|&()\n"
# Characters that mean nothing to bash, history and brace expansion included.
_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./,:=@%+-")


class Typed(Record):
    """`words` on the left of the cursor with the command's own name, and the word under it, all without their quotes.

    `kept` characters of `current` stay as they are: readline replaces what follows them. `quote` is the one that is
    open at the cursor, or "".
    """

    words: tuple[str, ...]
    current: str
    kept: int
    quote: str


def read_line(line: str, breaks: str) -> Typed:
    """Read the line up to the cursor; `breaks` is bash's COMP_WORDBREAKS."""
    words = list[str]()
    text, quote, kept, outside = "", "", 0, 0
    begun = False
    characters = iter(line)
    for c in characters:
        if c == quote:
            quote, kept = "", outside  # readline replaces a quoted part that has ended as a whole
        elif quote == "'" or (quote and c != "\\"):
            text += c
        elif c == "\\":
            escaped = next(characters, "")
            text += escaped if not quote or escaped in '$`"\\' else c + escaped
            begun = True
        elif c in "'\"":
            quote, outside, kept, begun = c, kept, len(text), True
        elif c in _BLANKS or c in _ENDS:
            if begun:
                words.append(text)
            if c in _ENDS:
                words.clear()
            text, kept, begun = "", 0, False
        else:
            text += c
            begun = True
            kept = len(text) if c in breaks else kept
    while words and _is_assignment(words[0]):
        del words[0]
    return Typed(tuple(words), text, kept, quote)


def _is_assignment(word: str) -> bool:
    name, equals, _ = word.partition("=")
    return bool(equals) and name.isidentifier()


def quoted(value: str, quote: str) -> str:
    """The value as it has to stand on the line, inside the quote that is open already."""
    if quote == "'":
        return value.replace("'", "'\\''")
    if quote == '"':
        for special in '\\"$`':
            value = value.replace(special, "\\" + special)
        return value.replace("!", "\"'!'\"")  # in double quotes history expansion knows no escape
    return "".join(c if c in _PLAIN or c.isalnum() else "\\" + c for c in value)

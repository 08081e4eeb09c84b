"""Text and query become words by this one way, so that what looks alike meets: `authService`, `auth-service`, `AUTH`.

Pure. Contract: knowledge.md, Roster; refinements.md, 36.
"""

from __future__ import annotations

from orbit.knowledge.search.stem import stem

_LONGEST = 64  # characters of a word; what is longer is no word
# Scripts that write without blanks: pairs of neighbours stand for words.
_UNSPACED = (
    *((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF)),  # Thai, Lao, Burmese, Khmer
    *((0x3005, 0x3007), (0x3040, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF)),  # kana and Han
    *((0xAC00, 0xD7AF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF)),  # Hangul, more Han
)
_JOINERS = "-_."
# Names of languages that their signs make.
_SIGNED = {"c++": "cpp", "c#": "csharp", "f#": "fsharp"}


def split(text: str) -> list[str]:
    """The words of a text, in order, lower case, stemmed; a compound gives its parts and itself in one piece."""
    words: list[str] = []
    for chunk in _chunks(text):
        parts = [part for piece in _pieces(chunk) for part in _parts(piece)]
        if len(parts) == 1:
            words += _forms(parts[0])
            continue
        for part in parts:
            if len(part) > 1:
                words += _forms(part)
        whole = "".join(parts).lower()
        if len(parts) > 1 and len(whole) <= _LONGEST:
            words += _forms(whole)
    return words


def _chunks(text: str) -> list[str]:
    """Runs of letters, digits and what joins them: an identifier stays together."""
    if not text.isascii():
        text = _folded(text.replace("\u2019", "'"))
    if "'" in text:
        text = text.replace("'s", "s").replace("'t", "t")
    if "+" in text or "#" in text:
        lowered = text.lower()
        for signed, plain in _SIGNED.items():
            if signed in lowered:
                text = lowered = _replaced(lowered, signed, plain)
    return text.translate(_ASCII_BLANKS if text.isascii() else _Blanks()).split()


_ASCII_BLANKS = {code: " " for code in range(128) if not chr(code).isalnum() and chr(code) not in _JOINERS}


class _Blanks(dict[int, str]):
    """Everything but letters, digits, marks and joiners becomes a blank; learnt as it is met."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        # A mark belongs to the letter before it: it is kept where no composed letter exists.
        kept = character.isalnum() or character in _JOINERS or (code > 0x2FF and _is_mark(character))
        self[code] = character if kept else " "
        return self[code]


def _is_mark(character: str) -> bool:
    from unicodedata import category  # only text that is not ASCII

    return category(character)[0] == "M"


def _replaced(text: str, signed: str, plain: str) -> str:
    """`signed` as a word of its own: `gcc+++` holds no `c++`."""
    before, *rest = text.split(signed)
    for after in rest:
        own = not before[-1:].isalnum() and after[:1] not in ("+", "#") and not after[:1].isalnum()
        before += (plain if own else signed) + after
    return before


def _folded(text: str) -> str:
    """Compatible forms made one (full-width letters), and accents of Latin, Greek and Cyrillic letters dropped."""
    from unicodedata import normalize  # only text that is not ASCII

    bare = "".join(c for c in normalize("NFKD", text) if not "\u0300" <= c <= "\u036f")
    return normalize("NFC", bare)


def _pieces(chunk: str) -> list[str]:
    for joiner in _JOINERS:
        chunk = chunk.replace(joiner, " ")
    return chunk.split()


def _parts(piece: str) -> list[str]:
    """`authService2` as auth, Service, 2; `HTTPServer` as HTTP, Server."""
    if piece.isalpha() and (piece.islower() or piece.isupper() or piece[1:].islower()):
        return [piece]
    parts, begin = [], 0
    for at in range(1, len(piece)):
        if _is_border(piece, at):
            parts.append(piece[begin:at])
            begin = at
    return [*parts, piece[begin:]]


def _is_border(piece: str, at: int) -> bool:
    before, here = piece[at - 1], piece[at]
    if here.isdecimal() != before.isdecimal():
        return True
    if not here.isupper():
        return False
    return before.islower() or (before.isupper() and piece[at + 1 : at + 2].islower())


def _forms(part: str) -> list[str]:
    """The stem of a part; pairs of characters for scripts without blanks."""
    if part.isascii():
        return [stem(part[:_LONGEST].lower())]
    words, run = [], ""
    for character in part:
        if is_unspaced(character):
            if run and not is_unspaced(run[-1]):
                words.append(run[:_LONGEST].casefold())
                run = ""
        elif run and is_unspaced(run[-1]):
            words += _pairs(run)
            run = ""
        run += character
    if run:
        words += _pairs(run) if is_unspaced(run[-1]) else [run[:_LONGEST].casefold()]
    return words


def is_unspaced(character: str) -> bool:
    code = ord(character)
    return code >= 0x0E00 and any(first <= code <= last for first, last in _UNSPACED)


def _pairs(run: str) -> list[str]:
    """Each character with the next; the last also alone, so that one character finds itself by its prefix."""
    return [run[at : at + 2] for at in range(len(run))]

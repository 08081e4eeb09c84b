"""Folding and cutting: from a paragraph to one short line.

Contract: knowledge.md, Brief: the extraction rule. Pure.
"""

from __future__ import annotations

import re
import unicodedata

from orbit.knowledge.brief import words as known
from orbit.text import safe_line

# Invisible characters that neither join a grapheme nor show anything: soft hyphen, zero-width space, word joiners.
_UNSEEN = dict.fromkeys((0xAD, 0x200B, *range(0x2060, 0x2065)))

_END = re.compile(r"[.!?…]+[\"'”’»)\]*_]*(?=\s|$)|[。！？｡]+[」』）】”’]*")
_SPACELESS = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\uff66-\uff9d\U00020000-\U0003ffff]"
)
_WIDE = re.compile("[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff60]")
_LONG_WORD = 40


def folded(text: str) -> str:
    """One line: white space folded, control and invisible characters gone."""
    return " ".join(safe_line(text).translate(_UNSEEN).split())


def joined(lines: list[str]) -> str:
    """The lines of a soft-wrapped paragraph as one: a break between characters of a script without blanks is none."""
    text = lines[0] if lines else ""
    for line in lines[1:]:
        wide = _WIDE.match(text[-1:]) and _WIDE.match(line.lstrip()[:1])
        text = text.rstrip() + line.lstrip() if wide else f"{text} {line}"
    return " ".join(text.split())


def spaceless(text: str) -> bool:
    """Whether the text holds a script that is written without blanks between words (Chinese, Japanese, Thai…)."""
    return _SPACELESS.search(text) is not None


def cut(text: str, limit: int) -> str:
    """The text folded, whole if it has at most `limit` characters, else its first sentences, else cut with `…`."""
    text = folded(text)
    if len(text) <= limit:
        return text
    fitting = max((end for end in sentence_ends(text[: 2 * limit]) if end <= limit), default=0)
    if fitting and _says_something(text[:fitting]):
        return text[:fitting]
    # A clause closed by a semicolon stands on its own as a sentence does.
    clause = text.rfind("; ", 0, limit)
    if clause > 0 and _says_something(text[:clause]):
        return text[:clause]
    return _cut_at_word(text, limit)


def first_sentence(text: str) -> str:
    """The text up to the end of its first sentence; all of it if it has no end."""
    ends = sentence_ends(text)
    return text[: ends[0]] if ends else text


def sentence_ends(text: str) -> list[int]:
    """Where sentences end (exclusive offsets) in folded text, ends of brackets and quotes included."""
    return [found.end() for found in _END.finditer(text) if _is_end(text, found.start(), found.end())]


def _is_end(text: str, start: int, end: int) -> bool:
    if text[start] in "。！？｡":
        return True
    if start == 0 or text[start - 1].isspace():
        return False
    opened = text.count("(", 0, start) - text.count(")", 0, start)
    if opened > 0 and ")" in text[end:] and ")" not in text[start:end]:
        return False
    following = text[end:].lstrip()[:1]
    if not following:
        return True
    if following.islower() and end > start + 1:  # a bracket or quote closed inside the sentence
        return False
    if text[start] == ".":
        return _full_stop_ends(text, start, following)
    return not following.islower()


def _full_stop_ends(text: str, start: int, following: str) -> bool:
    begin = text.rfind(" ", 0, start) + 1
    word = text[begin:start].strip("(\"'“‘*_[")
    lowered = word.lower()
    if lowered in known.NEVER_END or (text.startswith("..", start) and following.islower()):
        return False
    if word.isdigit():  # "1. First": a number that opens the text or a sentence is no sentence
        return begin > 0 and text[begin - 2 : begin - 1] not in ".!?:;"
    if lowered in known.MAY_END or (len(word) > 1 and re.fullmatch(r"(?:\w\.)+\w", word)):
        return following.isupper() or not following.isalnum()
    if len(word) == 1 and word.isupper():  # an initial ("Ada B. Clay"), unlike "written in C. It is fast"
        previous = text[:begin].split()[-1:]
        return not (previous and previous[0][:1].isupper())
    return not following.islower() or len(word) > 2


def _says_something(text: str) -> bool:
    return len(text.split()) >= 2 or (spaceless(text) and len(text) >= 6)


def _cut_at_word(text: str, limit: int) -> str:
    """Up to the last blank that leaves room for `…`; up to a character in a script without blanks.

    "" when what is seen as the first character does not fit.
    """
    room = limit - 1
    at = text.rfind(" ", 0, room + 1)
    by_character = spaceless(text[max(at, 0) : room + 1])
    if at <= 0 or by_character:
        at = _grapheme_start(text, room)
        if by_character and at > 0:
            at = _latin_word_start(text, at)
    kept = text[:at].rstrip()
    while kept and kept[-1] in ",;:–—-([{/|&、，；：（「":
        kept = kept[:-1].rstrip()
    return f"{kept}…" if kept else ""


def _latin_word_start(text: str, at: int) -> int:
    """Back to the start of a Latin word that the cut would split inside a script without blanks."""
    back = at
    while back > 0 and at - back < _LONG_WORD and _is_latin(text[back]) and _is_latin(text[back - 1]):
        back -= 1
    return back if back > 0 and at - back < _LONG_WORD else at


def _is_latin(character: str) -> bool:
    return character.isascii() and character.isalnum()


def _grapheme_start(text: str, at: int) -> int:
    """The nearest place at or before `at` that does not split what is seen as one character."""
    while 0 < at < len(text) and _joined(text, at):
        at -= 1
    return at


def _joined(text: str, at: int) -> bool:
    after, before = text[at], text[at - 1]
    code = ord(after)
    if unicodedata.category(after) in ("Mn", "Me", "Mc") or after == "\u200d" or code in (0x0E33, 0x0EB3):
        return True
    if 0x1F3FB <= code <= 0x1F3FF or 0xE0020 <= code <= 0xE007F or 0x1160 <= code <= 0x11FF:
        return True
    if before == "\u200d" or unicodedata.combining(before) == 9:  # a joiner; a virama binds the next consonant
        return True
    if _flag(after) and _flag(before):
        run = at
        while run > 0 and _flag(text[run - 1]):
            run -= 1
        return (at - run) % 2 == 1
    return 0x1100 <= ord(before) <= 0x115F and 0x1100 <= code <= 0x115F


def _flag(character: str) -> bool:
    return 0x1F1E6 <= ord(character) <= 0x1F1FF

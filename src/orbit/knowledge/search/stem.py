"""A light stemmer for English: forms of one word meet, different words stay apart where that is cheap to tell.

Lighter than Porter's on endings that make other words (`customer` is not `custom`), heavier on those that name deeds
(`payment` is `pay`, `authentication` is `authenticate`). Pure. Contract: knowledge.md, Roster.
"""

from __future__ import annotations

_VOWELS = frozenset("aeiouy")
# Their endings are none.
_WHOLE = """
always analysis anything canvas chaos comment during evening everything focus gross moment morning news nothing process
progress something spring status string thing virus
"""
_UNCHANGED = frozenset(_WHOLE.split())
# Each with its other forms.
_FORMS = """
begin began begun, break broke broken, build built, buy bought, catch caught, choose chose chosen, find found,
forget forgot forgotten, freeze froze frozen, grow grew grown, hide hid hidden, hold held, index indices, lead led,
leave left, lose lost, matrix matrices, meet met, pay paid, person people, run ran, sell sold sale sales, send sent,
speak spoke spoken, spend spent, steal stole stolen, teach taught, throw threw thrown, wake woke woken,
write wrote written
"""
_IRREGULAR = {form: word for word, *forms in (line.split() for line in _FORMS.split(",")) for form in forms}
# (ending, what takes its place, least letters before it); the first that fits is taken.
_DEEDS = (
    *(("ifications", "if", 2), ("ification", "if", 2), ("ified", "if", 2), ("ifies", "if", 2), ("ifier", "if", 2)),
    *(("ifying", "if", 2), ("ify", "if", 2)),
    *(("isations", "iz", 3), ("izations", "iz", 3), ("isation", "iz", 3), ("ization", "iz", 3)),
    *(("ations", "", 4), ("ation", "", 4), ("ators", "", 4), ("ator", "", 4), ("ating", "", 4)),
    *(("ated", "", 4), ("ates", "", 4), ("ate", "", 4)),
    *(("ising", "iz", 4), ("izing", "iz", 3), ("ised", "iz", 4), ("ized", "iz", 3), ("ises", "iz", 4)),
    *(("izes", "iz", 3), ("ise", "iz", 4), ("ize", "iz", 3)),
    *(("ments", "", 3), ("ment", "", 3)),
    *(("nesses", "", 3), ("ness", "", 3)),
    *(("ctions", "ct", 2), ("ction", "ct", 2), ("ptions", "pt", 2), ("ption", "pt", 2)),
    *(("ssions", "ss", 2), ("ssion", "ss", 2)),
    *(("ings", "", 3), ("ing", "", 3), ("ied", "y", 2), ("ed", "", 3)),
)


def stem(word: str) -> str:
    """The stem of a word in lower case; what has digits, few letters or others than a to z comes back as it is."""
    word = _IRREGULAR.get(word, word)
    if len(word) < 4 or not word.isalpha() or not word.isascii():
        return word
    word = word if word in _UNCHANGED else _singular(word)
    if word in _UNCHANGED:
        return word
    for ending, instead, least in _DEEDS:
        if word.endswith(ending) and len(word) - len(ending) >= least:
            begin = word[: -len(ending)]
            if not _VOWELS.isdisjoint(begin):
                return _plain(begin + instead)
    return _plain(word)


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _plain(word: str) -> str:
    """Without a silent `e`, a doubled last letter, or the difference of a last `y` and `i`."""
    if len(word) > 3 and word[-1] == "e":
        word = word[:-1]
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiosz":
        word = word[:-1]
    if len(word) > 2 and word[-1] == "i":
        word = word[:-1] + "y"
    return word

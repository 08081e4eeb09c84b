"""A goal or some words as a question: the stems themselves, their beginnings, what else they are called.

Pure. Contract: knowledge.md, Roster; refinements.md, 36.
"""

from __future__ import annotations

from itertools import pairwise

from orbit.knowledge.search.related import related
from orbit.knowledge.search.words import is_unspaced, split
from orbit.record import Record

_MOST_CHARACTERS = 20_000
_MOST_WORDS = 64
_PREFIX_LETTERS = 4
_LAST_PREFIX_LETTERS = 2
_PUNCTUATION = ".,;:!?()[]{}<>\"'`*/\u2018\u2019\u201c\u201d\u2026"

# They say how something is asked or told, never what it is about.
_STOP = """
a about above across actually add after again against all almost also although always am an and another any anybody
anyone anything are as at away back be became because become been before being below best better between both but by
came can cannot can't come comes could currently did do does doesn't doing don't done down due during each either else
enough etc even ever every everybody everyone everything few first fix for from full further gave get gets getting
give given gives go goes going gone good got had has have having he help her here hers him his how however i i'd if
i'll i'm i've implement improve in instead into is isn't it its it's itself just keep know last least less let lets
like little long look looking looks lot made make makes making many may me might mine more most much must my myself
need needed needs never new next nice no nobody none nor not nothing now of off often ok old on once one only onto or
other others our ours out over own part per perhaps please possible problem put quite rather really right same see
seem seems several shall she should show shown since so some somebody somehow someone something sometimes soon still
stop stops such support sure take takes task than that thats the their theirs them then there these they thing things
think this those through thus till to today together too toward towards try two under until up upon us use used uses
using very via want wanted wants was way ways we week weeks well went were what whatever when where whether which
while who whole whom whose why will wish with within without won't work working works would yes yet you your yours
"""


class Question(Record):
    """What a text asks for: stems; stems that may go on; related stems. All empty when it has no word."""

    words: tuple[str, ...]
    beginnings: tuple[str, ...]
    related: tuple[str, ...]


def ask(text: str) -> Question:
    """The question in a text. Words that only bind others count when there is nothing else."""
    text = text[:_MOST_CHARACTERS]
    words = split(text)
    stop = frozenset(_STOP.split())
    telling = " ".join(word for word in text.split() if word.strip(_PUNCTUATION).lower() not in stop)
    told = split(telling) or words
    pairs = dict.fromkeys(first + second for first, second in pairwise(words) if first.isascii() and second.isascii())
    said = list(dict.fromkeys([*list(dict.fromkeys(told))[:_MOST_WORDS], *list(pairs)[:_MOST_WORDS]]))
    beginnings = [form for word in said if _may_go_on(word, _PREFIX_LETTERS) for form in (word, *_doing(word))]
    beginnings += [word for word in told[-1:] if _may_go_on(word, _LAST_PREFIX_LETTERS)]
    return Question(tuple(said), tuple(dict.fromkeys(beginnings)), tuple(related(said)))


def _doing(word: str) -> list[str]:
    """What somebody or something does that is called after it: `schedul` for `scheduler`."""
    return [word[:-2]] if len(word) >= 6 and word.endswith(("er", "or")) else []


def _may_go_on(word: str, least: int) -> bool:
    return len(word) >= least or is_unspaced(word[0])

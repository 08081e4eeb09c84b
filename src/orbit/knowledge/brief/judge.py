"""How well a paragraph says what the thing is, and what kind of section a heading opens.

Contract: knowledge.md, Brief: "the first paragraph that says what the thing is".
"""

from __future__ import annotations

import re

from orbit.knowledge.brief import words as known
from orbit.knowledge.brief.beside import is_aside, is_lead_in, is_navigation, is_notice, is_slogan
from orbit.knowledge.brief.cut import first_sentence, sentence_ends, spaceless
from orbit.knowledge.brief.subject import (
    defines,
    is_elsewhere,
    only_repeats,
    says_what_something_is,
    speaks_of,
    spoken,
    tells_how_made,
    without_name,
)

# A paragraph is no answer at all; beside the matter; about something else; an answer if what it defines is the project;
# a slogan; like an answer; one in so many words.
NOISE, WEAK, SCENE, UNSURE, SLOGAN, GOOD, DEFINES = range(7)

_LETTER = re.compile(r"[^\W\d_]")
_VERSIONED = re.compile(r".*\bv?\d+\.\d+.*(?:!|available|released|\bout\b)|.*\bwhat[’']?s new\b", re.IGNORECASE)
_GREETING = re.compile(
    r"\W*(?:welcome to\b|hi\b|hello\b|hey\b|thanks? (?:you )?for\b)[^.!?。！]{0,80}[,.!?。！:]+\s*", re.IGNORECASE
)


def section_kind(heading: str) -> str:
    """`about` for a section that introduces, `aside` for one beside the matter, `other` for the rest."""
    words = [word for word in spoken(heading[:200]).split() if not word[0].isdigit()]
    lowered = heading.lower()
    if _VERSIONED.match(heading):
        return "aside"
    opens = bool(words) and (words[0] in known.ABOUT or words[0].startswith("what"))
    closes = 1 < len(words) <= 4 and words[-1] in known.ABOUT
    if opens or closes or any(word in lowered for word in known.CJK_ABOUT):
        return "about"
    if words[:1] == ["use"] and words[1:2] in (["case"], ["cases"]):
        return "other"
    # A long heading is a sentence: «Run your tests anywhere, at any time» is no section about running.
    named = words[:1] if len(words) > 6 else [*words[:3], *(words[-1:] if len(words) < 6 else [])]
    beside = any(word in known.ASIDE and not (len(words) > 6 and word in known.VERBS) for word in named)
    return "aside" if beside or any(word in lowered for word in known.CJK_ASIDE) else "other"


def without_opening(text: str, names: tuple[str, ...]) -> str:
    """The paragraph without a greeting, or without a first sentence about something else when the second defines."""
    greeting = _GREETING.match(text)
    if greeting and len(text[greeting.end() :].split()) >= 3:
        text = text[greeting.end() :]
    end = next(iter(sentence_ends(text)), 0)
    first, rest = text[:end], text[end:].lstrip()
    may_go = first.startswith("The ") or len(first.split()) <= 3 or is_elsewhere(first)
    if (
        names
        and end
        and rest
        and may_go
        and not speaks_of(first, names)
        and speaks_of(rest, names)
        and defines(rest, names)
    ):
        return rest
    return text


def judged(text: str, linked: float, names: tuple[str, ...]) -> int:
    """How well a paragraph answers what the thing is, NOISE to DEFINES; `linked` is its share of links.

    `names` are what the headings so far call the project.
    """
    words = text.split()
    is_sentence = len(words) >= 8 and text[-1] in ".。"
    if linked > (0.97 if is_sentence else 0.9 if len(words) > 5 else 0.8):
        return NOISE
    first = first_sentence(text)[:300]
    said = without_name(text, names)
    if is_notice(said, first_sentence(said)[:300]) or is_navigation(text, linked) or only_repeats(text, names):
        return NOISE
    if not _LETTER.search(text) or (len(words) < 2 and not spaceless(text)):
        return WEAK if _shows_something(text) else NOISE
    is_noun = says_what_something_is(first)
    if is_aside(first) or (is_lead_in(text, first) and not is_noun):
        return WEAK
    if defines(first, names):
        return DEFINES
    if first.startswith("It "):
        return WEAK
    named = speaks_of(first, names)
    if spoken(first).startswith(known.SCENES) or (named and tells_how_made(first)):
        return SCENE
    if names and not named and is_elsewhere(first):
        return UNSURE if is_noun else SCENE
    return SLOGAN if is_slogan(text) else GOOD


def _shows_something(text: str) -> bool:
    return any(character.isalnum() or character > "\u2fff" for character in text)

"""The choice among the blocks of a README: the first paragraph that says what the thing is.

Contract: knowledge.md, Brief: the extraction rule.
"""

from __future__ import annotations

import re

from orbit.knowledge.brief.beside import is_pointer
from orbit.knowledge.brief.cut import folded, sentence_ends, spaceless
from orbit.knowledge.brief.judge import (
    DEFINES,
    GOOD,
    NOISE,
    SCENE,
    SLOGAN,
    UNSURE,
    WEAK,
    judged,
    section_kind,
    without_opening,
)
from orbit.knowledge.brief.subject import is_of_the_whole, mentions, name_in, points_back
from orbit.knowledge.brief.words import PICTURE
from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from orbit.knowledge.brief.blocks import Block

_AHEAD = 3  # how many paragraphs of a section are worth reading for an answer, or after an uncertain one for a better
_EARLY = 12  # a paragraph after so many others introduces nothing
_LONGEST = 1000  # characters of a paragraph that are looked at
_DESCRIPTIVE = re.compile(r"\S.{0,60}?(?:\s[-–—|~]{1,3}\s|\s?[:：]\s|\s[-–—]{2}|——)\s*\S.*\S")


class _Where(Record):
    """What the headings and pictures so far say: the title, the project's names, the kind of section we are in."""

    title: str = ""
    names: tuple[str, ...] = ()
    place: str = "intro"  # "intro", "other" (a section of its own), "aside" (installation, news, licence …)
    level: int = 0
    lead: bool = True  # no section has begun
    picture: str = ""
    summary: str = ""


class _Found(Record):
    """A paragraph and its worth; `order` and `at`: how many paragraphs of its place, of the file, came before."""

    text: str
    worth: int
    kind: str
    place: str
    order: int
    at: int
    lead: bool  # above all sections


def chosen(blocks: Iterable[Block]) -> tuple[str, bool]:
    """(the text of the block that says what the thing is, uncut; whether no later block could change that).

    "" when no block says it.
    """
    where = _Where()
    found: list[_Found] = []
    for block in blocks:
        text = folded(block.text[:_LONGEST])
        if block.kind in ("heading", "banner") and not _is_tagline(block, text, where, found):
            where = _after_heading(where, block, text, found)
        elif block.kind in ("rule", "image", "summary"):
            where = _after_mark(where, block.kind, text, found)
        elif text:
            found.append(_weighed(block, text, where, found))
            if _is_answer(found, where.names):
                return _tidied(_in_banner(found) or found[-1].text), True
            if _is_too_far(found):
                break
    return _tidied(_second_choice(found, where)), False


def _is_tagline(block: Block, text: str, where: _Where, found: list[_Found]) -> bool:
    """Whether a heading near the top, under the title, is a line about the project and no section."""
    if block.level < 2 or any(f.kind == "text" and f.place == "intro" and f.worth > NOISE for f in found):
        return False
    if not where.title and (block.kind == "heading" or block.level == 2):
        return False
    least = 5 if block.kind == "heading" else 3 if where.title else 2
    return len(text.split()) >= least and section_kind(text) == "other" and "://" not in text


def _after_heading(where: _Where, block: Block, heading: str, found: list[_Found]) -> _Where:
    if not heading or "://" in heading:
        return where
    kind = section_kind(heading)
    if not where.title and _is_title(heading, kind, block.level, bool(found or where.picture)):
        is_name = kind == "aside" and len(heading.split()) > 3
        return where.replace(title=heading, names=_with_name(where.names, heading, "other" if is_name else kind))
    if where.place != "intro" and where.level and block.level > where.level:
        return where  # a part of a section is where the section is
    if kind == "other" and where.title and re.fullmatch(rf"{re.escape(where.title)}\D*", heading, re.IGNORECASE):
        kind = "about"
    if kind == "other" and where.place == "intro" and block.level > 2 and where.title:
        return where  # a subtitle: no section is that deep at once
    if kind == "about":
        names = _with_name(where.names, heading, kind)
        return where.replace(place="intro", level=block.level, names=names, lead=False)
    return where.replace(place=kind, level=block.level, lead=False)


def _is_title(heading: str, kind: str, level: int, late: bool) -> bool:
    """The first heading; after other things only one of the first level that is no usual section."""
    if level > 1:
        return kind == "other" and not late
    return kind == "other" or not late or (kind == "aside" and len(heading.split()) > 3)


def _with_name(names: tuple[str, ...], heading: str, kind: str) -> tuple[str, ...]:
    name = heading if kind == "other" else name_in(heading) if kind == "about" else ""
    return (*names, name) if name else names


def _after_mark(where: _Where, kind: str, text: str, found: list[_Found]) -> _Where:
    """A thematic break ends what stands aside; a picture that leads the file may speak for the title."""
    if kind == "rule":
        return where.replace(place="other" if where.place == "other" else "intro", level=0)
    if kind == "summary":
        return where.replace(summary=where.summary or text)
    if where.picture or where.title or found:
        return where
    words = re.findall(r"[^\W_]+", text.lower())
    return where.replace(picture=text) if len(words) >= 2 and not PICTURE & set(words) else where


def _weighed(block: Block, text: str, where: _Where, found: list[_Found]) -> _Found:
    paragraphs = [f for f in found if f.kind == "text" and f.worth > NOISE]
    order = sum(f.place == where.place for f in paragraphs)
    if block.kind in ("heading", "banner"):
        return _Found(
            text, judged(text, block.linked, where.names), "html", where.place, order, len(paragraphs), where.lead
        )
    text = without_opening(text, where.names)
    worth = judged(text, block.linked, where.names)
    # What goes on about something else does not answer either, unless it says so.
    if worth == GOOD and block.kind == "text" and where.place == "intro" and _is_elsewhere(found):
        worth = SCENE
    return _Found(text, worth, block.kind, where.place, order, len(paragraphs), where.lead)


def _introducing(found: list[_Found]) -> list[_Found]:
    return [f for f in found if f.kind == "text" and f.place == "intro" and f.at < _EARLY]


def _is_elsewhere(found: list[_Found]) -> bool:
    return any(f.worth in (SCENE, UNSURE) for f in _introducing(found))


def _is_uncertain(found: list[_Found]) -> bool:
    return any(f.worth in (SCENE, UNSURE, SLOGAN) for f in _introducing(found))


def _is_answer(found: list[_Found], names: tuple[str, ...]) -> bool:
    """Whether the paragraph found last needs no comparison with what follows."""
    last, before = found[-1], found[:-1]
    if last not in _introducing(found):
        return False
    if last.worth == DEFINES:
        return not (_is_uncertain(before) and points_back(last.text))
    return last.worth == GOOD and last.order < _AHEAD and (not _is_uncertain(before) or mentions(last.text, names))


def _in_banner(found: list[_Found]) -> str:
    """A line in HTML above all sections has said it before a paragraph in a section that does not define the thing."""
    if found[-1].lead or found[-1].worth == DEFINES:
        return ""
    return next((f.text for f in found if f.kind == "html" and f.lead and f.worth >= GOOD), "")


def _is_too_far(found: list[_Found]) -> bool:
    """Whether enough was read after an uncertain answer."""
    uncertain = next((at for at, f in enumerate(found) if _is_uncertain([f])), len(found))
    return len(_introducing(found[uncertain:])) > _AHEAD


def _second_choice(found: list[_Found], where: _Where) -> str:
    """What to show when no paragraph of the introduction answers at once, best first."""

    def first(kind: str, place: str, least: int, before: int = _AHEAD, within: int = _EARLY) -> str:
        fitting = (f for f in found if (f.kind, f.place) == (kind, place) and f.worth >= least and f.order < before)
        return next((f.text for f in fitting if f.at < within), "")

    title = where.title
    words = len(title.split())
    if re.match(r"v?\d", title) or (section_kind(title) == "aside" and words < 3):
        title, words = "", 0
    is_named = words > 1 or "/" in title or (spaceless(title) and len(title) > 3)
    return (
        first("text", "intro", UNSURE)
        or (title if _DESCRIPTIVE.fullmatch(title) else "")
        or first("html", "intro", UNSURE)
        or first("text", "intro", SCENE)
        or first("text", "other", DEFINES, 99)
        or where.summary
        or (title if words > 3 else "")
        or first("text", "other", UNSURE)
        or first("html", "intro", SCENE)
        or where.picture
        or first("text", "intro", GOOD, 99, 99)
        or first("text", "other", SCENE)
        or next((f.text for f in found if _defines_late(f)), "")
        or (title if is_named else "")
        or first("text", "intro", WEAK)
        or first("html", "other", GOOD)
    )


def _defines_late(found: _Found) -> bool:
    return (found.place, found.worth, found.kind) == ("aside", DEFINES, "text") and is_of_the_whole(found.text)


def _tidied(text: str) -> str:
    """Without sentences that lead elsewhere or into a list that is not shown, nor marks that open a line."""
    ends = sentence_ends(text)
    for start, end in zip(ends, [*ends[1:], len(text)], strict=False):
        if start < end and is_pointer(text[start:end].strip()):
            text = text[:start]
            break
    return text.rstrip(" :：").lstrip("-–—•|>, ").strip()

"""Who a sentence of a README speaks of, and whether it says what that is.

Contract: knowledge.md, Brief: "the first paragraph that says what the thing is". No grammar: the first words decide.
"""

from __future__ import annotations

import re

from orbit.knowledge.brief import words as known

_WORD = re.compile(r"[^\W_](?:[\w'’./+#-]*[\w+#])?|[©⭐🚧]")
_SHORTCODE = re.compile(r":[a-z0-9_+-]{2,30}:(?!\w)")
_STATEMENT = re.compile(
    r"(?P<subject>(?:[^.!?;:,]|[.:](?=\w)){1,60}?)(?:\s*\([^()]{1,80}\))?,?\s+(?:[a-z]+ly\s+)?"
    r"(?P<verb>is|are|was|provides?|allows?|lets|enables?|helps|implements?|offers?|makes|brings|aims|contains?|sends|bundles"
    r"|extends|generates|adds|gives|turns|runs|manages|supports|wraps|takes|does|parses|converts|creates|checks)\s"
)
_A_NOUN = re.compile(
    r"\b(?:is|are|was) (?:[a-z]+ly )?(?:an?|the|our|my|your|another|one|some|designed|intended|meant|yet)\b"
)
_WAS_DONE = re.compile(r"[^.!?]{1,60}? (?:is|are|was) (?:\w+ly )?\w+ed (?:with|by|under|on|in|at|from|against|and)\b")
# A sentence about something that is not the project: «Cobalt is a metal.», «RFC 9 added a way …»
_ELSEWHERE = re.compile(
    r"(?!(?:This|These|It|We|Our|You)\b)(?:The |An? )?[A-Z][^.!?;:,]{0,50}?"
    r"\s(?:is|are|was|were|has|have|added|introduced|can|defines|specifies)\s"
)
_POINTING = re.compile(r"(?:It|This (?:is|was|can|will))\b")
_OF_THE_WHOLE = re.compile(r"(?!It\b)[^.!?;:]{1,60}? (?:is an?|is the|provides|allows|lets)\b")


def spoken(text: str) -> str:
    """The words in lower case, one blank after each; what the lists of phrases are compared with."""
    lowered = _SHORTCODE.sub(" ", text.lower())
    return "".join(f"{word} " for word in _WORD.findall(lowered)).replace("’", "'")


def last_of_word(text: str, count: int) -> int:
    """Where the word number `count` of the text ends."""
    plain = _SHORTCODE.sub(lambda found: " " * len(found.group()), text)
    return [found.end() for found, _ in zip(_WORD.finditer(plain), range(count), strict=False)][-1]


def has_any(words: str, phrases: tuple[str, ...]) -> bool:
    """Whether spoken words hold one of the phrases."""
    words = f" {words}"
    return any(f" {phrase}" in words for phrase in phrases)


def defines(sentence: str, names: tuple[str, ...]) -> bool:
    """«Foo is a …», «It provides …», «This small library is …», «We present …»."""
    says = _STATEMENT.match(sentence)
    is_noun = says is not None and _A_NOUN.match(sentence, says.start("verb")) is not None
    if says and names_one(says["subject"], names) and (is_noun or says["verb"] not in ("is", "are", "was")):
        return True
    return (is_noun and not names) or _defines_this(spoken(sentence).split())


def _defines_this(words: list[str]) -> bool:
    if len(words) < 3:
        return False
    if words[0] == "we":
        return words[1] in ("introduce", "present", "propose", "provide", "release")
    following = [word for word in words[1:5] if word not in known.ADVERBS]
    if words[0] in ("it", "this") and following[:1] == ["is"]:
        complement = following[1] if len(following) > 1 else "not"
        return complement in known.COMPLEMENTS or (words[0] == "this" and complement not in known.PREDICATES)
    if words[0] in ("it", "this") and following[:1] != [] and following[0] in known.SAYS - known.MODALS:
        return True
    if words[0] not in ("this", "these", "the"):
        return False
    for at, word in enumerate(words[1:6], 1):
        following = [later for later in words[at + 1 : at + 3] if later not in known.ADVERBS]
        if word in known.THINGS and following and following[0] in known.SAYS:
            return following[-1] not in known.PREDICATES
    return False


def says_what_something_is(sentence: str) -> bool:
    """Whether the sentence names a kind of thing: "… is a …"."""
    return _A_NOUN.search(sentence) is not None


def is_elsewhere(sentence: str) -> bool:
    """Whether a sentence has a subject of its own that may not be the project."""
    return _ELSEWHERE.match(sentence) is not None


def tells_how_made(sentence: str) -> bool:
    """«Foo is written in …», «Foo is tested against …»."""
    return _WAS_DONE.match(sentence) is not None


def points_back(text: str) -> bool:
    """«It is …», «This is …»: what is meant depends on what was said before."""
    return _POINTING.match(text) is not None


def is_of_the_whole(text: str) -> bool:
    """Whether a definition found beside the matter is still one of the whole project."""
    return _OF_THE_WHOLE.match(text) is not None


def speaks_of(sentence: str, names: tuple[str, ...]) -> bool:
    """Whether one of the names is the subject of the sentence."""
    says = _STATEMENT.match(sentence)
    if says and names_one(says["subject"], names):
        return True
    words = _named(sentence)
    return any(_same_name(words[:count], _named(name)) for name in names for count in (1, 2) if words)


def mentions(text: str, names: tuple[str, ...]) -> bool:
    """Whether a paragraph speaks of the project by name; so it does when no name is known."""
    words = " ".join(_named(text))
    return not names or any(" ".join(_named(name)) in words for name in names)


def without_name(text: str, names: tuple[str, ...]) -> str:
    """The text behind "name:" or "name -", which is no label of something else."""
    for name in names:
        found = re.match(rf"\W*{re.escape(name)}\W*?\s*(?::|：|\s[-–—])\s", text, re.IGNORECASE)
        if found:
            return text[found.end() :]
    return text


def names_one(subject: str, names: tuple[str, ...]) -> bool:
    """Whether the subject of a sentence is one of the names of the project, or the start or end of one."""
    words = _named(subject)
    # «Graph drawing is hard.» under «Graph Drawing Kit»: the words, but not as a name.
    common = {word for word in re.findall(r"[^\W_]+", subject)[1:] if word.islower()}
    return bool(words) and any(_same_name(words, _named(name), not common & _capitals(name)) for name in names)


def name_in(heading: str) -> str:
    """What a heading like "What is Foo?" or "About Foo" names."""
    if not re.match(r"\W*(?:what|about|introduc|why)", heading, re.IGNORECASE):
        return ""
    return " ".join(word for word in re.findall(r"[\w.+#-]+", heading) if word.lower() not in known.ABOUT_WORDS)


def only_repeats(text: str, names: tuple[str, ...]) -> bool:
    """Words that say no more than the title: "This is the Foo project."."""
    words = re.findall(r"[^\W_]+(?:'s)?", text.lower())
    if words[:2] == ["welcome", "to"] and len(words) <= 8:
        return True
    named = {word for name in names for word in re.findall(r"[^\W_]+", name.lower())}
    return 2 < len(words) < 14 and len(named) < 4 and all(word in known.EMPTY or word in named for word in words)


def _capitals(name: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[^\W_]+", name) if not word.islower()}


def _same_name(words: list[str], named: list[str], in_part: bool = True) -> bool:
    if not named:
        return False
    part = in_part and words in (named[: len(words)], named[-len(words) :])
    return part or words[: len(named)] == named or "".join(words) == "".join(named)


def _named(text: str) -> list[str]:
    return [word for word in re.findall(r"[^\W_]+", text.lower()) if word not in ("the", "a", "an", "welcome", "to")]

"""Paragraphs of a README that stand beside the matter: notices, navigation, labels, instructions, stories.

Contract: knowledge.md, Brief: the extraction rule ("Skipped").
"""

from __future__ import annotations

import re

from orbit.knowledge.brief import words as known
from orbit.knowledge.brief.cut import spaceless
from orbit.knowledge.brief.subject import has_any, last_of_word, spoken

_ONLY_ADDRESSES = re.compile(r"(?:\W*(?:https?://|www\.)\S+)+\W*$")
_ONLY_BRACKETS = re.compile(r"(?:\W*\[[^\[\]]*\])+\W*$")
_LINKED_LABEL = re.compile(r"\W*\w[\w ]{0,30}(?::|-|–|—|->|→)?\W*(?:https?://|www\.)\S+\W*$")
_AUTHOR = re.compile(r"[^.:]{3,60}<\S+@\S+>$")
_NOTICE = re.compile(
    r"\W*(?:\S+ ){0,2}(?:note|notice|warning)s?:|\W*warning "
    r"|\W*(?:注意|警告|公告|重要|提示|通知|更新|お知らせ)\S{0,6}[:：!！]",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"(?:19|20)\d\d[-/.年]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)?\d\d|v?\d+\.\d+\S* (?:is|was|has)\b"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (?:\d{1,2}(?:st|nd|rd|th)? )?(?:19|20)\d\d"
    r"|(?:19|20)\d\d(?: \S+){1,6} $"
)
_COMMAND = re.compile(
    r"(?:\$ |> )?(?:sudo |python3? -m )?(?:pip3?|pipx|npm|npx|yarn|pnpm|bun|cargo|go|brew|apt|apt-get|dnf|pacman|conda"
    r"|git|docker|curl|wget|composer|gem|dotnet|uv|poetry|helm|kubectl|nix) (?:-\S+ )*"
    r"(?:install|add|get|clone|run|pull|create|i|init|exec|tool|require|apply)\b"
)
_AFTER_LABEL = re.compile(r"(?:\s*[:：→»!‼❗]|\s*->|\s+[-–—]\s|\s{0,2}$)")
_BEFORE_COLON = re.compile(r"[\s*_\])]+|\([^)]{0,60}\)|v?\d[\w.]*(?=\W)|[a-z]{3,9} (?:19|20)\d\d(?=\W)", re.IGNORECASE)
_BETWEEN_ITEMS = re.compile(r"\s--\s|\s[|•·∙⋅►▶→»/✦⬥◆●–—-]\s|[|•·∙⋅►▶✦⬥◆●]")
_ODD_OPENING = re.compile(
    r"[QA][.:)] |[Vv]ersion v?\d|(?:\S+ ){1,5}(?:requires|depends on) |(?:for|or|and|where|which|with|then|if) "
    r"|[→👉▶➡]|\.\.\.|…|We(?:'re| are) (?:\w+-)?\w+ing\b|\S+ also\b|For\b.*\bsee\b"
)
_WHERE_IT_IS = re.compile(
    r"\b(?:documentation|docs|website|home ?page|source code|wiki|manual)\s+(?:is|are|lives?|can|may|has|resides?)\b"
    r"|\b(?:lives?|found|available|documented|hosted) (?:in|at|on) (?:the|our|https?:)"
    r"|\b(?:is|are) (?:\w+ )?(?:distributed|installed|published|released|hosted|packaged)"
    r" (?:via|on|through|with|as|at|from)\b",
    re.IGNORECASE,
)
_LISTED = re.compile(r"\bhas (?:the following|\w+ (?:main |key |major )?features)\b")
_TO_COME = re.compile(r"\b(?:following|below|as follows)\b")
_MAKERS = ("tor", "izer", "iser", "mer", "ter", "per", "ger", "der", "ler", "ser", "ver", "ner")


def is_notice(text: str, first: str) -> bool:
    """Announcements, thanks, licences, `label: value` lines, addresses, commands; `first` is the first sentence."""
    words = spoken(first)
    if words.startswith(known.LEGAL) or text.startswith(("{{", "!!!", ":::", "©", "(c)")):
        return True
    alone = (_COMMAND, _ONLY_ADDRESSES, _ONLY_BRACKETS, _LINKED_LABEL, _AUTHOR, _NOTICE)
    if any(pattern.match(text) for pattern in alone) or _DATE.match(words):
        return True
    if any(words.startswith(openings) and _is_label(text, openings) for openings in (known.LABELS, known.NOTICES)):
        return True
    head = words[:200]
    if has_any(head, known.THANKS):
        return True
    is_thing = " is a " in head[:60] or " is an " in head[:60]
    return not is_thing and (has_any(head, known.ANNOUNCES) or has_any(head, known.SPONSORS))


def _is_label(text: str, openings: tuple[str, ...]) -> bool:
    """Whether one of the openings is followed by a colon or a dash: "Docs: …", "NOTE (2020): …"."""
    words = spoken(text[:80]).split()
    for count in range(min(6, len(words)), 0, -1):
        if " ".join(words[:count]) + " " in openings:
            at = last_of_word(text, count)
            while not _AFTER_LABEL.match(text, at):
                between = _BEFORE_COLON.match(text, at)
                if not between:
                    return False
                at = between.end()
            return True
    return False


def is_navigation(text: str, linked: float) -> bool:
    """A row of short items, most of them links, or names of languages."""
    items = [item.strip(" *:-–—[]()") for item in _BETWEEN_ITEMS.split(text)]
    items = [item for item in items if item]
    if len(items) < 2:
        return text.lower().strip(" .:[]") in known.LANGUAGES
    if any(item.lower() in known.LANGUAGES for item in items) and all(len(item.split()) <= 3 for item in items):
        return True
    short = all(len(item.split()) <= 4 for item in items)
    return (len(items) >= 3 or linked > 0.5) and short and not text.endswith((".", "!"))


def is_pointer(sentence: str) -> bool:
    """Whether a sentence sends the reader elsewhere, asks, or announces a list: nothing to end a brief with."""
    words = spoken(sentence)
    if sentence.endswith(("?", "？", ":", "：")) or _TO_COME.search(sentence):
        return True
    return words.startswith(known.POINTS) or has_any(words, (*known.SPONSORS, *known.THANKS, *known.ANNOUNCES))


def is_aside(first: str) -> bool:
    """A first sentence that instructs, points elsewhere, explains a name, tells a story, asks or quotes."""
    words = spoken(first)
    if words.startswith((*known.DIRECTS, *known.STORIES, *known.NAMES)) or has_any(words[:80], known.NAMING):
        return True
    if _ODD_OPENING.match(first) or first.startswith(known.CJK_BESIDE) or _WHERE_IT_IS.search(first[:90]):
        return True
    if (len(first) < 40 and first.endswith(",")) or first[:120].count(",") > 5:
        return True
    bracketed = first.startswith(("(", "（")) and first.rstrip(".").endswith((")", "）"))
    quoted = first[:1] in '“"' and first[-1:] in '”"'
    return bracketed or quoted or first.endswith(("?", "？"))


def is_lead_in(text: str, first: str) -> bool:
    """A sentence that only announces a list, which is not shown."""
    if text[-1:] in ":：" and first == text:
        words = spoken(text[-60:])
        return has_any(words, known.LEADS) or len(text.split()) < 6 or words.endswith(known.UNFINISHED)
    return len(first.split()) < 12 and _LISTED.search(first) is not None


def is_slogan(text: str) -> bool:
    """A few words without a noun for what it is, nor what it is for."""
    words = [word.strip(".,!") for word in text.lower().split()]
    if spaceless(text) or len(words) > (8 if text[-1] == "!" else 7):
        return False
    return not any(word in known.THINGS or word in known.RELATIONS or word.endswith(_MAKERS) for word in words)

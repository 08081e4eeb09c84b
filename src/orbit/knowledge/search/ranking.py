"""The repositories that a goal or some words are about, with how much. No git process.

Contract: knowledge.md, Roster; commands.md, repos; refinements.md, 36.
"""

from __future__ import annotations

from orbit.knowledge.card import SCAFFOLD_HEADINGS, revision
from orbit.knowledge.search.query import ask
from orbit.knowledge.search.words import split
from orbit.store.fulltext import Documents, Text, scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from orbit.knowledge.search.query import Question

    class Searched(Protocol):
        """What is searched of a repository; `card` is its text as stored, empty without one."""

        @property
        def name(self) -> str: ...
        @property
        def brief(self) -> str: ...
        @property
        def card(self) -> bytes: ...


_MOST_BYTES = 16 * 1024  # of a card; a card that is longer says the rest to nobody
# A word in the name tells most. Columns: name, brief, card.
_COLUMNS = (8.0, 4.0, 1.0)
# What the word itself counts, a word that begins with it, another word for the same.
_WORD, _BEGINNING, _RELATED = 1.0, 0.3, 0.4
# What related words come to at most: a share of the best match by words, or of their own best where words say little;
# and at least, where they stand alone: a share of that.
_MOST_RELATED, _COMMON_WORDS, _LEAST_RELATED = 0.7, 0.3, 0.1


def rank(directory: str, repos: Sequence[Searched], text: str) -> dict[str, float]:
    """By name, how much each repository is about the text: larger is better, no entry means not at all.

    `directory` is where the index is cached.
    """
    question = ask(text)
    if not question.words or not repos:
        return {}
    by_name = {repo.name: repo for repo in repos}
    signatures = {
        name: revision(repo.brief.encode("utf-8", "replace") + b"\0" + repo.card) for name, repo in by_name.items()
    }
    documents = Documents(signatures, lambda name: _text(by_name[name]))
    answers = scores(directory, documents, expressions(question), _COLUMNS)
    found = _by_substring(repos, question) if answers is None else _together(answers)
    return _named_first(found, text)


def _text(repo: Searched) -> Text:
    lines = repo.card[:_MOST_BYTES].decode("utf-8", "replace").split("\n")
    card = "\n".join(line for line in lines if line.strip("# \r").lower() not in SCAFFOLD_HEADINGS)
    return Text(*(" ".join(split(text)) for text in (repo.name, repo.brief, card)))


def expressions(question: Question) -> list[str]:
    """What the full-text index is asked, every word a quoted string of its own: the words, beginnings, relatives."""
    beginnings = [_quoted(word) + "*" for word in question.beginnings]
    kinds = ([*map(_quoted, question.words)], beginnings, [*map(_quoted, question.related)])
    return [" OR ".join(kind or [_quoted("")]) for kind in kinds]


def _together(answers: list[dict[str, float]]) -> dict[str, float]:
    """What all kinds of match come to. However much somebody says that is related, it does not outweigh the word itself
    (unless everybody says that word), and alone it has to be said well.
    """
    words, beginnings, relatives = answers
    found = {name: _WORD * words.get(name, 0.0) + _BEGINNING * beginnings.get(name, 0.0) for name in words | beginnings}
    related = _RELATED * max(relatives.values(), default=0.0)
    most = max(_MOST_RELATED * max(found.values(), default=related), _COMMON_WORDS * related)
    for name, score in relatives.items():
        counted = min(_RELATED * score, most)
        if name in found or counted >= _LEAST_RELATED * most:
            found[name] = found.get(name, 0.0) + counted
    return found


def _quoted(word: str) -> str:
    """A string of FTS5's query language: only a quotation mark could end it, and no word has one."""
    return f'"{word}"'


def _named_first(found: dict[str, float], text: str) -> dict[str, float]:
    """Who says a repository's whole name means it: such come before all others."""
    said = {word.strip(".,;:!?()[]{}\"'`") for word in text.casefold().split()}
    best = max(found.values(), default=0.0)
    return {name: score + best if name.casefold() in said else score for name, score in found.items()}


def _by_substring(repos: Sequence[Searched], question: Question) -> dict[str, float]:
    """Without FTS5: how many of the words occur anywhere, by where they do."""
    found = {}
    for repo in repos:
        columns = (repo.name, repo.brief, repo.card.decode("utf-8", "replace"))
        texts = tuple(zip((text.casefold() for text in columns), _COLUMNS, strict=True))
        score = sum(max(weight if word in text else 0.0 for text, weight in texts) for word in question.words)
        if score:
            found[repo.name] = score
    return found

"""The lists of words: in the form in which they are compared."""

from __future__ import annotations

import pytest

from orbit.knowledge.brief import words
from orbit.knowledge.brief.subject import spoken

PHRASES = {name: value for name, value in vars(words).items() if name.isupper() and isinstance(value, tuple)}
WORDS = {name: value for name, value in vars(words).items() if name.isupper() and isinstance(value, frozenset)}


@pytest.mark.parametrize("name", [name for name in PHRASES if not name.startswith("CJK")])
def test_phrases_are_what_a_sentence_is_spoken_as(name: str) -> None:
    phrases = PHRASES[name]
    assert [phrase for phrase in phrases if phrase != spoken(phrase)] == []
    assert len(phrases) == len(set(phrases))


@pytest.mark.parametrize("name", WORDS)
def test_words_are_lower_case(name: str) -> None:
    assert {word for word in WORDS[name] if word != word.lower() or word != word.strip()} == set()

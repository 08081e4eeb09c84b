from __future__ import annotations

import pytest

from orbit.knowledge.search import related as module
from orbit.knowledge.search.related import related
from orbit.knowledge.search.stem import stem


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("login", "authentication"),
        ("authentication", "auth"),
        ("authorization", "auth"),
        ("mail", "email"),
        ("kubernetes", "k8s"),
        ("picture", "image"),
        ("holiday", "absence"),
        ("db", "postgres"),
        ("service", "svc"),
        ("persons", "user"),
    ],
)
def test_either_finds_the_other(word: str, other: str) -> None:
    assert stem(other) in related([stem(word)])
    assert stem(word) in related([stem(other)])


def test_what_is_asked_for_is_not_its_own_relative() -> None:
    found = related([stem("login"), stem("session"), stem("mail")])
    assert not {stem("login"), stem("session"), stem("mail")} & set(found)
    assert len(found) == len(set(found))


@pytest.mark.parametrize("words", [[], ["zebra"], ["a"], ["漢字"], [""]])
def test_most_words_have_none(words: list[str]) -> None:
    assert related(words) == []


def test_every_word_of_the_table_finds_its_group() -> None:
    for line in module._GROUPS.splitlines():
        group = [stem(word) for word in line.split()]
        assert len(set(group)) > 1, line
        for word in group:
            assert set(group) - {word} <= set(related([word])), (line, word)

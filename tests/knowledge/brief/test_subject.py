"""Who a sentence speaks of, and whether it says what that is."""

from __future__ import annotations

import pytest

from orbit.knowledge.brief import subject

NAMES = ("Tarn Map Kit", "tarn")


@pytest.mark.parametrize(
    ("sentence", "names", "defines"),
    [
        ("Tarn is a map of lakes.", NAMES, True),
        ("tarn (say it softly) provides maps.", NAMES, True),
        ("Tarn is written in C.", NAMES, False),
        ("Cobalt is a metal.", NAMES, False),
        ("Cobalt is a metal.", (), True),
        ("This small library maps lakes.", NAMES, False),
        ("This small library provides maps.", NAMES, True),
        ("This library is not for you.", NAMES, False),
        ("It aims to map lakes.", NAMES, True),
        ("It is used by many.", NAMES, False),
        ("We present a way to map lakes.", NAMES, True),
        ("Maps lakes.", NAMES, False),
        ("", NAMES, False),
    ],
)
def test_defines(sentence: str, names: tuple[str, ...], defines: bool) -> None:
    assert subject.defines(sentence, names) == defines


@pytest.mark.parametrize(
    ("words", "is_name"),
    [("Tarn", True), ("the tarn", True), ("Map Kit", True), ("Map kit", False), ("Lake", False), ("", False)],
)
def test_names_one(words: str, is_name: bool) -> None:
    assert subject.names_one(words, NAMES) == is_name


def test_spoken_words() -> None:
    assert subject.spoken(":fire: **Note**: what’s C++/node.js?") == "note what's c++/node.js "
    assert subject.last_of_word(":fire: **Note**: x", 1) == len(":fire: **Note")


def test_what_a_heading_names() -> None:
    assert subject.name_in("What is Tarn?") == "Tarn"
    assert subject.name_in("About the Tarn 2") == "Tarn 2"
    assert subject.name_in("Motivation") == ""


def test_only_repeats_the_title() -> None:
    assert subject.only_repeats("This is the Tarn project.", ("Tarn",))
    assert not subject.only_repeats("This is the Tarn project of lakes.", ("Tarn",))


def test_a_label_that_is_the_name_goes() -> None:
    assert subject.without_name("Tarn - maps of lakes", NAMES) == "maps of lakes"
    assert subject.without_name("Docs: maps of lakes", NAMES) == "Docs: maps of lakes"

"""Paragraphs that stand beside the matter."""

from __future__ import annotations

import pytest

from orbit.knowledge.brief import beside
from orbit.knowledge.brief.cut import first_sentence


@pytest.mark.parametrize(
    "text",
    [
        "Documentation: https://example.com",
        "Source Code (mirror) -> example.com",
        "NOTE (2031): the server moved.",
        "Update Nov 2031: the server moved.",
        "Copyright 2031 Ada Clay",
        "Licensed under the MIT license.",
        "https://example.com https://example.org",
        "Home https://example.com",
        "[one] [two]",
        "Ada Clay <ada@example.com>",
        "2031-04-05 The server moved.",
        "pip install tarn",
        "We are excited to tell you more.",
        "Tarn 2 is now available!",
        "Tarn is a project made possible by our backers.",
        "Please donate.",
        "注意：旧版です。",
    ],
)
def test_notices(text: str) -> None:
    assert beside.is_notice(text, first_sentence(text))


@pytest.mark.parametrize(
    "text",
    [
        "Documentation generator for lakes.",
        "Note taking for lakes.",
        "Cask keeps drinks not supported by the shelf.",
        "Pennywise is a platform for donations.",
        "C library to map lakes.",
        "Git for lakes.",
        "通知を送る道具です。",
    ],
)
def test_no_notices(text: str) -> None:
    assert not beside.is_notice(text, first_sentence(text))


@pytest.mark.parametrize(
    ("text", "linked", "is_navigation"),
    [
        ("English | 中文 | Deutsch", 0.0, True),
        ("日本語版", 1.0, True),
        ("Docs · Chat · Demo", 1.0, True),
        ("Docs -- Chat", 1.0, True),
        ("Tarn - maps of lakes", 0.0, False),
        ("Maps lakes | and ponds for everybody in the land.", 0.0, False),
    ],
)
def test_navigation(text: str, linked: float, is_navigation: bool) -> None:
    assert beside.is_navigation(text, linked) == is_navigation


@pytest.mark.parametrize(
    "sentence",
    [
        "See the manual.",
        "You can use it for lakes.",
        "If you need maps, go on.",
        "I wrote this for lakes.",
        "Why another map?",
        "“To be mapped.”",
        "(Maps are drawn by hand.)",
        "The name Tarn is old.",
        "... so better map this",
        "The Tarn documentation is at example.com.",
        "A, B, C, D, E, F, G and more",
        "请参阅文档。",
    ],
)
def test_asides(sentence: str) -> None:
    assert beside.is_aside(sentence)


@pytest.mark.parametrize("sentence", ["Maps lakes.", "Download lakes from the command line.", "Watch lakes rise."])
def test_no_asides(sentence: str) -> None:
    assert not beside.is_aside(sentence)


def test_lead_ins() -> None:
    assert beside.is_lead_in("It has the following parts:", "It has the following parts:")
    assert beside.is_lead_in("This tool has two main features", "This tool has two main features")
    assert beside.is_lead_in("The Tarn project gives you all a:", "The Tarn project gives you all a:")
    assert not beside.is_lead_in(
        "Gives hints about lakes in shell scripts:", "Gives hints about lakes in shell scripts:"
    )


def test_slogans() -> None:
    assert beside.is_slogan("Move fast and make things.")
    assert beside.is_slogan("Map all the things!")
    assert not beside.is_slogan("Universal lake detector.")
    assert not beside.is_slogan("Maps for lakes.")


def test_pointers() -> None:
    assert beside.is_pointer("Read more on the blog.")
    assert beside.is_pointer("Is it fast?")
    assert not beside.is_pointer("It is fast.")

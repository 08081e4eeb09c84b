"""HTML read into blocks."""

from __future__ import annotations

import pytest

from orbit.knowledge.brief.blocks import Block
from orbit.knowledge.brief.html import html_blocks, image


@pytest.mark.parametrize(
    ("source", "blocks"),
    [
        ("<h1 align='center'>Tarn</h1>", [Block("heading", "Tarn", 1)]),
        ("<h3>A <i>map</i></h3>", [Block("banner", "A map", 3)]),
        ("<p>Maps &amp; lakes</p>", [Block("html", "Maps & lakes")]),
        ("<img src='x.png'>\nTarn maps lakes.", [Block("text", "Tarn maps lakes.")]),
        ("<p><a href='x'>four</a>word</p>", [Block("html", "fourword", 0, 0.5)]),
        (
            "<p>Maps lakes<br>and ponds.<br>New line</p>",
            [Block("html", "Maps lakes and ponds."), Block("html", "New line")],
        ),
        ("<p><sub>small print</sub><ul><li>item</li></ul></p>", []),
        ("<!-- a comment --><hr><!DOCTYPE html>", [Block("rule", "")]),
        ("<p title='a > b'>1 < 2</p>", [Block("html", "1 < 2")]),
        ("<p>open <!-- never closed", [Block("html", "open")]),
        ("</p></p></a><details><p>hidden", []),
    ],
)
def test_blocks(source: str, blocks: list[Block]) -> None:
    assert html_blocks(source) == blocks


@pytest.mark.parametrize(
    ("tag", "text"),
    [
        ('<img src="map.png" alt="Tarn maps">', "Tarn maps"),
        ("<img alt=Tarn src='map.png'>", "Tarn"),
        ('<img src="https://img.shields.io/x" alt="build">', None),
        ('<img src="map.png">', None),
    ],
)
def test_a_picture_that_is_no_badge_speaks(tag: str, text: str | None) -> None:
    shown = image(tag)
    assert (shown.text if shown else None) == text

"""Which block of a README says what the thing is."""

from __future__ import annotations

import pytest

from orbit.knowledge.brief.blocks import Block
from orbit.knowledge.brief.choose import chosen

TITLE = Block("heading", "Tarn", 1)
DESCRIBED = Block("heading", "Tarn - maps of lakes", 1)
INSTALL = Block("heading", "Installation", 2)
ABOUT = Block("heading", "About", 2)
GOALS = Block("heading", "Goals", 2)
DEFINITION = Block("text", "Tarn is a map of lakes.")
PROSE = Block("text", "Maps of lakes for everybody.")
POINTER = Block("text", "See the manual of the lakes.")
NOTICE = Block("text", "Note: the server moved.")
TAGLINE = Block("html", "Maps for everybody's lakes")
SUMMARY = Block("summary", "A summary of lakes")


@pytest.mark.parametrize(
    ("blocks", "text", "is_final"),
    [
        ([], "", False),
        ([TITLE], "", False),
        ([Block("heading", "Lake maps", 1)], "Lake maps", False),
        ([TITLE, PROSE, DEFINITION], PROSE.text, True),
        ([TITLE, NOTICE, POINTER, DEFINITION], DEFINITION.text, True),
        ([TITLE, TAGLINE, PROSE], PROSE.text, True),
        ([TITLE, TAGLINE, POINTER], TAGLINE.text, False),
        ([DESCRIBED, TAGLINE, POINTER], DESCRIBED.text, False),
        ([DESCRIBED, INSTALL, PROSE], DESCRIBED.text, False),
        ([TITLE, INSTALL, PROSE], "", False),
        ([TITLE, INSTALL, Block("rule", ""), PROSE], PROSE.text, True),
        ([TITLE, INSTALL, ABOUT, PROSE], PROSE.text, True),
        ([TITLE, GOALS, PROSE, DEFINITION], DEFINITION.text, False),
        ([SUMMARY, TITLE, GOALS, PROSE], SUMMARY.text, False),
        ([TITLE, Block("text", "Lakes are wet."), PROSE, DEFINITION], DEFINITION.text, True),
        ([TITLE, POINTER], POINTER.text, False),
        ([TITLE, NOTICE], "", False),
        ([Block("image", "Maps of Lakes"), GOALS, POINTER], "Maps of Lakes", False),
    ],
)
def test_chosen(blocks: list[Block], text: str, is_final: bool) -> None:
    assert chosen(blocks) == (text, is_final)


def test_what_leads_elsewhere_is_left_out() -> None:
    assert (
        chosen([Block("text", "- Tarn is a map of lakes. See the manual. It is fast.")])[0] == "Tarn is a map of lakes."
    )
    assert chosen([Block("text", "Tarn is a map of lakes. It draws these:")])[0] == "Tarn is a map of lakes."


def test_no_more_is_read_than_needed() -> None:
    def endless() -> list[Block]:
        raise AssertionError

    def blocks():  # type: ignore[no-untyped-def]
        yield from (TITLE, DEFINITION)
        yield from endless()

    assert chosen(blocks()) == (DEFINITION.text, True)

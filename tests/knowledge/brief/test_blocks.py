"""The pieces that every format of README is read into."""

from __future__ import annotations

from orbit.knowledge.brief.blocks import Block, paragraph, visible


def test_a_paragraph_knows_its_share_of_links() -> None:
    assert paragraph("two words", 3) == [Block("text", "two words", 0, 3 / 8)]
    assert paragraph("x", 9) == [Block("text", "x", 0, 1.0)]
    assert paragraph("", 0) == []


def test_blanks_do_not_count() -> None:
    assert visible(" two \n words ") == 8

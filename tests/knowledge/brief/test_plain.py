"""Plain text read into blocks, by its looks."""

from __future__ import annotations

from orbit.knowledge.brief.blocks import Block
from orbit.knowledge.brief.plain import plain_blocks

TEXT = """   /\\_/\\
  ( o.o )
=========

        TARN 1.0

Tarn maps lakes
and ponds.

1. Introduction
---------------

- a list
- of items

Version:   1.0
Author:    Ada Clay

LICENSE:
        free as a lake
"""


def test_blocks() -> None:
    assert list(plain_blocks(TEXT)) == [
        Block("rule", ""),
        Block("heading", "TARN 1.0", 2),
        Block("text", "Tarn maps lakes and ponds."),
        Block("heading", "1. Introduction", 2),
        Block("rule", ""),
        Block("heading", "LICENSE", 2),
        Block("text", "free as a lake"),
    ]


def test_a_frame_of_comment_marks_goes() -> None:
    assert list(plain_blocks("#\n# Tarn maps lakes, all of them, every day.\n#\n")) == [
        Block("text", "Tarn maps lakes, all of them, every day.")
    ]

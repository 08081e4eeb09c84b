"""Markdown read into blocks."""

from __future__ import annotations

from orbit.knowledge.brief.blocks import Block
from orbit.knowledge.brief.markdown import markdown_blocks

TEXT = """---
description: "A summary."
---
# Tarn ![ci](https://ci.example.com/badge.svg) *maps*

Tarn `maps` [lakes][1] &amp; **ponds**[^1],
softly wrapped.

> A quote.

> [!NOTE]
> An alert.

- an item

| a | b |
|---|---|
| c | d |

---

![A map of lakes](map.png)

<p align="center">In a <b>banner</b></p>

<details>

Folded away.

</details>

Setext
------

[^1]: A note.
"""


def test_blocks() -> None:
    assert list(markdown_blocks(TEXT, "\n[1]: https://example.com\n")) == [
        Block("summary", "A summary."),
        Block("heading", "Tarn maps", 1),
        Block("text", "Tarn maps lakes & ponds, softly wrapped.", 0, 5 / 34),
        Block("text", "A quote."),
        Block("rule", ""),
        Block("image", "A map of lakes"),
        Block("html", "In a banner"),
        Block("heading", "Setext", 2),
    ]


def test_a_hard_break_parts_only_what_stands_alone() -> None:
    text = "One sentence.  \nAnother\\\nhalf<br>[link](x)"
    assert [block.text for block in markdown_blocks(text)] == ["One sentence.", "Another half", "link"]


def test_a_rule_under_a_sentence_does_not_make_it_a_heading() -> None:
    sentence = "A sentence of quite some words ends here, really."
    assert list(markdown_blocks(f"{sentence}\n---\n")) == [Block("text", sentence)]


def test_a_wall_of_brackets_is_no_text() -> None:
    assert list(markdown_blocks("[" * 1000)) == []

"""RDoc read into blocks."""

from __future__ import annotations

from orbit.knowledge.brief.blocks import Block
from orbit.knowledge.brief.rdoc import rdoc_blocks

TEXT = """= Tarn

home :: https://example.com

Tarn +maps+ {all lakes}[https://example.com] and
<tt>ponds</tt>, see rdoc-ref:Tarn.

  verbatim

* item

---

== Usage
"""


def test_blocks() -> None:
    assert list(rdoc_blocks(TEXT)) == [
        Block("heading", "Tarn", 1),
        Block("text", "Tarn maps all lakes and ponds, see", 0, 8 / 28),
        Block("rule", ""),
        Block("heading", "Usage", 2),
    ]

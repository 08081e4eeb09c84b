"""AsciiDoc read into blocks."""

from __future__ import annotations

from orbit.knowledge.brief.asciidoc import asciidoc_blocks
from orbit.knowledge.brief.blocks import Block

TEXT = """= Tarn
Ada Clay <ada@example.com>
:site: https://example.com
:docs: {site}/docs

[.lead]
Tarn maps {docs}[lakes] and *_ponds_*, see <<usage,below>> or `x`. +
image:x.png[A picture, 100] "`Quoted`".

----
code
----

== Usage

. item

NOTE: Mind the gap.
"""


def test_blocks() -> None:
    assert list(asciidoc_blocks(TEXT)) == [
        Block("heading", "Tarn", 1),
        Block("text", "Tarn maps lakes and ponds, see below or x. “Quoted”.", 0, 5 / 43),
        Block("heading", "Usage", 2),
        Block("text", "NOTE: Mind the gap."),
    ]

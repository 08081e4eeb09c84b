"""Org files read into blocks."""

from __future__ import annotations

from orbit.knowledge.brief.blocks import Block
from orbit.knowledge.brief.org import org_blocks

TEXT = """#+title: Tarn
#+author: Ada Clay

Tarn /maps/ [[https://example.com][lakes]] with =care=[fn:1].

* TODO Usage :noexport:
:PROPERTIES:
:ID: x
:END:

#+begin_src sh
code
#+end_src

- item
  more of it

-----
"""


def test_blocks() -> None:
    assert list(org_blocks(TEXT)) == [
        Block("heading", "Tarn", 1),
        Block("text", "Tarn maps lakes with care.", 0, 5 / 22),
        Block("heading", "Usage", 2),
        Block("rule", ""),
    ]


def test_what_is_never_closed_hides_nothing() -> None:
    assert [block.text for block in org_blocks("#+begin_src\nTarn maps lakes.\n")] == ["Tarn maps lakes."]

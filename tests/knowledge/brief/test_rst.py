"""reStructuredText read into blocks."""

from __future__ import annotations

from orbit.knowledge.brief.blocks import Block
from orbit.knowledge.brief.rst import rst_blocks

TEXT = """====
Tarn
====

.. |v| image:: v.svg
.. |what| replace:: lakes

|v|

Tarn_ maps |what| and `ponds <https://example.com>`_ [#]_::

    code

Section
-------

:field: value

* item

----

| one line
| another
"""


def test_blocks() -> None:
    assert list(rst_blocks(TEXT, "\n.. _Tarn: https://example.com\n")) == [
        Block("heading", "Tarn", 1),
        Block("text", "Tarn maps lakes and ponds:", 0, 9 / 22),
        Block("heading", "Section", 2),
        Block("rule", ""),
        Block("text", "one line"),
        Block("text", "another"),
    ]


def test_names_with_underscores_stay() -> None:
    assert [block.text for block in rst_blocks("Use ``a_b_`` or some_name here.")] == ["Use a_b_ or some_name here."]

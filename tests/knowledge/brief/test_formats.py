"""Which reader a README gets: by its name, or by its looks."""

from __future__ import annotations

import pytest

from orbit.knowledge.brief.blocks import Block
from orbit.knowledge.brief.formats import blocks, format_of


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("README.md", "markdown"),
        (".github/Readme.MARKDOWN", "markdown"),
        ("README.rst", "rst"),
        ("README.adoc", "asciidoc"),
        ("README.org", "org"),
        ("README.rdoc", "rdoc"),
        ("README.html", "html"),
        ("README.txt", "plain"),
        ("README", "plain"),
        ("some.md/README", "plain"),
    ],
)
def test_by_the_name(name: str, form: str) -> None:
    assert format_of("Tarn maps lakes.\n", name) == form


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("# Tarn\n\nMaps.\n", "markdown"),
        ("Tarn\n\nMaps [lakes](https://example.com).\n", "markdown"),
        ('<p align="center">Tarn</p>\n', "markdown"),
        ("Tarn\n====\n\n.. image:: x.png\n", "rst"),
        ("Tarn maps `lakes <https://example.com>`_.\n", "rst"),
        ("#+TITLE: Tarn\n", "org"),
        ("# a comment in plain text\n", "plain"),
        ("", "plain"),
    ],
)
def test_by_the_looks_when_the_name_does_not_say(text: str, form: str) -> None:
    assert format_of(text, "README") == form


def test_a_whole_page_has_text_and_no_banner() -> None:
    page = "<h2>Tarn maps</h2><p>Maps lakes.</p>"
    assert list(blocks(page, "", "README.html")) == [Block("heading", "Tarn maps", 2), Block("text", "Maps lakes.")]
    assert list(blocks(page, "", "README.md")) == [Block("banner", "Tarn maps", 2), Block("html", "Maps lakes.")]

"""One line that says what a repository is, from READMEs: a folder of cases, and whatever text there may be.

A README that goes wrong becomes a case: put the file, in words of your own, into `cases/briefs/FORMAT/` and its line
into `expected.tsv` there.
"""

from __future__ import annotations

import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from orbit.knowledge.brief.cut import cut
from orbit.knowledge.brief.extract import LIMIT, card_brief, decode, readme_brief

CASES = Path(__file__).parents[2] / "cases" / "briefs"
NAMES = ("README.md", "README.rst", "README.adoc", "README.org", "README.rdoc", "README.html", "README.txt", "README")


def cases() -> list[tuple[str, str]]:
    """(path of a README, its brief), of every format."""
    found = []
    for table in sorted(CASES.glob("*/expected.tsv")):
        rows = (line.split("\t") for line in table.read_text("utf-8").splitlines())
        found += [(f"{table.parent.name}/{name}", brief) for name, brief in rows]
    return found


@pytest.mark.parametrize(("path", "brief"), cases())
def test_readme(path: str, brief: str) -> None:
    assert readme_brief((CASES / path).read_text("utf-8"), path.rpartition("/")[2]) == brief


def test_every_readme_in_the_folder_is_a_case() -> None:
    files = {str(path.relative_to(CASES)) for path in CASES.rglob("*") if path.is_file()}
    assert {path for path, _ in cases()} == {path for path in files if not path.endswith("expected.tsv")}


@pytest.mark.parametrize(
    ("text", "brief"),
    [
        ("", ""),
        ("\n  \n", ""),
        ("# Tarn\n\nOne paragraph.\n\nAnother one.\n", "One paragraph."),
        ("# Tarn\n\nHello world\n", "Hello world"),
        ("# Tarn\n\nTarn\n", "Tarn"),
        ("\ufeff# Tarn\r\n\r\nTarn maps\r\nlakes.\r\n", "Tarn maps lakes."),
        ("# Tarn\r\rTarn maps lakes.\r", "Tarn maps lakes."),
        ("Tarn \x1b[31mmaps\x1b[0m\u202e lakes\u200b.\x07", "Tarn maps lakes."),
        ("- a\n- b\n", ""),
        ("```\ncode\n```\n", ""),
        ("<!-- only a comment -->\n", ""),
        ("![logo](x.png)\n", ""),
    ],
)
def test_small_readmes(text: str, brief: str) -> None:
    assert readme_brief(text, "README.md") == brief


@pytest.mark.parametrize("name", ["README.MD", "readme.markdown", "docs/README.md", "README", "README.unknown"])
def test_the_name_decides_the_format_and_a_bare_name_is_guessed(name: str) -> None:
    assert readme_brief("# Tarn\n\nTarn maps [lakes](https://example.com).\n", name) == "Tarn maps lakes."


def test_only_the_first_200_lines_are_read() -> None:
    def said_at(line: int) -> str:
        return "# Tarn\n" + "\n" * (line - 2) + "Tarn maps lakes."

    assert readme_brief(said_at(190), "README.md") == "Tarn maps lakes."
    assert readme_brief(said_at(210), "README.md") == ""


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        ("lakes – é".encode(), "lakes – é"),
        (b"\xef\xbb\xbflakes", "lakes"),
        (b"l\xe4kes", "l\N{REPLACEMENT CHARACTER}kes"),
        ("läkes".encode("utf-16"), "läkes"),
        ("läkes".encode("utf-16-be"), None),
        (b"\xfe\xff" + "läkes".encode("utf-16-be"), "läkes"),
        (b"\xff\xfel", "\N{REPLACEMENT CHARACTER}"),
        (b"ELF\0lakes", None),
    ],
)
def test_decode(data: bytes, text: str | None) -> None:
    assert decode(data) == text


def check(brief: str) -> None:
    """What every brief is, whatever it came from."""
    assert len(brief) <= LIMIT
    assert brief == " ".join(brief.split())
    assert not [c for c in brief if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")]
    assert cut(brief, LIMIT) == brief


PIECES = (
    "Tarn", "is a map", "of lakes.", "It is fast!", "\n", "\n\n", "  \n", "    ", "\t", "# ", "## About", "===",
    "---", "> ", "> [!NOTE]", "- ", "1. ", "* ", "**", "_", "`", "```", "~~", "[", "](", ")", "]", "![", "[x]: y",
    "<p>", "</p>", "<br>", "<img alt='a b'>", "<!--", "-->", "<details>", "</details>", "<h3 align=center>",
    "&amp;", "&#0;", "\\", "|", "|--|", ".. image:: x", ".. |a| replace:: b", "|a|", "::", ":role:`x`", "`x <y>`_",
    "x_", "[#]_", "+---+", "= ", ":field: x", ":attr: {attr}", "{attr}", "link:x[y]", "----", "NOTE: ",
    "#+begin_src", "#+end_src", "[[x][y]]", ":END:", "{a}[b]", "home :: x", "湖", "。", "\u200d", "\u0301", "\x00",
    "\x1b[31m", "\ud800", "\u2028", "v1.2", "e.g. ", "https://example.com",
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=400), st.lists(st.sampled_from(PIECES), max_size=80).map("".join))


@settings(deadline=None, max_examples=200)
@given(TEXTS, st.sampled_from(NAMES))
@example("[a]: <" * 40, "README.md")
@example("]" * 300 + "[" * 300, "README.md")
def test_any_readme_gives_one_clean_line(text: str, name: str) -> None:
    brief = readme_brief(text, name)
    check(brief)
    check(readme_brief(brief, name))


@settings(deadline=None, max_examples=100)
@given(TEXTS)
def test_any_card_gives_one_clean_line(text: str) -> None:
    check(card_brief(text))


@settings(deadline=None, max_examples=100)
@given(st.binary(max_size=200))
def test_any_bytes_are_decoded_or_no_text(data: bytes) -> None:
    text = decode(data)
    assert text is None or "\0" not in text


HOSTILE = {
    "one line of a megabyte": "x" * 1_000_000,
    "words of a megabyte": "word " * 200_000,
    "brackets": "[" * 100_000,
    "pictures": "![a](" * 50_000,
    "nested quotes": ">" * 20_000,
    "nested quotes with blanks": "> " * 20_000,
    "nested lists": "- " * 20_000,
    "emphasis": "*a_" * 200_000,
    "code marks": "`" * 100_000,
    "tags": '<a "' * 30_000,
    "comments": "<!--" * 30_000,
    "entities": "&amp;" * 50_000,
    "a wide table": "|a" * 50_000 + "\n" + "|-" * 50_000,
    "definitions": "[a]: <" * 50_000,
    "empty lines": "\n" * 1_000_000,
    "long lines of brackets": ("[" * 3999 + "\n\n") * 200,
    "sentences": "a. " * 300_000,
    "combining marks": "a" + "\u0301" * 100_000,
}


@pytest.mark.parametrize("name", NAMES)
def test_hostile_input_costs_little(name: str) -> None:
    """The bound is far above what is measured (half a second at most for one): only a wrong order of growth fails."""
    started = time.process_time()
    for text in HOSTILE.values():
        check(readme_brief(text, name))
        if name == "README.md":
            check(card_brief(text))
    assert time.process_time() - started < 20

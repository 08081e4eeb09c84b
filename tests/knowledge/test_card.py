from __future__ import annotations

import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards import BRIEF, card
from orbit.errors import OrbitError
from orbit.knowledge.card import (
    MAX_WRITE_BYTES,
    Budget,
    budget,
    can_be_revision,
    card_state,
    control_characters,
    findings,
    holds_credentials,
    line_count,
    names_revision,
    normalised,
    quick_findings,
    revision,
    scaffold,
    size_words,
)
from orbit.store.settings import read_settings
from orbit.store.syntax import parse

LIMITS = Budget(4, 16, 4096)
NO_SECTIONS = ["no section 'When to add'", "no section 'How to use'"]


def lines(count: int) -> bytes:
    return b"line\n\n \t\n" * count


def test_the_budget_comes_from_the_settings() -> None:
    assert budget(read_settings(parse(""))) == LIMITS
    config = parse("[memo]\n\tminLines = 2\n\tmaxLines = 5\n\tmaxBytes = 100\n")
    assert budget(read_settings(config)) == Budget(2, 5, 100)


@pytest.mark.parametrize(
    ("data", "state"),
    [
        (None, "none"),
        (b"", "thin"),
        (b"\n \n\t\n", "thin"),
        (lines(3), "thin"),
        (lines(4), "ok"),
        (b"1\n2\n3\n4", "ok"),
        (lines(16), "ok"),
        (lines(20), "ok"),
        (lines(21), "over"),
        (b"x" * 4096, "thin"),
        (b"x" * 4097, "over"),
        (b"1\n2\n3\n" + b"\xc3\xa9" * 2045, "ok"),
        (b"1\n2\n3\n" + b"\xc3\xa9" * 2046, "over"),
    ],
)
def test_the_state_of_a_card(data: bytes | None, state: str) -> None:
    assert card_state(data, LIMITS) == state


def test_how_large_a_card_is() -> None:
    assert line_count(b"a\r\n\r\n  b\n\n") == 2
    assert size_words(lines(21), LIMITS) == "21 of 16 lines"
    assert size_words(b"x\n" * 2049, LIMITS) == "4098 of 4096 bytes"


@pytest.mark.parametrize("data", [b"", card().encode(), bytes(range(256))])
def test_a_revision_is_the_id_that_git_gives(data: bytes) -> None:
    git = subprocess.run(["git", "hash-object", "--stdin"], input=data, capture_output=True, check=True)
    assert revision(data) == git.stdout.decode().strip()


@pytest.mark.parametrize(
    ("given", "data", "expected"),
    [
        ("none", None, True),
        ("none", b"", False),
        ("e69d", None, False),
        ("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", b"", True),
        ("E69DE29B", b"", True),
        ("e69d", b"", True),
        ("e69", b"", False),
        ("", b"", False),
        ("", None, False),
        ("e69de29bb2d1d6434b8b29ae775ad8c2e48c53910", b"", False),
        ("e69f", b"", False),
    ],
)
def test_which_revision_is_meant(given: str, data: bytes | None, expected: bool) -> None:
    assert names_revision(given, data) is expected


@pytest.mark.parametrize("word", ["", "abc", "none ", "head", "0" * 41, "abcg", "ａｂｃｄ"])
def test_words_that_can_be_no_revision(word: str) -> None:
    assert not can_be_revision(word)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"a", "a\n"),
        (b"a\n\n\n", "a\n"),
        (b"\xef\xbb\xbfa\n", "a\n"),
        (b"a\r\nb\rc\n", "a\nb\nc\n"),
        (b"a  \nb\t\n\n \nc \r\n", "a\nb\n\n\nc\n"),
        (b"\n\n  indented\n", "  indented\n"),
        (b"\xc3\xa9\xe2\x80\xa6\x1b[1m\n", "é…\x1b[1m\n"),
        (b"x" * MAX_WRITE_BYTES, "x" * MAX_WRITE_BYTES + "\n"),
    ],
)
def test_a_text_made_regular(data: bytes, text: str) -> None:
    assert normalised(data, "backend") == text
    assert normalised(text.encode()[:MAX_WRITE_BYTES], "backend") == text


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "it is empty"),
        (b"\xef\xbb\xbf\r\n \t\n", "it is empty"),
        ("\u2003\n".encode(), "it is empty"),
        (b"a\0b", "it contains NUL bytes"),
        (b"abc\xff", "it is not UTF-8 (byte 3)"),
        (b"\xed\xa0\x80", "it is not UTF-8 (byte 0)"),
        (b"x" * (MAX_WRITE_BYTES + 1), "it is over 256 KiB"),
    ],
)
def test_a_text_that_cannot_be_a_card(data: bytes, message: str) -> None:
    with pytest.raises(OrbitError) as caught:
        normalised(data, "backend")
    assert str(caught.value) == f"backend: card refused, {message}"


@given(st.text())
def test_a_regular_text_stays_as_it_is(text: str) -> None:
    try:
        once = normalised(text.encode("utf-8", "surrogatepass"), "backend")
    except OrbitError:
        return
    assert normalised(once.encode(), "backend") == once
    assert once.endswith("\n")
    assert not once.endswith("\n\n")
    assert "\r" not in once
    assert all(line == line.rstrip() for line in once.split("\n"))


def test_the_scaffold_has_the_advised_shape() -> None:
    text = scaffold("backend")
    assert normalised(text.encode(), "backend") == text
    assert text.startswith("# backend\n\nTODO: ")
    assert "\n## When to add (roles)\n\n- " in text
    assert "\n## How to use\n\n- `" in text
    assert quick_findings(text) == ["3 placeholders left (TODO)"]
    assert card_state(text.encode(), LIMITS) == "ok"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (card(), []),
        ("When to add\n===========\n\nHow to use it\n---\n", []),
        ("###  when TO add\n# HOW TO USE: start here\n", []),
        ("When to add\n\n---\n\nHow to use\n", NO_SECTIONS),
        ("## When to use\n## To add\n", NO_SECTIONS),
        ("## When to add\n", ["no section 'How to use'"]),
        (card("Keeps the TODOs of the TODO_LIST."), []),
        (card("TODO, todo, (TODO)"), ["2 placeholders left (TODO)"]),
    ],
)
def test_what_a_write_finds(text: str, found: list[str]) -> None:
    assert quick_findings(text) == found


@pytest.mark.parametrize(
    ("text", "brief", "found"),
    [
        (card(), BRIEF, []),
        (card(), "", ["no brief can be extracted (first paragraph, or the heading's text)"]),
        (card("b" * 130), "b" * 119 + "…", ["the brief is longer than 120 characters and gets cut"]),
        (card("And so\non …"), "And so on …", []),
        (card(paths=11), BRIEF, []),
        (card(paths=12), BRIEF, ["above the ceiling, 17 of 16 lines"]),
        (card(paths=16), BRIEF, ["over budget, 21 of 16 lines"]),
        (card("b " * 2500), BRIEF, ["over budget, 5160 of 4096 bytes"]),
        ("# backend\n## When to add\n## How to use", "backend", ["thin, 3 lines (at least 4)"]),
        (card("a\x1b[1mb\x07c\u202ed\te\r\nf"), BRIEF, ["control characters: U+0007, U+001B, U+202E"]),
        (card("a\u00a0b\u3000c \U0001f468\u200d\U0001f469 न\u200dम"), BRIEF, []),
        (card("a\ufffd"), BRIEF, ["bytes that are not UTF-8, or U+FFFD in their place"]),
    ],
)
def test_what_a_check_finds(text: str, brief: str, found: list[str]) -> None:
    assert findings(text, brief, LIMITS) == found


@given(st.text(), st.text())
def test_a_check_judges_any_text(text: str, brief: str) -> None:
    assert all(finding.isprintable() for finding in findings(text, brief, LIMITS))


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("see https://example.com/x", False),
        ("see ssh://git@example.com/x and git@example.com:x", False),
        ("see https://me:secret@example.com/x", True),
        ("see postgres://me:secret@localhost/db", True),
        ("mail me@example.com", False),
    ],
)
def test_a_password_in_a_url_is_found(text: str, *, holds: bool) -> None:
    assert holds_credentials(text) == holds
    assert ("a URL with credentials" in quick_findings(text)) == holds


def test_control_characters_by_number() -> None:
    assert control_characters("a\tb\r\nc\n") == []
    assert control_characters("\x1b[0m\x07") == ["U+0007", "U+001B"]

from __future__ import annotations

import json
import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orbit.text import binary_size, escaped_line, framed, nearest, safe_json, safe_line, safe_text, shortened

# What hostile text is made of: whole and broken sequences, direction, joiners, pieces of the frame, halves of pairs.
_PIECES = [
    *(
        "\x1b[31m",
        "\x1b]0;title\x07",
        "\x1b]8;;http://x\x1b\\",
        "\x1bP1$r\x1b\\",
        "\x9b2J",
        "\x9d",
        "\x90",
        "\x9c",
        "\x1b(B",
    ),
    *("\x1b", "\u202e", "\u2066", "\u2069", "\u200b", "\u200c", "\u200d", "\ufe0f", "\ufeff", "\u2060", "\xad"),
    *(
        "\U000e0041",
        "\U000e0101",
        "\r\n",
        "\r",
        "\n",
        "\t",
        "\x0b",
        "\x85",
        "\u2028",
        "\x00",
        "\x7f",
        "\ud800",
        "\udcff",
    ),
    *(
        "<",
        "</",
        " / ",
        "orbit",
        "-",
        "context",
        "OrBiT-CoNtExT",
        "<orbit-context>",
        "--- ",
        "---",
        "name",
        "日本",
        "\u0301",
    ),
]
hostile = st.lists(st.one_of(st.sampled_from(_PIECES), st.text(max_size=4)), max_size=25).map("".join)

_HIDING = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_JOINERS = "\u200c\u200d\u034f\u180b\u180c\u180d" + "".join(
    map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)


def hiding(text: str, kept: str = "") -> set[str]:
    """Characters that control, hide or turn; a few format characters are shown by scripts and may stay."""
    shown = "\u200c\u200d\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
    return {
        c
        for c in text
        if unicodedata.category(c) in _HIDING and c not in kept + shown and not 0x13430 <= ord(c) <= 0x1D17A
    }


@settings(deadline=None)
@given(hostile)
def test_text_loses_what_steers_a_terminal_and_keeps_its_layout(text: str) -> None:
    safe = safe_text(text)
    assert not hiding(safe, "\n\t")
    assert safe_text(safe) == safe


@settings(deadline=None)
@given(hostile)
def test_a_line_stays_one_line(text: str) -> None:
    safe = safe_line(text)
    assert not hiding(safe)
    assert len(safe.splitlines()) <= 1
    assert safe_line(safe) == safe


@settings(deadline=None)
@given(hostile)
def test_a_jot_on_one_line_shows_its_newlines(text: str) -> None:
    shown = escaped_line(text)
    assert not hiding(shown)
    assert shown.count("\\n") >= safe_text(text).count("\n")


@settings(deadline=None)
@given(hostile)
def test_nothing_imitates_the_frame(text: str) -> None:
    safe = framed(text)
    bare = safe.translate({ord(c): None for c in _JOINERS})
    assert not re.search(r"<[\s/]*orbit-context", bare, re.IGNORECASE)
    assert not any(re.match(r"---\s", line) for line in bare.split("\n"))
    assert framed(safe) == safe
    assert not hiding(safe, "\n\t")


@settings(deadline=None)
@given(hostile.filter(lambda text: not re.search("[\ud800-\udfff]", text)))
def test_json_keeps_every_character_and_shows_none_that_harms(text: str) -> None:
    value = {"text": [text, {text: 1}]}
    shown = safe_json(json.dumps(value, ensure_ascii=False))
    assert not hiding(shown)
    assert json.loads(shown) == value


def test_json_has_no_half_characters() -> None:
    assert safe_json('"a\udcffb"') == '"a\N{REPLACEMENT CHARACTER}b"'


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["C", "Z"]), max_size=30))
def test_plain_text_is_left_alone(text: str) -> None:
    if not set(text) & set("\u034f\u180b\u180c\u180d") and not hiding(text):
        assert safe_line(text) == safe_text(text) == text


@pytest.mark.parametrize(
    ("given", "safe"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]0;owned\x07title", "title"),
        ("\x1b]8;;https://example.com\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]52;c;no end to it\nnext line", "\nnext line"),
        ("\x9b31mred", "red"),
        ("a\x1b(Bb\x1b7c", "abc"),
        ("a\x08\x08b\x7f", "ab"),
        ("over\rwritten", "over\nwritten"),
        ("dos\r\nlines\r\n", "dos\nlines\n"),
        ("one\u2028two\u2029three\x85four", "one\ntwo\nthree\nfour"),
        ("right\u202eto\u202cleft \u2066x\u2069", "rightto" + "left x"),
        ("\ufeffmark", "mark"),
        ("zero\u200bwidth soft\xadhyphen", "zerowidth softhyphen"),
        ("tags\U000e0068\U000e0069", "tags"),
        ("bytes \udcff\udcfe", "bytes \N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}"),
        ("👨\u200d👩\u200d👧 ❤\ufe0f می\u200cخواهم", "👨\u200d👩\u200d👧 ❤\ufe0f می\u200cخواهم"),
        ("", ""),
    ],
)
def test_text_made_safe(given: str, safe: str) -> None:
    assert safe_text(given) == safe
    assert safe_line(given) == safe.replace("\t", " ").replace("\n", "  " if "\r\n" in given else " ")


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("plain", "plain"),
        ("two\nlines\tand a tab", "two\\nlines and a tab"),
        ("dos\r\nend", "dos\\nend"),
        ("\x1b]0;never closed\nsecond line stays", "\\nsecond line stays"),
        ("back\\nslash", "back\\nslash"),
    ],
)
def test_jot_text_on_one_line(given: str, shown: str) -> None:
    assert escaped_line(given) == shown


@pytest.mark.parametrize(
    ("given", "safe"),
    [
        ("a <b> tag", "a <b> tag"),
        ("</orbit-context>", "&lt;/orbit-context>"),
        ("<ORBIT-Context x>", "&lt;ORBIT-Context x>"),
        ("< / orbit-context>", "&lt; / orbit-context>"),
        ("<\n/orbit-context", "&lt;\n/orbit-context"),
        ("</orbit-\x1b[0mcontext>", "&lt;/orbit-context>"),
        ("</orb\u200bit-context>", "&lt;/orbit-context>"),
        ("<\u200d/orbit\u200d-context>", "&lt;/orbit-context>"),
        ("the orbit-context tag is fine", "the orbit-context tag is fine"),
        ("--- backend (branch: main) ---", " --- backend (branch: main) ---"),
        ("x\n---\tbackend", "x\n ---\tbackend"),
        ("x\r--- backend", "x\n --- backend"),
        ("\u200d--- backend", " \u200d--- backend"),
        ("---\nfront: matter\n---", "---\nfront: matter\n---"),
        ("----- a rule", "----- a rule"),
    ],
)
def test_frame_defused(given: str, safe: str) -> None:
    assert framed(given) == safe


def test_a_megabyte_of_hostile_text_takes_no_time() -> None:
    for piece in ("\x1b]", "\x1b[", "<orbit-", "--- x\n", "\u202e", "\x9b", "< "):
        framed(piece * (1_000_000 // len(piece)))


@pytest.mark.parametrize(
    ("text", "limit", "short"),
    [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("ab cd", 4, "ab…"), ("abcd", 1, "…"), ("", 1, "")],
)
def test_shortened(text: str, limit: int, short: str) -> None:
    assert shortened(text, limit) == short


@pytest.mark.parametrize(
    ("word", "known", "found"),
    [
        ("repso", ["repos", "info"], ["repos"]),
        ("REPOS", ["repos"], ["repos"]),
        ("repo", ["report", "info", "repos"], ["repos", "report"]),
        ("xyzzy", ["repos", "info"], []),
        ("", ["repos"], []),
    ],
)
def test_nearest(word: str, known: list[str], found: list[str]) -> None:
    assert nearest(word, known) == found


@pytest.mark.parametrize(
    ("count", "size"),
    [
        (0, (0.0, "")),
        (1023, (1023.0, "")),
        (1024, (1.0, "KiB")),
        (1 << 20, (1.0, "MiB")),
        (3 << 30, (3.0, "GiB")),
        (1 << 52, (4096.0, "TiB")),
    ],
)
def test_sizes_in_binary_units(count: int, size: tuple[float, str]) -> None:
    assert binary_size(count) == size

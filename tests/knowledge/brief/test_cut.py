"""Where sentences end, and how a paragraph becomes one line of at most so many characters."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orbit.knowledge.brief.cut import cut, first_sentence, folded, joined, sentence_ends, spaceless
from orbit.knowledge.brief.extract import LIMIT

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"  # one character to the eye, five code points
FLAG = "\U0001f1eb\U0001f1ee"


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Tarn maps lakes. It is fast! Is it? Yes…", ["Tarn maps lakes.", "It is fast!", "Is it?", "Yes…"]),
        ("Uses e.g. maps, i.e. lakes, vs. rivers, cf. ponds.", ["Uses e.g. maps, i.e. lakes, vs. rivers, cf. ponds."]),
        ("Written by Dr. Vale of the U.S. navy.", ["Written by Dr. Vale of the U.S. navy."]),
        ("Maps lakes etc. It is fast.", ["Maps lakes etc.", "It is fast."]),
        ("Maps lakes, ponds, etc. with ease.", ["Maps lakes, ponds, etc. with ease."]),
        (
            "Reads .gitignore files. Runs on Node.js 1.2.3. Good.",
            ["Reads .gitignore files.", "Runs on Node.js 1.2.3.", "Good."],
        ),
        ("Written in C. It is fast.", ["Written in C.", "It is fast."]),
        ("By Ada B. Clay in 1990. Old.", ["By Ada B. Clay in 1990.", "Old."]),
        ("Maps (e.g. lakes. And ponds.) and more. Good.", ["Maps (e.g. lakes. And ponds.) and more.", "Good."]),
        ('Says "stop." Then goes.', ['Says "stop."', "Then goes."]),
        ("Yahoo! maps lakes.", ["Yahoo! maps lakes."]),
        ("maps lakes. tarn is small.", ["maps lakes.", "tarn is small."]),
        ("湖の地図です。速い！本当？", ["湖の地図です。", "速い！", "本当？"]),
        ("no end", []),
    ],
)
def test_sentences(text: str, sentences: list[str]) -> None:
    ends = sentence_ends(text)
    starts = [0, *ends]
    assert [text[start:end].strip() for start, end in zip(starts, ends, strict=False)] == sentences


def words(count: int) -> str:
    return " ".join(f"word{number:03}" for number in range(count))


def test_the_whole_text_fits_exactly() -> None:
    assert cut("x" * LIMIT, LIMIT) == "x" * LIMIT
    assert cut(f"  {'x' * 59}\n\t{'y' * 60} ", LIMIT) == f"{'x' * 59} {'y' * 60}"


def test_whole_sentences_that_fit() -> None:
    first, second, third = (f"{name} {'x' * 44} end." for name in ("One", "Two", "Six"))
    assert cut(f"{first} {second} {third}", LIMIT) == f"{first} {second}"


def test_else_the_last_word_boundary_that_leaves_room() -> None:
    text = words(40)
    shown = cut(text, LIMIT)
    assert shown == f"{text[: text.rindex(' ', 0, LIMIT)]}…"
    assert cut(f"{'x' * 119} y{'z' * 30}", LIMIT) == f"{'x' * 119}…"
    assert cut(f"{'x' * 110}, yes {'z' * 30}", LIMIT) == f"{'x' * 110}, yes…"
    assert cut(f"{'x' * 115}, {'z' * 30}", LIMIT) == f"{'x' * 115}…"


def test_scripts_without_blanks_are_cut_at_a_character() -> None:
    assert cut("湖" * 200, LIMIT) == "湖" * 119 + "…"
    assert cut("Tarn は" + "湖" * 200, LIMIT) == "Tarn は" + "湖" * 113 + "…"
    assert cut("湖" * 116 + "ponds" + "湖" * 20, LIMIT) == "湖" * 116 + "…"
    assert cut("x" * 300, LIMIT) == "x" * 119 + "…"


@pytest.mark.parametrize("shift", range(6))
def test_never_inside_what_is_seen_as_one_character(shift: int) -> None:
    lead = "x" * shift
    assert cut(lead + FAMILY * 60, LIMIT).removeprefix(lead).removesuffix("…").replace(FAMILY, "") == ""
    assert cut(lead + FLAG * 90, LIMIT).removeprefix(lead).removesuffix("…").replace(FLAG, "") == ""
    assert cut(lead + "e\u0301" * 90, LIMIT).removeprefix(lead).removesuffix("…").replace("e\u0301", "") == ""
    assert cut(lead + "\U0001f44d\U0001f3fd" * 90, LIMIT)[-2:-1] == "\U0001f3fd"
    assert cut(lead + "क्षि" * 60, LIMIT).removesuffix("…").endswith("क्षि")


def test_one_endless_character_is_no_brief() -> None:
    assert cut("e" + "\u0301" * 300, LIMIT) == ""


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ([], ""),
        (["Tarn maps ", " lakes."], "Tarn maps lakes."),
        (["湖の地図を", "描く道具。"], "湖の地図を描く道具。"),
        (["Tarn は", "lakes を描く"], "Tarn は lakes を描く"),
    ],
)
def test_soft_wrapped_lines_are_joined(lines: list[str], text: str) -> None:
    assert joined(lines) == text


def test_folded_text_is_one_clean_line() -> None:
    assert folded(" a\n\tb\u00a0c\x07\u200bd\u2028e ") == "a b cd e"


def test_the_first_sentence_or_all_of_it() -> None:
    assert first_sentence("One. Two.") == "One."
    assert first_sentence("no end") == "no end"


def test_scripts_without_blanks() -> None:
    assert spaceless("Tarn 湖")
    assert spaceless("ทะเลสาบ")
    assert not spaceless("호수 지도 Tarn")


@settings(deadline=None)
@given(st.text(alphabet="ab. !?湖。\u0301\u200d(e.g.)", max_size=400))
def test_a_cut_is_a_beginning(text: str) -> None:
    shown = cut(text, LIMIT)
    assert len(shown) <= LIMIT
    assert cut(shown, LIMIT) == shown
    assert " ".join(text.split()).startswith(shown.removesuffix("…"))

from __future__ import annotations

import pytest

from orbit.store.tokens import (
    SyntaxProblem,
    line_span,
    plain_key,
    read_header,
    read_value,
    simple_value,
    written_header,
    written_value,
)

VALUES = {
    " plain": "plain",
    "": "",
    "  \t ": "",
    " two  words \t": "two  words",
    " a\tb\rc": "a\tb\rc",
    " a \r\n": "a",
    " a # b": "a",
    " a;b": "a",
    " # b": "",
    ' "a # b" # c': "a # b",
    ' " a "': " a ",
    ' x" y "z': "x y z",
    ' "" a': "a",
    ' a "" ': "a ",
    ' "a\\"b\\\\c"': 'a"b\\c',
    " \\n\\t\\b": "\n\t\b",
    " a \\\n  b": "a   b",
    " a\\\r\n b": "a b",
    ' "a\\\n b"': "a b",
    " a\\": "a",
    " a\\\n": "a",
    " a\\\n  # c\n": "a",
    " \v\f": "\v\f",
    " \N{NO-BREAK SPACE}é\N{LINE SEPARATOR}": "\N{NO-BREAK SPACE}é\N{LINE SEPARATOR}",
}


@pytest.mark.parametrize(("text", "value"), VALUES.items())
def test_values_are_read(text: str, value: str) -> None:
    assert read_value(text, 0)[0] == value
    assert simple_value(text.partition("\n")[0]) in (value, None)


@pytest.mark.parametrize("text", [' "a', ' "a\n"', " \\x", " \\\r", ' "a\\', ' a "b # c', " \\"[:2] + "#"])
def test_values_that_git_refuses(text: str) -> None:
    with pytest.raises(SyntaxProblem):
        read_value(text, 0)


def test_a_value_says_where_it_stands() -> None:
    text = 'k =  "a b" c \t# note\nnext'
    _, after, start, end = read_value(text, 3)
    assert (text[start:end], text[after:]) == ('"a b" c', "next")


HEADERS = {
    "a]": ("a", None),
    "A-b9]": ("a-b9", None),
    "a.B.c]": ("a", "b.c"),
    'A "B"]': ("a", "B"),
    'a \t "B c"]': ("a", "B c"),
    'a.b "C"]': ("a", "b.C"),
    'a ""]': ("a", ""),
    'a "\\"\\\\\\x]#"]': ("a", '"\\x]#'),
    ' "b"]': ("", "b"),
    ".a]": ("", "a"),
}


@pytest.mark.parametrize(("text", "name"), HEADERS.items())
def test_headers_are_read(text: str, name: tuple[str, str | None]) -> None:
    assert read_header(text + "rest", 0) == (*name, len(text))


@pytest.mark.parametrize(
    "text", ["]", "a", "a b]", 'a"b"]', 'a "b', 'a "b" ]', 'a "b\n"]', 'a\n"b"]', 'a "b\\\n"]', "a_b]", "é]"]
)
def test_headers_that_git_refuses(text: str) -> None:
    with pytest.raises(SyntaxProblem):
        read_header(text, 0)


def test_a_problem_names_its_line() -> None:
    with pytest.raises(SyntaxProblem) as caught:
        read_value("\n\nk = \\x", 5)
    assert caught.value.line == 3
    assert str(caught.value) == "line 3: unknown escape"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("", ""),
        ("plain text = [x] é 🚀", "plain text = [x] é 🚀"),
        (" a", '" a"'),
        ("a ", '"a "'),
        ("a;b", '"a;b"'),
        ("a#b", '"a#b"'),
        ('say "x"', '"say \\"x\\""'),
        ("a\\n", '"a\\\\n"'),
        ("a\nb\tc\bd", '"a\\nb\\tc\\bd"'),
        ("a\r", '"a\r"'),
        ("\x1b[1m", '"\x1b[1m"'),
    ],
)
def test_values_are_written(value: str, text: str) -> None:
    assert written_value(value) == text
    assert read_value(f" {text}\n", 0)[0] == value


def test_a_value_cannot_hold_nul() -> None:
    with pytest.raises(ValueError, match="NUL"):
        written_value("a\0b")


def test_headers_are_written() -> None:
    assert written_header("a", None) == "[a]\n"
    assert written_header("a", 'x "\\') == '[a "x \\"\\\\"]\n'


def test_plain_keys() -> None:
    assert [plain_key(text) for text in ("\tKey-1 ", "9k", "", "k k", "é", "\r k", "k\r", "-k", "k_")] == [
        *("key-1", "", "", "", "", "k", "", "", ""),
    ]


def test_lines_end_before_their_newline() -> None:
    text = "a\r\nb\n\rc\r"
    assert line_span(text, 0) == (1, 3)
    assert line_span(text, 3) == (4, 5)
    assert line_span(text, 5) == (len(text), len(text))
    assert line_span("\n", 0) == (0, 1)

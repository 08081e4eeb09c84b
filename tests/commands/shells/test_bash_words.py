from __future__ import annotations

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orbit.commands.shells.bash_words import Typed, quoted, read_line

BREAKS = " \t\n\"'@><=;|&(:"


@pytest.mark.parametrize(
    ("line", "words", "current", "kept"),
    [
        ("orbit info ", ["orbit", "info"], "", 0),
        ("orbit info ba", ["orbit", "info"], "ba", 0),
        (r"orbit switch a\ b\$c", ["orbit", "switch"], "a b$c", 0),
        ("orbit switch 'a b' c", ["orbit", "switch", "a b"], "c", 0),
        ('orbit switch "" c', ["orbit", "switch", ""], "c", 0),
        ("orbit switch 'a b", ["orbit", "switch"], "a b", 0),
        ("orbit switch x'a b", ["orbit", "switch"], "xa b", 1),
        ("orbit switch x'a'b", ["orbit", "switch"], "xab", 0),
        (r'orbit switch "a\"\x$', ["orbit", "switch"], 'a"\\x$', 0),
        ("orbit add --ref=v1", ["orbit", "add"], "--ref=v1", 6),
        ("orbit add a@b:c", ["orbit", "add"], "a@b:c", 4),
        ("cd x && orbit info b", ["orbit", "info"], "b", 0),
        ("(orbit info b", ["orbit", "info"], "b", 0),
        ("A=1 B='2 3' orbit info b", ["orbit", "info"], "b", 0),
        ("orbit info b\\", ["orbit", "info"], "b", 0),
        ("", [], "", 0),
    ],
)
def test_a_line_as_bash_reads_it(line: str, words: list[str], current: str, kept: int) -> None:
    found = read_line(line, BREAKS)
    assert (list(found.words), found.current, found.kept) == (words, current, kept)


def test_the_open_quote_is_known() -> None:
    assert read_line("orbit info 'b", BREAKS) == Typed(("orbit", "info"), "b", 0, "'")
    assert [read_line(f"orbit info {text}", BREAKS).quote for text in ('"b', "'b'", 'x"b"', "\\'b")] == [
        '"',
        "",
        "",
        "",
    ]


def test_what_is_no_break_is_replaced_too() -> None:
    assert read_line("orbit add --ref=v1", " ").kept == 0


_values = st.text(st.sampled_from("abz09 -_./\\'\"$`!#&;|<>(){}[]*?~^=:@%,日é"), min_size=1, max_size=12)


@settings(max_examples=40, deadline=None)
@given(st.lists(_values, min_size=1, max_size=25))
def test_bash_reads_a_quoted_value_as_it_was(values: list[str]) -> None:
    lines = [f"printf '%s\\0' {quote}{quoted(value, quote)}{quote}" for value in values for quote in ("", "'", '"')]
    bash, env = ["bash", "--norc", "-c", "\n".join(lines)], {"HOME": "/home", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(bash, capture_output=True, env=env, check=True)
    assert done.stdout.decode().split("\0")[:-1] == [value for value in values for _ in range(3)]


@given(_values, st.sampled_from(["", "'", '"']))
def test_what_was_quoted_is_read_back(value: str, quote: str) -> None:
    written = f"orbit info {quote}{quoted(value, quote)}"
    assert read_line(f"{written}{quote} ", BREAKS).words == ("orbit", "info", value)

from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orbit.knowledge.search.query import Question, ask
from orbit.knowledge.search.ranking import expressions


def test_words_that_only_bind_do_not_count() -> None:
    question = ask("We want to make the billing of customers better, please")
    assert {"bil", "customer"} <= set(question.words)
    assert not {"we", "want", "to", "make", "the", "of", "better", "please", "pleas"} & set(question.words)


def test_they_count_when_there_is_nothing_else() -> None:
    assert ask("who has it?").words == ("who", "has", "it", "whohas", "hasit")


def test_two_words_may_be_written_as_one() -> None:
    question = ask("people cannot log in, check out or sign up")
    assert {"login", "checkout", "signup"} <= set(question.words)
    assert "password" in question.related


def test_beginnings() -> None:
    assert ask("authent").beginnings == ("authent",)
    assert ask("au").beginnings == ("au",)
    assert "au" not in ask("au pair").beginnings
    assert ask("a").beginnings == ()
    assert "in" not in ask("people cannot log in").beginnings
    assert ask("漢").beginnings == ("漢",)
    assert "schedul" in ask("scheduler").beginnings


@pytest.mark.parametrize("text", ["", " ", "?!", "\0", '"', "-", "\ud800"])
def test_nothing_is_asked_without_a_word(text: str) -> None:
    assert ask(text) == Question((), (), ())


def test_a_long_text_asks_a_bounded_question() -> None:
    question = ask(" ".join(f"word{number}" for number in range(100_000)) + " x" * 100_000)
    assert len(question.words) <= 128
    assert len(question.beginnings) <= 260


HOSTILE = [
    '"',
    "'",
    "*",
    "^",
    "NEAR(",
    "OR",
    "AND NOT",
    "name:x",
    "{",
    "}",
    "c++",
    "auth-service",
    "-",
    "+",
    "\0",
    "(",
    "💥",
]


@given(st.text() | st.lists(st.sampled_from(HOSTILE)).map(" ".join))
def test_no_text_is_a_syntax_error(text: str) -> None:
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("CREATE VIRTUAL TABLE words USING fts5 (name, tokenize = 'ascii')")
        for one in expressions(ask(text)):
            connection.execute("SELECT rowid FROM words WHERE words MATCH ?", (one,)).fetchall()
    finally:
        connection.close()

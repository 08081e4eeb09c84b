from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orbit.knowledge.search.words import split


@pytest.mark.parametrize("text", ["authService", "auth-service", "auth_service", "AUTH_SERVICE", "Auth.Service"])
def test_an_identifier_gives_its_parts_and_itself(text: str) -> None:
    assert split(text) == ["auth", "servic", "authservic"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("-- ../ ?!", []),
        ("HTTPServer", ["http", "server", "httpserver"]),
        ("oauth2", ["oauth", "oauth2"]),
        ("k8s", ["k8s"]),
        ("v2", ["v2"]),
        ("2026", ["2026"]),
        ("utf8 64bit", ["utf", "utf8", "64", "bit", "64bit"]),
        ("a b", ["a", "b"]),
        ("src/app/users", ["src", "app", "user"]),
        ("the customer's cart", ["the", "customer", "cart"]),
        ("don\u2019t", ["dont"]),
        ("C++ and C#, not gcc+++", ["cpp", "and", "csharp", "not", "gcc"]),
        ("naïve Ｆｕｌｌ Größe STRASSE straße", ["naiv", "ful", "grosse", "strass", "strasse"]),
        ("漢字の説明", ["漢字", "字の", "の説", "説明", "明"]),
        ("a漢b", ["a", "漢", "b"]),
        ("日", ["日"]),
        ("ガラス", ["ガラ", "ラス", "ス"]),
        ("한국어", ["한국", "국어", "어"]),
        ("тесты Тесты", ["тесты", "тесты"]),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert split(text) == words


def test_what_is_too_long_is_cut() -> None:
    assert [len(word) for word in split("xy" * 5000)] == [64]
    assert [len(word) for word in split("ж" * 5000)] == [64]


@given(st.text())
def test_words_hold_letters_digits_and_marks_only(text: str) -> None:
    for word in split(text):
        assert 0 < len(word) <= 64
        assert not any(c.isspace() or (c.isascii() and not c.isalnum()) for c in word)


@given(st.text(alphabet=st.sampled_from("aAbZ9 -_./é漢字カ\u0301\u200d'+#")))
def test_case_of_whole_words_does_not_matter(text: str) -> None:
    assert split(text.upper()) == split(text.upper().lower().upper())
    assert split(f"{text} {text}") == split(text) * 2

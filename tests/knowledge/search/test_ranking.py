from __future__ import annotations

import sqlite3
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from orbit.knowledge.search import ranking as module
from orbit.knowledge.search.ranking import rank
from orbit.store import fulltext


class Repo(NamedTuple):
    name: str
    brief: str = ""
    card: bytes = b""


POOL = [
    Repo("authService", "Proves who somebody is."),
    Repo("mail-worker", "Sends mail.", b"# mail-worker\n\nSends mail.\n\n- authentication of the relay\n"),
    Repo("kumo", "\u753b\u50cf\u5909\u63db\u30b5\u30fc\u30d3\u30b9"),
    Repo("billing", "Invoices and receipts.", b"Everything that customers are charged for.\n"),
    Repo("native", "A parser in C++."),
    Repo("search", "Finds articles; spelling mistakes included."),
    Repo("kestrel", "Token checks for every service."),
    Repo("docs", "The manual."),
]


def order(cache: Path, text: str) -> list[str]:
    found = rank(str(cache), POOL, text)
    assert all(score > 0 for score in found.values())
    return sorted(found, key=lambda name: -found[name])


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("auth", "authService"),
        ("AUTH", "authService"),
        ("auth_service", "authService"),
        ("authservice", "authService"),
        ("authenticate", "mail-worker"),
        ("people cannot log in", "authService"),
        ("charging a customer twice", "billing"),
        ("invoic", "billing"),
        ("bil", "billing"),
        ("\u753b\u50cf", "kumo"),
        ("\u63db", "kumo"),
        ("c++", "native"),
        ("mistake in the spelling of articles", "search"),
        ("the invoice that nobody reads, in whatever colour", "billing"),
        ("handbook", "docs"),
        ('billing" OR name:x AND NOT (*', "billing"),
    ],
)
def test_the_best_answer(tmp_path: Path, text: str, first: str) -> None:
    assert order(tmp_path, text)[0] == first


@pytest.mark.parametrize("text", ["", "zebra", "?!", "\U0001f4a5", "-"])
def test_no_answer(tmp_path: Path, text: str) -> None:
    assert order(tmp_path, text) == []


def test_not_every_word_has_to_be_there(tmp_path: Path) -> None:
    assert set(order(tmp_path, "mail zebra manual")) == {"mail-worker", "docs"}


def test_the_word_itself_outweighs_all_that_is_related(tmp_path: Path) -> None:
    relatives = "login logon signin identity credential password session token authentication"
    pool = [*POOL, Repo("login-ui", relatives, relatives.encode())]
    found = rank(str(tmp_path), pool, "auth")
    assert max(found, key=lambda name: found[name]) == "authService"
    assert found["login-ui"] > 0
    assert max(rank(str(tmp_path), pool, "logout").items(), key=lambda item: item[1])[0] == "login-ui"


def test_a_word_that_everybody_says_hides_nobody(tmp_path: Path) -> None:
    pool = [Repo(f"r{number}", "A service.") for number in range(9)] + [Repo("door", "A service for passwords.")]
    found = rank(str(tmp_path), pool, "the login service")
    assert max(found, key=lambda name: found[name]) == "door"
    assert len(found) == 10


def test_a_name_that_is_said_comes_first(tmp_path: Path) -> None:
    assert order(tmp_path, "mail, mails, mailing, sending mail: and (docs)?")[0] == "docs"


def test_a_pool_of_nothing(tmp_path: Path) -> None:
    assert rank(str(tmp_path / "cache"), [], "words") == {}
    assert not (tmp_path / "cache").exists()


def test_a_change_is_found_at_once(tmp_path: Path) -> None:
    assert order(tmp_path, "walrus") == []
    for changed in (Repo("docs", "About a walrus."), Repo("docs", "The manual.", b"A walrus in the card.\n")):
        pool = [changed if repo.name == "docs" else repo for repo in POOL]
        assert list(rank(str(tmp_path), pool, "walrus")) == ["docs"]
    assert rank(str(tmp_path), POOL, "walrus") == {}
    assert list(rank(str(tmp_path), [*POOL, Repo("walrus")], "walrus")) == ["walrus"]
    assert rank(str(tmp_path), POOL, "walrus") == {}


def test_only_what_changed_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order(tmp_path, "mail")
    read = []
    text_of = module._text
    monkeypatch.setattr(module, "_text", lambda repo: (read.append(repo.name), text_of(repo))[1])
    order(tmp_path, "mail")
    assert read == []
    rank(str(tmp_path), [*POOL[1:], Repo("new", "thing")], "mail")
    assert read == ["new"]


@pytest.mark.parametrize("lack", ["sqlite", "fts5"])
def test_without_full_text_search_substrings_rank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lack: str) -> None:
    if lack == "sqlite":
        for name in ("sqlite3", "_sqlite3"):
            monkeypatch.setitem(sys.modules, name, None)
    else:
        monkeypatch.setattr(fulltext, "_MODULE", "no_such_module")
    assert order(tmp_path, "billing invoices")[0] == "billing"
    assert order(tmp_path, "AUTH")[0] == "authService"
    assert order(tmp_path, "\u753b\u50cf") == ["kumo"]
    assert order(tmp_path, "zebra") == []


def test_a_huge_card_is_indexed_up_to_its_limit(tmp_path: Path) -> None:
    huge = Repo("huge", "", b"early " + b"filler " * 40_000 + b"late")
    assert list(rank(str(tmp_path), [*POOL, huge], "early")) == ["huge"]
    assert rank(str(tmp_path), [*POOL, huge], "late") == {}
    assert (tmp_path / fulltext.FILE).stat().st_size < 500_000


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    strange = [*POOL, Repo("strange", "half \ud800 here", b"\xff\xfe\x00walrus \xc3"), Repo("nul", "a\0walrus")]
    assert set(rank(str(tmp_path), strange, "walrus")) == {"strange", "nul"}


def test_the_file_holds_what_is_asked(tmp_path: Path) -> None:
    order(tmp_path, "mail")
    connection = sqlite3.connect(tmp_path / fulltext.FILE)
    try:
        assert connection.execute("SELECT count(*) FROM words").fetchone() == (len(POOL),)
    finally:
        connection.close()

"""`orbit repos WORD...`: only what matches, best first."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from counted_git import counted_git
from pool_files import advance, head_of, known_clone, put_card, put_row
from rosters import behind, repos
from shapes import json_of
from world import World

CARD = "# {name}\n\n{brief}\n\n## When to add (roles)\n\n- {role}\n\n## How to use\n\n- `README.md`: first\n"


def place(world: World, name: str, brief: str, role: str = "whenever") -> None:
    world.clone(name)
    put_card(world, name, CARD.format(name=name, brief=brief, role=role))
    put_row(world, name, url="x", head=head_of(world, name), brief=brief)


@pytest.fixture
def pool(world: World) -> World:
    place(world, "authService", "Proves who somebody is.")
    place(world, "billing", "Invoices and receipts.", "customers are charged twice")
    place(world, "kestrel", "Checks tokens.", "authentication of every request")
    place(world, "search", "Finds articles.")
    place(world, "stock", "Counts pieces.")
    world.clone("mailer")
    (world.pool / "mailer" / "README.md").write_text("# mailer\n\nSends letters about parcels.\n")
    return world


def names(world: World, *words: str) -> list[str]:
    return [row["name"] for row in repos(world, *words)]


def test_best_first_and_only_matches(pool: World) -> None:
    assert names(pool, "auth") == ["authService", "kestrel"]
    assert names(pool, "auth-service")[0] == "authService"
    assert names(pool, "people cannot sign in")[0] in {"authService", "kestrel"}
    assert names(pool, "charge", "a", "customer", "two", "times") == ["billing"]
    assert names(pool, "parcel", "letter") == ["mailer"]
    assert names(pool, "stock", "zebra") == ["stock"]
    assert names(pool, "zebra") == []


def test_the_score(pool: World) -> None:
    rows = repos(pool, "auth", "search")
    scores = [row["score"] for row in rows]
    assert len(rows) == 3
    assert scores == sorted(scores, reverse=True)
    assert all(score > 0 for score in scores)
    assert not any("score" in row for row in repos(pool))


def test_the_table_has_the_same_order(pool: World) -> None:
    shown = pool.orbit("repos", "auth", "--no-urls").out.splitlines()
    assert [line.split()[0] for line in shown] == ["NAME", "authService", "kestrel"]


def test_with_filters(pool: World) -> None:
    advance(pool, "kestrel", 2)
    assert names(pool, "auth", "--stale") == ["kestrel"]
    assert pool.orbit("repos", "auth", "--stale").err == behind("kestrel", 2)
    assert names(pool, "letters", "auth", "--no-card") == ["mailer"]
    assert names(pool, "auth", "--limit", "1") == ["authService"]
    assert names(pool, "auth", "--no-card") == []
    assert pool.orbit("repos", "auth", "--no-card").err == "orbit: repos: nothing matches auth --no-card\n"


def test_a_card_written_now_is_found_now(pool: World) -> None:
    assert names(pool, "walrus") == []
    put_card(pool, "stock", CARD.format(name="stock", brief="Counts pieces.", role="a walrus is missing"))
    assert names(pool, "walrus") == ["stock"]
    (pool.pool / ".stock.md").unlink()
    assert names(pool, "walrus") == []
    (pool.pool / "mailer" / "README.md").write_text("# mailer\n\nSends a walrus.\n")
    assert names(pool, "walrus") == ["mailer"]
    shutil.rmtree(pool.pool / "mailer")
    assert names(pool, "walrus") == []


@pytest.mark.parametrize(
    "word", ['"', "*", "NEAR(", "a AND", "name:x", "c++", "-", "\x1b[2J", "x" * 100_000, "OR", "\udcff"]
)
def test_no_word_is_an_error(pool: World, word: str) -> None:
    outcome = pool.orbit("repos", "--json", "--", word)
    assert outcome.code == 0
    json_of("repos", outcome)
    assert len(outcome.err) < 200


@pytest.mark.parametrize("damage", ["deleted", "garbage", "a file", "elsewhere", "no sqlite"])
def test_the_cache_never_matters(pool: World, damage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = repos(pool, "auth", "invoices")
    cache = pool.pool / ".cache"
    shutil.rmtree(cache)
    if damage == "garbage":
        cache.mkdir()
        (cache / "search-1.sqlite").write_bytes(b"no database" * 100)
    elif damage == "a file":
        cache.write_text("")
    elif damage == "elsewhere":
        cache.symlink_to("/proc/self/nothing")
    elif damage == "no sqlite":
        for name in ("sqlite3", "_sqlite3"):
            monkeypatch.setitem(sys.modules, name, None)
        assert {row["name"] for row in repos(pool, "auth", "invoices")} == {row["name"] for row in expected}
        return
    for _ in range(2):
        assert repos(pool, "auth", "invoices") == expected


def test_no_git_process(pool: World, tmp_path: Path) -> None:
    with counted_git(tmp_path) as calls:
        names(pool, "auth")
        assert calls.lines == []


# --- how many --------------------------------------------------------------------------------------------------------


@pytest.fixture
def crowd(world: World) -> World:
    """Seventy repositories that mention orders, six of them in their name."""
    made = known_clone(world, "seed")
    for number in range(70):
        name = f"orders-{number}" if number < 6 else f"other-{number}"
        (world.pool / name / ".git").mkdir(parents=True)
        for file in ("HEAD", "config"):
            shutil.copy(made / ".git" / file, world.pool / name / ".git" / file)
        put_row(world, name, url="x", brief="About many things, orders among them" if number >= 6 else "Orders")
    for number in range(200):
        (world.pool / f"filler-{number}" / ".git").mkdir(parents=True)
        for file in ("HEAD", "config"):
            shutil.copy(made / ".git" / file, world.pool / f"filler-{number}" / ".git" / file)
        put_row(world, f"filler-{number}", url="x", brief="A crate" + " refund" * (number == 7))
    return world


def test_at_most_as_many_as_a_roster_names(crowd: World) -> None:
    outcome = crowd.orbit("repos", "orders", "--json")
    rows = json_of("repos", outcome)
    assert len(rows) == 50
    assert {row["name"] for row in rows[:6]} == {f"orders-{number}" for number in range(6)}
    # the clone that the others are copies of has a card about orders, too
    assert "orbit: repos: 21 weaker matches are not shown: repos WORDS --limit 71\n" in outcome.err
    assert len(repos(crowd, "orders", "--limit", "71")) == 71
    assert len(repos(crowd, "orders", "--limit", "3")) == 3
    with (crowd.pool / ".orbit").open("a") as file:
        file.write("[context]\n\trosterLimit = 7\n")
    assert len(repos(crowd, "orders")) == 7


def test_what_is_far_weaker_than_the_best_is_left_out_of_a_long_answer(crowd: World) -> None:
    put_row(crowd, "filler-9", brief="A crate, refund, refund and refund")
    rows = repos(crowd, "refund")
    assert len(rows) == 2
    rows = repos(crowd, "refund", "crate")
    assert [row["name"] for row in rows[:2]] == ["filler-9", "filler-7"]
    assert len(rows) == 10

"""The report as a value: in which state a card is, what comes first, and the words for it."""

from __future__ import annotations

import pytest

from orbit.knowledge.evidence import Evidence, PathState
from orbit.knowledge.report import CardRow, Report, behind_words, evidence_words, size_words
from orbit.knowledge.staleness import FRESH, Staleness

GONE = Evidence((PathState("cmd/main.go", "missing", "cmd/server.go"), PathState("api/", "changed")))
SAME = Evidence((PathState("api/", "ok"),))


def row(name: str, memo: str = "ok", stale: Staleness = FRESH, **more: object) -> CardRow:
    return CardRow(name, memo_state=memo, staleness=stale).replace(**more)


def behind(count: int | None, state: str = "behind") -> Staleness:
    return Staleness(state, count)


@pytest.mark.parametrize(
    ("card", "state"),
    [
        (row("a"), "ok"),
        (row("a", "thin"), "thin"),
        (row("a", "none", Staleness("none")), "none"),
        (row("a", "over", behind(1)), "stale"),
        (row("a", "thin", behind(None, "unknown")), "stale"),
        (row("a", error="gone"), "damaged"),
    ],
)
def test_the_state_of_a_card(card: CardRow, state: str) -> None:
    assert card.state == state


def test_what_comes_first() -> None:
    cards = (
        row("far", stale=behind(90)),
        row("fresh"),
        row("near", stale=behind(2)),
        row("lost", stale=behind(None, "unknown")),
        row("gone", stale=behind(1), evidence=GONE),
    )
    report = Report("/p", 0, cards)
    assert [card.name for card in report.of("stale")] == ["gone", "lost", "far", "near"]
    assert report.counts == {"ok": 1, "stale": 4, "thin": 0, "over": 0, "none": 0, "damaged": 0}


def test_sums() -> None:
    report = Report("/p", 0, (row("a", bytes=5), row("b", bytes=7)), other_bytes=3)
    assert (report.pool_bytes, report.workspace_bytes) == (15, 0)


@pytest.mark.parametrize(
    ("card", "words"),
    [
        (row("a", stale=behind(1), evidence=GONE), "gone: cmd/main.go, now cmd/server.go; changed: api/"),
        (row("a", stale=behind(1), evidence=SAME), "nothing it names changed"),
        (row("a", stale=behind(1)), ""),
        (row("a", stale=behind(1, "rewritten")), "history rewritten"),
        (row("a", stale=Staleness("unknown", None, reason="the card's commit is gone")), "the card's commit is gone"),
    ],
)
def test_evidence_in_words(card: CardRow, words: str) -> None:
    assert evidence_words(card) == words


def test_distances_in_words() -> None:
    found = [behind_words(s) for s in (behind(3), behind(3, "shallow"), behind(None, "unknown"))]
    assert found == ["3", "3+", "unknown"]


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.0 KiB"),
        (150 * 1024, "150 KiB"),
        (3 * 1024**2 + 400_000, "3.4 MiB"),
        (5 * 1024**5, "5120 TiB"),
    ],
)
def test_sizes_in_words(count: int, words: str) -> None:
    assert size_words(count) == words

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orbit.page.plot import day, nice_ceiling, share_bar, stacked_bar, step_line

DAY = 86_400


def test_shares_of_a_bar_fill_it() -> None:
    bar = ElementTree.fromstring(stacked_bar((("ok", 1), ("none", 0), ("stale", 3)), "Cards <by> state"))
    title, *parts = bar
    assert title.text == "Cards <by> state: 1 ok, 3 stale"
    assert [(p.get("class"), float(p.get("x", "")), float(p.get("width", ""))) for p in parts] == [
        ("fill-ok", 0.0, 25.0),
        ("fill-stale", 25.0, 75.0),
    ]


def test_nothing_draws_nothing() -> None:
    assert stacked_bar((("ok", 0),), "t") == step_line((), 5, "t", "d") == ""


def test_a_small_bar() -> None:
    assert 'width="50.00"' in share_bar(5, 10)
    assert 'width="0.00"' in share_bar(0, 0)


@pytest.mark.parametrize(("value", "top"), [(0, 4), (1, 4), (4, 4), (5, 8), (9, 20), (21, 40), (41, 80), (81, 200)])
def test_an_axis_ends_at_an_even_number(value: int, top: int) -> None:
    assert nice_ceiling(value) == top


@given(st.lists(st.tuples(st.integers(0, 2_000_000_000), st.integers(0, 100_000)), min_size=1, max_size=30))
def test_a_line_stays_inside_and_only_goes_on(points: list[tuple[int, int]]) -> None:
    points.sort()
    drawn = ElementTree.fromstring(step_line(points, 1_000_000_000, "t", "d"))
    line = next(e for e in drawn if e.get("class") == "line").get("d", "")
    x, y = [], []
    for word in line.split(" "):
        (y if word[0] == "V" else x if word[0] in "MH" else y).append(float(word.lstrip("MHV")))
    assert x == sorted(x)
    assert min(x) >= 44
    assert max(x) <= 480 - 14
    assert min(y) >= 12
    assert max(y) <= 200 - 26


def test_titles_are_escaped_and_days_named() -> None:
    drawn = step_line([(0, 1), (30 * DAY, 5)], 60 * DAY, "<t>", "a & b")
    assert "<title>&lt;t&gt;</title><desc>a &amp; b</desc>" in drawn
    for at in (0, 30 * DAY, 60 * DAY):
        assert f">{day(at)}</text>" in drawn
    assert day(0) == "1970-01-01"


def test_a_clock_that_went_back() -> None:
    assert "line" in step_line([(100 * DAY, 1)], 5, "t", "d")

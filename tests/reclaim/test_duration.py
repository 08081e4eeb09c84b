from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orbit.errors import UsageError
from orbit.reclaim.duration import in_words, parse_duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("12h", 43_200), ("1d", 86_400), ("30d", 2_592_000), ("2w", 1_209_600), ("1m", 2_592_000), ("007d", 604_800)],
)
def test_what_durations_mean(text: str, seconds: int) -> None:
    assert parse_duration(text) == seconds


@given(st.text(max_size=8))
def test_anything_is_a_duration_or_wrong_usage(text: str) -> None:
    number, unit = text[:-1], text[-1:]
    if unit and unit in "hdwm" and number.isascii() and number.isdecimal() and 0 < len(number) < 7 and int(number):
        assert parse_duration(text) >= 3600
    else:
        with pytest.raises(UsageError, match="--older takes a number above 0"):
            parse_duration(text)


@pytest.mark.parametrize("text", ["٣d", "1²d", "0h", "00m", "d", "", "1", "1.0d", "+1d", "1D"])
def test_digits_of_other_scripts_and_nothing_are_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_duration(text)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "less than a minute"), (61, "1 minutes"), (7200, "2 hours"), (86_400 * 3 + 5, "3 days")],
)
def test_in_words(seconds: int, words: str) -> None:
    assert in_words(seconds) == words

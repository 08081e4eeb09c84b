"""Findings in words."""

from orbit.checkup.finding import shortened_list


def test_a_long_list_is_counted() -> None:
    assert shortened_list(["a", "b"]) == "a, b"
    assert shortened_list(list("abcdefgh"), 3) == "a, b, c and 5 more"

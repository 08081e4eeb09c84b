"""What became of the paths a card names, in words."""

from __future__ import annotations

import pytest

from orbit.wording import Paths, about_paths


@pytest.mark.parametrize(
    ("paths", "words"),
    [
        (None, ""),
        (Paths(3), ""),
        (Paths(3, untouched=True), "; nothing it names changed"),
        (Paths(4, ("cmd/main.go",), ("api/",)), "; 1 of 4 paths it names is gone (cmd/main.go), 1 changed (api/)"),
        (Paths(4, ("a", "b")), "; 2 of 4 paths it names are gone (a, b)"),
        (Paths(9, (), tuple("abcde")), "; 5 of 9 paths it names changed (a, b, c and 2 more)"),
    ],
)
def test_words(paths: Paths | None, words: str) -> None:
    assert about_paths(paths) == words

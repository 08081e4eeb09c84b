"""Text that somebody hands in."""

import pytest

from orbit.errors import OrbitError
from orbit.knowledge.incoming import decoded


@pytest.mark.parametrize(
    ("data", "text"), [(b"", ""), (b"a\n", "a\n"), (b"\xef\xbb\xbfa", "\ufeffa"), ("é🚀".encode(), "é🚀")]
)
def test_text(data: bytes, text: str) -> None:
    assert decoded(data, "backend", "card") == text


@pytest.mark.parametrize(
    ("data", "why"),
    [(b"a\0b", "jot refused, it contains NUL bytes"), (b"ab\xff", "jot refused, it is not UTF-8 (byte 2)")],
)
def test_what_is_no_text(data: bytes, why: str) -> None:
    with pytest.raises(OrbitError) as refusal:
        decoded(data, "backend", "jot")
    assert (refusal.value.context, refusal.value.message) == ("backend", why)

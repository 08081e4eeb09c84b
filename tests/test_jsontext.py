"""The C half of `json` against the whole of it."""

from __future__ import annotations

import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orbit.jsontext import dumps, loads

_PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
_VALUES = st.recursive(_PLAIN, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)


def outcome(text: str, *, whole: bool) -> str:
    """What reading gives, by the standard library or by us: floats that are no number differ from themselves."""
    try:
        return repr(json.loads(text) if whole else loads(text))
    except ValueError:
        return "refused"


@given(_VALUES, st.booleans())
def test_the_same_text_is_written(value: object, ascii_only: bool) -> None:
    assert dumps(value, ascii_only=ascii_only) == json.dumps(value, ensure_ascii=ascii_only)


@given(_VALUES, st.sampled_from((None, 0, 2)))
def test_the_same_value_is_read(value: object, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    assert outcome(text, whole=False) == outcome(text, whole=True)


@given(st.text(alphabet='[]{},:"\\0123456789.eE-+ntrufalsI\n\t \x0b\ufeff', max_size=12))
def test_the_same_text_is_refused(text: str) -> None:
    assert outcome(text, whole=False) == outcome(text, whole=True)


@pytest.mark.parametrize(
    "text", ["", " ", "nul", "1 2", "[1]]", '{"a": 1,}', '"a\nb"', "\ufeff1", '"abc', "-", "1" * 5000]
)
def test_what_is_no_json(text: str) -> None:
    assert outcome(text, whole=False) == outcome(text, whole=True) == "refused"


def test_depth_is_an_error_of_its_own() -> None:
    with pytest.raises(RecursionError):
        loads("[" * 100_000)


def test_what_json_cannot_say() -> None:
    with pytest.raises(TypeError, match="set is not JSON"):
        dumps({"a": {1}})
    ring: list[object] = []
    ring.append(ring)
    with pytest.raises(ValueError, match="Circular"):
        dumps(ring)


def test_without_the_c_half(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "_json", None)
    assert dumps(["é", 1.5], ascii_only=False) == '["é", 1.5]'
    assert loads(' {"a": [1, null]} ') == {"a": [1, None]}
    with pytest.raises(ValueError, match="Expecting"):
        loads("nul")

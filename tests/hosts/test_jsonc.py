from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orbit.hosts.jsonc import JsoncError, parse, texts_at, with_text, without_text

_ENTRY = "file:///t/orbit.ts"
_WRITTEN = [
    '{\n  // my model\n  "model": "x", // why\n  "plugin": ["a"],\n}\n',
    '{"plugin": ["a", ["b", {}]]}',
    '{\n  "plugin": [\n    "a", // one\n    "b"\n  ]\n}\n',
    '{\n  "plugin": [\n    "a",\n    "b", // the last, with a comma\n  ],\n}\n',
    '{\n\t"skills": {\n\t\t"urls": ["x"] /* y */\n\t},\n\t"model": "m"\n}',
    '/* first */ { "model": "//no comment", "x": {"plugin": []} }',
    "// c\n{ /* x */ }",
    "{\n}\n",
    '\ufeff{\r\n  "model": "x"\r\n}\r\n',
]


@pytest.mark.parametrize("text", _WRITTEN)
@pytest.mark.parametrize("path", [("plugin",), ("skills", "paths")])
def test_in_and_out_again_leaves_the_text_as_it_was(text: str, path: tuple[str, ...]) -> None:
    added = with_text(text, path, _ENTRY)
    assert texts_at(added, path)[-1] == _ENTRY
    for comment in ("// my model", "// why", "// one", "/* first */", "/* x */", "/* y */"):
        assert (comment in added) == (comment in text)
    assert without_text(added, path, _ENTRY) == text


def test_what_it_makes_is_laid_out_like_the_rest() -> None:
    text = '{\n  "model": "x"\n}\n'
    added = with_text(text, ("plugin",), "a")
    assert added == '{\n  "model": "x",\n  "plugin": ["a"]\n}\n'
    assert with_text(added, ("plugin",), "b") == '{\n  "model": "x",\n  "plugin": ["a", "b"]\n}\n'


def test_a_list_that_is_left_empty_goes_with_what_held_nothing_else() -> None:
    assert without_text('{"model": 1, "skills": {"paths": ["a"]}}', ("skills", "paths"), "a") == '{"model": 1}'
    kept = '{"skills": {"urls": []}}'
    assert without_text('{"skills": {"urls": [], "paths": ["a"]}}', ("skills", "paths"), "a") == kept
    assert without_text('{"plugin": ["a", "b", "a"]}', ("plugin",), "a") == '{"plugin": ["b"]}'


@pytest.mark.parametrize("text", ["{}", '{"plugin": []}', '{"plugin": ["b"]}', '{"plugin": {"a": 1}}', "[]"])
def test_what_is_not_there_is_not_taken_out(text: str) -> None:
    assert without_text(text, ("plugin",), "a") == text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "line 1 is not JSON"),
        ("{\n  1: 2\n}", "line 2 is not JSON"),
        ('{"a": 1', "line 1 is not JSON"),
        ('{"a": [1, }', "line 1 is not JSON"),
        ("{} {}", "line 1 is not JSON"),
        ("{\n/* open", "line 2 is not JSON"),
        ("[" * 200, "too deep"),
        ("[", "line 1 is not JSON"),
    ],
)
def test_no_json(text: str, told: str) -> None:
    with pytest.raises(JsoncError, match=told):
        parse(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [("[]", "the whole is not an object"), ('{"plugin": {}}', "plugin is not a list"), ('{"skills": 1}', "skills")],
)
def test_something_else_in_the_way_is_not_changed(text: str, told: str) -> None:
    with pytest.raises(JsoncError, match=told):
        with_text(text, ("skills", "paths") if "skills" in text else ("plugin",), "a")


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=4), _VALUES, max_size=4), st.sampled_from([None, 1, "\t"]))
def test_any_json_takes_it_and_gives_it_back(value: dict[str, object], indent: int | str | None) -> None:
    value.pop("plugin", None)
    text = json.dumps(value, indent=indent)
    added = with_text(text, ("plugin",), _ENTRY)
    assert json.loads(added) == {**value, "plugin": [_ENTRY]}
    assert json.loads(without_text(added, ("plugin",), _ENTRY)) == value


@given(st.text(alphabet='{}[]",:/* \n1a\\'))
def test_no_text_is_a_crash(text: str) -> None:
    try:
        with_text(text, ("a", "b"), _ENTRY)
        without_text(text, ("a", "b"), _ENTRY)
    except JsoncError:
        pass

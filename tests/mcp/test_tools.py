from __future__ import annotations

from typing import Any

import pytest

from orbit.commands import TABLE
from orbit.commands.arguments import Usage
from orbit.errors import OrbitError
from orbit.hosts.approve import UNASKED
from orbit.mcp.tools import MODES, TOOLS, Tool, checked, input_schema

BY_NAME = {tool.name: tool for tool in TOOLS}
FULL: dict[str, Any] = {"string": "text", "integer": 3, "boolean": True, "strings": ["a", "b"]}


def whole(tool: Tool) -> dict[str, Any]:
    return {p.name: p.choices[-1] if p.choices else FULL[p.kind] for p in tool.parameters}


def least(tool: Tool) -> dict[str, Any]:
    return {name: value for name, value in whole(tool).items() if name in input_schema(tool)["required"]}


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_the_words_are_such_that_the_verb_takes(tool: Tool) -> None:
    for given in (whole(tool), least(tool)):
        verb, values = tool.words(checked(tool, given))
        usage: Usage = __import__(f"orbit.commands.{TABLE[verb][0]}", fromlist=["USAGE"]).USAGE
        known = {argument.key: argument for argument in usage.arguments}
        assert values.keys() <= known.keys()
        for key, words in values.items():
            assert all(isinstance(word, str) for word in words)
            if known[key].is_option and not known[key].takes:
                assert words == ()


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_hints_follow_the_tiers(tool: Tool) -> None:
    """What may run unasked is not destructive, and only that which is not the user's to time is not marked so."""
    verb, values = tool.words(checked(tool, whole(tool)))
    assert tool.hints.destructive == (verb not in UNASKED)
    assert not (tool.hints.destructive and tool.hints.read_only)
    if verb in UNASKED:
        assert values.keys() <= UNASKED[verb]


def test_what_is_the_users_alone_is_no_tool() -> None:
    verbs = {tool.words(checked(tool, whole(tool)))[0] for tool in TOOLS}
    assert not verbs & {"clone", "config", "prune", "setup", "hook", "mcp", "new", "doctor", "try"}


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_of_the_context(mode: str) -> None:
    assert BY_NAME["context"].words({"mode": mode}) == ("context", {} if mode == "cruise" else {mode: ()})


def test_words_of_a_query() -> None:
    assert BY_NAME["repos"].words({"query": " a  b\n"}) == ("repos", {"json": (), "word": ("a", "b")})
    assert BY_NAME["repos"].words({"limit": 3}) == ("repos", {"json": (), "word": (), "limit": ("3",)})


def test_a_goal_is_read_or_set() -> None:
    assert BY_NAME["goal"].words({}) == ("context", {"key": ("goal",)})
    assert BY_NAME["goal"].words({"text": ""}) == ("goal", {"text": ("",)})


def test_no_branch_is_made_unasked() -> None:
    assert BY_NAME["switch"].words({"repo": "a", "name": "b", "create": False})[1] == {"repo": ("a",), "name": ("b",)}


def test_null_is_not_given() -> None:
    assert checked(BY_NAME["add"], {"repo": "a", "ref": None}) == {"repo": "a"}


@pytest.mark.parametrize("value", [1, True, ["a"], {}, "a\0", "a\ud800"])
def test_what_is_no_text(value: object) -> None:
    with pytest.raises(OrbitError, match="repo must be a text"):
        checked(BY_NAME["info"], {"repo": value})


@pytest.mark.parametrize("value", ["a", 1, ["a", 1], ["a\0"], [["a"]], {"a": "b"}])
def test_what_is_no_list(value: object) -> None:
    with pytest.raises(OrbitError, match="repos must be a list of texts"):
        checked(BY_NAME["sync"], {"repos": value})


@pytest.mark.parametrize("value", [0, -1, 1.5, True, "3"])
def test_what_is_no_number(value: object) -> None:
    with pytest.raises(OrbitError, match="limit must be a whole number above 0"):
        checked(BY_NAME["repos"], {"limit": value})

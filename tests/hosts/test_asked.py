from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orbit.hosts.asked import Asked, is_whole, may_run_orbit, read_asked


def said(**fields: object) -> Asked | None:
    return read_asked(json.dumps(fields).encode())


def test_claudes_words() -> None:
    tool = {"tool_name": "Bash", "tool_input": {"command": "orbit repos", "description": "List"}}
    assert said(cwd="/w", source="startup", session_id="s", **tool) == Asked("/w", "startup", "s", "orbit repos")


def test_copilots_words() -> None:
    assert said(cwd="/w", source="new", sessionId="s") == Asked("/w", "new", "s")
    for given_as in ({"command": "orbit repos"}, '{"command": "orbit repos"}'):
        assert said(toolName="bash", toolArgs=given_as) == Asked(command="orbit repos")
    assert said(toolName="bash", toolInput={"command": "orbit repos"}) == Asked(command="orbit repos")


@pytest.mark.parametrize("when", ["2026-11-30T15:00:00Z", 1.5, -1, 10**30, None, [], "", True])
def test_when_is_milliseconds_or_nothing(when: object) -> None:
    assert said(timestamp=1_796_051_573_654) == Asked(when=1_796_051_573_654_000_000)
    assert said(timestamp=when) == Asked()


def test_cursors_words() -> None:
    assert said(conversation_id="s", workspace_roots=["/w", "/x"]) == Asked("/w", "", "s")
    assert said(command="orbit repos", cwd="/w", workspace_roots=["/x"]) == Asked("/w", command="orbit repos")


@pytest.mark.parametrize("tool", ["Bash", "bash", "run_shell_command", "Shell"])
def test_the_tools_that_run_commands(tool: str) -> None:
    assert said(tool_name=tool, tool_input={"command": "x"}) == Asked(command="x")


@pytest.mark.parametrize("tool", ["Write", "mcp__srv__bash", "PowerShell", "BashOutput"])
def test_any_other_tool_runs_none(tool: str) -> None:
    assert said(tool_name=tool, tool_input={"command": "x"}, command="x") == Asked()


def test_nothing_said() -> None:
    for data in (b"", b" \n", b"{}", b"\xef\xbb\xbf{}"):
        assert read_asked(data) == Asked()


@pytest.mark.parametrize(
    "data",
    [b"[]", b'"text"', b"null", b"1", b"{", b"hello", b"{}{}", b"[" * 200_000, b'{"a":' * 200_000, b"\0", b"\xff\xfe"],
    ids=lambda data: repr(data[:12]),
)
def test_what_is_no_object(data: bytes) -> None:
    assert read_asked(data) is None
    assert not is_whole(data)


def test_fields_of_another_type_count_as_not_said() -> None:
    odd: list[object] = [None, 1, True, [], {}, [1], {"command": 1}, ""]
    for value in odd:
        assert said(cwd=value, source=value, session_id=value, workspace_roots=value) == Asked()
        assert said(tool_name="Bash", tool_input=value, toolArgs=value) == Asked()
    assert said(tool_name="Bash", tool_input="[" * 100_000) == Asked()


def test_a_second_name_is_asked_when_the_first_says_nothing() -> None:
    assert said(session_id="", sessionId="s") == Asked(session="s")


def test_whole_or_not() -> None:
    data = json.dumps({"cwd": "/w", "prompt": "a } b"}).encode()
    assert is_whole(data + b"\n")
    assert not any(is_whole(data[:end]) for end in range(len(data)))


@given(st.dictionaries(st.text(), st.recursive(st.none() | st.booleans() | st.text(), st.lists), max_size=5))
def test_any_object_is_understood(value: dict[str, object]) -> None:
    assert isinstance(read_asked(json.dumps(value).encode()), Asked)


@given(st.binary())
def test_no_bytes_are_an_error(data: bytes) -> None:
    assert read_asked(data) is None or isinstance(read_asked(data), Asked)


def test_what_cannot_be_a_command_of_orbits_is_seen_without_reading() -> None:
    for command in ("orbit", "orbit repos", 'orbit jot a "b"'):
        assert may_run_orbit(json.dumps({"cwd": "/w", "tool_input": {"command": command}}).encode())
    for command in ("ls", "cd x && orbit repos", ""):
        assert not may_run_orbit(json.dumps({"cwd": "/work/orbit", "tool_input": {"command": command}}).encode())

"""The stub of a model that the tests of the real hosts talk to: its part that needs no client."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from stub_model import PLAY, SENTENCE, StubModel
from wires import OTHER, TOOL, USER, Say, Turn, Use, shell_call, strings_in, wire_of

_PATHS = {
    "anthropic": "/v1/messages?beta=true",
    "responses": "/v1/responses",
    "chat": "/v1/chat/completions",
    "gemini": "/v1beta/models/m:generateContent",
}
_STREAMS = {**_PATHS, "gemini": "/v1beta/models/m:streamGenerateContent?alt=sse"}
# How each protocol tells: system, user, what the model said, a tool's result, the user again; and one shell.
_BODIES: dict[str, dict[str, Any]] = {
    "anthropic": {
        "system": "s",
        "messages": [
            {"role": "user", "content": "one"},
            {"role": "assistant", "content": [{"type": "text", "text": "two"}]},
            {"role": "user", "content": [{"type": "tool_result", "content": [{"type": "text", "text": "three"}]}]},
            {"role": "user", "content": [{"type": "text", "text": PLAY}]},
        ],
        "tools": [{"name": "Bash"}],
    },
    "responses": {
        "input": [
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "one"}]},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "two"}]},
            {"type": "function_call", "name": "exec_command"},
            {"type": "function_call_output", "output": "three"},
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": PLAY}]},
        ],
        "tools": [{"type": "function", "name": "exec_command"}, {"type": "web_search"}],
    },
    "chat": {
        "messages": [
            {"role": "user", "content": "one"},
            {"role": "assistant", "content": "two"},
            {"role": "tool", "content": "three"},
            {"role": "user", "content": [{"type": "text", "text": PLAY}]},
        ],
        "tools": [{"function": {"name": "bash"}}],
    },
    "gemini": {
        "contents": [
            {"role": "user", "parts": [{"text": "one"}]},
            {"role": "model", "parts": [{"text": "two"}]},
            {"role": "user", "parts": [{"functionResponse": {"response": {"output": "three"}}}]},
            {"role": "user", "parts": [{"text": PLAY}]},
        ],
        "tools": [{"functionDeclarations": [{"name": "run_shell_command"}]}],
    },
}


@pytest.fixture
def stub() -> Iterator[StubModel]:
    made = StubModel()
    yield made
    made.close()


def post(stub: StubModel, path: str, body: object) -> str:
    request = urllib.request.Request(stub.url + path, json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return str(answer.read().decode())


@pytest.mark.parametrize("name", _BODIES)
def test_four_protocols_are_read_into_one_form(name: str) -> None:
    wire = wire_of(_PATHS[name])
    assert wire
    asked = wire.read(_BODIES[name], _PATHS[name])
    assert asked.turns == [Turn(USER, "one"), Turn(OTHER, "two"), Turn(TOOL, "three"), Turn(USER, PLAY)]
    assert asked.tools[0] == shell_call(asked.tools, "x").tool  # type: ignore[union-attr]


@pytest.mark.parametrize("name", _BODIES)
@pytest.mark.parametrize("stream", [False, True])
def test_it_calls_the_hosts_own_shell_and_then_speaks(stub: StubModel, name: str, stream: bool) -> None:
    stub.commands = ["orbit repos"]
    path, body = (_STREAMS if stream else _PATHS)[name], {**_BODIES[name], "stream": stream}
    first = post(stub, path, body)
    assert "orbit repos" in first
    assert SENTENCE not in first
    key = {"anthropic": "messages", "chat": "messages", "responses": "input", "gemini": "contents"}[name]
    said = [*_BODIES[name][key], _BODIES[name][key][-2]]
    second = post(stub, path, {**body, key: said})
    assert SENTENCE in second
    assert stub.results() == ["three"]
    if stream:
        events = [line.removeprefix("data: ") for line in second.splitlines() if line.startswith("data: ")]
        assert all(json.loads(event) for event in events if event != "[DONE]")
    else:
        assert json.loads(second)


def test_without_a_shell_or_without_the_word_it_speaks(stub: StubModel) -> None:
    stub.commands = ["orbit repos"]
    bare = {**_BODIES["chat"], "tools": []}
    assert SENTENCE in post(stub, _PATHS["chat"], bare)
    assert stub.talks() == []
    plain = {**_BODIES["chat"], "messages": [{"role": "user", "content": "Hello"}]}
    assert SENTENCE in post(stub, _PATHS["chat"], plain)
    assert len(stub.talks()) == 1


def test_a_script_sees_the_whole_request(stub: StubModel) -> None:
    stub.script = lambda body: [f"echo {len(body['messages'])}"]
    assert "echo 4" in post(stub, _PATHS["chat"], _BODIES["chat"])


def test_what_is_no_conversation_is_written_down_all_the_same(stub: StubModel) -> None:
    assert json.loads(post(stub, "/v1/messages/count_tokens", {"x": 1}))["input_tokens"] == 10
    with urllib.request.urlopen(f"{stub.url}/v1/models", timeout=30) as answer:
        assert json.loads(answer.read())["data"][0]["id"] == "stub-model"
    assert [request.path for request in stub.requests] == ["/v1/messages/count_tokens", "/v1/models"]
    stub.clear()
    assert stub.requests == []


def test_where_a_text_stands() -> None:
    assert list(strings_in({"a": [{"b": "x"}], "c": "y"})) == [("a[0].b", "x"), ("c", "y")]


@pytest.mark.parametrize("escalated", [False, True])
def test_codex_is_asked_to_leave_its_sandbox_only_when_that_is_meant(escalated: bool) -> None:
    call = shell_call(["exec_command"], "x", escalated=escalated)
    assert isinstance(call, Use)
    assert ("sandbox_permissions" in call.arguments) == escalated
    assert shell_call(["read_file"], "x") is None
    assert Say("x").text == "x"

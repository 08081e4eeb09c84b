"""Four ways in which agent hosts speak to a model, read into one form and answered from one form. No client needed.

Anthropic Messages, OpenAI Responses, OpenAI chat completions, Gemini generateContent; streams as server-sent events.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

USER, TOOL, OTHER = "user", "tool", "other"
# The hosts' own shell tools, by name, and how each takes a command.
SHELLS = ("Bash", "bash", "exec_command", "shell_command", "shell", "run_shell_command")


class Turn(NamedTuple):
    """One thing in the conversation: who said it, and what."""

    role: str
    text: str


class Asked(NamedTuple):
    """One request of a host: the conversation, the tools it offers, and whether it wants a stream."""

    turns: list[Turn]
    tools: list[str]
    stream: bool


class Say(NamedTuple):
    """The model answers with text."""

    text: str


class Use(NamedTuple):
    """The model calls a tool. `namespace`: Codex keeps the tools of an MCP server in one."""

    tool: str
    arguments: dict[str, Any]
    namespace: str = ""


Reply = Say | Use


class Wire(NamedTuple):
    """How one protocol is read, and how a reply number `n` of it is written: one body, or the events of a stream."""

    read: Callable[[dict[str, Any], str], Asked]
    whole: Callable[[Reply, int], dict[str, Any]]
    events: Callable[[Reply, int], list[dict[str, Any]]]
    named_events: bool = False
    last: str = ""


def wire_of(path: str) -> Wire | None:
    """The protocol of a request by its path."""
    bare = path.partition("?")[0]
    if bare.endswith("/messages"):
        return ANTHROPIC
    if bare.endswith("/responses"):
        return RESPONSES
    if bare.endswith("/chat/completions"):
        return CHAT
    if "enerateContent" in bare:
        return GEMINI
    return None


def texts_in(value: Any) -> str:
    """Every text in a message's content, whatever its nesting."""
    return "\n".join(_texts(value))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        for key in ("text", "content", "parts", "output", "response", "error", "llmContent"):
            if key in value:
                yield from _texts(value[key])


def strings_in(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """(path, text) of every text anywhere in a request, for «where does the block stand»."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from strings_in(item, f"{path}[{index}]")
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from strings_in(item, f"{path}.{key}" if path else key)


def shell_call(tools: list[str], command: str, *, escalated: bool = False) -> Use | None:
    """A call of the host's own shell, None when the host offers none."""
    name = next((shell for shell in SHELLS if shell in tools), "")
    if not name:
        return None
    if name == "exec_command":
        beside = {"sandbox_permissions": "require_escalated", "justification": "test"} if escalated else {}
        return Use(name, {"cmd": command, **beside})
    if name == "shell":
        return Use(name, {"command": ["bash", "-lc", command]})
    more: dict[str, Any] = {"description": "a command of the test"} if name != "shell_command" else {}
    if name == "run_shell_command":
        more["is_background"] = False
    return Use(name, {"command": command, **more})


# --- Anthropic Messages ----------------------------------------------------------------------------------------------

_USAGE = {"input_tokens": 10, "output_tokens": 5}


def _read_anthropic(body: dict[str, Any], _: str) -> Asked:
    turns = []
    for message in body.get("messages", []):
        content = message.get("content")
        parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
        for part in parts:
            if part.get("type") == "tool_result":
                turns.append(Turn(TOOL, texts_in(part)))
            elif part.get("type") == "text":
                turns.append(Turn(USER if message["role"] == "user" else OTHER, part.get("text") or ""))
    return Asked(turns, [tool.get("name", "") for tool in body.get("tools") or []], bool(body.get("stream")))


def _anthropic_block(reply: Reply, n: int) -> dict[str, Any]:
    if isinstance(reply, Use):
        return {"type": "tool_use", "id": f"toolu_{n:06}", "name": reply.tool, "input": reply.arguments}
    return {"type": "text", "text": reply.text}


def _anthropic_whole(reply: Reply, n: int) -> dict[str, Any]:
    return {
        "id": f"msg_{n:06}",
        "type": "message",
        "role": "assistant",
        "model": "stub-model",
        "content": [_anthropic_block(reply, n)],
        "stop_reason": "tool_use" if isinstance(reply, Use) else "end_turn",
        "stop_sequence": None,
        "usage": {**_USAGE, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0},
    }


def _anthropic_events(reply: Reply, n: int) -> list[dict[str, Any]]:
    whole = _anthropic_whole(reply, n)
    block = _anthropic_block(reply, n)
    if isinstance(reply, Use):
        start = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(reply.arguments)}
    else:
        start = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": reply.text}
    ending = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    return [
        {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": start},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": ending, "usage": whole["usage"]},
        {"type": "message_stop"},
    ]


ANTHROPIC = Wire(_read_anthropic, _anthropic_whole, _anthropic_events, named_events=True)

# --- OpenAI Responses ------------------------------------------------------------------------------------------------


def _read_responses(body: dict[str, Any], _: str) -> Asked:
    turns = []
    given = body.get("input", [])
    for item in [{"role": "user", "content": given}] if isinstance(given, str) else given:
        if str(item.get("type", "")).endswith("_output"):
            turns.append(Turn(TOOL, texts_in(item)))
        elif "role" in item:
            turns.append(Turn(USER if item["role"] == "user" else OTHER, texts_in(item.get("content"))))
    tools = [tool.get("name") or tool.get("type", "") for tool in body.get("tools") or []]
    return Asked(turns, tools, bool(body.get("stream")))


def _responses_item(reply: Reply, n: int) -> dict[str, Any]:
    if isinstance(reply, Use):
        arguments = json.dumps(reply.arguments)
        names = {"name": reply.tool, "call_id": f"call_{n}"}
        if reply.namespace:
            names["namespace"] = reply.namespace
        return {"type": "function_call", "id": f"fc_{n}", **names, "arguments": arguments}
    content = [{"type": "output_text", "text": reply.text, "annotations": []}]
    return {"type": "message", "id": f"msg_{n}", "role": "assistant", "content": content}


def _responses_whole(reply: Reply, n: int) -> dict[str, Any]:
    usage = {
        **_USAGE,
        "total_tokens": 15,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
    answer = {"id": f"resp_{n}", "object": "response", "status": "completed"}
    return {**answer, "output": [_responses_item(reply, n)], "usage": usage}


def _responses_events(reply: Reply, n: int) -> list[dict[str, Any]]:
    whole = _responses_whole(reply, n)
    item = whole["output"][0]
    events: list[dict[str, Any]] = [{"type": "response.created", "response": {"id": whole["id"]}}]
    if isinstance(reply, Say):
        place = {"output_index": 0, "content_index": 0, "item_id": item["id"]}
        events += [
            {"type": "response.output_item.added", "output_index": 0, "item": {**item, "content": []}},
            {"type": "response.output_text.delta", **place, "delta": reply.text},
        ]
    return [
        *events,
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": whole},
    ]


RESPONSES = Wire(_read_responses, _responses_whole, _responses_events, named_events=True)

# --- OpenAI chat completions -----------------------------------------------------------------------------------------


def _read_chat(body: dict[str, Any], _: str) -> Asked:
    turns = []
    for message in body.get("messages", []):
        role = message.get("role", "")
        turns.append(Turn(role if role in (USER, TOOL) else OTHER, texts_in(message.get("content"))))
    tools = [tool.get("function", {}).get("name", "") for tool in body.get("tools") or []]
    return Asked(turns, tools, bool(body.get("stream")))


def _chat_message(reply: Reply, n: int) -> dict[str, Any]:
    if isinstance(reply, Say):
        return {"role": "assistant", "content": reply.text}
    function = {"name": reply.tool, "arguments": json.dumps(reply.arguments)}
    call = {"index": 0, "id": f"call_{n}", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def _chat_whole(reply: Reply, n: int) -> dict[str, Any]:
    ending = "tool_calls" if isinstance(reply, Use) else "stop"
    choice = {"index": 0, "message": _chat_message(reply, n), "finish_reason": ending}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    answer = {"id": f"chat_{n}", "object": "chat.completion", "created": 1, "model": "stub-model"}
    return {**answer, "choices": [choice], "usage": usage}


def _chat_events(reply: Reply, n: int) -> list[dict[str, Any]]:
    whole = _chat_whole(reply, n)
    base = {key: whole[key] for key in ("id", "created", "model")} | {"object": "chat.completion.chunk"}
    choice = whole["choices"][0]
    return [
        {**base, "choices": [{"index": 0, "delta": choice["message"], "finish_reason": None}]},
        {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]},
        {**base, "choices": [], "usage": whole["usage"]},
    ]


CHAT = Wire(_read_chat, _chat_whole, _chat_events, last="[DONE]")

# --- Gemini ----------------------------------------------------------------------------------------------------------


def _read_gemini(body: dict[str, Any], path: str) -> Asked:
    turns = []
    for content in body.get("contents", []):
        for part in content.get("parts", []):
            if "functionResponse" in part:
                turns.append(Turn(TOOL, texts_in(part["functionResponse"].get("response"))))
            elif "text" in part:
                turns.append(Turn(USER if content.get("role") == "user" else OTHER, part["text"]))
    declared = [tool.get("functionDeclarations", []) for tool in body.get("tools") or []]
    return Asked(turns, [one.get("name", "") for many in declared for one in many], "stream" in path)


def _gemini_whole(reply: Reply, _: int) -> dict[str, Any]:
    if isinstance(reply, Use):
        part: dict[str, Any] = {"functionCall": {"name": reply.tool, "args": reply.arguments}}
    else:
        part = {"text": reply.text}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "stub-model"}


GEMINI = Wire(_read_gemini, _gemini_whole, lambda reply, n: [_gemini_whole(reply, n)])

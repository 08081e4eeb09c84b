from __future__ import annotations

import json
from typing import Any

import pytest

from orbit.hosts import names
from orbit.hosts.shapes import allow_answer, context_answer

TEXT = 'a "quoted" line\nanother – \x1b'
_EVENT_NAMES = {
    "session-start": "SessionStart",
    "session-resume": "SessionStart",
    "subagent-start": "SubagentStart",
    "prompt": "UserPromptSubmit",
}


def expected(host: str, event: str) -> Any:
    """Exactly these fields: some hosts refuse the whole output for one more."""
    if host == "copilot":
        return {"additionalContext": TEXT}
    if host == "cursor":
        return {"additional_context": TEXT}
    name = "BeforeAgent" if (host, event) == ("gemini", "prompt") else _EVENT_NAMES[event]
    return {"hookSpecificOutput": {"hookEventName": name, "additionalContext": TEXT}}


@pytest.mark.parametrize("event", _EVENT_NAMES)
@pytest.mark.parametrize("host", [host for host in names.HOSTS if host != "opencode"])
def test_a_block_in_each_hosts_shape(host: str, event: str) -> None:
    answer = context_answer(host, event, TEXT)
    assert json.loads(answer) == expected(host, event)
    assert answer.isascii()
    assert "\n" not in answer


def test_opencode_takes_the_text_itself() -> None:
    assert context_answer("opencode", "session-start", TEXT) == TEXT


def test_a_command_allowed_in_each_hosts_shape() -> None:
    pre_tool = {
        "hookEventName": "PreToolUse",
        "permissionDecision": "allow",
        "permissionDecisionReason": "orbit: reads, or builds up what can be undone",
    }
    request = {"hookEventName": "PermissionRequest", "decision": {"behavior": "allow"}}
    found = {
        (host, event): json.loads(answer) if answer.startswith("{") else answer
        for host in names.HOSTS
        for event in names.APPROVALS
        if (answer := allow_answer(host, event))
    }
    claudes: dict[tuple[str, str], Any] = {}
    for host in ("claude", "qwen", "qoder"):
        claudes[host, "pre-tool"] = {"hookSpecificOutput": pre_tool}
        claudes[host, "permission"] = {"hookSpecificOutput": request}
    assert found == {
        **claudes,
        ("codex", "permission"): {"hookSpecificOutput": request},
        ("copilot", "permission"): {"behavior": "allow"},
        ("cursor", "pre-tool"): {"permission": "allow"},
        ("opencode", "permission"): "allow",
    }


@pytest.mark.parametrize("event", names.EVENTS)
def test_no_answer_can_deny(event: str) -> None:
    answers = [allow_answer(host, event) for host in names.HOSTS]
    assert not any(word in answer for answer in answers for word in ("deny", "ask", "block"))

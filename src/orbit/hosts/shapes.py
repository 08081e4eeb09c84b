"""What each host takes as an answer: exactly its own fields, since some refuse the whole output for one more.

Contract: hosts.md, `orbit hook` and Approval without prompts.
"""

from __future__ import annotations

from orbit.hosts.names import PERMISSION, PRE_TOOL, PROMPT, SESSION_RESUME, SESSION_START, SUBAGENT_START
from orbit.jsontext import dumps

_EVENT_NAMES = {
    SESSION_START: "SessionStart",
    SESSION_RESUME: "SessionStart",
    SUBAGENT_START: "SubagentStart",
    PROMPT: "UserPromptSubmit",
    PRE_TOOL: "PreToolUse",
    PERMISSION: "PermissionRequest",
}
_REASON = "orbit: reads, or builds up what can be undone"


def context_answer(host: str, event: str, text: str) -> str:
    """The block as the host takes it."""
    if host == "opencode":
        return text
    if host == "copilot":
        return dumps({"additionalContext": text})
    if host == "cursor":
        return dumps({"additional_context": text})
    name = "BeforeAgent" if (host, event) == ("gemini", PROMPT) else _EVENT_NAMES[event]
    return dumps({"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}})


def allow_answer(host: str, event: str) -> str:
    """«This command may run», or "" where the host takes no such word from this event."""
    if event == PRE_TOOL and host in ("claude", "qwen", "qoder"):
        decision = {"permissionDecision": "allow", "permissionDecisionReason": _REASON}
        return dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", **decision}})
    if event == PERMISSION and host in ("claude", "codex", "qwen", "qoder"):
        decision_of_request = {"hookEventName": "PermissionRequest", "decision": {"behavior": "allow"}}
        return dumps({"hookSpecificOutput": decision_of_request})
    if (event, host) == (PERMISSION, "copilot"):
        return dumps({"behavior": "allow"})
    if (event, host) == (PERMISSION, "opencode"):
        return "allow"
    if (event, host) == (PRE_TOOL, "cursor"):
        return dumps({"permission": "allow"})
    return ""

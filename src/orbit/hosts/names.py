"""The hosts and the events, by the names that the integration tree uses. Contract: hosts.md."""

from __future__ import annotations

HOSTS = ("claude", "codex", "opencode", "gemini", "qwen", "copilot", "qoder", "cursor")

SESSION_START = "session-start"
SESSION_RESUME = "session-resume"
SUBAGENT_START = "subagent-start"
PROMPT = "prompt"
PRE_TOOL = "pre-tool"
PERMISSION = "permission"
EVENTS = (SESSION_START, SESSION_RESUME, SUBAGENT_START, PROMPT, PRE_TOOL, PERMISSION)
APPROVALS = (PRE_TOOL, PERMISSION)

# They run the resume hook and ignore what it prints: the block then comes with the next prompt. What hooks added is not
# in the history that they keep: it ends with the host's process.
DROPS_RESUME = ("copilot",)
# They ask for the block again whenever they need it and keep none of it in their history.
KEEPS_NO_HISTORY = ("opencode",)

# Where each host's environment names the project, best first. Only its own: hosts set each other's and pass them on to
# whatever they start.
PROJECT_VARIABLES = {
    "claude": ("CLAUDE_PROJECT_DIR",),
    "codex": (),
    "opencode": (),
    "gemini": ("GEMINI_PROJECT_DIR", "GEMINI_CWD", "CLAUDE_PROJECT_DIR"),
    "qwen": ("QWEN_PROJECT_DIR", "CLAUDE_PROJECT_DIR"),
    "copilot": ("COPILOT_PROJECT_DIR", "CLAUDE_PROJECT_DIR"),
    "qoder": ("QODER_PROJECT_DIR", "CLAUDE_PROJECT_DIR"),
    "cursor": ("CURSOR_PROJECT_DIR", "CLAUDE_PROJECT_DIR"),
}

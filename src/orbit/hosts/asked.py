"""What a host says on stdin, read into one small value. Whatever is missing or of another type counts as not said.

Contract: hosts.md, `orbit hook`. Input is untrusted: nothing here raises for its content.
"""

from __future__ import annotations

from orbit.jsontext import loads
from orbit.record import Record

_SHELLS = frozenset({"bash", "shell", "run_shell_command", "terminal"})


class Asked(Record):
    """`cwd`, `source` (why a session begins) and `session` (the host's id of it) are "" when not said; `command` is the
    shell command that the host is about to run, "" for any other tool. `when` it asks, in nanoseconds, 0 when not said.
    """

    cwd: str = ""
    source: str = ""
    session: str = ""
    command: str = ""
    when: int = 0


def is_whole(data: bytes) -> bool:
    """Whether bytes already are one JSON object, although more might come."""
    return data.rstrip().endswith(b"}") and read_asked(data) is not None


def may_run_orbit(data: bytes) -> bool:
    """Whether some text in it begins with `orbit`, as every command does that might be allowed: others, nearly all, are
    not worth the reading.
    """
    return b'"orbit' in data


def read_asked(data: bytes) -> Asked | None:
    """The host's JSON; an empty stdin says nothing; None for anything that is no JSON object."""
    if not data.strip():
        return Asked()
    try:
        said = loads(data.decode("utf-8", "replace").removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict):
        return None
    return Asked(
        cwd=_text(said, "cwd") or _first(said, "workspace_roots"),
        source=_text(said, "source").lower(),
        session=_text(said, "session_id", "sessionId", "conversation_id"),
        command=_command(said),
        when=_when(said),
    )


def _text(said: dict[str, object], *names: str) -> str:
    """The first of these fields that is a text."""
    for name in names:
        value = said.get(name)
        if isinstance(value, str) and value:
            return value
    return ""


def _when(said: dict[str, object]) -> int:
    """Copilot's milliseconds; others write a date, which nobody needs."""
    value = said.get("timestamp")
    return value * 1_000_000 if type(value) is int and 0 < value < 10**14 else 0


def _first(said: dict[str, object], name: str) -> str:
    values = said.get(name)
    first = values[0] if isinstance(values, list) and values else ""
    return first if isinstance(first, str) else ""


def _command(said: dict[str, object]) -> str:
    """Claude's `tool_input.command`, Copilot's `toolArgs`, Cursor's bare `command`."""
    tool = _text(said, "tool_name", "toolName")
    if tool and tool.lower() not in _SHELLS:
        return ""
    for name in ("tool_input", "toolInput", "toolArgs"):
        given = said.get(name)
        if isinstance(given, str):
            given = _object(given)
        if isinstance(given, dict):
            return _text(given, "command")
    return "" if tool else _text(said, "command")


def _object(text: str) -> object:
    try:
        return loads(text)
    except (ValueError, RecursionError):
        return None

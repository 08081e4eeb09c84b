"""Whether Codex trusts orbit's hooks: an untrusted one is passed over without a word, though it is listed as enabled.

Read from the program's own app-server; giving the trust is the user's. Contract: hosts.md, `orbit setup`.
"""

from __future__ import annotations

from orbit.errors import OrbitError
from orbit.hosts.clients import FULL_NAME
from orbit.hosts.run import ask_server
from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_TRUSTED = ("trusted", "managed")
_EMPTY = "[hooks.state]"
_WHO = {"clientInfo": {"name": "orbit", "title": "orbit", "version": "0"}}


class Hooks(Record):
    """The events for which Codex knows a hook of orbit, and those of them that it will not run."""

    known: tuple[str, ...]
    untrusted: tuple[str, ...]


def ask_hooks(program: str, env: Mapping[str, str], directory: str, seconds: float) -> Hooks:
    """Raises OrbitError when Codex does not tell."""
    requests: list[dict[str, object]] = [
        {"id": 1, "method": "initialize", "params": _WHO},
        {"method": "initialized"},
        {"id": 2, "method": "hooks/list", "params": {"cwds": [directory]}},
    ]
    return read_hooks(ask_server([program, "app-server"], env, directory, requests, seconds))


def read_hooks(result: Any) -> Hooks:
    """orbit's hooks in the answer to `hooks/list`. Raises OrbitError for another form of answer."""
    try:
        ours = [
            (str(hook["eventName"]), str(hook["trustStatus"]), bool(hook.get("enabled", True)))
            for entry in result["data"]
            for hook in entry["hooks"]
            if str(hook["key"]).startswith(f"{FULL_NAME}:")
        ]
    except (KeyError, TypeError, AttributeError):
        raise OrbitError("codex", "what its app-server says of hooks cannot be read") from None
    return Hooks(
        tuple(event for event, _, _ in ours),
        tuple(event for event, status, enabled in ours if status not in _TRUSTED or not enabled),
    )


def without_trust(text: str) -> str:
    """config.toml without the tables in which Codex noted its trust in orbit's hooks."""
    parts = _tables(text)
    kept = [part for part in parts if not part.startswith(f'[hooks.state."{FULL_NAME}:')]
    if len(kept) == len(parts):
        return text
    if not any(part.startswith("[hooks.state.") for part in kept):
        kept = [part for part in kept if part.strip() != _EMPTY]
    ended = "".join(kept)
    return f"{ended.rstrip()}\n" if ended.strip() else ""


def _tables(text: str) -> list[str]:
    """The text cut in front of each line that opens a table."""
    parts = [""]
    for line in text.splitlines(keepends=True):
        if line.startswith("["):
            parts.append("")
        parts[-1] += line
    return parts

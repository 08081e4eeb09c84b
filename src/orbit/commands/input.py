"""Text for a command: the argument, else the editor, else stdin. Contract: commands.md, new and jot."""

from __future__ import annotations

from orbit.errors import OrbitError
from orbit.knowledge.incoming import decoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.commands.result import Call


_GIVE_IT = {
    "new": 'give one: orbit new "GOAL", or make it without: orbit new --no-goal',
    "goal": 'give one: orbit goal "TEXT" (orbit context goal reads it)',
}


def given_text(call: Call, argument: str | None, initial: str, suffix: str = ".txt") -> bytes:
    """The argument; without one the editor, when ORBIT_EDITOR is set or stdin is a terminal; else all of stdin."""
    if argument is not None:
        return argument.encode("utf-8", "surrogateescape")
    if call.world.get("ORBIT_EDITOR") or call.face.in_terminal:
        return call.face.edit(initial, suffix).encode("utf-8", "surrogateescape")
    return call.face.read_stdin()


def goal_text(data: bytes, verb: str) -> str:
    """A goal: UTF-8 text, outer white space trimmed. Raises OrbitError for empty, NUL, undecodable or huge text."""
    if len(data) > 16 * 1024:
        raise OrbitError(verb, f"the goal is too long, {len(data)} bytes (at most 16384)")
    text = decoded(data, verb, "goal")
    text = "\n".join(line.rstrip() for line in text.replace("\r\n", "\n").split("\n")).strip()
    if not text:
        raise OrbitError(verb, "the goal is empty, nothing was changed", _GIVE_IT.get(verb, ""))
    return text

"""The frame around a block, what stands in it besides the block, and the room that leaves. Contract: hosts.md.

Text that is put into a model's context states facts: imperative text trips the hosts' defences against injection.
"""

from __future__ import annotations

from orbit.text import framed, safe_line, shortened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from orbit.guidance.notice import Notice

_OPEN = '<orbit-context>\n<!-- state of this orbit workspace; the skill "orbit" says what it means -->\n'
_CLOSE = "\n</orbit-context>"
_NOTE_LIMIT, _MOST_NOTES = 240, 4

WORKER = (
    "worker: orbit repos, info, add, switch and jot are safe for any number of agents at once in this workspace",
    'worker: a role or entry point that a card lacks is kept by: orbit jot REPO "one line"',
    "worker: cards (orbit memo), sync, goal and done belong to the agent that owns the workspace, .repos/ to orbit",
    "worker: where orbit cannot run, discoveries listed in the final report reach the cards through the owner",
)

# Codex keeps about 2,500 tokens of a hook's text and cuts its middle out.
_CAPS = {"codex": 7_500}


def room_for(host: str, most: int) -> int:
    """Bytes that the whole text may take: `context.maxBytes`, and no more than the host keeps."""
    return min(most, _CAPS.get(host, most))


def room_inside(host: str, most: int, lines: Sequence[str]) -> int:
    """Bytes that the frame and these further lines leave to the block."""
    return max(1, room_for(host, most) - len(_OPEN) - len(_CLOSE) - sum(len(line.encode()) + 1 for line in lines) - 1)


def note_lines(notices: Sequence[Notice]) -> list[str]:
    """Guidance that would go to stderr, which reaches no model."""
    told = ["note: " + shortened(framed(safe_line(n.line.removeprefix("orbit: "))), _NOTE_LIMIT) for n in notices]
    left = len(told) - _MOST_NOTES
    return told if left <= 0 else [*told[:_MOST_NOTES], f"note: {left} more of these: orbit doctor"]


def in_frame(block: str, lines: Sequence[str]) -> str:
    """The whole text, to be sent as it is."""
    return _OPEN + "\n".join([block.rstrip("\n"), *lines]) + _CLOSE

"""What a command may ask of a client: nothing but to hear how far it is. No stdin, no editor, no terminal."""

from __future__ import annotations

from orbit.errors import OrbitError
from orbit.text import safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Never

    from orbit.commands.result import Progress

    Report = Callable[[int, int, str], None]


class ToolFace:
    """The server's answer to `orbit.commands.result.Face`. `report` gets (done, total, what happens)."""

    in_terminal = False
    out_terminal = False

    def __init__(self, report: Report) -> None:
        self._report = report

    def read_stdin(self) -> bytes:
        return b""

    def waiting_stdin(self) -> bytes:
        return b""

    def progress(self, total: int, verb: str) -> Progress:
        return _Steps(total, verb, self._report)

    def refuse(self, *_: object, **__: object) -> Never:
        """Whatever needs a person: no tool asks for it."""
        raise OrbitError("mcp", "this needs a terminal")

    offered_stdin = edit = run_shell = run_orbit = serve_mcp = say = confirm = refuse


class _Steps:
    """Counts what is done; the items come from several threads."""

    def __init__(self, total: int, verb: str, report: Report) -> None:
        self._total, self._verb, self._report = total, verb, report
        self._done: list[str] = []

    def start(self, item: str) -> None:
        self._report(len(self._done), self._total, safe_line(f"{self._verb} {item}"))

    def done(self, item: str, outcome: str) -> None:
        self._done.append(item)
        self._report(len(self._done), self._total, safe_line(f"{item}: {outcome}"))


def silent(*_: object) -> None:
    """For calls whose client does not ask how far they are."""

"""What commands may ask of a person at a terminal: text from stdin or an editor, a progress display, a shell."""

from __future__ import annotations

import os

from orbit.cli.render import write_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from orbit.cli.progress import Counter, Silent
    from orbit.cli.render import Streams
    from orbit.commands.result import Progress
    from orbit.places import World


_LONGEST_ANSWER = 100
_MOST_STDIN_BYTES = 4 * 1024 * 1024
_CHUNK = 64 * 1024
# A program that writes its text in parts does not rest for so long between two of them.
_PAUSE_MS = 20


class TerminalFace:
    """The command line's answer to `orbit.commands.result.Face`."""

    def __init__(self, world: World, streams: Streams) -> None:
        self._world = world
        self._streams = streams
        self.in_terminal = streams.in_terminal
        self.out_terminal = streams.out_terminal
        self._displays: list[Counter | Silent] = []

    def read_stdin(self) -> bytes:
        """Everything on stdin up to its end, or as much as is surely too much; nothing when it is closed."""
        try:
            return self._streams.stdin.read(_MOST_STDIN_BYTES) or b""
        except (OSError, ValueError):
            return b""

    def waiting_stdin(self) -> bytes:
        """What is ready on stdin now: never waits, nothing on a terminal. The first bytes are enough to know."""
        if self.in_terminal:
            return b""
        import select  # one rare question

        try:
            descriptor = self._streams.stdin.fileno()
            if not select.select([descriptor], [], [], 0)[0]:
                return b""
            return os.read(descriptor, 4096)
        except (OSError, ValueError):
            return b""

    def offered_stdin(self, silence_ms: int, is_whole: Callable[[bytes], bool]) -> bytes | None:
        """What a program hands over: up to the end of stdin, until it is whole though stdin stays open, or until stdin
        was silent for so long. Nothing on a terminal; None when it is too much, of which all is taken nevertheless, so
        that the program can go on.
        """
        if self.in_terminal:
            return b""
        try:
            descriptor = self._streams.stdin.fileno()
        except (OSError, ValueError):
            return self.read_stdin()  # a buffer in memory
        return _taken(descriptor, silence_ms, is_whole)

    def edit(self, initial: str, suffix: str) -> str:
        """The text as the user's editor left it. Raises OrbitError when the editor fails."""
        from orbit.cli.editor import edit_text  # only when an editor is wanted

        return edit_text(self._world, initial, suffix)

    def progress(self, total: int, verb: str) -> Progress:
        from orbit.cli.progress import make_progress  # only long work shows it

        display = make_progress(self._streams, total, verb)
        self._displays.append(display)
        return display

    def put_away(self) -> None:
        """Take back every moving line before anything else is written, however the work ended."""
        for display in self._displays:
            display.close()

    def run_shell(self, command: str, directory: str) -> int:
        """Run what the user asked for with the user's own shell; returns its status."""
        from orbit.cli.editor import run_in_shell  # `new --exec` only

        return run_in_shell(self._world, command, directory)

    def run_orbit(self, words: tuple[str, ...], directory: str) -> int:
        """Another call of this very program, its output shown as it comes; returns its status."""
        from orbit.cli.editor import run_this_program  # the demonstration only

        output, status = run_this_program(self._world, words, directory)
        write_text(self._streams, output)
        return status

    def serve_mcp(self, workspace: str | None) -> int:
        """Speak MCP on the real stdin and stdout; returns when the client has gone."""
        from orbit.mcp.serve import serve  # hosts only

        return serve(self._world, workspace)

    def say(self, text: str) -> None:
        """Text that must be seen before the command goes on: a plan, an announcement, the demonstration."""
        write_text(self._streams, text)

    def confirm(self, question: str) -> bool:
        """Ask the person at the terminal; anything but y or yes, the end of input too, means no."""
        write_text(self._streams, f"{question} [y/N] ", error=True)
        try:
            answer = self._streams.stdin.readline(_LONGEST_ANSWER)
        except (OSError, ValueError):
            return False
        return answer.strip().lower() in (b"y", b"yes")


def _taken(descriptor: int, silence_ms: int, is_whole: Callable[[bytes], bool]) -> bytes | None:
    import select  # hosts only

    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    data, seen = bytearray(), 0
    try:
        while poll.poll(_PAUSE_MS if data else silence_ms) or (
            data and not is_whole(bytes(data)) and poll.poll(silence_ms)
        ):
            part = os.read(descriptor, _CHUNK)
            if not part:
                break
            seen += len(part)
            if seen <= _MOST_STDIN_BYTES:
                data += part
    except OSError:
        return b""
    return bytes(data) if seen <= _MOST_STDIN_BYTES else None

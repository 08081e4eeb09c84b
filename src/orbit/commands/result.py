"""What a command gets and what it gives back: a call in, a result out; only the face reads and prints."""

from __future__ import annotations

from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Protocol

    from orbit.commands.arguments import Words
    from orbit.guidance.notice import Notice
    from orbit.places import World

    class Progress(Protocol):
        """A display of long work: `start` names one item, `done` ends it with a word."""

        def start(self, item: str) -> None: ...
        def done(self, item: str, outcome: str) -> None: ...

    class Face(Protocol):
        """What a command may ask of whoever called it."""

        in_terminal: bool
        out_terminal: bool

        def read_stdin(self) -> bytes: ...
        def waiting_stdin(self) -> bytes: ...
        def offered_stdin(self, silence_ms: int, is_whole: Callable[[bytes], bool]) -> bytes | None: ...
        def edit(self, initial: str, suffix: str) -> str: ...
        def progress(self, total: int, verb: str) -> Progress: ...
        def run_shell(self, command: str, directory: str) -> int: ...
        def run_orbit(self, words: tuple[str, ...], directory: str) -> int: ...
        def serve_mcp(self, workspace: str | None) -> int: ...
        def say(self, text: str) -> None: ...
        def confirm(self, question: str) -> bool: ...


class Call(Record):
    """One call of one verb. `started_ms` is when the command began, in milliseconds since 1970."""

    world: World
    words: Words
    face: Face
    started_ms: int


class Column(Record):
    """A table column: `flexible` ones are cut on a terminal, `optional` ones go first when it is narrow."""

    title: str
    flexible: bool = False
    optional: bool = False


class Table(Record):
    """Rows of cells under columns, laid out by the face; the last cell of a row with fewer reaches over the rest."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]


class Section(Record):
    """One part of a longer payload: a title, then a table or text."""

    title: str
    table: Table | None = None
    text: str = ""


class Result(Record):
    """What a command gives back.

    `text` (or `table`, or `sections`) is the payload for people and models, `data` the same for `--json`; `aside` (text
    that is shown but is no payload, such as a card while adding) and then `notices` go to stderr.
    `after` runs once the payload has been written and flushed without error: a pop moves its entries only then; it
    gives further notices and the exit status.
    """

    text: str = ""
    table: Table | None = None
    sections: Sequence[Section] = ()
    data: object = None
    aside: str = ""
    notices: Sequence[Notice] = ()
    code: int = 0
    after: Callable[[], Result] | None = None

"""Payload to stdout, guidance to stderr: the only place, with progress, that writes to the streams.

Contract: concepts.md, Output.
"""

from __future__ import annotations

from orbit.errors import OrbitError
from orbit.record import Record
from orbit.text import safe_json, safe_line, safe_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO, Protocol

    from orbit.commands.result import Result

    class Sink(Protocol):
        """A stream that takes bytes and holds none back: raw files do, and so do buffers in memory."""

        def write(self, data: bytes, /) -> int | None: ...
        def fileno(self) -> int: ...


class Streams(Record):
    """The three streams as bytes, and what is known of the terminal behind each.

    `columns` is the width of the terminal on stdout, 0 when there is none. `err_terminal`: a line on stderr can be
    drawn again.
    """

    stdin: BinaryIO
    out: Sink
    err: Sink
    in_terminal: bool = False
    out_terminal: bool = False
    err_terminal: bool = False
    columns: int = 0
    colour: bool = False


def write_payload(streams: Streams, result: Result, *, as_json: bool) -> None:
    """The whole payload: when this returns, the reader's end accepted every byte.

    Raises BrokenPipeError when nobody reads stdout any more, OrbitError when it cannot be written.
    """
    if as_json:
        from orbit.jsontext import dumps  # only asked-for JSON needs it

        text = safe_json(dumps(result.data, ascii_only=False)) + "\n"
    elif result.table is not None:
        from orbit.cli.table import table_text  # two commands print one

        text = table_text(result.table, columns=streams.columns, colour=streams.colour)
    elif result.sections:
        from orbit.cli.table import sections_text  # one command has them

        text = sections_text(result.sections, columns=streams.columns, colour=streams.colour)
    else:
        text = _whole_lines(safe_text(result.text))
    _to_stdout(streams, text)


def write_guidance(streams: Streams, result: Result) -> None:
    """What goes to stderr: the aside first, then one line per notice."""
    text = _whole_lines(safe_text(result.aside))
    text += "".join(f"{told_line(notice.line)}\n" for notice in result.notices)
    _to_stderr(streams, text)


def write_error(streams: Streams, error: OrbitError) -> None:
    """One line says what went wrong; each line of the hint says what to do."""
    lines = [error.message, *error.hint.splitlines()]
    context = told_line(error.context)
    _to_stderr(streams, "".join(f"orbit: {context}: {told_line(line)}\n" for line in lines))


def told_line(text: str) -> str:
    """A line for stderr: nothing in it steers a terminal, no URL in it has credentials, a mistyped word's included."""
    if "://" in text and "@" in text:
        from orbit.git.urls import redact_urls  # the rare line

        text = redact_urls(text)
    return safe_line(text)


def write_text(streams: Streams, text: str, *, error: bool = False) -> None:
    """Help, schemas and tracebacks: text that is neither payload nor guidance. Raises as `write_payload` does."""
    (_to_stderr if error else _to_stdout)(streams, safe_text(text))


def write_interrupted(streams: Streams) -> None:
    """After a Ctrl-C at a terminal the prompt comes back on a line of its own."""
    if streams.err_terminal:
        _to_stderr(streams, "\n")


def write_all(sink: Sink, text: str) -> None:
    """Every byte, also where the system takes only some at a time. Raises OSError."""
    data = text.encode("utf-8", "replace")
    while data:
        taken = sink.write(data)
        if taken is None:
            import select  # a stream that somebody made non-blocking is full: rare

            select.select((), (sink,), ())
        data = data[taken or 0 :]


def _to_stdout(streams: Streams, text: str) -> None:
    try:
        write_all(streams.out, text)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OrbitError("stdout", f"cannot write: {error.strerror}") from None


def _to_stderr(streams: Streams, text: str) -> None:
    """A closed or full stderr must not turn finished work into a failure."""
    try:
        write_all(streams.err, text)
    except OSError:
        return


def _whole_lines(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"

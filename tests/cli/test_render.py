from __future__ import annotations

import errno
import io
import json
import os
import threading

import pytest

from orbit.cli.render import (
    Streams,
    write_all,
    write_error,
    write_guidance,
    write_interrupted,
    write_payload,
    write_text,
)
from orbit.commands.result import Column, Result, Table
from orbit.errors import OrbitError, UsageError
from orbit.guidance.notice import Notice

_HOSTILE = "\x1b]0;owned\x07\x1b[31mred\x1b[0m \u202ertl\x9b2J"


class Fails:
    """A stream that takes nothing: its disk is full, or its reader has gone."""

    def __init__(self, number: int) -> None:
        self._error = OSError(number, os.strerror(number))

    def write(self, data: bytes, /) -> int:
        raise self._error

    def fileno(self) -> int:
        raise self._error


class Sips(io.BytesIO):
    """A stream that takes a few bytes at a time, as an unbuffered pipe may."""

    def write(self, data: bytes, /) -> int:  # type: ignore[override]
        return super().write(data[:3])


@pytest.fixture
def streams() -> Streams:
    return Streams(stdin=io.BytesIO(), out=io.BytesIO(), err=io.BytesIO())


def shown(stream: object) -> str:
    assert isinstance(stream, io.BytesIO)
    return stream.getvalue().decode()


@pytest.mark.parametrize(
    ("result", "out"),
    [
        (Result(), ""),
        (Result(text="one line"), "one line\n"),
        (Result(text="two\nlines\n"), "two\nlines\n"),
        (Result(text=_HOSTILE), "red rtl\n"),
        (Result(text="half \udcff"), "half \N{REPLACEMENT CHARACTER}\n"),
        (Result(table=Table((Column("A"), Column("B")), (("1", _HOSTILE),))), "A  B\n1  red rtl\n"),
        (Result(text="text", data={"a": 1}), "text\n"),
    ],
)
def test_the_payload_goes_to_stdout(streams: Streams, result: Result, out: str) -> None:
    write_payload(streams, result, as_json=False)
    assert (shown(streams.out), shown(streams.err)) == (out, "")


@pytest.mark.parametrize("data", [[], {"a": None}, ["日本", _HOSTILE, "line\u2028sep\x7f \U000e0041"], "x", 0, False])
def test_json_is_one_value_on_one_line(streams: Streams, data: object) -> None:
    write_payload(streams, Result(text="for people", data=data), as_json=True)
    out = shown(streams.out)
    assert json.loads(out) == data
    assert len(out.splitlines()) == 1
    assert out.endswith("\n")
    assert out[:-1].isprintable()
    assert ("日本" in out) == ("日本" in str(data)), "JSON is UTF-8, not escapes"


def test_guidance_goes_to_stderr_the_aside_first(streams: Streams) -> None:
    notices = (Notice("n", "backend", "fact"), Notice("n", "x\ny", _HOSTILE, "do\tthis"))
    url = Notice("n", "https://u:p@example.com/x", "fact")
    write_guidance(streams.replace(err=(told := io.BytesIO())), Result(notices=(url,)))
    assert shown(told) == "orbit: https://example.com/x: fact\n"
    write_guidance(streams, Result(text="payload", aside="a card", notices=notices))
    assert shown(streams.out) == ""
    assert shown(streams.err) == "a card\norbit: backend: fact\norbit: x y: red rtl: do this\n"


@pytest.mark.parametrize(
    ("error", "err"),
    [
        (OrbitError("backend", "no such repository"), "orbit: backend: no such repository\n"),
        (
            OrbitError("https://u:p@example.com/x", "at ssh://git:p@h/y"),
            "orbit: https://example.com/x: at ssh://git@h/y\n",
        ),
        (OrbitError("a\nb", _HOSTILE, "try\x07"), "orbit: a b: red rtl\norbit: a b: try\n"),
        (
            UsageError("jot", "wrong", "usage: a\nusage: b"),
            "orbit: jot: wrong\norbit: jot: usage: a\norbit: jot: usage: b\n",
        ),
    ],
)
def test_an_error_is_one_line_and_its_hint(streams: Streams, error: OrbitError, err: str) -> None:
    write_error(streams, error)
    assert (shown(streams.out), shown(streams.err)) == ("", err)


def test_text_of_the_program_itself(streams: Streams) -> None:
    write_text(streams, "help\n")
    write_text(streams, "Traceback \x1b[2J\n", error=True)
    assert (shown(streams.out), shown(streams.err)) == ("help\n", "Traceback \n")


@pytest.mark.parametrize("terminal", [True, False])
def test_after_an_interrupt_a_terminal_gets_a_new_line(streams: Streams, terminal: bool) -> None:
    write_interrupted(streams.replace(err_terminal=terminal))
    assert shown(streams.err) == ("\n" if terminal else "")


def test_a_full_disk_is_an_error_of_stdout(streams: Streams) -> None:
    full = streams.replace(out=Fails(errno.ENOSPC))
    for write in (lambda: write_payload(full, Result(text="x"), as_json=False), lambda: write_text(full, "x")):
        with pytest.raises(OrbitError) as caught:
            write()
        assert str(caught.value) == "stdout: cannot write: No space left on device"


def test_a_reader_that_has_gone_is_told_apart(streams: Streams) -> None:
    with pytest.raises(BrokenPipeError):
        write_payload(streams.replace(out=Fails(errno.EPIPE)), Result(text="x"), as_json=False)


def test_nothing_to_say_needs_no_reader(streams: Streams) -> None:
    write_payload(streams.replace(out=Fails(errno.EPIPE)), Result(), as_json=False)


@pytest.mark.parametrize("number", [errno.EPIPE, errno.ENOSPC, errno.EBADF])
def test_a_stderr_that_takes_nothing_changes_nothing(streams: Streams, number: int) -> None:
    failing = streams.replace(err=Fails(number))
    write_guidance(failing, Result(aside="x", notices=(Notice("n", "s", "f"),)))
    write_error(failing, OrbitError("a", "b"))
    write_text(failing, "x", error=True)


def test_a_stream_that_takes_a_little_gets_all_of_it(streams: Streams) -> None:
    sips = Sips()
    write_payload(streams.replace(out=sips), Result(text="日本語 and more"), as_json=False)
    assert shown(sips) == "日本語 and more\n"


def test_a_pipe_that_is_full_for_now_is_waited_for() -> None:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    text = "x" * 300_000
    taken: list[bytes] = []

    def read_all() -> None:
        with open(reader, "rb") as file:
            taken.append(file.read())

    thread = threading.Thread(target=read_all)
    with open(writer, "wb", buffering=0) as file:
        file.write(b"y" * 65536)
        thread.start()
        write_all(file, text)
    thread.join()
    assert taken == [b"y" * 65536 + text.encode()]

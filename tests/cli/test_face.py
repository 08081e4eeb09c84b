from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from editor import make_writer
from orbit.cli.face import TerminalFace
from orbit.cli.render import Streams
from orbit.places import World as Surroundings


def face(directory: Path, **streams: object) -> tuple[TerminalFace, io.BytesIO]:
    out = io.BytesIO()
    given = {"stdin": io.BytesIO(b"piped"), "out": out, "err": io.BytesIO(), **streams}
    env = {**os.environ, **make_writer(directory, "edited")}
    return TerminalFace(Surroundings(cwd=str(directory), env=env), Streams(**given)), out


@pytest.fixture
def pipe() -> object:
    reader, writer = os.pipe()
    with open(reader, "rb") as ours, open(writer, "wb", buffering=0) as theirs:
        yield ours, theirs


def test_stdin_is_read_to_its_end(tmp_path: Path) -> None:
    asked, _ = face(tmp_path)
    assert asked.read_stdin() == b"piped"


def test_a_stdin_that_cannot_be_read_is_empty(tmp_path: Path) -> None:
    with open(tmp_path / "written", "wb") as only_written:
        assert face(tmp_path, stdin=only_written)[0].read_stdin() == b""
    closed = io.BytesIO(b"x")
    closed.close()
    assert face(tmp_path, stdin=closed)[0].read_stdin() == b""


def test_what_waits_on_stdin_is_seen_without_waiting(tmp_path: Path, pipe: tuple[io.BufferedReader, io.FileIO]) -> None:
    ours, theirs = pipe
    asked, _ = face(tmp_path, stdin=ours)
    assert asked.waiting_stdin() == b"", "an idle pipe is not waited for"
    theirs.write(b"a card")
    assert asked.waiting_stdin() == b"a card"
    theirs.close()
    assert asked.waiting_stdin() == b"", "neither is its end text"


def offered(asked: TerminalFace, silence_ms: int = 50) -> bytes | None:
    return asked.offered_stdin(silence_ms, lambda data: data.endswith(b"}"))


def test_what_a_program_offers_is_taken_to_its_end(tmp_path: Path, pipe: tuple[io.BufferedReader, io.FileIO]) -> None:
    ours, theirs = pipe
    theirs.write(b"{ not whole")
    theirs.close()
    assert offered(face(tmp_path, stdin=ours)[0], 60_000) == b"{ not whole"
    assert offered(face(tmp_path)[0]) == b"piped", "a buffer in memory"


def test_what_is_whole_is_not_waited_on(tmp_path: Path, pipe: tuple[io.BufferedReader, io.FileIO]) -> None:
    ours, theirs = pipe
    theirs.write(b"{}")
    assert offered(face(tmp_path, stdin=ours)[0], 60_000) == b"{}"


def test_silence_is_waited_for_and_no_longer(tmp_path: Path, pipe: tuple[io.BufferedReader, io.FileIO]) -> None:
    ours, theirs = pipe
    assert offered(face(tmp_path, stdin=ours)[0]) == b""
    theirs.write(b"{ not whole")
    assert offered(face(tmp_path, stdin=ours)[0]) == b"{ not whole"


def test_too_much_is_taken_and_dropped(tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"x" * (5 * 1024 * 1024))
    with open(tmp_path / "large", "rb") as file:
        assert offered(face(tmp_path, stdin=file)[0]) is None
        assert file.read() == b"", "so that whoever writes it can go on"


def test_nothing_is_offered_by_a_terminal_or_a_broken_stdin(
    tmp_path: Path, pipe: tuple[io.BufferedReader, io.FileIO]
) -> None:
    ours, theirs = pipe
    theirs.write(b"{}")
    assert offered(face(tmp_path, stdin=ours, in_terminal=True)[0], 60_000) == b""
    with open(tmp_path / "written", "wb") as only_written:
        assert offered(face(tmp_path, stdin=only_written)[0]) == b""


def test_a_terminal_has_no_text_ready(tmp_path: Path, pipe: tuple[io.BufferedReader, io.FileIO]) -> None:
    ours, theirs = pipe
    theirs.write(b"typed ahead")
    assert face(tmp_path, stdin=ours, in_terminal=True)[0].waiting_stdin() == b""


def test_a_file_on_stdin_is_text_that_waits(tmp_path: Path) -> None:
    (tmp_path / "card").write_bytes(b"# card")
    with open(tmp_path / "card", "rb") as file:
        assert face(tmp_path, stdin=file)[0].waiting_stdin() == b"# card"
    with open(os.devnull, "rb") as file:
        assert face(tmp_path, stdin=file)[0].waiting_stdin() == b""


def test_it_knows_where_terminals_are(tmp_path: Path) -> None:
    asked, _ = face(tmp_path, in_terminal=True)
    assert (asked.in_terminal, asked.out_terminal) == (True, False)


def test_editor_shell_and_progress_are_at_hand(tmp_path: Path) -> None:
    asked, _ = face(tmp_path)
    assert asked.edit("old", ".txt") == "edited"
    assert asked.run_shell("exit 4", str(tmp_path)) == 4
    asked.progress(1, "doing").start("x")


def test_a_demonstration_shows_what_it_says_and_what_orbit_prints(tmp_path: Path) -> None:
    asked, out = face(tmp_path)
    asked.say("# a line\n")
    assert asked.run_orbit(("version",), str(tmp_path)) == 0
    assert out.getvalue() == b"# a line\norbit 0.1.0\n"

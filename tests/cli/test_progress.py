from __future__ import annotations

import errno
import io
import os
import threading

import pytest

from orbit.cli.progress import Counter, Silent, make_progress
from orbit.cli.render import Streams


@pytest.fixture
def err() -> io.BytesIO:
    return io.BytesIO()


def streams(err: object, *, terminal: bool = False) -> Streams:
    return Streams(stdin=io.BytesIO(), out=io.BytesIO(), err=err, err_terminal=terminal)


def run(progress: Counter, items: list[tuple[str, str]]) -> None:
    for item, outcome in items:
        progress.start(item)
        progress.done(item, outcome)


def test_one_item_needs_no_display(err: io.BytesIO) -> None:
    progress = make_progress(streams(err), 1, "cloning")
    progress.start("a")
    progress.done("a", "cloned")
    assert isinstance(progress, Silent)
    assert err.getvalue() == b""


def test_on_a_terminal_one_item_is_shown_and_goes(err: io.BytesIO) -> None:
    progress = make_progress(streams(err, terminal=True), 1, "cloning")
    progress.start("a: Receiving objects: 40%")
    progress.done("a", "cloned")
    assert err.getvalue().split(b"\r\x1b[2K") == [b"", b"cloning: a: Receiving objects: 40%", b""]


def test_elsewhere_each_finished_item_is_a_plain_line(err: io.BytesIO) -> None:
    progress = make_progress(streams(err), 2, "cloning")
    assert isinstance(progress, Counter)
    run(progress, [("a", "cloned"), ("b\x1b[2J\n", "failed")])
    assert err.getvalue() == b"orbit: a: cloned (1/2)\norbit: b : failed (2/2)\n"


def test_on_a_terminal_one_line_moves_and_goes(err: io.BytesIO) -> None:
    run(Counter(streams(err, terminal=True), 2, "cloning"), [("a", "cloned"), ("b\x1b[31m\n", "cloned")])
    assert err.getvalue().split(b"\r\x1b[2K") == [b"", b"cloning 0/2: a", b"", b"cloning 1/2: b ", b""]


def test_the_one_to_wait_for_is_named(err: io.BytesIO) -> None:
    progress = Counter(streams(err, terminal=True), 3, "syncing")
    for item in ("a", "slow", "c"):
        progress.start(item)
    progress.done("a", "ok")
    progress.done("c", "ok")
    assert err.getvalue().split(b"\r\x1b[2K")[-2:] == [b"syncing 1/3: slow", b"syncing 2/3: slow"]


@pytest.mark.parametrize(
    ("seconds", "pace"),
    [
        (1.9, ""),
        (2, " (5.0/s, 18 s left)"),
        (9, " (1.1/s, 81 s left)"),
        (60, " (10/min, 9 min left)"),
        (1200, " (under 1/min, 3.0 h left)"),
    ],
)
def test_how_fast_and_how_long(err: io.BytesIO, seconds: float, pace: str) -> None:
    times = iter([100.0, *[100.0] * 11, 100.0 + seconds])
    progress = Counter(streams(err, terminal=True), 100, "syncing", lambda: next(times))
    progress.start("last")
    for number in range(10):
        progress.done(f"r{number}", "ok")
        err.truncate(0)
    progress.start("next")
    assert err.getvalue().lstrip(b"\0") == f"\r\x1b[2Ksyncing 10/100{pace}: last".encode()


def test_what_was_put_away_stays_away(err: io.BytesIO) -> None:
    progress = Counter(streams(err, terminal=True), 3, "syncing")
    progress.start("a")
    progress.close()
    shown = err.getvalue()
    assert shown.endswith(b"syncing 0/3: a\r\x1b[2K")
    progress.start("b")
    progress.done("a", "ended")
    progress.close()
    assert err.getvalue() == shown
    plain = io.BytesIO()
    elsewhere = Counter(streams(plain), 3, "syncing")
    elsewhere.close()
    elsewhere.done("a", "ended")
    assert plain.getvalue() == b""


def test_a_long_name_stays_on_its_line(err: io.BytesIO) -> None:
    progress = Counter(streams(err, terminal=True), 2, "cloning")
    progress.start("https://example.com/" + "日本" * 100)
    shown = err.getvalue().decode().split("\x1b[2K")[1]
    assert shown.endswith("…")
    assert len(shown) < 60


def test_any_number_of_threads_count_together(err: io.BytesIO) -> None:
    progress = Counter(streams(err), 40, "syncing")
    threads = [threading.Thread(target=run, args=(progress, [(f"r{n}", "ok"), (f"s{n}", "ok")])) for n in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = err.getvalue().decode().splitlines()
    assert [line.rpartition("(")[2] for line in lines] == [f"{n}/40)" for n in range(1, 41)]


def test_a_stderr_that_is_closed_stops_nothing() -> None:
    class Closed:
        def write(self, data: bytes, /) -> int:
            raise OSError(errno.EPIPE, os.strerror(errno.EPIPE))

        def fileno(self) -> int:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))

    for terminal in (True, False):
        run(Counter(streams(Closed(), terminal=terminal), 2, "cloning"), [("a", "cloned"), ("b", "cloned")])

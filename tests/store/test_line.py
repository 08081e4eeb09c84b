"""Standing in line: asleep until a holder gives its lock file back or dies."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from orbit.store.line import Line, claim

HOLD = """
import os, sys
from orbit.store.line import claim
fd = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
claim(fd)
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    path = tmp_path / "file.lock"
    path.write_text("somebody\n")
    return path


def holding(lock: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", HOLD, str(lock)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    return process


def test_a_lock_that_is_gone_is_no_line(tmp_path: Path) -> None:
    with Line(str(tmp_path / "none.lock"), 5) as line:
        assert line.reached
        assert line.moved_on()


def test_a_lock_of_another_program_is_reached_at_once_and_has_not_moved_on(lock: Path) -> None:
    with Line(str(lock), 5) as line:
        assert line.reached
        assert not line.moved_on()


@pytest.mark.parametrize("killed", [False, True])
def test_the_turn_comes_when_the_holder_ends_or_dies(lock: Path, killed: bool) -> None:
    process = holding(lock)
    assert process.stdin is not None
    let_go = process.kill if killed else process.stdin.close
    timer = threading.Timer(0.05, let_go)
    timer.start()
    began = time.monotonic()
    with Line(str(lock), 30) as line:
        assert line.reached
    assert time.monotonic() - began < 25
    timer.join()
    process.wait(30)
    for stream in (process.stdin, process.stdout):
        assert stream is not None
        stream.close()


def test_time_is_up_behind_a_holder_that_stays(lock: Path) -> None:
    process = holding(lock)
    before = signal.getsignal(signal.SIGALRM)
    with Line(str(lock), 0.05) as line:
        assert not line.reached
        assert not line.moved_on()
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    process.communicate(timeout=30)


def test_a_thread_does_not_sleep_there(lock: Path) -> None:
    process = holding(lock)
    seen: list[bool] = []

    def look() -> None:
        with Line(str(lock), 30) as line:
            seen.append(line.reached)

    thread = threading.Thread(target=look)
    thread.start()
    thread.join(10)
    assert seen == [False]
    process.communicate(timeout=30)


def test_it_has_moved_on_when_another_lock_stands_there(lock: Path) -> None:
    with Line(str(lock), 5) as line:
        lock.rename(lock.with_name("old"))
        lock.write_text("another\n")
        assert line.moved_on()


def test_one_at_a_time(lock: Path) -> None:
    with Line(str(lock), 5) as first:
        assert first.reached
        with Line(str(lock), 0.02) as second:
            assert not second.reached
    with Line(str(lock), 0.02) as third:
        assert third.reached


def test_a_claim_is_a_flock_and_never_fails(lock: Path) -> None:
    fd = os.open(lock, os.O_RDWR)
    other = os.open(lock, os.O_RDWR)
    try:
        claim(fd)
        with pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        claim(other)
    finally:
        os.close(fd)
        os.close(other)

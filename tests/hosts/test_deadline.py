from __future__ import annotations

import signal
import threading
import time

import pytest

from orbit.hosts.deadline import Late, ended_in_time


def test_work_that_ends() -> None:
    done: list[int] = []
    assert ended_in_time(lambda: done.append(1), 5)
    assert done == [1]


def test_work_that_does_not_end_is_interrupted() -> None:
    reached: list[str] = []

    def work() -> None:
        reached.append("begun")
        threading.Event().wait(60)
        reached.append("over")

    began = time.monotonic()
    assert not ended_in_time(work, 0.05)
    assert reached == ["begun"]
    assert time.monotonic() - began < 10


def test_tidying_up_that_does_not_end_is_interrupted_too() -> None:
    def work() -> None:
        try:
            threading.Event().wait(60)
        finally:
            threading.Event().wait(60)

    began = time.monotonic()
    assert not ended_in_time(work, 0.05)
    assert time.monotonic() - began < 10


def test_the_alarm_is_as_it_was() -> None:
    heard: list[int] = []

    def own(number: int, _: object) -> None:
        heard.append(number)

    before = signal.signal(signal.SIGALRM, own)
    try:
        assert ended_in_time(lambda: None, 0.01)
        assert not ended_in_time(lambda: bool(threading.Event().wait(60)) or None, 0.01)
        assert signal.getsignal(signal.SIGALRM) is own
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert heard == []


def test_an_error_passes() -> None:
    def work() -> None:
        raise ValueError("told")

    with pytest.raises(ValueError, match="told"):
        ended_in_time(work, 5)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_in_another_thread_it_takes_what_it_takes() -> None:
    found: list[bool] = []
    thread = threading.Thread(target=lambda: found.append(ended_in_time(lambda: None, 0.0001)))
    thread.start()
    thread.join()
    assert found == [True]


def test_late_is_undone_like_an_interruption() -> None:
    assert issubclass(Late, KeyboardInterrupt)

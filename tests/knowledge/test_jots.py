from __future__ import annotations

import errno
import fcntl
import os
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orbit.errors import OrbitError
from orbit.knowledge import jots
from orbit.knowledge.jots import EMPTY, PopLock, Queue, checked_text, jot_level, move_to_popped, read_queues
from orbit.places import Project
from orbit.store.document import load
from orbit.store.syntax import parse
from store.faults import Patched, failing, system_error
from world import run_git

WS = "task-01"

TEXTS = [
    "plain",
    "  blanks kept  ",
    "\ttabs\tkept\t",
    "two\nlines\n\nand three",
    "quotes \" and ' and \\ and \\n",
    "# no comment ; nor this",
    "= [section]",
    "carriage\rreturn\r",
    "-dash",
    "--",
    "é 漢字 \U0001f600 \u202e",
    "bell \x07 escape \x1b[1m vertical \x0b form \x0c back \x08 delete \x7f next \x85 line \u2028 end",
]
"""What a queue keeps to the letter."""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / WS).mkdir()
    return Project(str(tmp_path))


def queue(project: Project, repo: str = "backend") -> Queue:
    return jots.queue_of(load(project.metadata(WS)).config, repo)


def push(project: Project, *texts: str, repo: str = "backend") -> None:
    for text in texts:
        jots.push(project, WS, repo, text)


def pop(project: Project, now_ms: int = 1000) -> tuple[str, ...]:
    taken = queue(project).entries
    move_to_popped(project, WS, "backend", taken, now_ms)
    return taken


def entries_by_git(project: Project, key: str = "entry") -> list[str]:
    found = run_git(project.root, "config", "-z", "--file", project.metadata(WS), "--get-all", f"jot.backend.{key}")
    return found.split("\0")[:-1]


@pytest.mark.parametrize(
    ("count", "buffer", "level"),
    [
        (0, 4, ""),
        (2, 4, ""),
        (3, 4, "building"),
        (4, 4, "building"),
        (5, 4, "overflow"),
        (1, 1, "building"),
        (2, 1, "overflow"),
        (2, 5, ""),
        (3, 5, "building"),
        (6, 5, "overflow"),
    ],
)
def test_levels(count: int, buffer: int, level: str) -> None:
    assert jot_level(count, buffer) == level


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"a", "a"),
        (b"a\n", "a"),
        (b"a\r\n", "a"),
        (b"a\n\n", "a\n"),
        (b"a\r", "a\r"),
        (b" a\t\n", " a\t"),
        (b"\na", "\na"),
        (b"x" * 4000 + b"\n", "x" * 4000),
        ("é".encode() * 4000, "é" * 4000),
        (b"\xef\xbb\xbfa", "\ufeffa"),
    ],
)
def test_only_the_final_newline_goes(data: bytes, text: str) -> None:
    assert checked_text(data, "backend") == text


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "it is blank"),
        (b"\n", "it is blank"),
        (b" \t\n\r\n", "it is blank"),
        ("\u3000".encode(), "it is blank"),
        (b"a\0", "it contains NUL bytes"),
        (b"ab\xff", "it is not UTF-8 (byte 2)"),
        (b"x" * 4001, "4001 characters (at most 4000, a jot is a line, not a page)"),
        ("é".encode() * 4001, "4001 characters (at most 4000, a jot is a line, not a page)"),
    ],
)
def test_texts_that_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(OrbitError) as caught:
        checked_text(data, "backend")
    assert str(caught.value) == f"backend: jot refused, {message}"


def test_queues_as_read() -> None:
    config = parse(
        '[jot "b"]\n\tentry = 1\n[workspace]\n\tgoal = x\n[jot]\n\tentry = no repo\n'
        '[jot "a"]\n\tpopped = p\n\tpopped = q\n\tpopped-at = 5\n\tpopped-at = x\n'
        '[jot "b"]\n\tentry = 2\n\tENTRY\n[jot "times only"]\n\tpopped-at = 1\n[jot "c.d"]\n\tother = 1\n'
    )
    assert list(read_queues(config).items()) == [
        ("b", Queue(("1", "2", ""))),
        ("a", Queue((), ("p", "q"), (5, 0))),
    ]
    assert jots.queue_of(config, "none") == EMPTY


@pytest.mark.parametrize("times", ["", "\tpopped-at = 7\n", "\tpopped-at = 7\n" * 3])
def test_times_that_do_not_match_are_unknown(times: str) -> None:
    config = parse(f'[jot "backend"]\n\tpopped = p\n\tpopped = q\n{times}')
    assert jots.queue_of(config, "backend").popped_at == (0, 0)


@pytest.mark.parametrize("at", ["-1", "1.5", "٣", "9" * 18, "", "1e3"])
def test_a_time_that_is_no_number_is_unknown(at: str) -> None:
    config = parse(f'[jot "backend"]\n\tpopped = p\n\tpopped-at = {at}\n')
    assert jots.queue_of(config, "backend") == Queue((), ("p",), (0,))


def test_what_is_pushed_is_kept_to_the_letter(project: Project) -> None:
    for number, text in enumerate(TEXTS, 1):
        count, written = jots.push(project, WS, "backend", text)
        assert (count, written.changed) == (number, True)
    assert queue(project) == Queue(tuple(TEXTS))
    assert entries_by_git(project) == TEXTS
    assert pop(project) == tuple(TEXTS)
    assert entries_by_git(project, "popped") == TEXTS
    jots.requeue(project, WS, "backend")
    assert entries_by_git(project) == TEXTS


@settings(deadline=None, max_examples=30)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1), max_size=4))
def test_any_text_comes_back(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    top = tmp_path_factory.mktemp("queue")
    (top / WS).mkdir()
    project = Project(str(top))
    push(project, *texts)
    assert queue(project).entries == tuple(texts)
    pop(project)
    assert queue(project).popped == tuple(texts)


def test_queues_do_not_touch_each_other(project: Project) -> None:
    Path(project.metadata(WS)).write_text('# mine\n[workspace]\n\tgoal = x\n[jot "web"]\n\tentry = w\n')
    push(project, "a", "b")
    pop(project)
    push(project, "c")
    assert Path(project.metadata(WS)).read_text() == (
        '# mine\n[workspace]\n\tgoal = x\n[jot "web"]\n\tentry = w\n'
        '[jot "backend"]\n\tpopped = a\n\tpopped = b\n\tpopped-at = 1000\n\tpopped-at = 1000\n\tentry = c\n'
    )
    assert queue(project, "web") == Queue(("w",))


def test_a_push_that_arrives_while_a_pop_prints_is_not_swallowed(project: Project) -> None:
    push(project, "a", "same", "b")
    printed = queue(project).entries
    push(project, "late", "same")
    move_to_popped(project, WS, "backend", printed, 7)
    assert queue(project) == Queue(("late", "same"), ("a", "same", "b"), (7, 7, 7))


def test_what_is_gone_meanwhile_is_not_popped(project: Project) -> None:
    push(project, "a", "b")
    printed = queue(project).entries
    run_git(project.root, "config", "--file", project.metadata(WS), "--unset", "jot.backend.entry", "^a$")
    move_to_popped(project, WS, "backend", printed, 7)
    assert queue(project) == Queue((), ("b",), (7,))


def test_requeue_puts_popped_entries_in_front(project: Project) -> None:
    push(project, "1", "2")
    pop(project)
    push(project, "3")
    pop(project)
    push(project, "4")
    count, _ = jots.requeue(project, WS, "backend")
    assert (count, queue(project)) == (3, Queue(("1", "2", "3", "4")))
    count, written = jots.requeue(project, WS, "backend")
    assert (count, written.changed) == (0, False)


def test_settling_takes_what_was_popped_until_then(project: Project) -> None:
    push(project, "early", "same")
    pop(project, 100)
    push(project, "same")
    pop(project, 101)
    push(project, "waiting")
    assert jots.settle(project, WS, "backend", 99)[0] == 0
    assert jots.settle(project, WS, "backend", 100)[0] == 2
    assert queue(project) == Queue(("waiting",), ("same",), (101,))
    assert jots.settle(project, WS, "backend", 101)[0] == 1
    assert queue(project) == Queue(("waiting",))


def test_what_was_popped_at_an_unknown_time_is_settled(project: Project) -> None:
    Path(project.metadata(WS)).write_text('[jot "backend"]\n\tpopped = a\n')
    pop(project, 50)
    push(project, "b")
    pop(project, 50)
    assert queue(project) == Queue((), ("a", "b"), (0, 50))
    assert jots.settle(project, WS, "backend", 49)[0] == 1
    assert queue(project) == Queue((), ("b",), (50,))


def test_an_empty_queue_leaves_no_trace(project: Project) -> None:
    assert jots.requeue(project, WS, "backend")[0] == 0
    assert jots.settle(project, WS, "backend", 10)[0] == 0
    assert os.listdir(project.workspace(WS)) == []


def test_the_metadata_goes_when_the_queue_was_all(project: Project) -> None:
    push(project, "a")
    pop(project)
    jots.settle(project, WS, "backend", 1000)
    assert Path(project.metadata(WS)).read_text() == ""


def test_a_pop_waits_for_another(project: Project) -> None:
    first, second = PopLock(project, WS), PopLock(project, WS)
    first.acquire()
    thread = threading.Thread(target=second.acquire)
    thread.start()
    push(project, "pushes go on")
    assert thread.is_alive()
    first.release()
    thread.join(10)
    assert not thread.is_alive()
    second.release()
    assert os.listdir(project.workspace(WS)) == [".orbit"]


def test_a_pop_does_not_wait_for_ever(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jots, "_POP_WAIT_SECONDS", 0.0)
    first = PopLock(project, WS)
    first.acquire()
    with pytest.raises(OrbitError) as caught:
        PopLock(project, WS).acquire()
    assert str(caught.value) == "jot: another pop in this workspace has not ended for 10 seconds"
    first.release()
    PopLock(project, WS).acquire()


def test_a_pop_that_is_dropped_gives_its_lock_back(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jots, "_POP_WAIT_SECONDS", 0.0)
    PopLock(project, WS).acquire()
    PopLock(project, WS).acquire()


class _NoDirectoryLocks:
    """`fcntl` on a file system that locks files only."""

    LOCK_EX, LOCK_NB = fcntl.LOCK_EX, fcntl.LOCK_NB

    def __init__(self, workspace: str) -> None:
        self._inode = os.stat(workspace).st_ino

    def flock(self, descriptor: int, operation: int) -> None:
        if os.fstat(descriptor).st_ino == self._inode:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        fcntl.flock(descriptor, operation)


def test_a_file_serves_where_directories_cannot_be_locked(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", _NoDirectoryLocks(project.workspace(WS)))
    monkeypatch.setattr(jots, "_POP_WAIT_SECONDS", 0.0)
    first = PopLock(project, WS)
    first.acquire()
    with pytest.raises(OrbitError, match="another pop"):
        PopLock(project, WS).acquire()
    first.release()
    second = PopLock(project, WS)
    second.acquire()
    second.release()


@pytest.mark.parametrize("call", ["fsync", "rename"])
def test_a_failed_write_keeps_the_queue(project: Project, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    push(project, "a")
    before = Path(project.metadata(WS)).read_bytes()
    monkeypatch.setattr("orbit.store.disk.os", Patched(**{call: failing(call, system_error(errno.ENOSPC))}))
    for step in (
        lambda: jots.push(project, WS, "backend", "b"),
        lambda: move_to_popped(project, WS, "backend", ("a",), 1),
    ):
        with pytest.raises(OrbitError, match=r"cannot be written: No space left on device"):
            step()
    assert Path(project.metadata(WS)).read_bytes() == before
    assert os.listdir(project.workspace(WS)) == [".orbit"]

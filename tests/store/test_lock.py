from __future__ import annotations

import errno
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from orbit.errors import OrbitError
from orbit.store import lock
from orbit.store.lock import FileLock, Holder, holder
from store.faults import Patched, failing, system_error

HOLD = """
import sys
from orbit.store.lock import FileLock
with FileLock(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""
COUNT = """
import sys
from orbit.store.disk import read_bytes, replace_file
from orbit.store.lock import FileLock
path, rounds = sys.argv[1], int(sys.argv[2])
print("ready", flush=True)
sys.stdin.read()
for _ in range(rounds):
    with FileLock(path, 60) as lock:
        replace_file(path, b"%d" % (int(read_bytes(path)) + 1))
    if lock.notice:
        print(lock.notice)
"""


def start(script: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", script, *map(str, arguments)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline()
    return process


def finish(processes: list[subprocess.Popen[str]]) -> list[str]:
    """Let them go on all at once, and take what they print."""
    for process in processes:
        assert process.stdin is not None
        process.stdin.close()
    printed = []
    for process in processes:
        assert process.stdout is not None
        printed.append(process.stdout.read())
        process.stdout.close()
        assert process.wait() == 0
    return printed


@contextmanager
def killed_holder(path: Path) -> Iterator[int]:
    """The pid of a process that died with the lock; nobody has asked for its status yet."""
    process = start(HOLD, path)
    process.send_signal(signal.SIGKILL)
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    yield process.pid
    process.communicate()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / ".orbit"
    path.write_bytes(b"0")
    return path


def lock_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.lock")


def names(path: Path) -> list[str]:
    return sorted(os.listdir(path.parent))


def test_the_lock_names_its_owner(path: Path) -> None:
    assert holder(str(path)) is None
    with FileLock(str(path)) as held:
        assert re.fullmatch(rf"orbit \S+ \S+ \S+ {os.getpid()} \S+\n", lock_of(path).read_text())
        assert holder(str(path)) == Holder(True, os.getpid(), True)
        assert names(path) == [".orbit", ".orbit.lock"]
    assert held.notice == ""
    assert names(path) == [".orbit"]


def test_git_sees_the_lock(path: Path) -> None:
    path.write_bytes(b"")
    command = ["git", "config", "--file", str(path), "a.k", "v"]
    with FileLock(str(path)):
        assert subprocess.run(command, capture_output=True, check=False).returncode == 255
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_an_error_inside_gives_the_lock_back(path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), FileLock(str(path)):
        raise KeyboardInterrupt
    assert names(path) == [".orbit"]


def test_the_lock_of_a_link_is_beside_the_file(path: Path) -> None:
    (path.parent / "d").mkdir()
    link = path.parent / "d" / "link"
    link.symlink_to(path)
    with FileLock(str(link)):
        assert lock_of(path).exists()
        assert holder(str(link)) == holder(str(path))


def test_no_increment_is_lost(path: Path) -> None:
    finish([start(COUNT, path, 15) for _ in range(20)])
    assert path.read_bytes() == b"300"
    assert names(path) == [".orbit"]


def test_a_killed_holders_lock_is_taken_over(path: Path) -> None:
    with killed_holder(path) as pid:
        assert holder(str(path)) == Holder(True, pid, False)
        with FileLock(str(path), 0) as held:
            assert held.notice == f"removed {lock_of(path)}, left by process {pid} that no longer runs"
            assert holder(str(path)) == Holder(True, os.getpid(), True)
    assert names(path) == [".orbit"]


def test_cleaners_race(path: Path) -> None:
    for round_ in range(1, 4):
        with killed_holder(path) as pid:
            printed = "".join(finish([start(COUNT, path, 5) for _ in range(6)]))
        assert printed.count("removed") == printed.count(f"process {pid} ") == 1
        assert path.read_bytes() == b"%d" % (30 * round_)
        assert names(path) == [".orbit"]


def test_a_live_holder_is_waited_for_and_named(path: Path) -> None:
    process = start(HOLD, path)
    with pytest.raises(OrbitError) as caught, FileLock(str(path), 0.05):
        pass
    assert str(caught.value) == f"{path}: locked by process {process.pid} for more than 0.05 s"
    assert str(lock_of(path)) in caught.value.hint
    assert names(path) == [".orbit", ".orbit.lock"]
    finish([process])
    with FileLock(str(path), 0):
        pass


def test_a_holder_that_goes_is_followed(path: Path) -> None:
    process = start(HOLD, path)
    assert process.stdin is not None
    process.stdin.close()
    with FileLock(str(path), 10) as held:
        assert held.notice == ""
    finish([process])


def own_line(path: Path) -> list[str]:
    with FileLock(str(path)):
        return lock_of(path).read_text().split()


def with_word(words: list[str], index: int, word: str) -> bytes:
    return (" ".join([*words[:index], word, *words[index + 1 :]]) + "\n").encode()


@pytest.mark.parametrize(
    "content",
    [
        lambda words: b"",
        lambda words: b"[a]\n\tk = v\n",
        lambda words: b"\xff\0" * 2000,
        lambda words: " ".join(words).encode(),
        lambda words: with_word(words, 0, "Orbit"),
        lambda words: with_word(words, 4, "0"),
        lambda words: with_word(words, 4, "x"),
        lambda words: with_word(words, 4, "9" * 30),
        lambda words: with_word(words, 4, "²"),
        lambda words: with_word(words, 5, "1 2"),
    ],
)
def test_a_foreign_lock_is_never_removed(path: Path, content: Callable[[list[str]], bytes]) -> None:
    lock_of(path).write_bytes(content(own_line(path)))
    before = lock_of(path).stat()
    assert holder(str(path)) == Holder(False, 0, True)
    with pytest.raises(OrbitError, match=r"locked by another program for more than 0.02 s"), FileLock(str(path), 0.02):
        pass
    assert lock_of(path).stat() == before


@pytest.mark.parametrize("make", [Path.mkdir, lambda path: path.symlink_to("nowhere"), os.mkfifo])
def test_what_is_not_even_a_file_is_a_foreign_lock(path: Path, make: Callable[[Path], None]) -> None:
    make(lock_of(path))
    with pytest.raises(OrbitError, match="another program"), FileLock(str(path), 0):
        pass
    assert names(path) == [".orbit", ".orbit.lock"]


@pytest.mark.parametrize(
    ("index", "word", "expected"),
    [
        (1, "elsewhere", Holder(True, 0, True)),
        (2, "-", Holder(True, 0, True)),
        (2, "absolute", Holder(True, 0, True)),
        (2, "another-boot", Holder(True, os.getpid(), False)),
        (3, "pid:[1]", Holder(True, 0, True)),
        (3, "-", Holder(True, 0, True)),
        (4, str(2**31 - 1), Holder(True, 2**31 - 1, False)),
        (5, "1", Holder(True, os.getpid(), False)),
        (5, "-", Holder(True, 0, True)),
    ],
)
def test_only_the_surely_dead_are_dead(path: Path, index: int, word: str, expected: Holder) -> None:
    lock_of(path).write_bytes(with_word(own_line(path), index, word))
    assert holder(str(path)) == expected
    if expected.alive:
        with pytest.raises(OrbitError, match="another program"), FileLock(str(path), 0):
            pass
    else:
        with FileLock(str(path), 0) as held:
            assert f"process {expected.pid} " in held.notice


def test_a_dead_lock_that_cannot_be_removed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock_of(path).write_bytes(with_word(own_line(path), 5, "1"))
    monkeypatch.setattr(lock, "os", Patched(unlink=failing("unlink", system_error(errno.EROFS))))
    with pytest.raises(OrbitError, match="locked by another program"), FileLock(str(path), 0.02):
        pass


def test_only_our_own_lock_is_given_back(path: Path) -> None:
    with FileLock(str(path)):
        lock_of(path).unlink()
        lock_of(path).write_bytes(b"foreign")
    assert lock_of(path).read_bytes() == b"foreign"


def test_a_lock_that_is_gone_is_no_error(path: Path) -> None:
    with FileLock(str(path)):
        lock_of(path).unlink()
    assert names(path) == [".orbit"]


NO_UNNAMED_FILES = {"open": lambda *a, **k: unnamed_refused(*a, **k)}
NO_PROC_LINKS = {"link": lambda *a, **k: proc_link_refused(*a, **k)}
NO_HARD_LINKS = {"link": failing("link", system_error(errno.EPERM))}


def unnamed_refused(path: str, flags: int, mode: int = 0o777) -> int:
    if flags & os.O_TMPFILE == os.O_TMPFILE:
        raise system_error(errno.EOPNOTSUPP)
    return os.open(path, flags, mode)


def proc_link_refused(source: str, target: str, **named: object) -> None:
    if source.startswith("/proc"):
        raise system_error(errno.ENOENT)
    os.link(source, target)


@pytest.mark.parametrize("calls", [NO_UNNAMED_FILES, NO_PROC_LINKS, NO_HARD_LINKS])
def test_poorer_file_systems(
    path: Path, monkeypatch: pytest.MonkeyPatch, calls: dict[str, Callable[..., object]]
) -> None:
    monkeypatch.setattr(lock, "os", Patched(**calls))
    with FileLock(str(path)):
        assert holder(str(path)) == Holder(True, os.getpid(), True)
        assert names(path) == [".orbit", ".orbit.lock"]
        with pytest.raises(OrbitError, match=f"locked by process {os.getpid()} "), FileLock(str(path), 0.02):
            pass
        assert names(path) == [".orbit", ".orbit.lock"]
    assert names(path) == [".orbit"]
    lock_of(path).write_bytes(with_word(own_line(path), 5, "1"))
    with FileLock(str(path), 0) as held:
        assert held.notice
    assert names(path) == [".orbit"]


def test_systems_without_proc(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with killed_holder(path) as dead:
        pass
    lock_of(path).unlink()
    monkeypatch.setattr(lock, "os", Patched(access=lambda *_: False))
    with FileLock(str(path)):
        assert holder(str(path)) == Holder(True, os.getpid(), True)
    words = own_line(path)
    assert words[2:4] == ["absolute", "absolute"]
    lock_of(path).write_bytes(with_word(words, 4, str(dead)))
    assert holder(str(path)) == Holder(True, dead, False)
    lock_of(path).write_bytes(with_word(words, 5, "1.00"))
    assert holder(str(path)) == Holder(True, os.getpid(), False)


def test_a_hidden_process_is_alive(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def hidden(path: str, flags: int, mode: int = 0o777) -> int:
        if path == f"/proc/{os.getpid()}/stat":
            raise system_error(errno.ENOENT)
        return os.open(path, flags, mode)

    with FileLock(str(path)):
        monkeypatch.setattr(lock, "os", Patched(open=hidden))
        assert holder(str(path)) == Holder(True, os.getpid(), True)


def test_locking_where_one_cannot(tmp_path: Path) -> None:
    missing = tmp_path / "none" / "f"
    with pytest.raises(OrbitError) as caught, FileLock(str(missing)):
        pass
    assert str(caught.value) == f"{missing}: cannot be locked: {os.strerror(errno.ENOENT)}"
    (tmp_path / "f").touch()
    with pytest.raises(OrbitError, match=os.strerror(errno.ENOTDIR)), FileLock(str(tmp_path / "f" / "g")):
        pass


@pytest.mark.parametrize("call", ["open", "write", "fsync", "link", "unlink"])
@pytest.mark.parametrize("number", [errno.EACCES, errno.ENOSPC, errno.EIO])
@pytest.mark.parametrize("at", [0, 1, 2, 3])
def test_failing_calls_leave_no_litter(
    path: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int, at: int
) -> None:
    patched = Patched(**{call: failing(call, system_error(number), at)})
    monkeypatch.setattr(lock, "os", patched)
    monkeypatch.setattr("orbit.store.disk.os", patched)
    try:
        with FileLock(str(path), 0.02):
            assert names(path) == [".orbit", ".orbit.lock"]
    except OrbitError as error:
        assert str(error) == f"{path}: cannot be locked: {os.strerror(number)}"  # noqa: PT017
    assert names(path) == [".orbit"] or call == "unlink"


@pytest.mark.parametrize("call", ["write", "fsync", "link"])
def test_an_interrupt_leaves_no_litter(path: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    def interrupted(*arguments: object, **named: object) -> None:
        getattr(os, call)(*arguments, **named)
        raise KeyboardInterrupt

    for poorer in ({}, NO_UNNAMED_FILES):
        patched = Patched(**{**poorer, call: interrupted})
        monkeypatch.setattr(lock, "os", patched)
        monkeypatch.setattr("orbit.store.disk.os", patched)
        with pytest.raises(KeyboardInterrupt), FileLock(str(path)):
            pass
        assert names(path) == [".orbit"]


def test_a_lock_that_cannot_be_given_back_does_not_hold_up_its_own_process(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "os", Patched(unlink=failing("unlink", system_error(errno.EACCES), at=1)))
    with FileLock(str(path)):
        pass
    assert os.path.exists(f"{path}.lock")
    with FileLock(str(path), wait_seconds=0) as second:
        assert second.notice == f"removed {path}.lock, left by process {os.getpid()} that no longer runs"
    assert not os.path.exists(f"{path}.lock")

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from orbit.errors import OrbitError
from orbit.store import disk
from orbit.store.document import load, update
from orbit.store.syntax import Append, Change, Config, Set
from store.faults import Patched, failing, failing_for, system_error

GOAL = Set("workspace", None, "goal", ("new",))


def set_goal(_: Config) -> list[Change]:
    return [GOAL]


def names(path: Path) -> list[str]:
    return sorted(os.listdir(path.parent))


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("time.time", lambda: 1234.5)
    return tmp_path / ".orbit"


def test_a_missing_document(path: Path) -> None:
    loaded = load(str(path))
    assert (loaded.config.text, loaded.state, loaded.reason) == ("", "missing", "")
    written = update(str(path), set_goal)
    assert (written.kept_copy, written.lock_notice, written.changed) == ("", "", True)
    assert path.read_text() == written.config.text == "[workspace]\n\tgoal = new\n"
    assert names(path) == [".orbit"]


def test_everything_else_survives(path: Path) -> None:
    path.write_bytes(b'\xef\xbb\xbf# top \xff\r\n[Other "X"]\r\n  k=v ; c\r\n[workspace]\n\tgoal = old\n# end')
    update(str(path), set_goal)
    assert path.read_bytes() == (
        b'\xef\xbb\xbf# top \xff\r\n[Other "X"]\r\n  k=v ; c\r\n[workspace]\n\tgoal = new\n# end'
    )


def test_bytes_that_are_not_text_come_back(path: Path) -> None:
    path.write_bytes(b"[a]\n\tk = \xff\xfe\xc3\xa9\n")
    value = load(str(path)).config.get("a", None, "k")
    assert value == "\udcff\udcfeé"
    update(str(path), lambda config: [Set("b", None, "k", (config.get("a", None, "k") or "",))])
    assert path.read_bytes() == b'[a]\n\tk = \xff\xfe\xc3\xa9\n[b]\n\tk = "\xff\xfe\xc3\xa9"\n'


def test_no_change_writes_nothing(path: Path) -> None:
    path.write_text("[workspace]\n\tgoal = new\n")
    before = path.stat()
    for change in (lambda _: [], set_goal):
        written = update(str(path), change)
        assert (written.changed, written.config.text) == (False, path.read_text())
    assert path.stat() == before
    assert update(str(path.with_name("none")), lambda _: []).changed is False
    assert names(path) == [".orbit"]


def test_a_change_sees_the_document(path: Path) -> None:
    for _ in range(3):
        update(str(path), lambda config: [Set("a", None, "n", (str(int(config.get("a", None, "n") or "0") + 1),))])
    assert load(str(path)).config.get("a", None, "n") == "3"


DAMAGE = {
    b"[workspace\n\tgoal = x\n": "line 1: bad section header",
    b"[a]\n\tk = \\q\n": "line 2: unknown escape",
    b"[a]\n\tk = v\0\n": "line 2: NUL character",
    b"\x7fELF\x02\x01": "line 1: neither a section, a key nor a comment",
    b"<<<<<<< HEAD\n": "line 1: neither a section, a key nor a comment",
}


@pytest.mark.parametrize(("data", "reason"), DAMAGE.items())
def test_a_damaged_document_is_kept_and_begun_anew(path: Path, data: bytes, reason: str) -> None:
    path.write_bytes(data)
    path.chmod(0o640)
    loaded = load(str(path))
    assert (loaded.config.text, loaded.state, loaded.reason) == ("", "damaged", reason)
    written = update(str(path), set_goal)
    assert (written.kept_copy, written.changed) == (f"{path}.damaged-1234", True)
    assert Path(written.kept_copy).read_bytes() == data
    assert path.read_text() == "[workspace]\n\tgoal = new\n"
    assert path.stat().st_mode & 0o777 == 0o640
    path.write_bytes(b"[")
    assert update(str(path), set_goal).kept_copy == f"{path}.damaged-1234-2"
    assert Path(f"{path}.damaged-1234").read_bytes() == data


def test_a_damaged_document_without_a_change_stays(path: Path) -> None:
    path.write_bytes(b"[")
    assert update(str(path), lambda _: []).kept_copy == ""
    assert (path.read_bytes(), names(path)) == (b"[", [".orbit"])


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to(path.name)])
def test_what_is_not_a_file_is_moved_aside(path: Path, make: object) -> None:
    assert callable(make)
    make(path)
    assert load(str(path)).state == "damaged"
    written = update(str(path), set_goal)
    assert written.kept_copy == f"{path}.damaged-1234"
    assert path.read_text() == written.config.text
    assert names(path) == [".orbit", ".orbit.damaged-1234"]


@pytest.mark.parametrize("number", [errno.EACCES, errno.EIO])
@pytest.mark.parametrize("call", ["open", "read"])
def test_an_unreadable_document_is_not_replaced(
    path: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int
) -> None:
    path.write_bytes(b"[a]\n")

    def refused(*arguments: object, **named: object) -> object:
        if call == "read" or arguments[0] == str(path):
            raise system_error(number)
        return getattr(os, call)(*arguments, **named)

    monkeypatch.setattr(disk, "os", Patched(**{call: refused}))
    assert (load(str(path)).state, load(str(path)).reason) == ("damaged", os.strerror(number))
    with pytest.raises(OrbitError) as caught:
        update(str(path), set_goal)
    assert str(caught.value) == f"{path}: cannot be read: {os.strerror(number)}"
    assert (path.read_bytes(), names(path)) == (b"[a]\n", [".orbit"])


@pytest.mark.skipif(os.geteuid() == 0, reason="permissions do not bind root")
def test_a_document_without_permissions(path: Path) -> None:
    path.write_bytes(b"[a]\n")
    path.chmod(0)
    assert load(str(path)).reason == os.strerror(errno.EACCES)
    with pytest.raises(OrbitError, match=os.strerror(errno.EACCES)):
        update(str(path), set_goal)
    path.chmod(0o644)
    path.parent.chmod(0o555)
    with pytest.raises(OrbitError, match=rf"^{path}: cannot be locked: {os.strerror(errno.EACCES)}$"):
        update(str(path), set_goal)
    path.parent.chmod(0o755)
    assert (path.read_bytes(), names(path)) == (b"[a]\n", [".orbit"])


@pytest.mark.parametrize("data", [b"[a]\n\tk = v\n", b"[damaged"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES, errno.EIO])
@pytest.mark.parametrize("call", ["open", "write", "fsync", "close", "rename"])
def test_a_failing_write_leaves_the_old_bytes(
    path: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int, data: bytes
) -> None:
    path.write_bytes(data)
    monkeypatch.setattr(disk, "os", failing_for(".new", call, system_error(number)))
    with pytest.raises(OrbitError) as caught:
        update(str(path), set_goal)
    assert str(caught.value) == f"{path}: cannot be written: {os.strerror(number)}"
    assert (path.read_bytes(), names(path)) == (data, [".orbit"])


def test_a_directory_comes_back_when_the_write_fails(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.mkdir()
    monkeypatch.setattr(disk, "os", Patched(fsync=failing("fsync", system_error(errno.ENOSPC))))
    with pytest.raises(OrbitError, match=os.strerror(errno.ENOSPC)):
        update(str(path), set_goal)
    assert path.is_dir()
    assert names(path) == [".orbit"]


@pytest.mark.parametrize("call", ["fsync", "rename"])
def test_an_interrupt_leaves_the_old_bytes(path: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    path.write_bytes(b"[damaged")
    monkeypatch.setattr(disk, "os", Patched(**{call: failing(call, KeyboardInterrupt())}))
    with pytest.raises(KeyboardInterrupt):
        update(str(path), set_goal)
    assert (path.read_bytes(), names(path)) == (b"[damaged", [".orbit"])


@pytest.mark.parametrize("value", ["a\0", "\ud800"])
def test_a_value_that_cannot_be_stored(path: Path, value: str) -> None:
    with pytest.raises(ValueError, match=r"NUL|surrogates"):
        update(str(path), lambda _: [Append("a", None, "k", value)])
    assert names(path) == []


def test_a_stale_lock_is_told(path: Path) -> None:
    die = "import os, sys; from orbit.store.lock import FileLock; FileLock(sys.argv[1]).__enter__(); os._exit(0)"
    subprocess.run([sys.executable, "-c", die, str(path)], check=True)
    written = update(str(path), set_goal, 0)
    assert written.lock_notice.startswith(f"removed {path}.lock, left by process ")


APPEND = """
import sys
from orbit.store.document import update
from orbit.store.syntax import Append
path, name, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
for i in range(rounds):
    update(path, lambda _: [Append("jot", "r", "entry", f"{name} {i}; text")], 60)
"""


def appenders(path: Path, count: int, rounds: int) -> list[subprocess.Popen[bytes]]:
    command = [sys.executable, "-c", APPEND, str(path)]
    return [subprocess.Popen([*command, f"p{number}", str(rounds)]) for number in range(count)]


def test_concurrent_updates_all_arrive(path: Path) -> None:
    for process in appenders(path, 12, 10):
        assert process.wait() == 0
    values = load(str(path)).config.get_all("jot", "r", "entry")
    assert sorted(values) == sorted(f"p{number} {i}; text" for number in range(12) for i in range(10))
    for number in range(12):
        assert [value for value in values if value.startswith(f"p{number} ")] == [
            f"p{number} {i}; text" for i in range(10)
        ]
    assert names(path) == [".orbit"]


def test_git_and_orbit_write_the_same_file(path: Path) -> None:
    """git gives up at once on a held lock and is asked again; neither loses what the other wrote."""
    processes = appenders(path, 3, 15)
    command = ["git", "config", "--file", str(path), "--add", "jot.r.entry"]
    environment = {**os.environ, "LC_ALL": "C"}
    for number in range(15):
        while True:
            run = subprocess.run([*command, f"git {number}"], capture_output=True, check=False, env=environment)
            if run.returncode == 0:
                break
            assert b"could not lock" in run.stderr
    for process in processes:
        assert process.wait() == 0
    expected = [f"p{number} {i}; text" for number in range(3) for i in range(15)] + [f"git {i}" for i in range(15)]
    assert sorted(load(str(path)).config.get_all("jot", "r", "entry")) == sorted(expected)
    assert names(path) == [".orbit"]


@pytest.mark.parametrize("call", ["open", "read"])
def test_a_document_that_one_read_fails_for_is_not_begun_anew(
    path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    path.write_bytes(b"[a]\n\tkey = kept\n")
    if call == "open":
        monkeypatch.setattr(disk, "os", Patched(open=failing("open", system_error(errno.EMFILE), at=1)))
    else:
        monkeypatch.setattr(disk, "os", Patched(read=failing("read", system_error(errno.EIO), at=1)))
    with pytest.raises(OrbitError) as caught:
        update(str(path), set_goal)
    assert ": cannot be read: " in str(caught.value)
    assert (path.read_bytes(), names(path)) == (b"[a]\n\tkey = kept\n", [".orbit"])

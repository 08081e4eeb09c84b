from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from looks import unseen
from orbit.errors import DamagedError, OrbitError
from orbit.store import disk
from store.faults import Patched, failing, system_error

not_root = pytest.mark.skipif(os.geteuid() == 0, reason="permissions do not bind root")


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    old = os.umask(0o022)
    yield
    os.umask(old)


def names(directory: Path) -> list[str]:
    return sorted(os.listdir(directory))


def test_a_file_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "f"
    for data in (b"", b"a\0\xff\n", b"x" * 300_000):
        path.write_bytes(data)
        assert disk.read_bytes(str(path)) == data


def test_a_missing_file_is_none(tmp_path: Path) -> None:
    (tmp_path / "f").touch()
    (tmp_path / "link").symlink_to("nowhere")
    assert disk.read_bytes(str(tmp_path / "g")) is None
    assert disk.read_bytes(str(tmp_path / "f" / "g")) is None
    assert disk.read_bytes(str(tmp_path / "link")) is None
    assert disk.try_read(str(tmp_path / "g")) == (None, "")


def test_what_is_not_a_file_is_damage(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(DamagedError, match=rf"^{tmp_path}: cannot be read: is a directory$"):
        disk.read_bytes(str(tmp_path))
    with pytest.raises(DamagedError, match="is not a regular file"):
        disk.read_bytes(str(tmp_path / "pipe"))
    with pytest.raises(DamagedError, match=os.strerror(errno.ELOOP)):
        disk.read_bytes(str(tmp_path / "loop"))


@pytest.mark.parametrize("call", ["open", "fstat", "read"])
@pytest.mark.parametrize("number", [errno.EACCES, errno.EIO])
def test_a_failing_read_is_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"x" * 100_000)  # a short file needs no fstat
    monkeypatch.setattr(disk, "os", Patched(**{call: failing(call, system_error(number))}))
    with pytest.raises(DamagedError) as caught:
        disk.read_bytes(str(path))
    assert str(caught.value) == f"{path}: cannot be read: {os.strerror(number)}"


def test_a_new_file(tmp_path: Path) -> None:
    path = tmp_path / "f"
    disk.replace_file(str(path), b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    os.umask(0o077)
    disk.replace_file(str(tmp_path / "g"), b"new")
    assert stat.S_IMODE((tmp_path / "g").stat().st_mode) == 0o600
    assert names(tmp_path) == ["f", "g"]


def test_a_path_without_a_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    disk.replace_file("f", b"new")
    assert disk.read_bytes("f") == b"new"


@pytest.mark.parametrize("mode", [0o600, 0o444, 0o664])
def test_the_mode_is_kept(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"old")
    path.chmod(mode)
    disk.replace_file(str(path), b"new")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"new", mode)


def test_a_symbolic_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    real, link = tmp_path / "d" / "real", tmp_path / "link"
    real.write_bytes(b"old")
    link.symlink_to("d/real")
    disk.replace_file(str(link), b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"
    assert names(tmp_path) + names(tmp_path / "d") == ["d", "link", "real"]


@pytest.mark.parametrize("linked", [False, True])
def test_what_is_no_file_is_not_replaced(tmp_path: Path, linked: bool) -> None:
    """Where root works, as in a container, a link to /dev/null would cost the machine its device."""
    device, path = tmp_path / "device", tmp_path / "file"
    os.mkfifo(device)
    if linked:
        path.symlink_to(device)
    else:
        device.rename(path)
    with pytest.raises(OrbitError, match="cannot be written: is not a regular file"):
        disk.replace_file(str(path), b"new")
    assert stat.S_ISFIFO(path.stat().st_mode)
    assert names(tmp_path) == (["device", "file"] if linked else ["file"])


def test_leftovers_are_used_up(tmp_path: Path) -> None:
    path, victim = tmp_path / "f", tmp_path / "victim"
    (tmp_path / "f.new").write_bytes(b"longer than what comes")
    (tmp_path / "f.new").chmod(0o400)
    disk.replace_file(str(path), b"one")
    assert path.read_bytes() == b"one"
    victim.write_bytes(b"kept")
    (tmp_path / "f.new").symlink_to(victim)
    disk.replace_file(str(path), b"two")
    assert (path.read_bytes(), victim.read_bytes()) == (b"two", b"kept")
    assert names(tmp_path) == ["f", "victim"]


def test_data_taken_bit_by_bit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "os", Patched(write=lambda fd, data: os.write(fd, data[:7])))
    disk.replace_file(str(tmp_path / "f"), b"0123456789" * 9)
    assert (tmp_path / "f").read_bytes() == b"0123456789" * 9


@pytest.mark.parametrize("call", ["open", "stat", "fstat", "fchmod", "write", "fsync", "close", "rename"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES, errno.EIO])
def test_a_failing_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int
) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"old")
    path.chmod(0o640)
    monkeypatch.setattr(disk, "os", Patched(**{call: failing(call, system_error(number), at=1)}))
    with pytest.raises(OrbitError) as caught:
        disk.replace_file(str(path), b"new")
    assert str(caught.value) == f"{path}: cannot be written: {os.strerror(number)}"
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["f"]


@pytest.mark.parametrize("call", ["write", "fsync", "rename"])
def test_an_interrupted_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"old")
    monkeypatch.setattr(disk, "os", Patched(**{call: failing(call, KeyboardInterrupt())}))
    with pytest.raises(KeyboardInterrupt):
        disk.replace_file(str(path), b"new")
    assert (path.read_bytes(), names(tmp_path)) == (b"old", ["f"])


@pytest.mark.parametrize("call", ["open", "fsync"])
def test_a_directory_that_cannot_be_flushed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    """The rename is done by then: an error would say that the old content stands."""
    monkeypatch.setattr(disk, "os", Patched(**{call: failing(call, system_error(errno.EINVAL), at=2)}))
    disk.replace_file(str(tmp_path / "f"), b"new")
    assert (tmp_path / "f").read_bytes() == b"new"


def test_writing_where_one_cannot(tmp_path: Path) -> None:
    with pytest.raises(OrbitError, match=os.strerror(errno.ENOENT)):
        disk.replace_file(str(tmp_path / "none" / "f"), b"new")
    with pytest.raises(OrbitError, match=os.strerror(errno.EISDIR)):
        disk.replace_file(str(tmp_path), b"new")
    assert not Path(f"{tmp_path}.new").exists()


@not_root
def test_a_read_only_directory(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"old")
    tmp_path.chmod(0o555)
    with pytest.raises(OrbitError, match=os.strerror(errno.EACCES)):
        disk.replace_file(str(tmp_path / "f"), b"new")
    tmp_path.chmod(0o755)
    assert (tmp_path / "f").read_bytes() == b"old"


def test_a_file_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.touch()
    disk.remove_file(str(path))
    disk.remove_file(str(path))
    assert names(tmp_path) == []
    with pytest.raises(OrbitError, match=rf"^{tmp_path}: cannot be removed: "):
        disk.remove_file(str(tmp_path))


@pytest.fixture
def damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("time.time", lambda: 1234.5)
    path = tmp_path / "f"
    path.write_bytes(b"bad")
    return path


def test_a_damaged_file_is_kept_under_a_free_name(damaged: Path) -> None:
    copies = [disk.set_aside(str(damaged)) for _ in range(3)]
    assert copies == [f"{damaged}.damaged-1234", f"{damaged}.damaged-1234-2", f"{damaged}.damaged-1234-3"]
    disk.replace_file(str(damaged), b"new")
    assert [Path(copy).read_bytes() for copy in copies] == [b"bad"] * 3


def test_a_damaged_file_is_kept_without_hard_links(damaged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "os", Patched(link=failing("link", system_error(errno.EPERM))))
    copy = disk.set_aside(str(damaged))
    damaged.write_bytes(b"x")
    assert Path(copy).read_bytes() == b"bad"


def test_the_file_behind_a_link_is_kept(damaged: Path) -> None:
    link = damaged.with_name("link")
    link.symlink_to("f")
    copy = Path(disk.set_aside(str(link)))
    assert (copy.read_bytes(), copy.is_symlink(), copy.name) == (b"bad", False, "link.damaged-1234")


def test_a_directory_is_moved_and_put_back(damaged: Path) -> None:
    directory = damaged.with_name("d")
    directory.mkdir()
    copy = disk.set_aside(str(directory))
    assert not directory.exists()
    disk.put_back(str(directory), copy)
    assert names(damaged.parent) == ["d", "f"]


def test_a_copy_is_put_back(damaged: Path) -> None:
    disk.put_back(str(damaged), disk.set_aside(str(damaged)))
    assert (damaged.read_bytes(), names(damaged.parent)) == (b"bad", ["f"])


def test_a_copy_stays_once_the_file_was_replaced(damaged: Path) -> None:
    copy = disk.set_aside(str(damaged))
    disk.replace_file(str(damaged), b"new")
    disk.put_back(str(damaged), copy)
    assert names(damaged.parent) == ["f", "f.damaged-1234"]


@pytest.mark.parametrize("call", ["write", "fsync", "open"])
def test_a_file_that_cannot_be_kept(damaged: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    calls = {"link": failing("link", system_error(errno.EPERM))}
    calls[call] = failing(call, system_error(errno.ENOSPC), at=2 if call == "open" else 1)
    monkeypatch.setattr(disk, "os", Patched(**calls))
    with pytest.raises(OrbitError, match=rf"^{damaged}: .*damaged-1234: {os.strerror(errno.ENOSPC)}$"):
        disk.set_aside(str(damaged))
    assert (damaged.read_bytes(), names(damaged.parent)) == (b"bad", ["f"])


def test_a_file_that_cannot_be_read_is_not_set_aside(damaged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "os", Patched(read=failing("read", system_error(errno.EIO))))
    with pytest.raises(DamagedError, match=os.strerror(errno.EIO)):
        disk.set_aside(str(damaged))
    assert names(damaged.parent) == ["f"]


def test_a_link_that_cannot_be_looked_at_stays_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "real").write_text("old")
    link = tmp_path / "link"
    link.symlink_to("real")
    for unknown in (link, tmp_path / "real"):
        with unseen(unknown), pytest.raises(OrbitError, match="cannot be looked at: Input/output error"):
            disk.replace_file(str(link), b"new")
    monkeypatch.setattr(disk, "os", Patched(readlink=failing("readlink", system_error(errno.EIO))))
    with pytest.raises(OrbitError, match="cannot be looked at: Input/output error"):
        disk.replace_file(str(link), b"new")
    assert (link.is_symlink(), (tmp_path / "real").read_text()) == (True, "old")


def test_a_copy_that_cannot_be_looked_at_is_not_written_over(damaged: Path) -> None:
    damaged.unlink()
    damaged.mkdir()
    copy = Path(f"{damaged}.damaged-1234")
    copy.mkdir()
    with unseen(copy), pytest.raises(OrbitError, match="cannot be looked at"):
        disk.set_aside(str(damaged))
    assert names(damaged.parent) == ["f", "f.damaged-1234"]


def test_a_file_that_cannot_be_looked_at_is_not_moved_away(damaged: Path) -> None:
    with unseen(damaged):
        for act in (disk.set_aside, disk.is_no_file):
            with pytest.raises(OrbitError, match="cannot be looked at"):
                act(str(damaged))
    assert names(damaged.parent) == ["f"]


def test_a_file_of_the_users_leaves_its_neighbours_alone(tmp_path: Path) -> None:
    path, other, left = tmp_path / "settings", tmp_path / "settings.new", tmp_path / "settings.orbit-new"
    for file in (path, other, left):
        file.write_text("mine")
    disk.replace_users_file(str(path), b"new")
    assert (path.read_text(), other.read_text(), left.exists()) == ("new", "mine", False)
    left.write_text("half")
    disk.remove_users_draft(str(path))
    disk.remove_users_draft(str(path))
    assert not left.exists()

"""git's lock protocol, `<file>.lock` created exclusively, with an owner that can be told dead from alive.

The lock file holds one line, `orbit HOST BOOT NAMESPACE PID START`, and appears together with it: an empty lock is
somebody else's. Contract: concepts.md, On disk; refinements.md, 10.
"""

from __future__ import annotations

import os
import time

from orbit.errors import OrbitError
from orbit.record import Record
from orbit.store.disk import real_path, reason_of, write_all
from orbit.store.line import Line, claim

_UNKNOWN = "-"
_ABSOLUTE = "absolute"  # in place of a boot id: start times count from the epoch and need none
_GONE = "0"  # a start time that no process has
_UNNAMED, _NAMED, _EXCLUSIVE = range(3)  # ways to create the lock file, the best first
_LOOK_EVERY = 16  # tries, about 130 ms, between two looks at who holds the lock


class Holder(Record):
    """Who holds a lock: `ours` = it was made by this program, `pid` is 0 when not known, `alive` unless surely dead."""

    ours: bool
    pid: int
    alive: bool


class FileLock:
    """Hold `<path>.lock` for the length of a `with` block.

    Waits up to `wait_seconds` for another holder, then raises OrbitError. The lock of a process that no longer lives
    is removed, and `notice` says so; one that is not ours in form never is.
    """

    def __init__(self, path: str, wait_seconds: float = 10.0) -> None:
        self.notice = ""
        self._path = path
        self._lock = f"{real_path(path)}.lock"
        self._wait_seconds = wait_seconds
        self._way = _UNNAMED if hasattr(os, "O_TMPFILE") else _NAMED
        self._fd = -1  # open as long as the lock is held: its inode is not used again meanwhile
        self._draft = ""

    def __enter__(self) -> FileLock:
        try:
            self._acquire()
        except OSError as error:
            self._release()
            raise OrbitError(self._path, f"cannot be locked: {reason_of(error)}")
        except BaseException:
            self._release()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._release()

    def _acquire(self) -> None:
        deadline = time.monotonic() + self._wait_seconds
        tries = 0
        while not self._create():
            over = time.monotonic() >= deadline
            if over or tries % _LOOK_EVERY == 0:
                found = holder(self._path)
                if found is not None and not found.alive and self._clear():
                    continue
                if over:
                    raise self._held(found)
            tries += 1
            with Line(self._lock, deadline - time.monotonic()) as line:
                if line.reached and self._create():
                    break
                if line.moved_on():
                    continue  # somebody was faster: straight into the line behind them
            # Short and never growing: who has waited long must not come off worse than who comes new.
            time.sleep((1 + os.urandom(1)[0] % 15) / 1000)
        self._drop_draft()

    def _held(self, found: Holder | None) -> OrbitError:
        who = f"process {found.pid}" if found is not None and found.pid and found.alive else "another program"
        waited = f"locked by {who} for more than {self._wait_seconds:g} s"
        return OrbitError(self._path, waited, f"the lock is {self._lock}")

    def _create(self) -> bool:
        """Create the lock file, content and all, in one step; False when there is one."""
        try:
            if self._way == _EXCLUSIVE:
                self._fd = os.open(self._lock, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644)
                claim(self._fd)
                write_all(self._fd, _own_line())
                return True
            if self._fd < 0:
                self._write_draft()
            self._link_draft()
            return True
        except FileExistsError:
            return False
        except OSError:
            if self._way == _EXCLUSIVE:
                raise
        self._drop_draft()
        self._close()
        self._way += 1  # no unnamed files or no hard links here; a real obstacle shows again in the last way
        return self._create()

    def _write_draft(self) -> None:
        if self._way == _UNNAMED:
            directory = os.path.dirname(self._lock) or "."
            self._fd = os.open(directory, os.O_RDWR | os.O_TMPFILE, 0o644)
        else:
            self._draft = f"{self._lock}.{os.getpid()}-{os.urandom(4).hex()}"
            self._fd = os.open(self._draft, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644)
        claim(self._fd)
        write_all(self._fd, _own_line())
        try:
            os.fsync(self._fd)  # else a power failure could leave a lock without its line
        except OSError:
            pass

    def _link_draft(self) -> None:
        if self._draft:
            os.link(self._draft, self._lock)
        else:  # a directory makes Python use the call that follows the link
            os.link(f"/proc/self/fd/{self._fd}", self._lock, src_dir_fd=self._fd, follow_symlinks=True)

    def _drop_draft(self) -> None:
        draft, self._draft = self._draft, ""
        if draft:
            try:
                os.unlink(draft)
            except OSError:
                pass  # not made yet, or the file system fails: the lock itself decides

    def _close(self) -> None:
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)

    def _release(self) -> None:
        """Give the lock back if it is (still) ours. One that cannot be removed is disowned: the next one removes it."""
        try:
            self._drop_draft()
            if self._fd >= 0 and _is_at(self._fd, self._lock):
                os.unlink(self._lock)
        except OSError:
            self._disown()
        finally:
            self._close()

    def _disown(self) -> None:
        """Say in the lock that its owner is gone, else this very process would stand in line behind itself."""
        try:
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, _line(_GONE), 0)
        except OSError:
            return  # then it heals when this process ends

    def _clear(self) -> bool:
        """Remove a dead owner's lock; whether that may have changed anything."""
        import fcntl  # only a lock left behind needs it

        try:
            fd = os.open(self._lock, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError as error:
            return isinstance(error, FileNotFoundError)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            found = _judge(os.read(fd, 1000))
            if found.alive or not _is_at(fd, self._lock):
                return True
            os.unlink(self._lock)
            self.notice = f"removed {self._lock}, left by process {found.pid} that no longer runs"
            return True
        except OSError:
            return False  # another one is at it, or we may not
        finally:
            os.close(fd)


def holder(path: str) -> Holder | None:
    """Who holds the lock of the file at `path`; None when nobody does."""
    try:
        fd = os.open(f"{real_path(path)}.lock", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    except OSError:
        return Holder(False, 0, True)
    try:
        return _judge(os.read(fd, 1000))
    except OSError:
        return Holder(False, 0, True)
    finally:
        os.close(fd)


def _is_at(fd: int, path: str) -> bool:
    try:
        there = os.lstat(path)
    except FileNotFoundError:
        return False
    mine = os.fstat(fd)
    return (there.st_dev, there.st_ino) == (mine.st_dev, mine.st_ino)


def _judge(content: bytes) -> Holder:
    words = content.decode("utf-8", "replace").split()
    if len(words) != 6 or words[0] != "orbit" or not content.endswith(b"\n") or not _is_pid(words[4]):
        return Holder(False, 0, True)
    host, boot, namespace, pid, started = words[1], words[2], words[3], int(words[4]), words[5]
    our_host, our_boot, our_namespace = _place()
    if host != our_host or _UNKNOWN in (boot, our_boot) or (boot != our_boot and _ABSOLUTE in (boot, our_boot)):
        return Holder(True, 0, True)
    if boot != our_boot:
        return Holder(True, pid, False)
    if namespace != our_namespace or _UNKNOWN in (namespace, started):
        return Holder(True, 0, True)
    return Holder(True, pid, _start_time(pid) in (started, _UNKNOWN))


def _is_pid(word: str) -> bool:
    return word.isascii() and word.isdecimal() and 0 < int(word[:11]) < 2**31


def _own_line() -> bytes:
    return _line(_start_time(os.getpid()))


def _line(started: str) -> bytes:
    return f"orbit {' '.join(_place())} {os.getpid()} {started}\n".encode("utf-8", "surrogateescape")


def _place() -> tuple[str, str, str]:
    """Host, boot and process namespace: within one such place a process id means one process at a time."""
    host = "".join(os.uname().nodename.split()) or _UNKNOWN
    if not _has_proc():
        return host, _ABSOLUTE, _ABSOLUTE
    boot = _read("/proc/sys/kernel/random/boot_id").strip().decode("ascii", "replace")
    try:
        namespace = os.readlink("/proc/self/ns/pid")
    except OSError:
        namespace = _UNKNOWN
    return host, boot or _UNKNOWN, namespace


def _has_proc() -> bool:
    return os.access("/proc/self/stat", os.R_OK)


def _read(path: str) -> bytes:
    """A small file of the kernel's, empty when it is not there for us."""
    try:
        fd = os.open(path, os.O_RDONLY)
    except OSError:
        return b""
    try:
        return os.read(fd, 4096)
    except OSError:
        return b""
    finally:
        os.close(fd)


def _start_time(pid: int) -> str:
    """When a process started, as this system counts; "" for one that no longer runs, "-" when it cannot be told."""
    if not _has_proc():
        return _absolute_start_time(pid)
    fields = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    if len(fields) > 19:
        return "" if fields[0] in (b"Z", b"X") else fields[19].decode("ascii", "replace")
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return ""
    except OSError:
        pass
    return _UNKNOWN  # it is there and hidden from us


def _absolute_start_time(pid: int) -> str:
    import psutil  # systems without /proc

    try:
        return f"{psutil.Process(pid).create_time():.2f}"
    except psutil.NoSuchProcess:
        return ""
    except psutil.Error:
        return _UNKNOWN

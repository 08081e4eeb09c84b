"""A running git seen from outside: what it says, whether it still lives, and its end.

`run.py` starts it; this module owns its pipes. Contract: git.md, How git is used.
"""

from __future__ import annotations

import os
import select
import time

from orbit.errors import OrbitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
else:
    import _signal  # what `signal` is made of: importing that costs more than starting git

_TICK_MILLISECONDS = 100
_GRACE_SECONDS = 2.0
_CHUNK = 65536
_TAKEN = -1000


class Child:
    """One process with its output so far in `out` and `err`.

    It is made before the process, so that no Ctrl-C falls between the two; whoever made it calls `end` on every path.
    `pids` holds the process id once there is one, `pipes` every (read, write) pair of descriptors.
    """

    __slots__ = ("_closed", "_feed", "_poll", "_sinks", "_unsent", "code", "err", "out", "own_group", "pids", "pipes")

    def __init__(self, *, own_group: bool) -> None:
        self.own_group = own_group
        self.pids: list[int] = []
        self.pipes: list[tuple[int, int]] = []
        self.code: int | None = None
        self.out = bytearray()
        self.err = bytearray()
        self._poll = select.poll()
        self._sinks: dict[int, bytearray] = {}
        self._feed, self._unsent = -1, memoryview(b"")
        self._closed: set[int] = set()

    def converse(self, pipes: list[tuple[int, int]], stdin: bytes) -> None:
        """It has started with its ends of `pipes` as stdout, stderr and, if it gets anything to read, stdin."""
        (out, out_end), (err, err_end), *feed = pipes
        self._sinks = {out: self.out, err: self.err}
        for descriptor in self._sinks:
            self._poll.register(descriptor, select.POLLIN)
        for stdin_end, self._feed in feed:
            self._unsent = memoryview(stdin)
            os.set_blocking(self._feed, False)
            self._poll.register(self._feed, select.POLLOUT)
            self._close(stdin_end)
        self._close(out_end)
        self._close(err_end)

    @property
    def pid(self) -> int:
        return self.pids[0]

    def is_talking(self) -> bool:
        """Whether one of its outputs is still open or it has not yet read all of its input."""
        return bool(self._sinks) or self._feed >= 0

    def listen(self, milliseconds: int = _TICK_MILLISECONDS) -> bool:
        """Wait a moment for output and take it, hand over what it will read; whether there was output."""
        heard = False
        for descriptor, _ in self._poll.poll(milliseconds):
            if descriptor == self._feed:
                self._hand_over()
                continue
            data = os.read(descriptor, _CHUNK)
            if data:
                self._sinks[descriptor] += data
                heard = True
            else:
                self._poll.unregister(descriptor)
                del self._sinks[descriptor]
                self._close(descriptor)
        return heard

    def has_ended(self) -> bool:
        """Whether the process is gone while a helper that it left behind keeps its pipes open."""
        if not self._reap(os.WNOHANG):
            return False
        while self.listen(0):
            pass
        return True

    def wait(self) -> int:
        """Exit status, negative for a signal. Raises OrbitError when somebody else took it."""
        self._reap(0)
        if self.code is None or self.code == _TAKEN:
            raise OrbitError("git", "how it ended is unknown: what started orbit ignores SIGCHLD")
        return self.code

    def end(self) -> None:
        """Close every pipe; a process that has not been waited for is ended first, with its group if it has one."""
        try:
            if self.pids and self.code is None:
                self._terminate()
        finally:
            self._sinks, self._feed = {}, -1
            for descriptor in {end for pipe in self.pipes for end in pipe} - self._closed:
                self._close(descriptor)

    def _hand_over(self) -> None:
        try:
            self._unsent = self._unsent[os.write(self._feed, self._unsent[:_CHUNK]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._unsent = self._unsent[:0]
        if not self._unsent:
            self._poll.unregister(self._feed)
            self._close(self._feed)
            self._feed = -1

    def _close(self, descriptor: int) -> None:
        self._closed.add(descriptor)
        os.close(descriptor)

    def _reap(self, flags: int) -> bool:
        if self.code is None:
            try:
                pid, status = os.waitpid(self.pid, flags)
            except ChildProcessError:
                pid, self.code = 0, _TAKEN
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
        return self.code is not None

    def _terminate(self) -> None:
        self._send(_signal.SIGTERM)
        self._send(_signal.SIGCONT)
        try:
            deadline = time.monotonic() + _GRACE_SECONDS
            # The pipes close when the last of the group is gone; git alone may leave a helper behind.
            while self._sinks and time.monotonic() < deadline:
                if not self.listen() and not self.own_group and self._reap(os.WNOHANG):
                    return
        finally:
            if self.code is None:
                self._send(_signal.SIGKILL)
                self._reap(0)

    def _send(self, signal_number: int) -> None:
        try:
            if self.own_group:
                os.killpg(self.pid, signal_number)
            else:
                os.kill(self.pid, signal_number)
        except (ProcessLookupError, PermissionError):  # gone, or what macOS says of a group of zombies
            pass

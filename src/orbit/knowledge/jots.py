"""The discovery queue of a workspace: push, pop, settle, requeue, none of which can lose an entry.

Entries live in `[jot "<repo>"]` of the workspace's `.orbit`: `entry` waits, `popped` is in flight until a card write
settles it or a requeue puts it back; `popped-at` (milliseconds since 1970) runs parallel to `popped`.
Contract: knowledge.md, Jots; refinements.md 1, 11, 33.
"""

from __future__ import annotations

import os
import time

from orbit.errors import OrbitError
from orbit.knowledge.incoming import decoded
from orbit.record import Record
from orbit.store.document import update
from orbit.store.syntax import Append, Set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from orbit.places import Project
    from orbit.store.document import Written
    from orbit.store.syntax import Change, Config

SECTION = "jot"
LIMIT = 4000
_POP_WAIT_SECONDS = 10.0
_MOVE_WAIT_SECONDS = 60.0  # what was printed must not be handed out again: longer than any other write waits


class Queue(Record):
    """One repo's jots in a workspace. `popped_at` runs parallel to `popped`, 0 where the time is not known."""

    entries: tuple[str, ...] = ()
    popped: tuple[str, ...] = ()
    popped_at: tuple[int, ...] = ()


EMPTY = Queue()


def jot_level(count: int, buffer: int) -> str:
    """ "" up to half the buffer, then `building`, past the buffer `overflow`."""
    if count > buffer:
        return "overflow"
    return "building" if 2 * count > buffer else ""


def read_queues(config: Config) -> dict[str, Queue]:
    """Every repo's queue in a workspace's metadata, in order of first appearance."""
    found: dict[str, tuple[list[str], list[str], list[str]]] = {}
    places = {"entry": 0, "popped": 1, "popped-at": 2}
    for entry in config.entries:
        if entry.section == SECTION and entry.subsection is not None and entry.key in places:
            lists = found.setdefault(entry.subsection, ([], [], []))
            lists[places[entry.key]].append(entry.value or "")
    return {repo: Queue(tuple(e), tuple(p), _times(p, at)) for repo, (e, p, at) in found.items() if e or p}


def _times(popped: list[str], at: list[str]) -> tuple[int, ...]:
    """One number per popped entry; when another program changed one of the two lists, the times are unknown."""
    if len(at) != len(popped):
        return (0,) * len(popped)
    return tuple(int(value) if value.isascii() and value.isdecimal() and len(value) < 18 else 0 for value in at)


def queue_of(config: Config, repo: str) -> Queue:
    return read_queues(config).get(repo, EMPTY)


def checked_text(data: bytes, repo: str) -> str:
    """A jot as it will be stored. Raises OrbitError for blank, oversized or undecodable text."""
    text = decoded(data, repo, "jot")
    text = text.removesuffix("\n").removesuffix("\r") if text.endswith("\r\n") else text.removesuffix("\n")
    if not text.strip():
        raise OrbitError(repo, "jot refused, it is blank", f'give it a text: orbit jot {repo} "TEXT"')
    if len(text) > LIMIT:
        raise OrbitError(repo, f"jot refused, {len(text)} characters (at most {LIMIT}, a jot is a line, not a page)")
    return text


def push(project: Project, workspace: str, repo: str, text: str) -> tuple[int, Written]:
    """Append one entry; durable when this returns. Gives how many now wait."""
    written = update(project.metadata(workspace), lambda _: (Append(SECTION, repo, "entry", text),))
    return len(written.config.get_all(SECTION, repo, "entry")), written


class PopLock:
    """Held by one popper of a workspace while it prints: an flock that the system releases if the process dies.

    Raises OrbitError when another pop holds it for more than ten seconds.
    """

    def __init__(self, project: Project, workspace: str) -> None:
        self._path = project.workspace(workspace)
        self._descriptor = -1

    def acquire(self) -> None:
        try:
            self._descriptor = os.open(self._path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise OrbitError(self._path, f"cannot be locked: {error.strerror}") from None
        give_up = time.monotonic() + _POP_WAIT_SECONDS
        try:
            while not self._try():
                if time.monotonic() > give_up:
                    raise OrbitError("jot", "another pop in this workspace has not ended for 10 seconds")
                time.sleep(0.005 + os.urandom(1)[0] / 25_000)
        except BaseException:
            self.release()
            raise

    def release(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __del__(self) -> None:
        """A pop whose output failed is never finished: what held its lock gives it back when it goes."""
        self.release()

    def _try(self) -> bool:
        import fcntl  # who shows what waits takes no lock

        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            # Some network file systems cannot flock a directory: a file beside the metadata serves there.
            os.close(self._descriptor)
            self._descriptor = os.open(f"{self._path}/.orbit.pop", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
        return True


def move_to_popped(project: Project, workspace: str, repo: str, printed: tuple[str, ...], now_ms: int) -> Written:
    """The second half of a pop, after every byte was printed: entries that arrived meanwhile stay waiting."""

    def change(config: Config) -> tuple[Change, ...]:
        queue = queue_of(config, repo)
        rest = list(queue.entries)
        moved = []
        for text in printed:
            if text in rest:
                rest.remove(text)
                moved.append(text)
        popped = (*queue.popped, *moved)
        times = (*queue.popped_at, *(now_ms for _ in moved))
        return _queue_changes(repo, Queue(tuple(rest), popped, times))

    return update(project.metadata(workspace), change, _MOVE_WAIT_SECONDS)


def requeue(project: Project, workspace: str, repo: str) -> tuple[int, Written]:
    """Put what is in flight back in front of the queue. Gives how many went back."""
    return _take_popped(project, workspace, repo, lambda _: True, back=True)


def settle(project: Project, workspace: str, repo: str, before_ms: int) -> tuple[int, Written]:
    """Drop what was popped before the card's writer read; a later pop stays in flight. Gives how many are settled."""
    return _take_popped(project, workspace, repo, lambda at: at <= before_ms, back=False)


def _take_popped(
    project: Project, workspace: str, repo: str, chosen: Callable[[int], bool], *, back: bool
) -> tuple[int, Written]:
    count = 0

    def change(config: Config) -> tuple[Change, ...]:
        nonlocal count
        queue = queue_of(config, repo)
        taken = tuple(t for t, at in zip(queue.popped, queue.popped_at, strict=True) if chosen(at))
        left = [(t, at) for t, at in zip(queue.popped, queue.popped_at, strict=True) if not chosen(at)]
        count = len(taken)
        if not count:
            return ()
        entries = (*taken, *queue.entries) if back else queue.entries
        return _queue_changes(repo, Queue(entries, tuple(t for t, _ in left), tuple(at for _, at in left)))

    written = update(project.metadata(workspace), change)
    return count, written


def _queue_changes(repo: str, queue: Queue) -> tuple[Change, ...]:
    return (
        Set(SECTION, repo, "entry", queue.entries),
        Set(SECTION, repo, "popped", queue.popped),
        Set(SECTION, repo, "popped-at", tuple(str(at) for at in queue.popped_at)),
    )

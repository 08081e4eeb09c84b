"""A note, in the clone's git directory, of the worktree being made: by it, what a killed `add` left is ended well.

Written and read under the clone's lock, so a note found there belongs to an `add` that died. Every process that the
`add` starts inherits the open note, so a git that outlived it can be told too. Contract: commands.md, add.
"""

from __future__ import annotations

import fcntl
import os
import time

from orbit.errors import OrbitError
from orbit.git.files import common_dir, git_dir
from orbit.guidance import add_notices
from orbit.store.disk import DRAFT, read_bytes, remove_file, replace_file
from orbit.workspace.leftover import remove_leftover
from orbit.workspace.making import Making, complete, is_finished, is_registered, undo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    import psutil

    from orbit.guidance.notice import Notice
    from orbit.places import Project

_FILE = "orbit-adding"
_GRACE_SECONDS = 2.0


class Note:
    """The note of one `add`, held from its making until `clear`."""

    def __init__(self, project: Project, making: Making) -> None:
        self._path = _place(making.checkout)
        place = making.path.removeprefix(f"{project.root}/")
        fields = (place, making.branch, making.upstream, making.before, making.start)
        replace_file(self._path, "\0".join(fields).encode("utf-8", "surrogateescape"))
        try:
            self._descriptor = os.open(self._path, os.O_RDONLY)
        except OSError as error:
            remove_file(self._path)
            raise OrbitError(self._path, f"cannot be read: {error.strerror}") from None
        os.set_inheritable(self._descriptor, True)
        _try_lock(self._descriptor)

    def clear(self) -> None:
        """Nothing is under way any more. Raises OrbitError; the note is let go of then too."""
        try:
            remove_file(self._path)
        finally:
            self.leave()

    def leave(self) -> None:
        """For the next `add` to end well what this one could not."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)


def read_note(project: Project, repo: str) -> Making | None:
    """What an `add` of this repository has begun and not ended."""
    data = read_bytes(_place(project.clone(repo)))
    fields = data.decode("utf-8", "surrogateescape").split("\0") if data else []
    if len(fields) != 5 or not fields[0] or not fields[1]:
        return None
    place, branch, upstream, before, start = fields
    return Making(project.clone(repo), f"{project.root}/{place}", branch, upstream, before, start)


def recover(project: Project, repo: str) -> tuple[Making | None, list[Notice]]:
    """End well what an `add` that died had begun: a checkout that is complete is kept and gets what it lacks, any
    other is undone. Gives what was completed. Raises OrbitError.
    """
    making = read_note(project, repo)
    notices: list[Notice] = []
    completed = None
    if making is not None:
        if not is_finished(making.path):
            _end_survivors(repo, _place(making.checkout))
        if is_finished(making.path):
            complete(making)
            completed = making
        else:
            notices = _undone(repo, making)
    for path in note_files(project.clone(repo)):
        remove_file(path)
    return completed, notices


def note_files(checkout: str) -> tuple[str, str]:
    """Where a note lies, and where one that was not written to its end. Raises OrbitError for no clone."""
    path = _place(checkout)
    return path, f"{path}{DRAFT}"


def _place(checkout: str) -> str:
    directory = git_dir(checkout)
    if directory is None:
        raise OrbitError(checkout, "not a git repository")
    return os.path.realpath(f"{common_dir(directory)}/{_FILE}")


def _undone(repo: str, making: Making) -> list[Notice]:
    """Only a directory that git registered is of the dead `add`'s making."""
    notices = []
    if is_registered(making):
        aside = remove_leftover(making.checkout, making.path, making.start)
        kept = f", files that are not of {repo} are kept in {aside}" if aside else ""
        notices.append(add_notices.earlier_add_undone(repo, making.path + kept))
    undo(making)
    return notices


def _end_survivors(repo: str, path: str) -> None:
    """A git, or a filter of its, that outlived its `add` would later remove what is made in its place.

    All are stopped before one is killed: git removes what it has begun, somebody's files too, when its child fails or
    when it is asked to end.
    """
    if not _is_held(path):
        return
    import psutil  # tells which processes hold a file, the same way on Linux and macOS; only after a kill

    found = [process for process in psutil.process_iter() if process.pid != os.getpid() and _holds(process, path)]
    for send in (psutil.Process.suspend, psutil.Process.kill):
        for process in found:
            _try_send(send, process)
    give_up = time.monotonic() + _GRACE_SECONDS
    while _is_held(path):
        if time.monotonic() < give_up:
            time.sleep(0.005)
            continue
        raise OrbitError(repo, "git of an interrupted add is still at work", "end it, then add again")


def _holds(process: psutil.Process, path: str) -> bool:
    import psutil  # see _end_survivors

    try:
        return any(file.path == path for file in process.open_files())
    except (psutil.Error, OSError):
        return False


def _try_send(send: Callable[[psutil.Process], None], process: psutil.Process) -> None:
    import psutil  # see _end_survivors

    try:
        send(process)
    except psutil.Error:
        return


def _is_held(path: str) -> bool:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return not _try_lock(descriptor)
    finally:
        os.close(descriptor)


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # no flock on this file system: nobody can be told to hold it
    return True

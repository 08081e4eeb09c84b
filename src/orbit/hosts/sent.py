"""Which blocks a session has been sent, so that none is sent twice into one uncompacted context.

Empty files and links in the disposable cache, named by session and text: making one is the claim, and of two hooks that
run at the same moment one makes it. Contract: hosts.md, `orbit hook`; refinements.md, 12.
"""

from __future__ import annotations

import os

from orbit.knowledge.card import revision
from orbit.places import names_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.places import Project

_MOST_NAMES, _KEPT_NAMES = 256, 192


def _digest(text: str) -> str:
    return revision(text.encode("utf-8", "surrogatepass"))[:20]


def host_process() -> str:
    """The process that runs the hooks, "" when that cannot be told: the parent of the leader of the group in which it
    started this hook. Between them may be a shell or somebody's wrapper, another at each call.
    """
    leader = os.getpgrp()
    if leader == os.getpid():
        return str(os.getppid())
    try:
        with open(f"/proc/{leader}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[1]
    except (OSError, IndexError):
        return ""


class Session:
    """One session in one workspace: hosts make ids that no other has, and one that loads another's integration beside
    its own asks twice. Without an id, or without a cache, nothing is remembered.

    `process`: the host's, where what a session was sent does not outlive it.
    """

    def __init__(self, project: Project, workspace: str, session: str, process: str = "") -> None:
        self._directory = f"{project.cache}/sent"
        self._id = _digest(f"{workspace}\0{session}") if session else ""
        self._key = f"{self._id}-{process}" if session and process else self._id

    def claim(self, text: str) -> bool:
        """Whether this text has not been sent yet, which it then counts as; True when that cannot be known."""
        return self._make(_digest(text), otherwise=True) if self._key else True

    def claim_first(self, who: str) -> bool:
        """Whether nothing was sent since the context began; False when that cannot be known."""
        if not self._key or self._names():
            return False
        return self._make("first", otherwise=False, holds=who)

    def give_up_first(self) -> None:
        """Nothing could be sent after all: whoever comes next may be the first."""
        _remove(f"{self._directory}/{self._key}-first")

    def was_first(self, who: str) -> bool:
        """Whether that one was the first."""
        try:
            return bool(self._key) and os.readlink(f"{self._directory}/{self._key}-first") == who
        except OSError:
            return False

    def is_new(self) -> bool:
        """Whether the session was never heard of, in whatever process."""
        return not any(name.startswith(self._id) for name in names_in(self._directory))

    def forget(self, before: int = 0) -> None:
        """The context was cleared, compacted or taken up again: nothing of what was sent until then counts any more.

        `before` is when, in nanoseconds; 0: now. What runs beside this may have sent something since.
        """
        for name in self._names():
            if not before or _age(f"{self._directory}/{name}") < before:
                _remove(f"{self._directory}/{name}")
        if self._id:
            self._make("known", otherwise=False, key=f"{self._id}.")

    def _names(self) -> list[str]:
        return [name for name in names_in(self._directory) if self._key and name.startswith(f"{self._key}-")]

    def _make(self, mark: str, *, otherwise: bool, holds: str = "", key: str = "") -> bool:
        """`holds`: a link, since it comes with what it holds, while a file is made first and written then."""
        path = f"{self._directory}/{key or f'{self._key}-'}{mark}"
        try:
            os.makedirs(self._directory, exist_ok=True)
            if holds:
                os.symlink(holds, path)
            else:
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644))
        except FileExistsError:
            return False
        except OSError:
            return otherwise
        _keep_few(self._directory)
        return True


def _keep_few(directory: str) -> None:
    """The oldest give way."""
    names = names_in(directory)
    if len(names) <= _MOST_NAMES:
        return
    by_age = sorted(names, key=lambda name: _age(f"{directory}/{name}"))
    for name in by_age[: len(names) - _KEPT_NAMES]:
        _remove(f"{directory}/{name}")


def _age(path: str) -> int:
    try:
        return os.lstat(path).st_mtime_ns
    except OSError:
        return 0


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return

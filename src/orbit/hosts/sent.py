"""Which blocks a session has been sent, so that none is sent twice into one uncompacted context.

Empty files in the disposable cache, named by session and text: making one is the claim, and of two hooks that run at
the same moment one makes it. Contract: hosts.md, `orbit hook`; refinements.md, 12.
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


class Session:
    """One session in one workspace: hosts make ids that no other has, and one that loads another's integration beside
    its own asks twice. Without an id, or without a cache, nothing is remembered.
    """

    def __init__(self, project: Project, workspace: str, session: str) -> None:
        self._directory = f"{project.cache}/sent"
        self._key = _digest(f"{workspace}\0{session}") if session else ""

    def claim(self, text: str) -> bool:
        """Whether this text has not been sent yet, which it then counts as; True when that cannot be known."""
        return self._make(f"{self._key}-{_digest(text)}", otherwise=True) if self._key else True

    def claim_first(self, mark: str = "first") -> bool:
        """Whether nothing was sent since the context began; False when that cannot be known. `mark` tells who asked."""
        if not self._key or self._names():
            return False
        return self._make(f"{self._key}-{mark}", otherwise=False)

    def was_first(self, mark: str = "first") -> bool:
        """Whether that one was the first."""
        return f"{self._key}-{mark}" in self._names()

    def forget(self) -> None:
        """The context was cleared, compacted or taken up again: nothing of what was sent counts any more."""
        for name in self._names():
            _remove(f"{self._directory}/{name}")

    def _names(self) -> list[str]:
        return [name for name in names_in(self._directory) if self._key and name.startswith(self._key)]

    def _make(self, name: str, *, otherwise: bool) -> bool:
        try:
            os.makedirs(self._directory, exist_ok=True)
            os.close(os.open(f"{self._directory}/{name}", os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644))
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
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return

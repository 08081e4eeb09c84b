"""One metadata file as a transaction: lock, read, change, write beside, rename.

Metadata is a cache: damage never stops a reader, and a writer keeps the damaged file before it begins anew.
Contract: concepts.md, On disk.
"""

from __future__ import annotations

from orbit.errors import OrbitError
from orbit.record import Record
from orbit.store.disk import is_no_file, put_back, replace_file, set_aside, try_read
from orbit.store.syntax import Config, SyntaxProblem, apply, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from orbit.store.syntax import Change


class Loaded(Record):
    """A document as read; `state` is "ok", "missing" or "damaged" (then `config` is empty and `reason` says why)."""

    config: Config
    state: str
    reason: str


class Written(Record):
    """The document after `update`, and what it came upon.

    `kept_copy` is the path of the damaged file that was replaced, `lock_notice` names a stale lock that was removed
    ("" for none); `changed` = the file was written.
    """

    config: Config
    kept_copy: str
    lock_notice: str
    changed: bool


def load(path: str) -> Loaded:
    """Read a document without a lock: a rename shows it whole. Damage of any kind is a state, not an error."""
    return _loaded(*try_read(path))


def _loaded(data: bytes | None, reason: str) -> Loaded:
    if reason:
        return Loaded(parse(""), "damaged", reason)
    if data is None:
        return Loaded(parse(""), "missing", "")
    try:
        return Loaded(parse(data.decode("utf-8", "surrogateescape")), "ok", "")
    except SyntaxProblem as problem:
        return Loaded(parse(""), "damaged", str(problem))


def update(path: str, change: Callable[[Config], Sequence[Change]], wait_seconds: float = 10.0) -> Written:
    """Apply what `change` makes of the document as it is under the lock.

    Nothing is written when the text stays the same. A damaged file is kept as `<path>.damaged-<epoch>` first and the
    change starts from an empty document. Raises OrbitError, with the old file in place, when the lock is not to be
    had, the file cannot be read (it may be whole) or written; ValueError for what `apply` refuses.
    """
    from orbit.store.lock import FileLock  # readers, most of all, need none

    with FileLock(path, wait_seconds) as lock:
        data, reason = try_read(path)
        if reason and not is_no_file(path):  # nobody knows what is in it, and the next read may succeed
            raise OrbitError(path, f"cannot be read: {reason}")
        loaded = _loaded(data, reason)
        config = apply(loaded.config, change(loaded.config))
        if config.text == loaded.config.text:
            return Written(loaded.config, "", lock.notice, False)
        new = config.text.encode("utf-8", "surrogateescape")
        kept = set_aside(path) if loaded.state == "damaged" else ""
        try:
            replace_file(path, new)
        except BaseException:
            if kept:
                put_back(path, kept)
            raise
    return Written(config, kept, lock.notice, True)

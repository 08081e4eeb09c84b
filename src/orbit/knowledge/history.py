"""Every text a card ever had, as commits in `.repos/.cards.git`: a bare repository that plain git can read and copy.

One file per repo, `<repo>.md`. The message says where it was written and for which pool HEAD, in trailers, and names
the jots it settled. Contract: knowledge.md, History; refinements.md 1, 3, 19, 32.
"""

from __future__ import annotations

import os
import time

from orbit.errors import OrbitError
from orbit.git.files import read_ref
from orbit.git.run import change, checked, observe
from orbit.knowledge.card import revision
from orbit.record import Record
from orbit.store.lock import FileLock
from orbit.text import safe_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from orbit.places import Project

_BRANCH = "refs/heads/main"
_WHO = "orbit <orbit@localhost>"
_WORKSPACE, _POOL_HEAD = "Orbit-Workspace", "Orbit-Pool-Head"
# Loose objects are spread over 256 directories; so many in one of them means some thousand in all.
_LOOSE_IN_ONE = 4
_UNPACKED = ("-c", "fastimport.unpackLimit=1000")


class Version(Record):
    """One text to keep: what was done (`write`, `restore`, `edit by hand`), from where, at which pool HEAD, and the
    jots that it settled.
    """

    data: bytes
    what: str
    workspace: str = ""
    pool_head: str = ""
    settled: Sequence[str] = ()


class Kept(Record):
    """One version in the history, the newest first. `revision` is the blob id of the text, `at` seconds since 1970."""

    revision: str
    at: int
    workspace: str
    pool_head: str
    added: int
    removed: int
    message: str

    @property
    def settled(self) -> list[str]:
        """The jots that this version settled, each on one line."""
        _, found, rest = self.message.partition("\n\nSettled:\n")
        listed = rest.partition("\n\n")[0] if found else ""
        return [text.replace("\n  ", " ") for text in listed.removeprefix("- ").split("\n- ") if text]


def keep(project: Project, repo: str, versions: Sequence[Version]) -> None:
    """Append versions of one card, the oldest first, in one git process. Raises OrbitError; the card is not touched."""
    with FileLock(f"{project.pool}/.cards"):
        if not exists(project):
            _create(project)
        stream = b"".join(_commit(project, repo, version, first=n == 0) for n, version in enumerate(versions))
        done = change(project.history, [*_UNPACKED, "fast-import", "--quiet"], stdin=stream)
        checked(done, repo, "keeping the card's history")
        _pack(project)


def exists(project: Project) -> bool:
    """Whether any card was ever kept."""
    return os.path.isfile(f"{project.history}/HEAD") and os.path.isdir(f"{project.history}/objects")


def _create(project: Project) -> None:
    # sha1 whatever the user's default: a revision must be the same name everywhere.
    words = ["init", "--quiet", "--bare", "--template=", "--object-format=sha1", "--initial-branch=main"]
    checked(change(project.pool, [*words, project.history]), ".cards.git", "making the history")


def _commit(project: Project, repo: str, version: Version, *, first: bool) -> bytes:
    message = _message(repo, version).encode("utf-8", "surrogateescape")
    lines = [b"commit %b" % _BRANCH.encode(), b"committer %b %d +0000" % (_WHO.encode(), int(time.time()))]
    lines.append(b"data %d\n%b" % (len(message), message))
    if first and read_ref(project.history, _BRANCH):
        lines.append(b"from %b^0" % _BRANCH.encode())
    lines.append(b"M 100644 inline %b\ndata %d\n%b\n" % (_file(repo).encode(), len(version.data), version.data))
    return b"\n".join(lines)


def _message(repo: str, version: Version) -> str:
    where = f" in {version.workspace}" if version.workspace else ""
    parts = [f"{repo}: {version.what}{where}"]
    if version.settled:
        parts.append("Settled:\n" + "\n".join("- " + safe_text(text).replace("\n", "\n  ") for text in version.settled))
    trailers = [f"{_WORKSPACE}: {version.workspace or '-'}", f"{_POOL_HEAD}: {version.pool_head or '-'}"]
    return "\n\n".join([*parts, "\n".join(trailers)]) + "\n"


def _file(repo: str) -> str:
    return f"{repo}.md"


def _pack(project: Project) -> None:
    """orbit packs its own repository; git's maintenance is never started. Failing is no failure."""
    try:
        loose = len(os.listdir(f"{project.history}/objects/17"))
    except OSError:
        return
    if loose > _LOOSE_IN_ONE:
        change(project.history, ["repack", "-d", "-q"])
        change(project.history, ["prune-packed", "-q"])


def read_versions(project: Project, repo: str) -> list[Kept]:
    """Every version of one card, the newest first; none without a history. Raises OrbitError when it is unreadable."""
    if not exists(project) or not read_ref(project.history, _BRANCH):
        return []
    form = f"%x01%ct%x02%(trailers:key={_WORKSPACE},valueonly,separator=)%x02"
    form += f"%(trailers:key={_POOL_HEAD},valueonly,separator=)%x02%B%x02"
    words = ["log", f"--format={form}", "--raw", "--numstat", "--no-abbrev", "--no-renames", "-m", "--first-parent"]
    answer = observe(project.history, [*words, _BRANCH, "--", _file(repo)])
    text = checked(answer, repo, "reading the card's history").out.decode("utf-8", "surrogateescape")
    return [kept for record in text.split("\x01")[1:] if (kept := _parsed(record)) is not None]


def _parsed(record: str) -> Kept | None:
    at, workspace, pool_head, message, rest = record.split("\x02", 4)
    lines = [line for line in rest.split("\n") if line]
    raw = next((line for line in lines if line.startswith(":")), "")
    counts = next((line.split("\t") for line in lines if "\t" in line and not line.startswith(":")), ["0", "0"])
    fields = raw.split(" ")
    if len(fields) < 4 or not fields[3].strip("0"):
        return None  # a removal by another program
    added, removed = (int(count) if count.isdecimal() else 0 for count in counts[:2])
    return Kept(fields[3], int(at), _given(workspace), _given(pool_head), added, removed, message)


def _given(trailer: str) -> str:
    value = trailer.strip()
    return "" if value == "-" else value


def find_version(project: Project, repo: str, given: str) -> Kept:
    """The newest version whose revision begins with `given`. Raises OrbitError for none or for several texts."""
    versions = read_versions(project, repo)
    wanted = given.lower()
    found = {
        kept.revision: kept for kept in reversed(versions) if len(wanted) >= 4 and kept.revision.startswith(wanted)
    }
    if len(found) == 1:
        return next(iter(found.values()))
    if found:
        shown = ", ".join(name[:12] for name in found)
        raise OrbitError(repo, f"several versions begin with {given}: {shown}")
    raise OrbitError(repo, f"no version {given} of this card", f"orbit memo {repo} --log lists them")


def read_texts(project: Project, revisions: Sequence[str]) -> dict[str, bytes]:
    """The texts of these versions, by revision, in one git process. Raises OrbitError."""
    asked = "".join(f"{name}\n" for name in revisions).encode()
    out = checked(observe(project.history, ["cat-file", "--batch"], stdin=asked), ".cards.git", "reading cards").out
    found, at = {}, 0
    while at < len(out):
        end = out.index(b"\n", at)
        name, _, size = out[at:end].decode().partition(" blob ")
        length = int(size) if size else 0
        if size:
            found[name] = out[end + 1 : end + 1 + length]
        at = end + 1 + (length + 1 if size else 0)
    return found


def recorded_heads(project: Project, cards: Mapping[str, bytes]) -> dict[str, str]:
    """For each card whose last kept version is its present text: the pool HEAD it was written for.

    One git process for all of them; serves an index that has to be made again. Empty when the history is unreadable.
    """
    if not cards or not exists(project) or not read_ref(project.history, _BRANCH):
        return {}
    form = f"%x01%(trailers:key={_POOL_HEAD},valueonly,separator=)"
    words = ["log", f"--format={form}", "--raw", "--no-abbrev", "--no-renames", "-m", "--first-parent", _BRANCH, "--"]
    answer = observe(project.history, words)
    last: dict[str, tuple[str, str]] = {}
    for record in answer.out.decode("utf-8", "surrogateescape").split("\x01")[1:] if answer.code == 0 else ():
        pool_head, *rest = record.split("\n")
        for line in rest:
            if line.startswith(":"):
                fields, _, name = line.partition("\t")
                last.setdefault(name, (fields.split(" ")[3], _given(pool_head)))
    wanted = {repo: (revision(data), last.get(_file(repo), ("", ""))) for repo, data in cards.items()}
    return {repo: head for repo, (name, (kept, head)) in wanted.items() if head and kept == name}

"""Every text a card ever had, as commits in `.repos/.cards.git`: a bare repository that plain git can read and copy.

One file per repo, `<repo>.md`. The message says where it was written and for which pool HEAD, in trailers, and names
the jots it settled. Contract: knowledge.md, History; refinements.md 1, 3, 19, 32.
"""

from __future__ import annotations

import os
import time

from orbit.errors import OrbitError
from orbit.git.endless import refuse_endless
from orbit.git.files import read_ref
from orbit.git.run import OWN, change, checked, observe
from orbit.git.tree import REGULAR, top_entries
from orbit.git.urls import redact_urls
from orbit.knowledge.card import revision
from orbit.places import is_directory, is_file
from orbit.record import Record
from orbit.store.lock import FileLock
from orbit.text import safe_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from orbit.places import Project

BRANCH = "refs/heads/main"
_WHO = b"orbit <orbit@localhost>"
_WORKSPACE, _POOL_HEAD = "Orbit-Workspace", "Orbit-Pool-Head"
# Every commit that wrote a text, on whichever side of a merge; a merge itself only where its text is of neither side,
# which orbit never does and plain git may.
_LOG = ("-c", "log.follow=false", "log", "-c", "--root", "--raw", "--no-abbrev", "--no-renames")
_LAST_SECOND = 253_402_300_799  # of the year 9999: a date from elsewhere may be anything
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
    with lock(project):
        create(project)
        append(project, [(repo, version) for version in versions])


def lock(project: Project) -> FileLock:
    """Held by whoever adds to the history; after the locks of cards, before the index's."""
    return FileLock(f"{project.pool}/.cards")


def exists(project: Project) -> bool:
    """Whether any card was ever kept.

    Raises OrbitError when the system does not tell, and for a pipe in HEAD's place: git would wait even to begin anew.
    """
    if not is_file(f"{project.history}/HEAD"):
        refuse_endless(project.history)
        return False
    return is_directory(f"{project.history}/objects")


def tip(project: Project) -> str:
    """The newest commit, "" without one."""
    return read_ref(project.history, BRANCH) if exists(project) else ""


def is_damaged(project: Project) -> bool:
    """Something is there that no version can be read from."""
    there = os.path.lexists(project.history)
    return there and not (exists(project) and (tip(project) or not os.path.lexists(f"{project.history}/{BRANCH}")))


def create(project: Project) -> None:
    """Make the repository if there is none, or only the beginning of one; under the lock."""
    if tip(project):
        return
    # sha1 whatever the user's default: a revision must be the same name everywhere.
    words = ["init", "--quiet", "--bare", "--template=", "--object-format=sha1", "--initial-branch=main"]
    checked(change(project.pool, [*words, project.history]), ".cards.git", "making the history")
    # What is pushed into it would be no card yet, and the next write would put the old one over it: pulling is the way.
    closed = ["config", "receive.hideRefs", "refs/"]
    checked(change(project.history, closed), ".cards.git", "making the history")


def append(project: Project, versions: Sequence[tuple[str, Version]], merge: bytes = b"") -> None:
    """The same for any number of cards, under the lock; `merge` is a commit to make first. Raises OrbitError."""
    born = bool(merge or tip(project))
    commits = [_commit(repo, version, born=born and n == 0 and not merge) for n, (repo, version) in enumerate(versions)]
    done = change(project.history, [*OWN, *_UNPACKED, "fast-import", "--quiet"], stdin=merge + b"".join(commits))
    checked(done, versions[0][0] if versions else ".cards.git", "keeping the card's history")
    _pack(project)


def commit_head(message: str) -> bytes:
    """How a commit begins, in the words of fast-import: by orbit itself, now, in no time zone."""
    text = message.encode("utf-8", "surrogateescape")
    lines = [b"commit %b" % BRANCH.encode(), b"committer %b %d +0000" % (_WHO, int(time.time()))]
    return b"\n".join([*lines, b"data %d\n%b\n" % (len(text), text)])


def _commit(repo: str, version: Version, *, born: bool) -> bytes:
    lines = [commit_head(_message(repo, version)).removesuffix(b"\n")]
    if born:
        lines.append(b"from %b^0" % BRANCH.encode())
    lines.append(b"M 100644 inline %b\ndata %d\n%b\n" % (card_file(repo).encode(), len(version.data), version.data))
    return b"\n".join(lines)


def _message(repo: str, version: Version) -> str:
    where = f" in {version.workspace}" if version.workspace else ""
    parts = [f"{repo}: {version.what}{where}"]
    if version.settled:
        # The history may be shared: an address keeps its place, not its password.
        texts = [redact_urls(safe_text(text)).replace("\n", "\n  ") for text in version.settled]
        parts.append("Settled:\n" + "\n".join(f"- {text}" for text in texts))
    trailers = [f"{_WORKSPACE}: {version.workspace or '-'}", f"{_POOL_HEAD}: {version.pool_head or '-'}"]
    return "\n\n".join([*parts, "\n".join(trailers)]) + "\n"


def card_file(repo: str) -> str:
    """The card's name in the history."""
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
    if not tip(project):
        return []
    # Messages may come from elsewhere: nobody who wrote one can have known where this listing is cut.
    record, field = f"\x01{os.urandom(8).hex()}", f"\x02{os.urandom(8).hex()}"
    form = f"{record}%ct{field}%(trailers:key={_WORKSPACE},valueonly,separator=){field}"
    form += f"%(trailers:key={_POOL_HEAD},valueonly,separator=){field}%B{field}"
    words = [*_LOG, "--numstat", "--full-history", f"--format={form}", BRANCH, "--", card_file(repo)]
    answer = checked(observe(project.history, words), repo, "reading the card's history")
    text = answer.out.decode("utf-8", "surrogateescape")
    return [kept for one in text.split(record)[1:] if (kept := _parsed(one.split(field))) is not None]


def _parsed(fields: list[str]) -> Kept | None:
    at, workspace, pool_head, message, rest = fields
    lines = [line for line in rest.split("\n") if line]
    raw = next((line for line in lines if line.startswith(":")), "")
    counts = next((line.split("\t") for line in lines if "\t" in line and not line.startswith(":")), ["0", "0"])
    mode, name, _ = _written(raw) if raw else ("", "", "")
    if mode != REGULAR:
        return None  # a removal, or no text, by another program
    added, removed = (int(count) if count.isdecimal() else 0 for count in counts[:2])
    when = min(int(at), _LAST_SECOND)
    return Kept(name, when, _given(workspace), _given_head(pool_head), added, removed, message)


def _written(raw: str) -> tuple[str, str, str]:
    """(mode, object, file) that a raw line leaves behind: a colon, a mode and an object for each parent come first."""
    facts, _, file = raw.partition("\t")
    parents = len(facts) - len(facts.lstrip(":"))
    fields = facts.split(" ")
    return fields[parents], fields[2 * parents + 1], file


def _given(trailer: str) -> str:
    value = trailer.strip()
    return "" if value == "-" else value


def _given_head(trailer: str) -> str:
    """Only what can be a commit: it goes into the index."""
    value = _given(trailer)
    return value if len(value) in (40, 64) and not value.strip("0123456789abcdef") else ""


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

    Two git processes for all of them; serves an index that has to be made again. Empty when the history is unreadable.
    """
    try:
        newest = tip(project) if cards else ""
        kept = top_entries(project.history, newest) if newest else {}
    except OrbitError:
        return {}
    names = {repo: revision(data) for repo, data in cards.items()}
    present = {repo: name for repo, name in names.items() if (e := kept.get(card_file(repo))) and e.name == name}
    heads = written_for(project, [newest]) if present else {}
    found = {repo: heads.get((repo, name), "") for repo, name in present.items()}
    return {repo: head for repo, head in found.items() if head}


def written_for(project: Project, commits: Sequence[str]) -> dict[tuple[str, str], str]:
    """(repo, revision) to the pool HEAD that this text was last written for, "" if it was not told; one git process.

    Empty when the history is unreadable.
    """
    record = f"\x01{os.urandom(8).hex()}"
    form = f"{record}%(trailers:key={_POOL_HEAD},valueonly,separator=)"
    answer = observe(project.history, [*_LOG, f"--format={form}", *commits, "--"])
    heads: dict[tuple[str, str], str] = {}
    for one in answer.out.decode("utf-8", "surrogateescape").split(record)[1:] if answer.code == 0 else ():
        pool_head, *rest = one.split("\n")
        for line in rest:
            _, name, file = _written(line) if line.startswith(":") else ("", "", "")
            if file.endswith(".md"):
                heads.setdefault((file.removesuffix(".md"), name), _given_head(pool_head))
    return heads

"""What one worktree holds that would go with it: changes, operations, commits no ref holds, its submodules.

The user's settings and marks hide nothing. A worktree may already lie in the trash, away from where its registration
says. Contract: prune.md, Guards; refinements.md 4, 5.
"""

from __future__ import annotations

import hashlib
import os
import stat

from orbit.errors import OrbitError
from orbit.git.checkout import LFS_OFF, lfs_is_missing
from orbit.git.files import git_dir, read_ref
from orbit.git.run import checked, observe
from orbit.git.status import operation_in
from orbit.reclaim.reading import text_of
from orbit.reclaim.submodules import look_at_submodules
from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from orbit.git.run import Finished
    from orbit.reclaim.submodules import Submodule
    from orbit.reclaim.survey import Registered

# A file monitor or an untracked cache could be out of date, and the first is a program of somebody's.
_SEE_ALL = (
    *("-c", "core.fsmonitor=false", "-c", "core.untrackedCache=false"),
    *("-c", "status.showUntrackedFiles=all", "-c", "core.checkStat=default", "-c", "core.trustctime=true"),
)
_STATUS = ("status", "--porcelain=v2", "-z", "--untracked-files=all", "--ignored=matching", "--no-renames")
# What only the registration names: where the branch or a rebase was before.
_TIPS = ("HEAD", "ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "rebase-merge/orig-head", "rebase-apply/orig-head")
_HEX = frozenset("0123456789abcdef")
_PATHS_AT_ONCE = 500
_BROKEN = "damaged, its .git file is missing or broken"
# At the end of a mark: the link to the pool was broken.
DAMAGED = "+damaged"
# First letter of a change to how many words stand in front of the name; "h" is our own, for what git's marks hide.
_WORDS = {"1": 8, "u": 10, "?": 1, "h": 2}


class Look(Record):
    """One worktree as it is. `changes` and `ignored` are git's own entries, `tips` commits that the registration names.

    `touched` holds size and time of every changed file: it may be changed again.
    `alone` counts the commits of a detached HEAD that no ref holds; `problem` says why git cannot read it.
    """

    branch: str = ""
    tips: Mapping[str, str] = {}
    changes: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    touched: tuple[str, ...] = ()
    operation: str = ""
    alone: int = 0
    submodules: tuple[Submodule, ...] = ()
    problem: str = ""

    @property
    def mark(self) -> str:
        """A digest of everything that must not change between the plan and the act."""
        # A submodule speaks for itself: where it lies in the trash, its worktree cannot see it.
        own = [change for change in self.changes if not _is_submodule(change)]
        inner = [(sub.place, sub.head, sub.changes, sub.unpushed, sub.problem) for sub in self.submodules]
        at_work = (self.branch, sorted(self.tips.items()), self.operation, self.alone, self.problem)
        seen = (at_work, own, self.touched, inner)
        digest = hashlib.sha256(repr(seen).encode("utf-8", "surrogateescape")).hexdigest()
        return digest + (DAMAGED if self.problem == _BROKEN else "")


class Place(Record):
    """A worktree by its registration and where it lies: its own link may not lead anywhere once it was moved."""

    registration: str
    path: str

    def ask(self, words: Sequence[str], doing: str, *, stdin: bytes = b"") -> Finished:
        """What git reads there. Raises GitError."""
        address = (f"--git-dir={self.registration}", f"--work-tree={self.path}")
        answer = observe(self.path, [*address, *words], stdin=stdin)
        if answer.code != 0 and lfs_is_missing():
            answer = observe(self.path, [*LFS_OFF, *address, *words], stdin=stdin)
        return checked(answer, self.path, doing)


def look_at(entry: Registered, path: str, *, moved: bool = False) -> Look:
    """Look at the worktree at `path`. Never raises: what cannot be read is a `problem`, and counts as dirty.

    `moved`: it lies in the trash, so its link need not be right.
    """
    submodules = look_at_submodules(entry.directory, entry.path, path)
    try:
        tips = tips_of(entry.directory)
        branch = (text_of(f"{entry.directory}/HEAD") or "").removeprefix("ref: refs/heads/")
    except OrbitError as problem:
        return Look(submodules=submodules, problem=problem.message)
    branch = "" if branch in tips.values() else branch
    if not moved and os.path.realpath(git_dir(path) or "/") != os.path.realpath(entry.directory):
        return Look(branch, tips, submodules=submodules, problem=_BROKEN)
    place = Place(entry.directory, path)
    try:
        words = [*_SEE_ALL, *_STATUS, f"--ignore-submodules={'all' if moved else 'none'}"]
        changes, ignored = _entries(place.ask(words, "reading its status").out)
        hidden = _hidden_changes(place)
        own = [change for change in changes if not _is_submodule(change)]
        return Look(
            branch=branch,
            tips=tips,
            changes=(*changes, *hidden),
            touched=_touched(path, map(_name_of, (*own, *hidden))),
            ignored=ignored,
            operation=operation_in(entry.directory),
            alone=0 if branch else _commits_of_its_own(place),
            submodules=submodules,
        )
    except OrbitError as problem:
        return Look(branch, tips, submodules=submodules, problem=problem.message)


def tips_of(registration: str) -> dict[str, str]:
    """The commits that a registration names, by what names them; a HEAD on a branch is the branch's own.

    Raises OrbitError when one of the files cannot be read.
    """
    found = {}
    for name in _TIPS:
        sha = text_of(f"{registration}/{name}") or ""
        if len(sha) in (40, 64) and _HEX.issuperset(sha):
            found[name] = sha
    return found


def _entries(out: bytes) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(changes, ignored paths) of `status --porcelain=v2 -z`; renames are off, so each field is one entry."""
    fields = [os.fsdecode(field) for field in out.split(b"\0") if field]
    changes = tuple(field for field in fields if field[:2] in ("1 ", "u ", "? "))
    return changes, tuple(field[2:] for field in fields if field[:2] == "! ")


def _is_submodule(change: str) -> bool:
    return change[0] in "1u" and change[5] == "S"


def _name_of(change: str) -> str:
    return change.split(" ", _WORDS[change[0]])[-1]


def _touched(path: str, names: Iterable[str]) -> tuple[str, ...]:
    """Of what is still there; what was deleted speaks for itself."""
    found = []
    for name in names:
        try:
            status = os.lstat(f"{path}/{name}")
        except OSError:
            continue
        found.append(f"{status.st_size} {status.st_mtime_ns} {name}")
    return tuple(found)


def _hidden_changes(place: Place) -> list[str]:
    """Files marked assume-unchanged or skip-worktree whose content is not what the index says.

    A skip-worktree file that is not there is a sparse checkout's; an assume-unchanged one was deleted.
    """
    marked: dict[str, str] = {}
    found = []
    for line in place.ask(["ls-files", "-v", "-s", "-z"], "listing its files").out.split(b"\0"):
        tag, mode, rest = line[:1], line[2:8], line[9:]
        if not line or tag == b"H" or mode == b"160000" or (tag != b"S" and not tag.islower()):
            continue
        about, _, name = rest.partition(b"\t")
        file = os.fsdecode(name)
        if os.path.lexists(f"{place.path}/{file}"):
            marked[file] = about.split(b" ")[0].decode("ascii")
        elif tag == b"h":
            found.append(f"h D {file}")
    names = _names_of(place, list(marked))
    return found + [f"h M {file}" for file, sha in marked.items() if names.get(file) != sha]


def _names_of(place: Place, files: Sequence[str]) -> dict[str, str]:
    """The object name that git would give each file now; none for what is no file any more."""
    found = {}
    regular = []
    for file in files:
        mode = os.lstat(f"{place.path}/{file}").st_mode
        if stat.S_ISREG(mode):
            regular.append(file)
        elif stat.S_ISLNK(mode):
            link = os.fsencode(os.readlink(f"{place.path}/{file}"))
            found[file] = place.ask(["hash-object", "--stdin"], "reading a link", stdin=link).text
    for start in range(0, len(regular), _PATHS_AT_ONCE):
        part = regular[start : start + _PATHS_AT_ONCE]
        answer = place.ask(["hash-object", "--", *part], "reading its files")
        found.update(zip(part, answer.text.split("\n"), strict=True))
    return found


def _commits_of_its_own(place: Place) -> int:
    """Commits of a detached HEAD that no branch, remote branch or tag holds."""
    sha = read_ref(place.registration, "HEAD")
    words = ["rev-list", "--count", sha, "--not", "--branches", "--remotes", "--tags", "--"]
    return int(place.ask(words, "looking at its commits").text) if sha else 0

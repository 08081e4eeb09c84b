"""A repository that is not the pool's, read without ever running git in it.

Its config is data: what it would run (hooks, fsmonitor, filters, upload-pack commands) is never run, and git's refusal
of other owners' directories is not in the way. Its refs are read by git in a bare repository of our own, which has a
copy of the ref files and borrows the objects for reading. Contract: commands.md, import-dir; git.md, How git is used.
"""

from __future__ import annotations

import os
import stat

from orbit.errors import OrbitError
from orbit.git.files import common_dir, git_dir, read_symref
from orbit.git.run import checked, observe
from orbit.places import is_directory, names_in
from orbit.pool.sources import is_bare
from orbit.record import Record
from orbit.store.document import load
from orbit.text import safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from orbit.store.syntax import Config

_FORM = "%(refname)%00%(objectname)%00%(*objectname)%00%(objecttype)%00%(*objecttype)%00%(symref)"
_HEADS, _TAGS, _STASH = "refs/heads/", "refs/tags/", "refs/stash"
_LARGEST_REF = 4096


class Foreign(Record):
    """Where the parts of the repository at `path` lie; `own` is the git directory that has HEAD, `common` the one that
    has everything else (both the same but for a linked worktree).
    """

    path: str
    own: str
    common: str
    config: Config


class Refs(Record):
    """What its refs say. `branches`: of the remote, as last fetched; `heads`: local; `tags`: name to (tag, commit).

    `default` is what the remote's HEAD named, `current` the branch checked out ("" when detached).
    """

    branches: Mapping[str, str]
    heads: Mapping[str, str]
    tags: Mapping[str, tuple[str, str]]
    default: str
    current: str
    stash: str


def open_foreign(path: str) -> Foreign:
    """Raises OrbitError when it cannot be a whole repository."""
    own = path if is_bare(path) and not os.path.lexists(f"{path}/.git") else git_dir(path)
    if own is None or not is_directory(own):
        named = f" ({safe_line(own)} is not there)" if own else ""
        raise OrbitError(path, f"not a repository that git could read{named}")
    common = os.path.realpath(common_dir(own))
    loaded = load(f"{common}/config")
    if loaded.state != "ok":
        raise OrbitError(path, f"its git config cannot be read ({loaded.reason or 'it is missing'})")
    if os.path.islink(f"{common}/objects") or not is_directory(f"{common}/objects"):
        raise OrbitError(path, "its objects are missing or behind a symbolic link")
    return Foreign(path, own, common, loaded.config)


def make_view(foreign: Foreign, remote: str, view: str) -> None:
    """A bare repository at `view` that shows its refs and borrows its objects for reading. Raises OrbitError."""
    try:
        for directory in ("objects/info", "refs/heads"):
            os.makedirs(f"{view}/{directory}")
        _write(f"{view}/config", view_config(foreign).encode())
        _write(f"{view}/objects/info/alternates", _quoted(f"{foreign.common}/objects") + b"\n")
        _copy(f"{foreign.own}/HEAD", f"{view}/HEAD")
        for name in ("packed-refs", "shallow", _STASH):
            _copy(f"{foreign.common}/{name}", f"{view}/{name}")
        for name in names_in(f"{foreign.common}/reftable"):
            _copy(f"{foreign.common}/reftable/{name}", f"{view}/reftable/{name}")
        for space in ("heads", "tags", f"remotes/{remote}"):
            _copy_refs(f"{foreign.common}/refs/{space}", f"{view}/refs/{space}")
    except OSError as problem:
        raise OrbitError(foreign.path, f"cannot be read: {problem.strerror} ({problem.filename})") from None


def view_config(foreign: Foreign) -> str:
    """How git has to read what is stored there, and nothing else of its config."""
    lines = ["[core]", "\tbare = true", "\trepositoryformatversion = 1", "[extensions]"]
    lines.append(f"\tobjectFormat = {object_format(foreign.config)}")
    if _extension(foreign.config, "refstorage") == "reftable":
        lines.append("\trefStorage = reftable")
    if is_partial(foreign.config):
        lines.append("\tpartialClone = origin")  # what is missing was left with the remote on purpose
    return "\n".join(lines) + "\n"


def object_format(config: Config) -> str:
    """`sha1` or `sha256`."""
    return "sha256" if _extension(config, "objectformat") == "sha256" else "sha1"


def is_partial(config: Config) -> bool:
    promisors = [name for name in config.table("remote") if config.get("remote", name, "promisor") == "true"]
    return bool(promisors or _extension(config, "partialclone"))


def _extension(config: Config, key: str) -> str:
    return (config.get("extensions", None, key) or "").lower()


def read_refs(foreign: Foreign, view: str, remote: str) -> Refs:
    """What `make_view` copied. `remote` "" takes the local branches for the remote's: those of a mirror.

    Raises OrbitError with git's words for what is broken.
    """
    theirs = f"refs/remotes/{remote}/" if remote else _HEADS
    words = ["for-each-ref", f"--format={_FORM}", _HEADS, _TAGS, _STASH, theirs]
    listed = checked(observe(view, words), foreign.path, "reading its refs").out.decode("utf-8", "surrogateescape")
    branches, heads, tags, default, stash = {}, {}, {}, "", ""
    for line in listed.split("\n")[:-1]:
        name, sha, peeled, kind, peeled_kind, target = line.split("\0")
        commit = peeled if peeled_kind == "commit" else sha if kind == "commit" else ""
        if name == f"{theirs}HEAD" and remote:
            default = target.removeprefix(theirs)
        elif name.startswith(_TAGS) and commit:
            tags[name.removeprefix(_TAGS)] = (sha, commit)
        elif name == _STASH:
            stash = sha
        elif name.startswith(theirs) and kind == "commit":
            branches[name.removeprefix(theirs)] = sha
        elif name.startswith(_HEADS) and kind == "commit":
            heads[name.removeprefix(_HEADS)] = sha
    current = read_symref(view, "HEAD").removeprefix(_HEADS)
    return Refs(branches, heads, tags, default or ("" if remote else current), current, stash)


def unpublished(foreign: Foreign, view: str, refs: Refs) -> dict[str, str]:
    """Commit to the local ref by which it is reached, for every commit that no branch of the remote, as last fetched,
    holds: of local branches, tags, the stash and a detached HEAD. Raises OrbitError.
    """
    known = set(refs.branches.values())
    tips = {f"{_HEADS}{name}": sha for name, sha in refs.heads.items()}
    tips |= {f"{_TAGS}{name}": commit for name, (_, commit) in refs.tags.items()}
    asked = [name for name, sha in tips.items() if sha not in known]
    if refs.stash:
        asked.append(_STASH)
    if not refs.current:
        asked.append("HEAD")
    if not asked:
        return {}
    stdin = "".join(f"{name}\n" for name in asked) + "".join(f"^{sha}\n" for sha in known)
    words = ["log", "--format=%H%x00%S", "--stdin"]
    answer = observe(view, words, stdin=stdin.encode("utf-8", "surrogateescape"))
    text = checked(answer, foreign.path, "looking for unpushed commits").out.decode("utf-8", "surrogateescape")
    rows = (line.partition("\0") for line in text.split("\n")[:-1])
    return {commit: ref for commit, _, ref in rows}


def _copy_refs(source: str, target: str) -> None:
    """Regular files only: a link could lead anywhere."""
    for directory, inner, names in os.walk(source):
        inner.sort()
        for name in names:
            if not name.endswith(".lock"):
                at = os.path.relpath(f"{directory}/{name}", source)
                _copy(f"{source}/{at}", f"{target}/{at}", _LARGEST_REF)


def _copy(source: str, target: str, most: int = -1) -> None:
    """One regular file, if it is there. Raises OSError."""
    try:
        if not stat.S_ISREG(os.lstat(source).st_mode):
            return
    except (FileNotFoundError, NotADirectoryError):
        return
    with open(source, "rb") as file:
        data = file.read(most)
    try:
        os.makedirs(os.path.dirname(target), exist_ok=True)
    except FileExistsError:
        pass  # a look that failed: writing tells
    _write(target, data)


def _write(path: str, data: bytes) -> None:
    with open(path, "wb", buffering=0) as file:
        file.write(data)


def _quoted(path: str) -> bytes:
    """As git quotes in C style: a path may hold a newline."""
    plain = os.fsencode(path)
    return b'"%b"' % b"".join(bytes((c,)) if 32 <= c < 127 and c not in b'"\\' else b"\\%03o" % c for c in plain)

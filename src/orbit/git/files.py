"""HEAD, refs and worktree links read from their files: no process for each clone of a pool.

Whatever is not understood at once (reftable, odd contents, symbolic links, long chains) is asked of git, which is also
the oracle in the tests. Contract: git.md; refinements.md, 22 and 30; quality.md, Speed and scale.
"""

from __future__ import annotations

import errno
import os

from orbit.errors import OrbitError
from orbit.git.reffiles import (
    EndlessError,
    OddError,
    joined,
    object_name,
    packed,
    read_entry,
    read_file,
    ref_file,
    refuse_reftable,
    resolve,
    shared_by,
    target_of,
)
from orbit.places import is_directory, is_there
from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_HEADS = "refs/heads/"
_ORIGIN = "refs/remotes/origin/"


class Head(Record):
    """`branch` without refs/heads/, "" when detached; `sha` "" while the branch is unborn."""

    branch: str
    sha: str


def git_dir(checkout: str) -> str | None:
    """A checkout's own `.git` directory, or the one that its `.git` file names; None without one that can be read."""
    path = f"{checkout}/.git"
    if os.path.isdir(path):
        return path
    try:
        link = read_entry(path, 0)
    except IsADirectoryError:
        return path  # the look at it failed
    except (OSError, EndlessError):
        return None
    if link is None or not link.startswith(b"gitdir: "):
        return None
    return joined(checkout, link[8:])


def common_dir(git_dir: str) -> str:
    """Where refs, objects and config are; differs from the git directory of a linked worktree."""
    try:
        return _common(git_dir)
    except OSError:
        return git_dir


def _common(git_dir: str) -> str:
    """The same for who would take refs that are elsewhere for refs that do not exist. Raises OSError."""
    shared = shared_by(git_dir)
    return git_dir if shared == git_dir else os.path.realpath(shared)


def registrations(checkout: str) -> list[tuple[str, str]]:
    """(registration, the `.git` file it names) of every linked worktree, sorted; "" for a name that cannot be read."""
    directory = git_dir(checkout)
    if directory is None:
        return []
    registry = f"{common_dir(directory)}/worktrees"
    try:
        entries = sorted(os.listdir(registry))
    except OSError:
        return []
    return [(f"{registry}/{entry}", _named_by(f"{registry}/{entry}")) for entry in entries]


def _named_by(registration: str) -> str:
    try:
        link = read_file(f"{registration}/gitdir", 0)
    except (OSError, EndlessError):
        return ""
    return "" if link is None else os.path.join(registration, os.fsdecode(link.rstrip(b"\n")))


def registration_of(checkout: str, path: str) -> str:
    """The registration in this clone that names the worktree directory `path`, "" for none."""
    wanted = f"{os.path.realpath(path)}/.git"
    found = (registration for registration, named in registrations(checkout) if os.path.realpath(named) == wanted)
    return next(found, "")


def read_text(path: str) -> str | None:
    """A small file of git's as one text without its last newline; None when it is not there."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read().rstrip("\n")
    except OSError:
        return None


def read_head(checkout: str) -> Head | None:
    """What is checked out; None when `checkout` is no repository, or one that nobody could read to an end."""
    try:
        return _head(checkout)
    except EndlessError:
        return None


def _head(checkout: str) -> Head | None:
    try:
        directory = f"{checkout}/.git"
        content = read_file(f"{directory}/HEAD")
        if content is None:
            linked = git_dir(checkout)
            content = read_file(f"{linked}/HEAD") if linked else None
            if linked is None or content is None:
                return None
            directory = linked
        ref = target_of(content)
        if not ref:
            return Head("", object_name(content))
        common = directory if directory == f"{checkout}/.git" else _common(directory)
        sha = resolve(directory, common, ref, 1)
        return Head(ref[len(_HEADS) :] if ref.startswith(_HEADS) else "", sha)
    except (OSError, OddError):
        return _head_from_git(checkout)


def head_names(checkouts: Iterable[str]) -> Iterator[str | None]:
    """The object name that `read_head` finds in each, None for what is no repository.

    What stands in HEAD is the same in nearly all clones of a pool: it is taken apart once.
    """
    branches: dict[bytes | None, str] = {None: ""}
    for checkout in checkouts:
        try:
            content = read_file(f"{checkout}/.git/HEAD")
            branch = branches.get(content)
            if branch is None and content is not None:
                branch = branches[content] = _plain_branch(content)
            if branch:
                name = read_file(f"{checkout}/.git/{_HEADS}{branch}")
                yield packed(f"{checkout}/.git", f"{_HEADS}{branch}") if name is None else object_name(name)
                continue
        except (OSError, OddError, EndlessError):
            pass  # `read_head` follows links and asks git
        head = read_head(checkout)
        yield None if head is None else head.sha


def _plain_branch(content: bytes) -> str:
    """The branch in a HEAD as git writes it, "" for anything else."""
    start, end = b"ref: refs/heads/", content.find(b"\n")
    name = content[len(start) : end]
    plain = content.startswith(start) and end == len(content) - 1 and name.isalnum() and name.isascii()
    return name.decode("ascii") if plain else ""


def local_ref(checkout: str, ref: str) -> str:
    """`read_ref` for who decides by it what to make or to move. Raises OrbitError where there is no telling."""
    directory = git_dir(checkout)
    if directory is None:
        raise OrbitError(checkout, "its .git cannot be read")
    return read_ref(directory, ref)


def read_ref(git_directory: str, ref: str) -> str:
    """The object name of a full ref or of HEAD, "" when there is none. Raises EndlessError."""
    try:
        return resolve(git_directory, _common(git_directory), ref, 0)
    except (OSError, OddError):
        return _ask(git_directory, "rev-parse", "--verify", "--quiet", "--end-of-options", ref) or ""


def list_refs(git_directory: str, below: str) -> dict[str, str]:
    """Every ref below a prefix that ends in `/`, with its object name; those that stand for another ref are left out.

    Raises OrbitError when neither the files nor git can tell.
    """
    try:
        common = _common(git_directory)
        refuse_reftable(common)
        # Loose ones first: a ref that is being packed is in the one place before it leaves the other.
        loose = _read_loose(git_directory, common, below)
        found = _packed_below(common, below)
        for name, content in loose.items():
            if content is None:
                continue
            if target_of(content):
                found.pop(name, None)
            else:
                found[name] = object_name(content)
        return found
    except (OSError, OddError):
        return _list_from_git(git_directory, below)


def _read_loose(git_directory: str, common: str, below: str) -> dict[str, bytes | None]:
    """Raises OrbitError for what cannot be read: git passes it over, and says that there is nothing."""
    try:
        return {
            name: read_file(ref_file(git_directory, common, name)) for name in _loose_names(f"{common}/{below}", below)
        }
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OddError from None  # git has its own way with links
        raise OrbitError("refs", f"{error.filename or below} cannot be read ({error.strerror})") from None


def _packed_below(common: str, below: str) -> dict[str, str]:
    """A search through the bytes, as `packed`: of 50,000 refs only the wanted ones become lines."""
    data = read_file(f"{common}/packed-refs") or b""
    mark = b" " + os.fsencode(below)
    found, at = {}, data.find(mark)
    while at >= 0:
        start, end = data.rfind(b"\n", 0, at) + 1, data.find(b"\n", at)
        end = len(data) if end < 0 else end
        if data[start : start + 1] != b"#":
            found[os.fsdecode(data[at + 1 : end])] = object_name(data[start:at])
        at = data.find(mark, end)
    return found


def _list_from_git(git_directory: str, below: str) -> dict[str, str]:
    from orbit.git.run import checked, observe  # reading files must not pay for what starting a process needs

    words = ["for-each-ref", "--format=%(objectname) %(refname)%00%(symref)", below.rstrip("/")]
    found = {}
    for line in checked(observe(git_directory, words), "refs", f"listing {below}").out.split(b"\n"):
        entry, _, symref = line.partition(b"\0")
        sha, _, name = entry.partition(b" ")
        if name and not symref:
            found[os.fsdecode(name)] = sha.decode("ascii")
    return found


def read_symref(git_directory: str, ref: str) -> str:
    """The ref that a symbolic one (refs/remotes/origin/HEAD) stands for, "" when it is missing or not symbolic.

    Raises EndlessError.
    """
    try:
        common = _common(git_directory)
        content = read_file(ref_file(git_directory, common, ref))
        if content is None:
            refuse_reftable(common)
            return ""
        target = target_of(content)
        if not target:
            object_name(content)
        return target
    except (OSError, OddError):
        return _ask(git_directory, "symbolic-ref", "--quiet", "--", ref) or ""


def ref_names(git_directory: str, under: str) -> list[str]:
    """What follows `under` (such as refs/tags/) in every ref below it, sorted; where they point is not looked at."""
    common = common_dir(git_directory)
    try:
        refuse_reftable(common)
        found = {*_loose_names(f"{common}/{under}", under), *_packed_below(common, under)}
    except OSError:
        return []
    except OddError:
        found = set((_ask(git_directory, "for-each-ref", "--format=%(refname)", under) or "").splitlines())
    return sorted(ref[len(under) :] for ref in found)


def _loose_names(directory: str, before: str) -> Iterator[str]:
    """Files below, as paths; git never follows a link to a directory of refs, and its lock files are no refs."""
    try:
        with os.scandir(directory) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    yield from _loose_names(entry.path, f"{before}{entry.name}/")
                elif not entry.name.endswith(".lock"):
                    yield before + entry.name
    except (FileNotFoundError, NotADirectoryError):
        return


def tracked_branch(checkout: str) -> str:
    """The branch that a pool clone follows: what origin/HEAD names, gone or not; else HEAD's branch; else ""."""
    ref = _origin_head(checkout)
    if not ref:
        directory = git_dir(checkout)
        if directory is None:
            return ""
        ref = read_symref(directory, f"{_ORIGIN}HEAD")
    if ref.startswith(_ORIGIN):
        return ref[len(_ORIGIN) :]
    head = read_head(checkout)
    return head.branch if head else ""


def _origin_head(checkout: str) -> str:
    """What the file of origin/HEAD names in a clone as nearly all are, "" where it takes more to tell."""
    try:
        return target_of(read_file(f"{checkout}/.git/{_ORIGIN}HEAD") or b"")
    except OSError:
        return ""


def is_shallow_or_grafted(git_directory: str) -> bool:
    """Whether commits may have other parents than they say, so that no count over them is lasting."""
    common = common_dir(git_directory)
    replaced = f"{common}/refs/replace"
    try:
        own_view = is_there(f"{common}/shallow") or is_there(f"{common}/info/grafts")
        if own_view or (is_directory(replaced) and os.listdir(replaced)):
            return True
        if b" refs/replace/" in (read_file(f"{common}/packed-refs") or b""):
            return True
        refuse_reftable(common)
    except (OSError, OrbitError):
        return True
    except OddError:
        return _ask(git_directory, "for-each-ref", "--count=1", "refs/replace/") != ""
    return False


def _ask(directory: str, *args: str) -> str | None:
    """git's own answer, None when it has none."""
    from orbit.git.run import observe  # reading files must not pay for what starting a process needs

    answer = observe(directory, args)
    return answer.text if answer.code == 0 else None


def _head_from_git(checkout: str) -> Head | None:
    if not _ask(checkout, "rev-parse", "--git-dir"):
        return None
    ref = _ask(checkout, "symbolic-ref", "--quiet", "--", "HEAD") or ""
    sha = _ask(checkout, "rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD") or ""
    return Head(ref[len(_HEADS) :] if ref.startswith(_HEADS) else "", sha)

"""Adding a repository to the pool: cloned aside, renamed in when complete, recorded in the index.

Contract: commands.md, clone; refinements.md 26, 30.
"""

from __future__ import annotations

import fcntl
import os

from orbit.errors import OrbitError
from orbit.git.files import git_dir, read_head, read_ref, read_symref
from orbit.git.remote import clone as git_clone
from orbit.git.remote import list_remote, set_default_branch
from orbit.git.run import change, checked
from orbit.git.urls import absolute_url, redact_url, refused_transport, repo_name_from_url
from orbit.guidance import pool_notices
from orbit.places import POOL, Project, is_there, names_in, valid_repo_name
from orbit.pool.clones import readable_config
from orbit.pool.index import IndexEntry, read_index, record_entry
from orbit.pool.maintain import note_choice, write_at_clone
from orbit.pool.project import create_project
from orbit.record import Record
from orbit.store.settings import positive
from orbit.text import safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from orbit.guidance.notice import Notice

STAGING = ".clone-"
_MOST_NAMED = 5


class CloneRequest(Record):
    """One clone asked for. `name` "" takes the URL's; `directory` is where a relative path in `url` starts."""

    url: str
    directory: str
    name: str = ""
    branch: str = ""
    push: str = ""
    depth: str = ""
    filter: str = ""


class Cloned(Record):
    name: str
    branch: str
    notices: tuple[Notice, ...]


def checked_request(request: CloneRequest) -> CloneRequest:
    """The request with its name filled in. Raises OrbitError for what git must not see or the pool cannot hold."""
    for what, value in (("URL", request.url), ("--push", request.push)):
        reason = refused_transport(value) if value else ""
        if reason:
            raise OrbitError("clone", f"{what} refused: {safe_line(redact_url(value))}: {reason}")
    for what, value in (("--branch", request.branch), ("--depth", request.depth), ("--filter", request.filter)):
        if value.startswith("-"):
            raise OrbitError("clone", f"{what} refused: a value cannot begin with '-'")
    if not request.url:
        raise OrbitError("clone", "a URL cannot be empty")
    if request.depth and positive(request.depth):
        raise OrbitError("clone", f"--depth {positive(request.depth)}, not {safe_line(request.depth)}")
    name = request.name or repo_name_from_url(request.url)
    if not valid_repo_name(name):
        shown = safe_line(name) or "(empty)"
        raise OrbitError(
            "clone",
            f"not a repository name: {shown} (letters, digits, '.', '_', '-', not first '.' or '-')",
            "choose one with: orbit clone URL --name NAME",
        )
    return request.replace(name=name)


def require_free_name(project: Project, name: str) -> None:
    """Raises OrbitError when the pool has that name, also in another case (file systems differ about it)."""
    try:
        taken = os.listdir(project.pool)
    except FileNotFoundError:
        taken = []
    except OSError as error:
        raise OrbitError(project.pool, f"cannot be read: {error.strerror}") from None
    for other in (*taken, os.path.basename(project.marker)):
        if other == name:
            raise OrbitError(name, f"already in the pool ({POOL}/{name})", "another name: orbit clone URL --name NAME")
        if other.lower() == name.lower():
            raise OrbitError(name, f"the pool has {other}, names may not differ by case only")


class Staging:
    """A directory beside the pool's clones where one clone grows; gone afterwards, whatever happened.

    The flock on it tells a clone under way from what a killed one left behind.
    """

    def __init__(self, parent: str) -> None:
        self._parent = parent
        self.path = ""
        self._descriptor = -1

    def __enter__(self) -> Staging:
        while not self._claim():
            pass
        return self

    def _claim(self) -> bool:
        """Make the directory and lock it; a sweep that came between the two took it away, then try another."""
        self.path = f"{self._parent}/{STAGING}{os.getpid()}-{os.urandom(4).hex()}"
        try:
            os.mkdir(self.path)
        except OSError as error:
            raise OrbitError(self._parent, f"cannot clone into it ({error.strerror})") from None
        try:
            self._descriptor = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except FileNotFoundError:
            return False
        except OSError as error:
            _remove_tree(self.path)
            raise OrbitError(self._parent, f"cannot clone into it ({error.strerror})") from None
        _try_flock(self._descriptor)
        if os.path.isdir(self.path):
            return True
        os.close(self._descriptor)
        return False

    def __exit__(self, *_: object) -> None:
        try:
            _remove_tree(self.path)
        finally:
            os.close(self._descriptor)


def _try_flock(descriptor: int) -> None:
    """Where the file system has no flock, nobody who sweeps gets one either."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    except OSError:
        return


def sweep(pool: str) -> list[str]:
    """Remove what killed clones left in the pool: staging directories whose flock is free. Gives their names."""
    return [name for name in names_in(pool) if name.startswith(STAGING) and _remove_abandoned(f"{pool}/{name}")]


def sweep_root(root: str) -> None:
    """The same for clones that were to make the project. The root is the user's: only names exactly like ours."""
    for name in names_in(root or "/"):
        if _is_own_name(name):
            _remove_abandoned(f"{root}/{name}")


def _is_own_name(name: str) -> bool:
    pid, _, tail = name.removeprefix(STAGING).partition("-")
    return name.startswith(STAGING) and pid.isdecimal() and len(tail) == 8 and not tail.strip("0123456789abcdef")


def _remove_abandoned(path: str) -> bool:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    else:
        _remove_tree(path)
        return True
    finally:
        os.close(descriptor)


def _remove_tree(path: str) -> None:
    import shutil  # cloning is never a hot path

    try:
        shutil.rmtree(path, ignore_errors=True)
    except OSError:
        return  # some errors it does not ignore; the next clone sweeps


def clone_one(project: Project, request: CloneRequest, on_progress: Callable[[str], None] | None = None) -> Cloned:
    """Clone one repository into the pool, making the project if there is none. Raises OrbitError, leaving nothing.

    `on_progress` gets git's own lines while it works.
    """
    request = checked_request(request)
    require_free_name(project, request.name)
    settings = read_index(project).settings
    options = []
    for name, value in (("--branch", request.branch), ("--depth", request.depth), ("--filter", request.filter)):
        if value:
            options.append(f"{name}={value}")
    sweep(project.pool)
    sweep_root(project.root)
    with Staging(project.pool if os.path.isdir(project.pool) else project.root) as staging:
        target = f"{staging.path}/{request.name}"
        git_clone(request.directory, request.url, target, options, on_progress)
        branch = _tracked_branch(request, target)
        write_at_clone(target, settings)
        if request.branch:
            note_choice(target, branch)
        if request.push:
            words = ["remote", "set-url", "--push", "origin", absolute_url(request.push, request.directory)]
            checked(change(target, words), request.name, "setting its push URL")
        create_project(project)
        move_in(project, target, request.name)
    return Cloned(request.name, branch, record_clone(project, request.name))


def _tracked_branch(request: CloneRequest, checkout: str) -> str:
    """The branch the pool will follow, stored as origin/HEAD; an empty repository has a name for it and no more.

    Raises OrbitError for a clone that would follow none: of a tag, or of a remote whose HEAD names no branch it has.
    """
    head = read_head(checkout)
    directory = git_dir(checkout)
    if head is None or directory is None:
        raise OrbitError(request.name, "git made no repository")
    if head.branch and head.sha:
        symref, ref = "refs/remotes/origin/HEAD", f"refs/remotes/origin/{head.branch}"
        if read_ref(directory, ref) and read_symref(directory, symref) != ref:
            set_default_branch(checkout, head.branch)
        return head.branch
    branches = sorted(list_remote(checkout).branches)
    if head.branch and not branches:
        return head.branch
    if request.branch:
        raise OrbitError(request.name, f"{safe_line(request.branch)} is a tag, the pool follows branches")
    named = ", ".join(safe_line(name) for name in branches[:_MOST_NAMED]) + (", ..." if branches[_MOST_NAMED:] else "")
    missing = f"its default branch {safe_line(head.branch)} does not exist" if head.branch else "it names none"
    raise OrbitError(
        request.name,
        f"which branch to follow is not clear, {missing} (the remote has {named or 'no branches'})",
        "choose one with: orbit clone URL --branch NAME",
    )


def move_in(project: Project, staged: str, name: str) -> None:
    """The commit point. Somebody else may have taken the name meanwhile: then theirs stands."""
    try:
        pool = os.open(project.pool, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            _try_flock(pool)  # looking and renaming must be one step, also for names in another case
            require_free_name(project, name)
            os.rename(staged, project.clone(name))
        finally:
            os.close(pool)
    except OSError as error:
        raise OrbitError(name, f"cannot move the clone into {project.pool} ({error.strerror})") from None


def record_clone(project: Project, name: str) -> tuple[Notice, ...]:
    """Write the index row of a clone that is in place: an index that cannot be written does not undo it."""
    checkout = project.clone(name)
    head = read_head(checkout)
    try:
        # An earlier clone's card may be here: how far it is behind is not for a new clone to say.
        known = head.sha if head and not is_there(project.card(name)) else ""
        url = readable_config(checkout).get("remote", "origin", "url") or ""
        return tuple(record_entry(project, name, IndexEntry(url=redact_url(url), head=known)))
    except OrbitError as problem:
        return (pool_notices.metadata_damaged(f"{POOL}/.orbit", f"{name} is not recorded, {problem.message}"),)

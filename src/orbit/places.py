"""Where everything lies: the root, the pool, the workspace and every file name in them.

The current directory and the environment are read here and in `git/run.py` only. Contract: concepts.md, On disk and
Finding the root and the workspace.
"""

from __future__ import annotations

import os
import stat

from orbit.errors import OrbitError
from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

POOL = ".repos"
TRASH = ".prune-trash"
"""Through which workspaces go while they are removed."""
_REPO_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")
WORKSPACE_NAME_LIMIT = 50


class World(Record):
    """What surrounds one call: the physical current directory and the environment."""

    cwd: str
    env: Mapping[str, str]

    def get(self, name: str) -> str:
        """An environment variable, empty when unset."""
        return self.env.get(name, "")


class Project(Record):
    """A project root (an absolute physical path) and the paths of everything orbit keeps below it."""

    root: str

    @property
    def pool(self) -> str:
        return f"{self.root}/{POOL}"

    @property
    def index(self) -> str:
        return f"{self.root}/{POOL}/.orbit"

    @property
    def marker(self) -> str:
        return f"{self.root}/{POOL}/README.md"

    @property
    def history(self) -> str:
        return f"{self.root}/{POOL}/.cards.git"

    @property
    def cache(self) -> str:
        return f"{self.root}/{POOL}/.cache"

    def clone(self, repo: str) -> str:
        return f"{self.root}/{POOL}/{repo}"

    def card(self, repo: str) -> str:
        return f"{self.root}/{POOL}/.{repo}.md"

    @property
    def trash(self) -> str:
        return f"{self.root}/{TRASH}"

    def workspace(self, name: str) -> str:
        return f"{self.root}/{name}"

    def metadata(self, workspace: str) -> str:
        return f"{self.root}/{workspace}/.orbit"

    def worktree(self, workspace: str, repo: str) -> str:
        return f"{self.root}/{workspace}/{repo}"


class Here(Record):
    """Where the caller stands: the project, and the workspace and repo that the current directory is in, if any."""

    project: Project
    workspace: str = ""
    repo: str = ""
    ignored_root: str = ""


def read_world() -> World:
    """The real surroundings. Raises OrbitError when the current directory is gone."""
    try:
        cwd = os.getcwd()
    except FileNotFoundError:
        raise OrbitError("cwd", "the current directory no longer exists") from None
    return World(cwd=cwd, env=os.environ)


def valid_repo_name(name: str) -> bool:
    """The rule for the name of a clone below the pool. Contract: concepts.md, Words."""
    return bool(name) and name[0] not in ".-" and _REPO_CHARACTERS.issuperset(name) and len(name) <= 200


def workspace_name_problem(name: str) -> str:
    """Why `name` cannot be a workspace, or "". Its characters must also suit a git ref. Contract: commands.md, new."""
    if not name:
        return "a workspace name cannot be empty"
    if name[0] in ".-":
        return "a workspace name cannot begin with '.' or '-'"
    if "/" in name:
        return "a workspace name is one path component, without '/'"
    if len(name) > WORKSPACE_NAME_LIMIT:
        return f"a workspace name has at most {WORKSPACE_NAME_LIMIT} characters"
    if name.endswith((".", ".lock")) or ".." in name or "@{" in name or name == "@":
        return "git does not allow this name in a branch"
    if any(c in " ~^:?*[\\" or not c.isprintable() for c in name):
        return "git does not allow one of its characters in a branch"
    return ""


def list_names(directory: str) -> list[str]:
    """Everything in a directory, sorted; nothing when it is not there. Raises OSError when it cannot be read."""
    try:
        return sorted(os.listdir(directory))
    except (FileNotFoundError, NotADirectoryError):
        return []


def names_in(directory: str) -> list[str]:
    """The same for who only shows: nothing, too, when it cannot be read."""
    try:
        return list_names(directory)
    except OSError:
        return []


def is_there(path: str) -> bool:
    """Whether anything stands at `path`, a link that leads nowhere too.

    Raises OrbitError when the system does not tell, as `is_directory` and `is_file` do: to `os.path` that is a no, and
    what is not there may be made, replaced or forgotten.
    """
    return _mode(os.lstat, path) != 0


def is_directory(path: str) -> bool:
    return stat.S_ISDIR(_mode(os.stat, path))


def is_file(path: str) -> bool:
    return stat.S_ISREG(_mode(os.stat, path))


def _holds_pool(directory: str) -> bool:
    """A directory that may not be looked into, such as one above a sandbox, is no root."""
    return stat.S_ISDIR(_mode(os.stat, f"{directory}/{POOL}", PermissionError))


def _mode(look: Callable[[str], os.stat_result], path: str, no: type[Exception] = FileNotFoundError) -> int:
    """0 for nothing, and where the system answers with `no`."""
    try:
        return look(path).st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError, no):  # ValueError: a NUL or half a character
        return 0
    except OSError as error:
        import errno  # only where something is amiss

        if error.errno in (errno.ELOOP, errno.ENAMETOOLONG):
            return 0
        raise OrbitError(path, f"cannot be looked at: {error.strerror}") from None


def _owner_of(inner: str) -> str:
    """The nearest root in whose workspace or pool a git checkout holds `inner`, or "" (refinements.md, 14)."""
    for outer in _ancestors(inner)[1:]:
        if not _holds_pool(outer):
            continue
        base = outer.rstrip("/")
        parts = inner[len(base) + 1 :].split("/")
        if any(is_there("/".join((base, *parts[:depth], ".git"))) for depth in range(2, len(parts) + 1)):
            return outer
    return ""


def _ancestors(path: str) -> list[str]:
    """The path itself and every directory above it, nearest first."""
    found = [path]
    while path != "/":
        path = os.path.dirname(path)
        found.append(path)
    return found


def find_root(world: World) -> tuple[str, str]:
    """(root, ignored): the project root or "", and a nested `.repos/` that an outer root overrules, or "".

    Raises OrbitError when ORBIT_ROOT names a directory that does not exist.
    """
    named = world.get("ORBIT_ROOT")
    if named:
        root = os.path.realpath(os.path.join(world.cwd, named))
        if not is_directory(root):
            raise OrbitError("ORBIT_ROOT", f"no such directory: {named}")
        return (root if is_directory(f"{root}/{POOL}") else ""), ""
    for candidate in _ancestors(world.cwd):
        if _holds_pool(candidate):
            root = candidate
            while outer := _owner_of(root):
                root = outer
            return root, "" if root == candidate else candidate
    return "", ""


def locate(world: World) -> Here:
    """Where the caller stands. Raises OrbitError outside a project."""
    root, ignored = find_root(world)
    if not root:
        named = world.get("ORBIT_ROOT")
        if named:
            raise OrbitError("project", f"{named} has no {POOL}/ directory", "start one with: orbit clone URL")
        what = f"not in an orbit project: no {POOL}/ here or above"
        raise OrbitError("project", what, "cd into one, or start one with: orbit clone URL")
    workspace, repo = "", ""
    prefix = root.rstrip("/") + "/"
    if world.cwd.startswith(prefix):
        parts = world.cwd[len(prefix) :].split("/")
        if parts[0] and not parts[0].startswith("."):
            workspace = parts[0]
            repo = parts[1] if len(parts) > 1 and not parts[1].startswith(".") else ""
    return Here(project=Project(root="" if root == "/" else root), workspace=workspace, repo=repo, ignored_root=ignored)


def root_for_new_project(world: World) -> str:
    """The root a creating command uses: the one found, ORBIT_ROOT even without a pool, else the current directory."""
    root, _ = find_root(world)
    if root:
        return root
    named = world.get("ORBIT_ROOT")
    return os.path.realpath(os.path.join(world.cwd, named)) if named else world.cwd


def workspaces(project: Project) -> list[str]:
    """Names of every workspace: each direct child directory of the root that is not a dot-directory."""
    with os.scandir(project.root or "/") as entries:
        return sorted(entry.name for entry in entries if entry.name[0] != "." and entry.is_dir(follow_symlinks=False))

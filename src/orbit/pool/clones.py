"""The clones in the pool: which there are, their origin, their config. Contract: concepts.md, Words; git.md."""

from __future__ import annotations

import os

from orbit.errors import OrbitError
from orbit.git.files import common_dir, git_dir
from orbit.git.urls import redact_url
from orbit.places import POOL, Project, is_directory, valid_repo_name
from orbit.record import Record
from orbit.store.document import load
from orbit.text import nearest, safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.store.syntax import Config


class Listing(Record):
    """What stands in the pool: clones by name, and directories that are not repositories."""

    clones: tuple[str, ...]
    strange: tuple[str, ...]


def list_clones(project: Project) -> Listing:
    """Every entry of the pool that is not a dot-entry, sorted by name; one stat each, no git.

    A symlinked clone counts; a name outside the rule is strange, since no command could name it.
    """
    found = list_directories(project)
    clones = tuple(name for name in found.clones if _may_be_repository(f"{project.pool}/{name}"))
    return Listing(clones, tuple(sorted({*found.clones, *found.strange} - {*clones})))


def _may_be_repository(path: str) -> bool:
    """One that cannot be looked at is a clone whose own commands will fail, not one that is gone."""
    try:
        return _is_repository(path)
    except OrbitError:
        return True


def _is_repository(path: str) -> bool:
    return os.path.exists(f"{path}/.git") or is_directory(f"{path}/.git")  # the second tells why the first says no


def list_directories(project: Project) -> Listing:
    """The same without the stat, for a caller who will find out which of them are repositories by reading them."""
    with os.scandir(project.pool) as entries:
        names = sorted(entry.name for entry in entries if entry.name[0] != "." and entry.is_dir())
    usable = tuple(name for name in names if valid_repo_name(name))
    return Listing(usable, tuple(name for name in names if not valid_repo_name(name)))


def is_clone(project: Project, name: str) -> bool:
    """Raises OrbitError when the system does not tell."""
    return valid_repo_name(name) and _is_repository(project.clone(name))


def require_clone(project: Project, name: str, *, clone_hint: bool = False) -> None:
    """Raises OrbitError, with the nearest names, unless `name` is a clone in the pool."""
    if is_clone(project, name):
        return
    shown = safe_line(redact_url(name))
    if not valid_repo_name(name):
        hint = f"clone it first: orbit clone {shown}" if clone_hint and "://" in name else ""
        raise OrbitError(shown or "repo", "not a repository name (letters, digits, . _ -)", hint)
    close = nearest(name, list(list_clones(project).clones))
    hints = [f"did you mean {', '.join(close)}?"] if close else []
    if clone_hint:
        hints.append("clone it first: orbit clone URL")
    raise OrbitError(shown, f"not in the pool ({POOL}/)", " Or ".join(hints))


def clone_config(checkout: str) -> Config:
    """The git config file of a clone (shared by its worktrees); empty when it cannot be read."""
    directory = git_dir(checkout)
    return load(f"{common_dir(directory)}/config").config if directory else load("").config


def readable_config(checkout: str) -> Config:
    """The same for who decides by it what to make. Raises OrbitError when it is there and cannot be read."""
    directory = git_dir(checkout)
    if directory is None:
        raise OrbitError(checkout, "not a git repository")
    path = f"{common_dir(directory)}/config"
    loaded = load(path)
    if loaded.state == "damaged":
        raise OrbitError(path, f"cannot be read: {loaded.reason}")
    return loaded.config


def origin_url(checkout: str) -> str:
    """`remote.origin.url` as configured, unredacted; "" without an origin."""
    return clone_config(checkout).get("remote", "origin", "url") or ""


def upstream_of(config: Config, branch: str) -> tuple[str, str]:
    """(remote-tracking ref, short name such as `origin/main`) that `branch` tracks; ("", "") without upstream."""
    remote = config.get("branch", branch, "remote")
    merge = config.get("branch", branch, "merge")
    if not remote or not merge or not merge.startswith("refs/heads/"):
        return "", ""
    name = merge.removeprefix("refs/heads/")
    if remote == ".":
        return merge, name
    return f"refs/remotes/{remote}/{name}", f"{remote}/{name}"

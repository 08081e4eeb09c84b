"""Taking a clone that is on disk into the pool: what it would be, and the pool clone made of it.

The pool follows upstream, so a new pool clone has what origin had when the source last fetched; what is local to the
source stays there. Nothing in the source changes and no remote is asked. Contract: commands.md, import-dir.
"""

from __future__ import annotations

import os
import tempfile
from shlex import quote

from orbit.errors import OrbitError
from orbit.git.checkout import fill, may_lack_objects, pool_options
from orbit.git.objects import copy_file, take_objects, take_tree
from orbit.git.remote import set_default_branch
from orbit.git.run import change, checked, observe
from orbit.git.urls import absolute_url, redact_url, refused_transport, repo_name_from_url
from orbit.places import valid_repo_name
from orbit.pool.clone import Cloned, Staging, move_in, record_clone, require_free_name, sweep, sweep_root
from orbit.pool.foreign import (
    Foreign,
    Refs,
    is_partial,
    make_view,
    object_format,
    open_foreign,
    read_refs,
    unpublished,
)
from orbit.pool.maintain import write_at_clone
from orbit.pool.project import create_project
from orbit.pool.sources import is_bare
from orbit.record import Record
from orbit.store.document import update
from orbit.store.syntax import Set
from orbit.text import safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.places import Project
    from orbit.store.settings import Settings
    from orbit.store.syntax import Change

_MOST_NAMED = 5
_PACK_REFS_FROM = 20


class Source(Record):
    """One repository on disk and the pool clone it would become.

    `url` and `push` are as configured, with credentials; `remote` is what the source calls its origin, `branch` the one
    to follow, `tags` those on what origin published. `local` is what stays in the source only, in words.
    """

    foreign: Foreign
    name: str
    url: str
    push: tuple[str, ...]
    remote: str
    branch: str
    refs: Refs
    tags: tuple[tuple[str, str], ...]
    local: tuple[str, ...]


def read_source(path: str, name: str = "") -> Source:
    """What the repository at `path` would be in the pool; `name` "" takes the URL's, else the directory's.

    Raises OrbitError for what cannot be taken.
    """
    foreign = open_foreign(path)
    remote, url = _origin(foreign)
    config = foreign.config
    push = tuple(_checked_url(foreign, address) for address in config.get_all("remote", remote, "pushurl"))
    mirror = "+refs/*:refs/*" in config.get_all("remote", remote, "fetch")
    with tempfile.TemporaryDirectory(prefix="orbit-") as view:
        make_view(foreign, remote, view)
        refs = read_refs(foreign, view, "" if mirror else remote)
        branch = _branch_to_follow(foreign, remote, url, refs)
        commits = {} if mirror or not refs.branches else unpublished(foreign, view, refs)
    tags = tuple((tag, sha) for tag, (sha, commit) in refs.tags.items() if refs.branches and commit not in commits)
    return Source(
        foreign=foreign,
        name=name or _name(path, url),
        url=url,
        push=push,
        remote=remote,
        branch=branch,
        refs=refs,
        tags=tags,
        local=_local(refs, commits, len(refs.tags) - len(tags)),
    )


def _origin(foreign: Foreign) -> tuple[str, str]:
    """(remote, URL): `origin`, else the only remote there is. Raises OrbitError."""
    config = foreign.config
    known = {name: url for name in config.subsections("remote") if (url := config.get_all("remote", name, "url"))}
    remote = "origin" if "origin" in known or len(known) != 1 else next(iter(known))
    if remote not in known:
        has = f"none of its remotes ({', '.join(map(safe_line, known))}) is" if known else "it has no remote"
        hint = f"orbit clone {quote(foreign.path)} takes it with itself as the origin"
        raise OrbitError(foreign.path, f"{has} named origin" if known else f"{has}, so nothing to follow", hint)
    return remote, _checked_url(foreign, known[remote][0])


def _checked_url(foreign: Foreign, url: str) -> str:
    reason = refused_transport(url)
    if reason:
        raise OrbitError(foreign.path, f"its origin is refused: {safe_line(redact_url(url))}: {reason}")
    return absolute_url(url, foreign.own if is_bare(foreign.path) else foreign.path)


def _name(path: str, url: str) -> str:
    """As `clone` would call it; a URL without a usable name leaves the directory's."""
    names = (repo_name_from_url(url), os.path.basename(path).removesuffix(".git"))
    for name in names:
        if valid_repo_name(name):
            return name
    raise OrbitError(
        path,
        f"neither its URL nor its directory has a usable name ({safe_line(names[0]) or 'none'}, {safe_line(names[1])})",
        f"choose one with: orbit import-dir {quote(path)} --name NAME",
    )


def _branch_to_follow(foreign: Foreign, remote: str, url: str, refs: Refs) -> str:
    """What origin/HEAD names, else the upstream of the current branch, else the branch of its name, else the only one.

    Raises OrbitError when that is not clear or nothing was ever fetched; a clone of an empty repository has a name.
    """
    config, current, known = foreign.config, refs.current, refs.branches
    upstream = ""
    if config.get("branch", current, "remote") == remote:
        upstream = (config.get("branch", current, "merge") or "").removeprefix("refs/heads/")
    only: list[str] = list(known) if len(known) == 1 else []
    for branch in (refs.default, upstream, current, *only):
        if branch in known:
            return branch
    if upstream and not known and not refs.heads:
        return upstream
    path = foreign.path
    if not known:
        what = "a bare repository that keeps no branches of its origin" if is_bare(path) else "nothing was fetched yet"
        raise OrbitError(path, what, f"orbit clone {quote(safe_line(redact_url(url)))}")
    named = ", ".join(safe_line(name) for name in sorted(known)[:_MOST_NAMED])
    more = ", ..." if len(known) > _MOST_NAMED else ""
    raise OrbitError(
        path,
        f"which branch to follow is not clear (origin has {named}{more})",
        f"git -C {quote(path)} remote set-head {safe_line(remote)} BRANCH settles it",
    )


def _local(refs: Refs, commits: dict[str, str], tags: int) -> tuple[str, ...]:
    """What no branch of origin holds: commits by branch, the stash, tags."""
    by_ref: dict[str, int] = {}
    for ref in commits.values():
        by_ref[ref] = by_ref.get(ref, 0) + 1
    branches = {ref.removeprefix("refs/heads/"): n for ref, n in by_ref.items() if ref.startswith("refs/heads/")}
    ranked = sorted(branches.items(), key=lambda item: (-item[1], item[0]))
    words = [f"{count} unpushed commits on {safe_line(name)}" for name, count in ranked[:_MOST_NAMED]]
    if len(ranked) > _MOST_NAMED:
        words.append(f"more on {len(ranked) - _MOST_NAMED} other branches")
    if "HEAD" in by_ref:
        words.append(f"{by_ref['HEAD']} unpushed commits on a detached HEAD")
    if refs.stash:
        words.append("a stash")
    if tags and refs.branches:
        words.append(f"{tags} tags on unpushed commits")
    return tuple(words)


def take_in(project: Project, source: Source, settings: Settings) -> Cloned:
    """Make the pool clone, and the project if there is none. Raises OrbitError, leaving nothing."""
    require_free_name(project, source.name)
    sweep(project.pool)
    sweep_root(project.root)
    with Staging(project.pool if os.path.isdir(project.pool) else project.root) as staging:
        target = f"{staging.path}/{source.name}"
        _make(staging.path, target, source)
        write_at_clone(target, settings)
        create_project(project)
        move_in(project, target, source.name)
    return Cloned(source.name, source.branch, record_clone(project, source.name))


def _make(parent: str, target: str, source: Source) -> None:
    foreign, name = source.foreign, source.name
    words = ["init", "--quiet", f"--object-format={object_format(foreign.config)}"]
    checked(change(parent, [*words, f"--initial-branch={source.branch}", target]), name, "making its clone")
    directory = f"{target}/.git"
    take_objects(f"{foreign.common}/objects", f"{directory}/objects")
    try:
        copy_file(f"{foreign.common}/shallow", f"{directory}/shallow")
        take_tree(f"{foreign.common}/lfs/objects", f"{directory}/lfs/objects")
    except OSError as problem:
        raise OrbitError(name, f"cannot take its objects: {problem.strerror} ({problem.filename})") from None
    update(f"{directory}/config", lambda _: _settings(source))
    if source.refs.branches:
        _write_refs(target, source)
        _write_files(target, source)


def _settings(source: Source) -> list[Change]:
    """As `git clone --single-branch` writes them; the managed ones come after."""
    branch = source.branch
    changes: list[Change] = [
        Set("remote", "origin", "url", (source.url,)),
        Set("remote", "origin", "fetch", (f"+refs/heads/{branch}:refs/remotes/origin/{branch}",)),
        Set("branch", branch, "remote", ("origin",)),
        Set("branch", branch, "merge", (f"refs/heads/{branch}",)),
    ]
    if source.push:
        changes.append(Set("remote", "origin", "pushurl", source.push))
    config = source.foreign.config
    if is_partial(config):
        changes.append(Set("core", None, "repositoryformatversion", ("1",)))
        changes.append(Set("extensions", None, "partialClone", ("origin",)))
        changes.append(Set("remote", "origin", "promisor", ("true",)))
        wanted = config.get("remote", source.remote, "partialclonefilter")
        if wanted:
            changes.append(Set("remote", "origin", "partialclonefilter", (wanted,)))
    return changes


def _write_refs(target: str, source: Source) -> None:
    """origin's branches, the tracked branch at the same commit, origin/HEAD, and tags: one process for all but HEAD."""
    refs = source.refs.branches
    lines = [f"create refs/remotes/origin/{branch}\0{sha}\0" for branch, sha in refs.items()]
    lines += [f"create refs/tags/{tag}\0{sha}\0" for tag, sha in source.tags]
    lines.append(f"create refs/heads/{source.branch}\0{refs[source.branch]}\0")
    stdin = "".join(lines).encode("utf-8", "surrogateescape")
    checked(change(target, ["update-ref", "-z", "--stdin"], stdin=stdin), source.name, "writing its branches")
    set_default_branch(target, source.branch)
    if len(lines) >= _PACK_REFS_FROM:
        checked(change(target, ["pack-refs", "--all"]), source.name, "packing its branches")


def _write_files(target: str, source: Source) -> None:
    """The working tree; what LFS has on disk was taken along, and the rest stays pointers: no remote is asked."""
    name = source.name
    # A clone taken on trust would fail in the middle of a task: every commit must be there now.
    walked = observe(target, ["rev-list", "--quiet", "--all"])
    checked(walked, name, f"{source.foreign.path} is not whole")
    words = [*pool_options(), "reset", "--quiet", "--hard"]
    if may_lack_objects(target):
        filled = fill(target, words)
    else:
        filled = change(target, words, extra_env={"GIT_LFS_SKIP_SMUDGE": "1"})
    checked(filled, name, f"writing the files of {safe_line(source.branch)}")

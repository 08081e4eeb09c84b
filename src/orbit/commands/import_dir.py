"""`orbit import-dir`: take clones that are on disk into the pool. Contract: commands.md, import-dir."""

from __future__ import annotations

import os
from shlex import quote

from orbit.commands.arguments import Usage, flag, option, positional
from orbit.commands.result import Result
from orbit.errors import OrbitError, UsageError
from orbit.git.many import jobs, side_by_side
from orbit.git.urls import origin_key
from orbit.guidance import add_notices, import_notices, pool_notices
from orbit.places import Project, find_root, is_directory, root_for_new_project, valid_repo_name
from orbit.pool.clone import require_free_name
from orbit.pool.clones import list_clones, origin_url
from orbit.pool.index import read_index
from orbit.pool.intake import Source, read_source, take_in
from orbit.pool.sources import DEPTH, find_repositories, linked_to, submodule_of
from orbit.text import safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from orbit.commands.result import Call
    from orbit.guidance.notice import Notice
    from orbit.pool.clone import Cloned

USAGE = Usage(
    forms=("orbit import-dir DIR... [--dry-run]", "orbit import-dir DIR --name NAME [--dry-run]"),
    about="""Makes a pool clone of every git clone that DIR is or holds, one or two levels down. Objects are
hard-linked, no network is needed, and nothing in DIR changes. A pool clone gets the origin of the clone on disk,
and the branches of that origin as last fetched there; local branches and unpushed commits stay where they are, and
are named. Passed over are hidden directories, symbolic links, and what lies inside a clone. Outside a project it
makes one in the current directory.""",
    arguments=(
        positional("DIR", "a clone, or a directory that holds clones", "some", completes="dir"),
        flag("--dry-run", "say what would be imported, change nothing"),
        option("--name", "NAME", "the name in the pool (one clone)"),
    ),
    examples=(
        ("orbit import-dir ~/src", "every clone in ~/src"),
        ("orbit import-dir ~/src --dry-run", "what that would do"),
    ),
    related=("clone", "repos", "sync"),
)


class _Round:
    """What one call found out: sources to take, lines for stderr, whether anything was refused."""

    def __init__(self) -> None:
        self.sources: list[Source] = []
        self.notices: list[Notice] = []
        self.failed = False

    def refuse(self, problem: OrbitError) -> None:
        self.failed = True
        self.notices.append(add_notices.item_failed(safe_line(problem.context), problem.message, problem.hint))


def run(call: Call) -> Result:
    name = call.words.one("name")
    if name is not None and not valid_repo_name(name):
        raise UsageError("import-dir", f"not a repository name: {safe_line(name) or '(empty)'}")
    root, ignored = find_root(call.world)
    project = Project(root_for_new_project(call.world))
    this = _Round()
    if ignored:
        this.notices.append(pool_notices.nested_root_ignored(ignored, root))
    this.notices += [notice for notice in read_index(project).notices if notice.name == "bad-setting"]
    places = _places(call, project, this)
    if name is not None and len(places) != 1:
        raise UsageError("import-dir", f"--name takes one clone, and {len(places)} were found")
    workers = jobs(call.world.get("ORBIT_JOBS"), network=False)
    for outcome in side_by_side(lambda path: read_source(path, name or ""), places, workers):
        if isinstance(outcome, OrbitError):
            this.refuse(outcome)
        else:
            this.sources.append(outcome)
    sources = _without_doubles(project, this)
    if call.words.flag("dry_run"):
        return _result(this, [f"would import {_line(source)}" for source in sources], sources)
    taken, lines = _take_all(call, project, this, sources)
    return _result(this, lines, taken)


def _take_all(call: Call, project: Project, this: _Round, sources: list[Source]) -> tuple[list[Source], list[str]]:
    """Side by side: those that are in the pool now, and a line for each."""
    settings = read_index(project).settings
    progress = call.face.progress(len(sources), "importing")

    def take(source: Source) -> Cloned:
        progress.start(source.name)
        outcome = "failed"
        try:
            cloned = take_in(project, source, settings)
            outcome = "imported"
        finally:
            progress.done(source.name, outcome)
        return cloned

    taken, lines = [], []
    outcomes = side_by_side(take, sources, jobs(call.world.get("ORBIT_JOBS"), network=False))
    for source, made in zip(sources, outcomes, strict=True):
        if isinstance(made, OrbitError):
            this.refuse(made)
            continue
        taken.append(source)
        lines.append(f"imported {_line(source)}")
        this.notices += made.notices
    return taken, lines


def _result(this: _Round, lines: Sequence[str], taken: Sequence[Source]) -> Result:
    notices = list(this.notices)
    for source in taken:
        if source.remote != "origin":
            notices.append(import_notices.remote_renamed(source.name, safe_line(source.remote)))
        if source.local:
            notices.append(
                import_notices.stays_in_source(source.name, safe_line(source.foreign.path), ", ".join(source.local))
            )
    return Result(text="\n".join(lines), notices=notices, code=1 if this.failed else 0)


def _line(source: Source) -> str:
    branch = safe_line(source.branch)
    shown = branch if source.refs.branches else f"{branch}, nothing in it yet"
    return f"{source.name} from {safe_line(source.foreign.path)} (default branch: {shown})"


def _places(call: Call, project: Project, this: _Round) -> list[str]:
    """Every repository to be looked at, each once, whatever the number of ways to it."""
    places: dict[str, None] = {}
    for given in call.words.many("dir"):
        try:
            places |= dict.fromkeys(_below(os.path.join(call.world.cwd, given), given, project, this))
        except OrbitError as problem:
            this.refuse(problem)
    kept = []
    # A main worktree stands for those linked to it, whichever was found first.
    shared = {os.path.realpath(f"{place}/.git"): place for place in places if not linked_to(place)}
    for place in places:
        common = linked_to(place)
        if common and common.startswith(f"{project.pool}/"):
            this.refuse(OrbitError(place, "a worktree of this project's own pool"))
        elif common and common in shared:
            this.notices.append(import_notices.linked_worktree(safe_line(place), safe_line(shared[common])))
        else:
            kept.append(place)
            shared.setdefault(common or os.path.realpath(f"{place}/.git"), place)
    return kept


def _below(path: str, given: str, project: Project, this: _Round) -> list[str]:
    """The repositories of one DIR. Raises OrbitError for one that cannot be used."""
    shown = safe_line(given) or "(empty)"
    directory = os.path.realpath(path)
    if not given or not is_directory(directory):
        raise OrbitError(shown, "not a directory" if os.path.lexists(directory) and given else "no such directory")
    if directory == project.root or directory.startswith(f"{project.root}/"):
        where = "the project" if os.path.isdir(project.pool) else "the place of the new project"
        raise OrbitError(
            shown,
            f"lies in {where}, {project.root or '/'}, where every directory is a workspace",
            f"make the project elsewhere: in an empty directory, orbit import-dir {quote(safe_line(directory))}",
        )
    found = find_repositories(directory, project.root)
    for place, reason in found.unreadable:
        this.refuse(OrbitError(place, f"cannot be read ({reason})"))
    for link, target in found.links:
        if not target.startswith(f"{project.root}/"):
            this.notices.append(import_notices.link_not_followed(safe_line(link), safe_line(target)))
    if not found.places and not found.unreadable and not found.links:
        raise OrbitError(shown, f"no git repository in it, nor in the {DEPTH} levels of directories below")
    kept = []
    for place in found.places:
        if place != directory and submodule_of(place, directory):
            this.notices.append(import_notices.submodule_passed(safe_line(place), safe_line(directory)))
        else:
            kept.append(place)
    return kept


def _without_doubles(project: Project, this: _Round) -> list[Source]:
    """Sources whose origin and name are new to the pool and to this call."""
    clones = list_clones(project).clones if os.path.isdir(project.pool) else ()
    pooled = {origin_key(url): name for name in clones if (url := origin_url(project.clone(name)))}
    origins: dict[str, Source] = {}
    names: dict[str, Source] = {}
    for source in this.sources:
        key, path = origin_key(source.url), safe_line(source.foreign.path)
        if key in pooled:
            this.notices.append(import_notices.already_in_pool(pooled[key], path))
            continue
        if key in origins:
            other = safe_line(origins[key].foreign.path)
            this.notices.append(import_notices.same_origin_twice(source.name, path, other))
            continue
        try:
            _require_new_name(project, source, names)
        except OrbitError as problem:
            this.refuse(problem)
            continue
        origins[key] = names[source.name.lower()] = source
    return list(origins.values())


def _require_new_name(project: Project, source: Source, names: dict[str, Source]) -> None:
    path = safe_line(source.foreign.path)
    hint = f"another name: orbit import-dir {quote(path)} --name NAME"
    try:
        require_free_name(project, source.name)
    except OrbitError as problem:
        raise OrbitError(source.name, f"{problem.message}, with another origin than {path}", hint) from None
    other = names.get(source.name.lower())
    if other is not None:
        raise OrbitError(source.name, f"{path} and {safe_line(other.foreign.path)} both have this name", hint)

"""Is a project in order: index, clones, config, cards and their history, locks, links, cache. Contract: commands.md."""

from __future__ import annotations

import os

from orbit.checkup.adds import find_adds
from orbit.checkup.drafts import find_drafts
from orbit.checkup.finding import FAIL, INFO, OK, WARN, Finding, shortened_list
from orbit.checkup.links import Links, check_links
from orbit.checkup.locks import StaleLock, find_stale_locks
from orbit.errors import OrbitError
from orbit.git.endless import refuse_endless, refuse_endless_refs
from orbit.git.files import read_head
from orbit.git.reffiles import EndlessError
from orbit.git.run import first_error_line, observe
from orbit.knowledge import history
from orbit.knowledge.conflicts import open_conflicts
from orbit.places import workspaces
from orbit.pool.clone import STAGING
from orbit.pool.clones import clone_config, list_clones
from orbit.pool.index import read_index
from orbit.pool.maintain import differing
from orbit.record import Record
from orbit.store.cache import is_sound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.places import Project
    from orbit.pool.clones import Listing
    from orbit.pool.index import Index

_FIX = "orbit doctor --fix"
_ANEW = "move the folder out of the project, then orbit add REPO"


class Checked(Record):
    """What was found, with the facts that a repair needs."""

    findings: tuple[Finding, ...]
    locks: tuple[StaleLock, ...]
    links: Links
    drifted: tuple[str, ...]
    drafts: tuple[str, ...]
    adds: tuple[str, ...]
    index_state: str


def check_project(project: Project) -> Checked:
    """Every finding about one project; files only, but for clones whose files do not answer."""
    index = read_index(project)
    listing = list_clones(project)
    locks = tuple(find_stale_locks(project))
    links = check_links(project)
    drifted = _drifted(project, listing, index)
    drafts, adds = find_drafts(project), find_adds(project, listing.clones)
    findings = [
        _index(index, listing),
        *_clones(project, listing),
        _config(drifted),
        *_cards(project, listing),
        _history(project),
        _locks(project, locks),
        *_links(links),
        *_leftovers(project, drafts, adds),
        _cache(project),
        *_hidden_cards(project),
        _counts(project, listing),
    ]
    return Checked(tuple(findings), locks, links, tuple(drifted), tuple(drafts), tuple(adds), index.state)


def _index(index: Index, listing: Listing) -> Finding:
    if index.state == "damaged":
        return Finding("index", FAIL, f".repos/.orbit cannot be used ({index.damage})", _FIX)
    if index.state == "missing":
        return Finding("index", WARN, ".repos/.orbit is missing", _FIX)
    unknown = [name for name in listing.clones if name not in index.entries]
    if unknown:
        return Finding("index", WARN, f"no entry for {shortened_list(unknown)}", _FIX)
    return Finding("index", OK, f"{len(index.entries)} entries")


def _clones(project: Project, listing: Listing) -> list[Finding]:
    found = [
        Finding(name, WARN, "in the pool, but not a git repository", f"remove or clone it: {project.clone(name)}")
        for name in listing.strange
    ]
    for name in listing.clones:
        found += _clone(project, name)
    broken = sum(1 for finding in found if finding.level in (WARN, FAIL))
    level = INFO if broken else OK
    return [*found, Finding("clones", level, f"{len(listing.clones)} clones, {broken} with findings")]


def _clone(project: Project, name: str) -> list[Finding]:
    """A clone of another user, or with odd files, is shown to git itself: `safe.directory` refuses there."""
    checkout = project.clone(name)
    try:
        refuse_endless(f"{checkout}/.git")
        refuse_endless_refs(f"{checkout}/.git")
    except EndlessError as error:
        return [Finding(name, FAIL, error.message, "remove it; if git needs it, clone the repository again")]
    head = read_head(checkout)
    if head is None or os.stat(f"{checkout}/.git").st_uid != os.geteuid():
        answer = observe(checkout, ["rev-parse", "--git-dir"])
        if answer.code != 0:
            return [Finding(name, FAIL, first_error_line(answer.err) or "git cannot read it", "see the git message")]
    if not clone_config(checkout).get("remote", "origin", "url"):
        return [Finding(name, WARN, "no remote named origin", f"git -C {checkout} remote add origin URL")]
    return []


def _drifted(project: Project, listing: Listing, index: Index) -> list[str]:
    found = []
    for name in listing.clones:
        config = clone_config(project.clone(name))
        if config.get("remote", "origin", "url") and differing(config, index.settings, ("always",)):
            found.append(name)
    return found


def _config(drifted: list[str]) -> Finding:
    if drifted:
        message = f"managed keys differ in {shortened_list(drifted)}"
        return Finding("git config", WARN, message, f"orbit sync, or {_FIX}")
    return Finding("git config", OK, "managed keys are in place")


def _cards(project: Project, listing: Listing) -> list[Finding]:
    with os.scandir(project.pool) as entries:
        names = [e.name[1:-3] for e in entries if e.name[0] == "." and e.name.endswith(".md") and len(e.name) > 4]
    alone = sorted(set(names) - set(listing.clones))
    if alone:
        remedy = "clone the repository again, or delete the file"
        return [Finding("cards", WARN, f"without a clone: {shortened_list(alone)}", remedy)]
    return [Finding("cards", OK, f"{len(names)} cards, each with its clone")]


def _history(project: Project) -> Finding:
    """Whether every version of the cards can be read, and which cards two pools changed that nobody has merged."""
    look = f"git --git-dir {project.history} fsck"
    try:
        conflicts = open_conflicts(project)
    except OrbitError as error:
        return Finding("card history", WARN, error.message, look)
    if history.is_damaged(project):
        return Finding("card history", WARN, "no version can be read", look)
    if conflicts:
        repo, theirs = min(conflicts.items())
        message = f"two texts that nobody has merged: {shortened_list(sorted(conflicts))}"
        remedy = f"orbit memo {repo} --show {theirs[:12]}, merge, orbit memo {repo}"
        return Finding("card history", WARN, message, remedy)
    return Finding("card history", OK, "readable, nothing to merge")


def _locks(project: Project, locks: tuple[StaleLock, ...]) -> Finding:
    if not locks:
        return Finding("locks", OK, "none left behind")
    paths = [os.path.relpath(lock.path, project.root or "/") for lock in locks]
    return Finding("locks", WARN, f"left behind: {shortened_list(paths)}", _FIX)


def _links(links: Links) -> list[Finding]:
    found = []
    for moved, what in ((True, "moved by hand"), (False, "their .git files are missing or broken")):
        paths = [link.path for link in links.broken if link.moved is moved]
        if paths:
            found.append(Finding("worktrees", WARN, f"{what}: {shortened_list(paths)}", _FIX))
    if links.copied:
        message = f"copied, they share the git state of the first ones: {shortened_list(list(links.copied))}"
        found.append(Finding("worktrees", WARN, message, _ANEW))
    if links.orphaned:
        message = f"their registrations in the pool are gone: {shortened_list(list(links.orphaned))}"
        found.append(Finding("worktrees", WARN, message, _ANEW))
    if links.lost:
        names = [f"{lost.repo}/{lost.name}" for lost in links.lost]
        found.append(Finding("worktrees", INFO, f"registered, but their directories are gone: {shortened_list(names)}"))
    return found or [Finding("worktrees", OK, "every link holds")]


def _leftovers(project: Project, drafts: list[str], adds: list[str]) -> list[Finding]:
    names = os.listdir(project.pool)
    unfinished = [name for name in names if name.startswith(STAGING)]
    kept = [name for name in names if ".damaged-" in name]
    told = []
    if kept:
        told.append((INFO, f"copies of damaged files: {shortened_list(sorted(kept))}"))
    if unfinished:
        told.append((WARN, f"{len(unfinished)} unfinished clones (or clones under way)"))
    if adds:
        told.append((WARN, f"interrupted adds of {shortened_list(adds)}"))
    if drafts:
        shown = shortened_list([os.path.relpath(path, project.root or "/") for path in drafts])
        told.append((WARN, f"temporary files of killed calls: {shown}"))
    found = [Finding("leftovers", level, message, _FIX if level == WARN else "") for level, message in told]
    return found or [Finding("leftovers", OK, "none")]


def _cache(project: Project) -> Finding:
    size = _size(project.cache)
    if not is_sound(project.cache):
        return Finding("cache", WARN, "damaged", _FIX)
    return Finding("cache", OK, f"{size // 1024} KiB")


def _size(directory: str) -> int:
    return sum(os.lstat(f"{parent}/{name}").st_size for parent, _, names in os.walk(directory) for name in names)


def _hidden_cards(project: Project) -> list[Finding]:
    """A root inside a git repository whose ignore rules hide the cards: they would never be committed there."""
    probe = f"{project.pool}/.card.md"
    answer = observe(project.root or "/", ["check-ignore", "-q", probe])
    if answer.code == 0:
        return [Finding("cards", INFO, "the repository around this project ignores the cards (.repos/.*.md)")]
    return []


def _counts(project: Project, listing: Listing) -> Finding:
    return Finding("project", INFO, f"{len(listing.clones)} clones, {len(workspaces(project))} workspaces")

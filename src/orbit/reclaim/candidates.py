"""Which workspaces a prune is about: finished ones, and what is left of those whose directory is gone.

Contract: prune.md, Candidates.
"""

from __future__ import annotations

import os

from orbit.errors import OrbitError
from orbit.reclaim.duration import in_words
from orbit.reclaim.reading import is_gone
from orbit.reclaim.trash import items
from orbit.record import Record
from orbit.store.document import load
from orbit.text import safe_line
from orbit.workspace.metadata import metadata_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.places import Project
    from orbit.reclaim.survey import Survey
    from orbit.store.syntax import Config


class Candidates(Record):
    """Names of finished workspaces and of ghosts; `young`: finished ones that --older leaves alone, with their age."""

    live: tuple[str, ...] = ()
    ghosts: tuple[str, ...] = ()
    young: tuple[tuple[str, str], ...] = ()


def find_candidates(project: Project, survey: Survey, older: int, now: int) -> Candidates:
    """Everything finished for at least `older` seconds; ghosts, whose age nobody knows, only without such a limit.

    What lies in the trash is a removal under way. Raises OrbitError when the trash cannot be read.
    """
    with os.scandir(project.root or "/") as entries:
        names = sorted(e.name for e in entries if e.name[0] != "." and e.is_dir(follow_symlinks=False))
    live, young = [], []
    for name in names:
        loaded = load(project.metadata(name))
        if loaded.state != "ok" or not metadata_of(loaded.config).done:
            continue
        age = now - _since(project, name, loaded.config)
        if not older or age >= older:  # a clock that was ahead makes an age below nothing
            live.append(name)
        else:
            young.append((name, in_words(max(age, 0))))
    begun = {item.workspace for item in items(project)}
    ghosts = [] if older else [n for n in _left(project, survey) if n not in begun and _is_gone(project, n)]
    return Candidates(tuple(live), tuple(ghosts), tuple(young))


def named_candidate(project: Project, survey: Survey, name: str, older: int, now: int) -> Candidates:
    """The one that the user names. Raises OrbitError when it is no candidate, saying which rule it breaks."""
    name = name.rstrip("/")
    shown = safe_line(name) or "(empty)"
    if not name or "/" in name or name.startswith("."):
        raise OrbitError("prune", f"no such workspace: {shown}")
    path = project.workspace(name)
    if os.path.islink(path):
        raise OrbitError("prune", f"{shown} is a symbolic link")
    if os.path.isdir(path):
        loaded = load(project.metadata(name))
        if loaded.state != "ok":
            raise OrbitError("prune", f"{shown} exists but its metadata is missing or unreadable")
        if not metadata_of(loaded.config).done:
            raise OrbitError("prune", f"{shown} exists but is not marked done")
        age = now - _since(project, name, loaded.config)
        if older and age < older:
            return Candidates(young=((name, in_words(max(age, 0))),))
        return Candidates(live=(name,))
    if name not in _left(project, survey) or not _is_gone(project, name):
        raise OrbitError("prune", f"no such workspace: {shown}")
    return Candidates(ghosts=(name,))


def _since(project: Project, name: str, config: Config) -> int:
    """When it was done, else made, else last touched; in seconds since 1970."""
    for key in ("done-at", "created"):
        value = config.get("workspace", None, key) or ""
        if value.isascii() and value.isdecimal() and 0 < len(value) < 18:
            return int(value)
    return int(os.stat(project.workspace(name)).st_mtime)


def _left(project: Project, survey: Survey) -> list[str]:
    """Workspaces that the pool knows of: by a scoped branch, or by a worktree that was directly in one."""
    root = project.root.rstrip("/") + "/"
    places = (entry.path for clone in survey.clones for entry in clone.registered)
    parts = [place[len(root) :].split("/") for place in places if place.startswith(root)]
    return sorted({*survey.workspaces(), *(part[0] for part in parts if len(part) > 1 and not part[0].startswith("."))})


def _is_gone(project: Project, name: str) -> bool:
    return is_gone(project.workspace(name))

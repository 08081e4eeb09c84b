"""Which directories below one that the user named are git repositories. Files only; git is not started.

Contract: commands.md, import-dir.
"""

from __future__ import annotations

import os

from orbit.git.files import common_dir, git_dir
from orbit.record import Record

DEPTH = 2


class Found(Record):
    """What was found below a directory, each part in the order of the paths.

    `links` are symbolic links to repositories (path, target), `unreadable` directories with the reason.
    """

    places: tuple[str, ...]
    links: tuple[tuple[str, str], ...] = ()
    unreadable: tuple[tuple[str, str], ...] = ()


class _Search:
    def __init__(self, besides: str) -> None:
        self.besides = besides
        self.places: list[str] = []
        self.links: list[tuple[str, str]] = []
        self.unreadable: list[tuple[str, str]] = []


def find_repositories(directory: str, besides: str = "") -> Found:
    """`directory` itself and those one or two levels below it.

    Below a repository that is found on the way nothing is looked for; neither are hidden directories, what lies behind
    symbolic links, nor the directory `besides`.
    """
    search = _Search(besides)
    _look(search, directory, 0)
    return Found(tuple(search.places), tuple(search.links), tuple(search.unreadable))


def _look(search: _Search, directory: str, depth: int) -> None:
    if is_repository(directory):
        search.places.append(directory)
        if depth or not os.path.lexists(f"{directory}/.git"):
            return
    if depth == DEPTH:
        return
    try:
        with os.scandir(directory) as entries:
            children = sorted((entry for entry in entries if entry.name[0] != "."), key=lambda entry: entry.name)
    except OSError as problem:
        search.unreadable.append((directory, problem.strerror or str(problem)))
        return
    for child in children:
        if child.is_symlink():
            if is_repository(child.path):
                search.links.append((child.path, os.path.realpath(child.path)))
        elif child.is_dir(follow_symlinks=False) and child.path != search.besides:
            _look(search, child.path, depth + 1)


def is_repository(path: str) -> bool:
    """Has a `.git`, or is laid out like a bare repository; whether git could read it is another question."""
    return os.path.lexists(f"{path}/.git") or is_bare(path)


def is_bare(path: str) -> bool:
    return os.path.isfile(f"{path}/HEAD") and os.path.isdir(f"{path}/objects") and os.path.isdir(f"{path}/refs")


def linked_to(place: str) -> str:
    """The git directory that a linked worktree shares with its main one, "" for what is no linked worktree."""
    directory = git_dir(place)
    if directory is None:
        return ""
    common = common_dir(directory)
    return "" if common == directory else common


def submodule_of(place: str, top: str) -> bool:
    """Whether `place` is a checkout of a submodule of the repository at `top`."""
    directory, above = git_dir(place), git_dir(top)
    if directory is None or above is None or os.path.isdir(f"{place}/.git"):
        return False
    return os.path.realpath(directory).startswith(f"{os.path.realpath(common_dir(above))}/modules/")

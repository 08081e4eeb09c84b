"""The pool clone of one remote, and what one sync of it gives."""

from __future__ import annotations

from orbit.git.files import Head, read_head
from orbit.places import Project
from orbit.pool.sync import Synced, sync_one
from orbit.store.settings import read_settings
from orbit.store.syntax import parse
from world import Origin, World

FULL_MAP = "+refs/heads/*:refs/remotes/origin/*"
NARROW = "+refs/heads/main:refs/remotes/origin/main"


class OnePool:
    """The clone of `backend` and its remote."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.project = Project(str(world.root))
        self.path = world.clone()
        self.origin: Origin = world.origins["backend"]

    def sync(self, text: str = "") -> Synced:
        return sync_one(self.project, "backend", read_settings(parse(text)))

    def git(self, *args: str) -> str:
        return self.world.git(self.path, *args)

    def commit(self, name: str = "own") -> str:
        """A commit of the pool clone's own."""
        (self.path / name).write_text("x")
        self.git("add", name)
        self.git("commit", "-q", "-m", "Own")
        return self.git("rev-parse", "HEAD")

    def refs(self, below: str = "refs/remotes/origin") -> list[str]:
        names = self.git("for-each-ref", "--format=%(refname:lstrip=3)", below).split("\n")
        return [name for name in names if name != "HEAD"]

    def head(self) -> Head:
        found = read_head(str(self.path))
        assert found is not None
        return found


def told(synced: Synced) -> list[str]:
    return [notice.line for notice in synced.notices]

"""A project in which every command has something to do, the same before each call."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from cards import card
from world import Outcome, Template, World, clone_repository, environment, fast_import


class Scene(NamedTuple):
    """A project in which every command has something to do, put back as it was before each call."""

    world: World
    saved: Path
    words: dict[str, tuple[Path, tuple[str, ...]]]

    def restore(self) -> None:
        for name in ("root", "remotes"):
            shutil.rmtree(self.world.base / name, ignore_errors=True)
            shutil.copytree(self.saved / name, self.world.base / name, symlinks=True)

    def run(self, name: str) -> Outcome:
        cwd, words = self.words[name]
        return self.world.orbit(*words, cwd=cwd, env={"ORBIT_JOBS": "1"})


@contextmanager
def built(template: Template, base: Path) -> Iterator[Scene]:
    with environment({"GIT_AUTHOR_DATE": None, "GIT_COMMITTER_DATE": None}):
        world = World(base, template)
        task = world.root / "task-01"
        for name in ("backend", "frontend"):
            world.clone(name)
        world.orbit("doctor", "--fix")
        world.orbit("new", "A goal", "--name", "task-01")
        world.orbit("add", "backend", cwd=task)
        world.orbit("memo", "backend", "--text", card(), cwd=task)
        first = world.git(world.pool, "--git-dir", ".cards.git", "rev-parse", "main:backend.md")
        world.orbit("memo", "backend", "--text", card("Another one."), cwd=task)
        world.orbit("jot", "backend", "one", cwd=task)
        world.orbit("jot", "backend", "--pop", cwd=task)
        world.orbit("jot", "backend", "two", cwd=task)
        world.orbit("config", "memo.maxLines", "80")
        world.origins["backend"].commit({"new.txt": "new\n"})
        third = world.origin("third")
        world.origin("empty", empty=True)
        world.origin("fourth")
        clone_repository(world.origins["fourth"].url, world.remotes / "on-disk")
        shared = world.remotes / "cards.git"
        shutil.copytree(world.pool / ".cards.git", shared)
        fast_import(shared, "main", {"frontend.md": card("Shared by others.")}, "frontend: write", world.tick())
        for name in ("root", "remotes"):
            shutil.copytree(world.base / name, base / "saved" / name, symlinks=True)
        yield Scene(world, base / "saved", commands(world.root, task, first, third.url))


@contextmanager
def populated(template: Template, base: Path, *more: tuple[str, ...]) -> Iterator[World]:
    """A project with a workspace, a worktree, a card and a jot, then `more` typed in the workspace; `put_back` has it
    as it was.
    """
    with environment({"GIT_AUTHOR_DATE": None, "GIT_COMMITTER_DATE": None, "ORBIT_JOBS": "1"}):
        made = World(base, template)
        task = made.populated()
        made.orbit("doctor", "--fix")
        for words in (("memo", "backend", "--text", card("First.")), ("jot", "backend", "one"), *more):
            made.orbit(*words, cwd=task)
        shutil.copytree(made.root, made.base / "saved", symlinks=True)
        yield made


def put_back(world: World) -> Path:
    """The workspace of a populated project, as it was."""
    shutil.rmtree(world.root)
    shutil.copytree(world.base / "saved", world.root, symlinks=True)
    return world.root / "task-01"


def commands(root: Path, task: Path, revision: str, url: str) -> dict[str, tuple[Path, tuple[str, ...]]]:
    return {
        "new": (root, ("new", "Do it")),
        "goal": (task, ("goal", "Other")),
        "goal --clear": (task, ("goal", "--clear")),
        "done": (task, ("done", "--pr", "https://example.com/pull/1")),
        "jot": (task, ("jot", "backend", "three")),
        "jot --pop": (task, ("jot", "backend", "--pop")),
        "jot --requeue": (task, ("jot", "backend", "--requeue")),
        "memo": (task, ("memo", "backend", "--text", card("Third."))),
        "memo, the first": (task, ("memo", "frontend", "--text", card("First."))),
        "memo --refresh": (root, ("memo", "backend", "--refresh")),
        "memo --restore": (root, ("memo", "backend", "--restore", revision)),
        "memo alone": (root, ("memo",)),
        "memo --pull": (root, ("memo", "--pull", str(root.parent / "remotes" / "cards.git"))),
        "memo --push": (root, ("memo", "--push", str(root.parent / "remotes" / "empty.git"))),
        "import-dir": (root, ("import-dir", str(root.parent / "remotes" / "on-disk"))),
        "report --html": (root, ("report", "--html", str(root / "report.html"))),
        "config": (root, ("config", "memo.maxLines", "70")),
        "config --unset": (root, ("config", "--unset", "memo.maxLines")),
        "add": (task, ("add", "frontend")),
        "switch -c": (task, ("switch", "backend", "-c", "topic")),
        "clone": (root, ("clone", url)),
        "sync": (root, ("sync",)),
        "doctor --fix": (root, ("doctor", "--fix")),
        "repos": (root, ("repos",)),
        "context": (task, ("context", "--startup")),
    }


NAMES = list(commands(Path("/"), Path("/"), "", ""))


def reading(root: Path, task: Path) -> dict[str, tuple[Path, tuple[str, ...]]]:
    """The commands that change nothing but what can be derived."""
    return {
        "repos --json": (root, ("repos", "--json")),
        "repos WORD": (task, ("repos", "service")),
        "info": (task, ("info", "backend")),
        "info --json": (root, ("info", "backend", "--json")),
        "status": (task, ("status",)),
        "status --json": (task, ("status", "--json")),
        "context": (task, ("context",)),
        "context --prime": (task, ("context", "--prime")),
        "context --reignite": (task, ("context", "--reignite")),
        "context goal": (task, ("context", "goal")),
        "jot --list": (task, ("jot", "backend", "--list")),
        "memo --check": (task, ("memo", "backend", "--check")),
        "memo --log": (task, ("memo", "backend", "--log")),
        "config --list": (root, ("config",)),
        "doctor": (task, ("doctor",)),
        "prune --dry-run": (root, ("prune", "--dry-run")),
        "report": (root, ("report",)),
        "version": (root, ("version",)),
    }

"""Every start of git, by every command, goes wrong once: nothing is lost, half made, left behind or made up.

The suite takes one of each command that starts git, `make soak` takes all, each in two ways that the seed draws.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from reliability.aftermath import clean_run, ends_badly, losses
from reliability.amount import SOAK, drawn
from reliability.readers import State
from reliability.scene import NAMES, Scene, built, reading
from reliability.starts import WAYS, Starts, starts
from world import Outcome, Template

READING = ("repos", "context", *reading(Path("/"), Path("/")))
REASONS = ("cannot start git", "not on PATH", "by signal 9", "out of memory", "git cannot")
WRITING = [name for name in NAMES if name not in READING]


@pytest.fixture(scope="module")
def scene(template: Template, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with built(template, tmp_path_factory.mktemp("scene")) as made:
        yield made


@pytest.fixture(scope="module")
def stale(template: Template, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """Nothing can be told from files and caches alone: cards behind their clones, refs and READMEs for git to read."""
    with built(template, tmp_path_factory.mktemp("stale")) as made:
        world, task = made.world, made.world.root / "task-01"
        world.orbit("memo", "frontend", "--text", (world.pool / ".backend.md").read_text())
        for name in ("backend", "frontend"):
            world.origins[name].commit({"src/app.py": "print(3)\n"})
        assert world.orbit("sync").code == 0
        world.origins["backend"].commit({"src/app.py": "print(4)\n"})
        world.git(world.pool / "backend", "fetch", "-q", "origin")
        (world.pool / "frontend" / ".git" / "HEAD").unlink()
        (world.pool / "frontend" / ".git" / "HEAD").symlink_to("refs/heads/main")
        world.clone("third")
        world.git(world.pool / "third", "sparse-checkout", "set", "--no-cone", "src")
        shutil.rmtree(world.pool / ".cache")
        for name in ("root", "remotes"):
            shutil.rmtree(made.saved / name)
            shutil.copytree(world.base / name, made.saved / name, symlinks=True)
        words = reading(world.root, task)
        for name in ("info", "info --json", "memo --check"):
            words[f"{name}, frontend"] = (task, tuple({"backend": "frontend"}.get(w, w) for w in words[name][1]))
        words["info, third"] = (task, ("info", "third"))
        yield made._replace(words={**words, "repos": made.words["repos"], "context": made.words["context"]})


@pytest.mark.parametrize("name", WRITING)
def test_nothing_is_lost_when_git_does_not_work(scene: Scene, name: str) -> None:
    chance = drawn(name)
    log, states = clean_run(scene, name, starts)
    wrong: list[str] = []
    for number, way in chosen(chance, len(log)):
        scene.restore()
        with starts(number, way) as watched:
            outcome = scene.run(name)
        where = f"{name} {number}: {watched.failed} {way}: {outcome}"
        wrong += [f"{fault}: {where}" for fault in faults(scene, name, watched, outcome, states)]
    assert not wrong, "\n" + "\n".join(wrong)


def chosen(chance: random.Random, count: int) -> Iterator[tuple[int, str]]:
    """(start, way to go wrong): one of each command, or all starts, each in two ways."""
    if SOAK:
        yield from ((number, way) for number in range(1, count + 1) for way in chance.sample(WAYS, 2))
    elif count:
        yield chance.randint(1, count), chance.choice(WAYS)


def faults(scene: Scene, name: str, watched: Starts, outcome: Outcome, states: tuple[State, State]) -> Iterator[str]:
    if ends_badly(outcome):
        yield "no clear end"
    if outcome.code == 1:
        told = outcome.out + outcome.err
        if not any(reason in told for reason in REASONS):
            yield "the reason is not told"
    yield from losses(scene, name, outcome, states)


@pytest.mark.parametrize("name", ["repos", "context", *reading(Path("/"), Path("/"))])
def test_nothing_is_made_up_when_git_does_not_work(stale: Scene, name: str) -> None:
    chance = drawn(name)
    wrong: list[str] = []
    for named in [one for one in stale.words if one.split(",")[0] == name]:
        stale.restore()
        with starts() as counted:
            clean = stale.run(named)
        assert clean.code == 0, clean
        for number, way in chosen(chance, len(counted.log)):
            stale.restore()
            with starts(number, way) as watched:
                outcome = stale.run(named)
            where = f"{named} {number}: {watched.failed} {way}: {outcome}, not {clean}"
            wrong += [f"{fault}: {where}" for fault in inventions(outcome, clean)]
            again = stale.run(named)
            if again != clean:
                wrong.append(f"remembered: {where}, again {again}")
    assert not wrong, "\n" + "\n".join(wrong)


def inventions(outcome: Outcome, clean: Outcome) -> Iterator[str]:
    """What a reader says that it cannot know."""
    if ends_badly(outcome):
        yield "no clear end"
    known = (clean.out + clean.err).splitlines()
    new = [line for line in (outcome.out + outcome.err).splitlines() if line not in known]
    told = any(word in line for line in new for word in ("git", "unknown", "cannot", "out of memory", "? behind"))
    if (outcome.out != clean.out or outcome.code) and not told:
        yield "not told"

"""`kill -9` at random moments over every command that writes: what was confirmed stands, the next call works.

What is left is read with plain git and plain files. `make soak` makes it three hundred rounds and more.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from cards import card
from reliability.amount import SOAK, drawn
from reliability.readers import State, leftovers, read_state
from reliability.scene import Scene, built
from world import Template, run_git

ROUNDS = 20 if SOAK else 1
WRITERS = (
    "new",
    "goal",
    "done",
    "jot",
    "jot --pop",
    "jot --requeue",
    "memo",
    "memo --refresh",
    "memo --restore",
    "memo alone",
    "config",
    "config --unset",
    "add",
    "switch -c",
    "clone",
    "sync",
    "doctor --fix",
)
# What a killed call may have left half done, and a reader sees: each part is whole by itself.
STEPS = {
    "memo": ("history", "card", "row", "queue"),
    "memo --restore": ("history", "card", "row"),
    "clone": ("row", "trees"),
    "add": ("trees",),
    "switch -c": ("trees",),
    "sync": ("trees",),
    "new": ("words",),
}


@pytest.fixture(scope="module")
def scene(template: Template, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with built(template, tmp_path_factory.mktemp("scene")) as made:
        yield made


def kill_after(seconds: float, words: tuple[str, ...], cwd: Path) -> tuple[int, str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "orbit", *words], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    out, _ = process.communicate(timeout=120)
    timer.cancel()
    timer.join()
    return process.returncode, out.decode()


def duration(scene: Scene, name: str) -> float:
    cwd, words = scene.words[name]
    begun = time.monotonic()
    code, _ = kill_after(60, words, cwd)
    assert code == 0
    return time.monotonic() - begun


@pytest.mark.parametrize("name", WRITERS)
def test_a_killed_command(scene: Scene, name: str) -> None:
    chance = drawn(name)
    scene.restore()
    before = read_state(scene.world)
    seconds = duration(scene, name)
    after = read_state(scene.world)
    cwd, words = scene.words[name]
    for _ in range(ROUNDS):
        scene.restore()
        moment = chance.uniform(0.2, 1.05) * seconds
        code, out = kill_after(moment, words, cwd)
        settled(scene)
        found = read_state(scene.world)
        where = f"{name} killed after {moment:.3f} of {seconds:.3f} s: {code} {out!r}"
        if code == 0:
            assert found == after, where
        else:
            between(found, before, after, STEPS.get(name, ()), where)
        if chance.random() < 0.5:  # the repairs alone leave nothing behind either
            scene.run("doctor --fix")
            assert leftovers(scene.world) == [], where
        again = scene.run(name)
        assert again.code == 0 or (name in ("clone", "add") and "already" in again.err), (where, again)
        scene.run("doctor --fix")
        assert leftovers(scene.world) == [], where
        final = read_state(scene.world)
        assert final.card in (before.card, after.card), where
        assert all(line in final.row for line in before.row if ".url=" in line), where
        run_git(scene.world.pool, "--git-dir", ".cards.git", "fsck", "--strict")


def settled(scene: Scene) -> None:
    """The git of a killed call may live a little longer."""
    import psutil

    root = str(scene.world.base)
    for process in psutil.process_iter(["name", "cmdline"]):
        if process.info["name"] == "git" and any(root in word for word in process.info["cmdline"] or ()):
            try:
                process.wait(timeout=30)
            except psutil.NoSuchProcess:
                continue


def between(found: State, before: State, after: State, steps: tuple[str, ...], where: str) -> None:
    """Every part is the old one or the new one; the parts that one write changes are all old or all new."""
    for part in State._fields:
        mine, old, new = getattr(found, part), getattr(before, part), getattr(after, part)
        if part == "trees" and part in steps:
            continue  # git's own steps; the next call ends them well
        if part == "words" and part in steps:
            assert set(old) <= set(mine), where
            continue
        if part == "row" and part in steps:
            assert set(mine) <= {*old, *new}, where
            continue
        assert mine in (old, new), f"{part}: {where}"


def test_a_chain_of_killed_calls(scene: Scene) -> None:
    """Calls of all kinds, each killed at some moment, on one project that is never put back."""
    chance = drawn()
    scene.restore()
    task = scene.world.root / "task-01"
    texts: list[str] = []
    confirmed: list[str] = []
    cards = [(scene.world.pool / ".backend.md").read_text()]
    for number in range(300 if SOAK else 12):
        text, written = f"jot number {number}", card(f"Text number {number}.")
        words = chance.choice(
            [
                ("jot", "backend", text),
                ("jot", "backend", "--pop"),
                ("jot", "backend", "--requeue"),
                ("memo", "backend", "--text", written),
                ("goal", f"Goal {number}"),
                ("config", "memo.maxLines", str(70 + number % 9)),
                ("memo", "backend", "--refresh"),
                ("done",),
            ]
        )
        code, _ = kill_after(chance.uniform(0.04, 0.35), words, task)
        if words[-1] == text:
            texts.append(text)
            confirmed += [text] if code == 0 else []
        if words[-1] == written:
            cards = [written] if code == 0 else [*cards, written]
    queue = [line.split("=", 1)[1] for line in read_state(scene.world).queue]
    log = run_git(scene.world.pool, "--git-dir", ".cards.git", "log", "--format=%B", "main")
    for text in confirmed:
        # Waiting, in flight, or settled by a card, whose message has it.
        assert queue.count(text) == 1 or f"- {text}\n" in f"{log}\n", text
    assert {text for text in queue if text.startswith("jot number")} <= set(texts)
    assert scene.run("doctor --fix").code == 0
    assert leftovers(scene.world) == []
    assert (scene.world.pool / ".backend.md").read_text() in cards

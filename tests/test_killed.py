"""`kill -9` at random moments: nothing confirmed is lost, nothing half-made shows, the next call works.

What is left is looked at with plain git and file reads. ORBIT_SOAK=1 makes it three hundred rounds.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from orbit.git.files import read_head
from shared_pools import another_pool, card_of, cards_remote, write
from world import World

ROUNDS = 300 if os.environ.get("ORBIT_SOAK") else 10
SEED = 20_261


def kill_after(seconds: float, words: list[str], cwd: Path) -> bool:
    """Start orbit, kill it after so long; whether it was still running."""
    process = subprocess.Popen(
        [sys.executable, "-m", "orbit", *words], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    process.communicate(timeout=60)
    timer.cancel()
    timer.join()
    return process.returncode == -9


def shown(world: World) -> list[str]:
    """The directories that any command sees in the pool."""
    return sorted(path.name for path in world.pool.iterdir() if path.is_dir() and not path.name.startswith("."))


@pytest.fixture
def chance() -> random.Random:
    print(f"seed {SEED}")
    return random.Random(SEED)


def test_clone(world: World, chance: random.Random) -> None:
    origin = world.origin(files={f"src/{n}.txt": "x" * 5000 + str(n) for n in range(200)})
    killed = 0
    for number in range(ROUNDS):
        name = f"repo-{number}"
        before = shown(world)
        dead = kill_after(chance.uniform(0.05, 0.4), ["clone", f"file://{origin.path}", "--name", name], world.root)
        killed += dead
        after = shown(world)
        assert after in (before, sorted([*before, name]))
        if name in after:
            head = read_head(str(world.pool / name))
            assert head is not None
            assert head.sha == origin.sha()
            assert world.git(world.pool / name, "status", "--porcelain") == ""
        if (world.pool / ".orbit").exists():
            world.git(world.root, "config", "--file", ".repos/.orbit", "--list")
    assert killed
    last = world.orbit("clone", f"file://{origin.path}", "--name", "last")
    assert (last.code, last.out) == (0, "cloned last (default branch: main)\n")
    # The git of a killed orbit lives on until its clone is complete, and fills what was swept meanwhile.
    for _ in range(100):
        world.orbit("doctor", "--fix")
        if not [path for path in world.pool.iterdir() if path.name.startswith(".clone-")]:
            break
    else:
        pytest.fail("a killed clone left something for ever")


def test_memo(world: World, chance: random.Random) -> None:
    """The card is one of the texts, whole; every confirmed one is in the history."""
    world.clone()
    confirmed = []
    for number in range(ROUNDS):
        text = f"# backend\n\nText number {number} says what it is.\n"
        if not kill_after(chance.uniform(0.05, 0.4), ["memo", "backend", "--text", text], world.root):
            confirmed.append(text)
        card = world.pool / ".backend.md"
        if card.exists():
            assert card.read_text().startswith("# backend\n\nText number ")
            assert card.read_text().endswith(" says what it is.\n")
    assert world.orbit("memo", "backend", "--text", "# backend\n\nThe last text.\n").code == 0
    history = f"{world.pool}/.cards.git"
    log = world.git(world.base, "--git-dir", history, "log", "-p", "--format=", "main", "--", "backend.md")
    for text in confirmed:
        assert f"+{text.splitlines()[2]}" in log
    assert world.git(world.base, "--git-dir", history, "fsck", "--strict") == ""
    assert sorted(path.name for path in world.pool.iterdir() if path.name.endswith((".lock", ".new"))) == []


def test_jot(world: World, chance: random.Random) -> None:
    """Every confirmed entry is in the queue, once, in order."""
    world.clone()
    task = world.workspace()
    world.worktree()
    texts = [f"jot {number}" for number in range(ROUNDS)]
    confirmed = [text for text in texts if not kill_after(chance.uniform(0.03, 0.15), ["jot", "backend", text], task)]
    assert world.orbit("jot", "backend", "the last", cwd=task).code == 0
    queue = world.git(task, "config", "--file", ".orbit", "--get-all", "jot.backend.entry").splitlines()
    assert len(queue) == len(set(queue))
    assert [entry for entry in queue if entry in {*confirmed, "the last"}] == [*confirmed, "the last"]
    assert sorted(path.name for path in task.iterdir()) == [".orbit", "backend"]


def test_pull(world: World, chance: random.Random) -> None:
    """A card is whole and one of theirs; the next pull that is left alone has the last one, and nothing to merge."""
    world.clone()
    other = another_pool(world, "other", "backend")
    remote = str(cards_remote(world))
    sent, killed = [], 0
    for number in range(ROUNDS):
        sent.append(write(other, f"Text number {number} says what it is."))
        assert other.orbit("memo", "--push", remote).code == 0
        killed += kill_after(chance.uniform(0.1, 0.5), ["memo", "--pull", remote], world.root)
        assert not (world.pool / ".backend.md").exists() or card_of(world) in sent
    assert killed
    last = world.orbit("memo", "--pull", remote)
    assert last.code == 0
    assert "to merge" not in last.out
    assert card_of(world) == sent[-1]
    assert world.git(world.pool / ".cards.git", "fsck", "--strict") == ""
    assert world.orbit("memo", "--push", remote).code == 0
    # A pull that has nothing to write takes no lock, so a dead one's may wait for the next writer.
    assert world.orbit("memo", "backend", "--text", sent[0]).code == 0
    assert sorted(path.name for path in world.pool.iterdir() if path.name.endswith((".lock", ".new"))) == []

"""Many processes at one queue and one card, and a pop whose output goes wrong: nothing is lost, nothing comes twice.

`ORBIT_SOAK=1` runs the long form.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cards import card
from orbit.knowledge.card import revision
from orbit.knowledge.history import read_versions
from orbit.knowledge.jots import Queue
from orbit.places import Project
from orbit.store.document import load
from processes import finish, patiently, start
from queues import queue
from world import Outcome, World, run_git

SOAK = os.environ.get("ORBIT_SOAK") == "1"
PUSHERS, JOTS = (50, 20) if SOAK else (8, 6)
WRITERS = 40 if SOAK else 8
IN_FLIGHT = "orbit: backend: {} popped, not merged: memo backend, or jot backend --requeue\n"


@pytest.fixture
def task(world: World) -> Path:
    world.clone()
    return world.workspace()


def fill(task: Path, *entries: str) -> None:
    lines = "".join(f"\tentry = {text}\n" for text in entries)
    (task / ".orbit").write_text(f'[jot "backend"]\n{lines}')


def pop(task: Path) -> list[str]:
    outcome = patiently(task, "jot", "backend", "--pop", "--json")
    assert outcome.code == 0, outcome.err
    entries = outcome.json()["entries"]
    assert isinstance(entries, list)
    return entries


def tidy(directory: Path) -> list[str]:
    """What lies there besides repositories: a lock or a half-written file would show."""
    return sorted(name for name in os.listdir(directory) if name[0] == ".")


def test_every_jot_is_taken_once(task: Path) -> None:
    """Workers queue one text after the other, each by a process of its own, while two others pop."""
    texts = [[f"worker {worker} says {number}" for number in range(JOTS)] for worker in range(PUSHERS)]

    def push_all(mine: list[str]) -> list[int]:
        return [patiently(task, "jot", "backend", text).code for text in mine]

    def pop_until_they_end() -> list[str]:
        taken = pop(task)
        while not all(worker.done() for worker in workers):
            taken += pop(task)
        return taken

    assert finish(start(task, "jot", "backend", "first")).code == 0
    with ThreadPoolExecutor(PUSHERS + 2) as threads:
        workers = [threads.submit(push_all, mine) for mine in texts]
        poppers = [threads.submit(pop_until_they_end) for _ in range(2)]
        assert [worker.result() for worker in workers] == [[0] * JOTS] * PUSHERS
        taken = [text for popper in poppers for text in popper.result()]
    taken += pop(task)
    assert sorted(taken) == sorted(["first", *(text for mine in texts for text in mine)])
    assert sorted(queue(task).popped) == sorted(taken)
    assert queue(task).entries == ()
    for mine in texts:
        assert [text for text in queue(task).popped if text in mine] == mine
    assert tidy(task) == [".orbit"]


def write_at_once(task: Path, calls: list[list[str]]) -> list[Outcome]:
    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(lambda words: patiently(task, "memo", "backend", *words), calls))


def test_a_card_is_one_of_those_written_at_once(world: World, task: Path) -> None:
    texts = [card(f"Writer {number} says what it is.", paths=1 + number % 7) for number in range(WRITERS)]
    for number, outcome in enumerate(write_at_once(task, [["--text", text] for text in texts])):
        wrote = f"wrote memo for backend (brief: Writer {number} says what it is.)\n"
        assert outcome == Outcome(0, wrote, f"orbit: backend: revision {revision(texts[number].encode())[:12]}\n")
    last = (world.pool / ".backend.md").read_text()
    assert last in texts
    row = load(f"{world.pool}/.orbit").config.table("repos")["backend"]
    assert row == {
        "url": world.origins["backend"].url,
        "brief": f"Writer {texts.index(last)} says what it is.",
        "head": run_git(world.pool / "backend", "rev-parse", "HEAD"),
        "card": revision(last.encode()),
    }
    assert tidy(world.pool) == [".backend.md", ".cards.git", ".orbit"]
    assert tidy(task) == []
    kept = [version.revision for version in read_versions(Project(str(world.root)), "backend")]
    assert sorted(kept) == sorted(revision(text.encode()) for text in texts)
    assert kept[0] == revision(last.encode())


def test_of_those_that_expect_the_same_card_one_writes(world: World, task: Path) -> None:
    texts = [card(f"Writer {number} says what it is.") for number in range(WRITERS)]
    outcomes = write_at_once(task, [["--expect", "none", "--text", text] for text in texts])
    (winner,) = [number for number, outcome in enumerate(outcomes) if outcome.code == 0]
    assert (world.pool / ".backend.md").read_text() == texts[winner]
    for outcome in outcomes[:winner] + outcomes[winner + 1 :]:
        assert (outcome.code, outcome.out) == (1, "")
        assert outcome.err.startswith("orbit: backend: the card changed since none, there is one now, nothing was")


def test_a_pop_into_a_closed_pipe(task: Path) -> None:
    fill(task, "a", "b")
    before = (task / ".orbit").read_bytes()
    reading, writing = os.pipe()
    os.close(reading)
    outcome = finish(start(task, "jot", "backend", "--pop", stdout=writing))
    os.close(writing)
    assert outcome == Outcome(141, "", "")
    assert (task / ".orbit").read_bytes() == before
    assert pop(task) == ["a", "b"]


def test_a_pop_into_a_full_device(task: Path) -> None:
    fill(task, "a", "b")
    before = (task / ".orbit").read_bytes()
    with open("/dev/full", "wb") as full:
        outcome = finish(start(task, "jot", "backend", "--pop", stdout=full.fileno()))
    assert outcome == Outcome(1, "", "orbit: stdout: cannot write: No space left on device\n")
    assert (task / ".orbit").read_bytes() == before
    assert pop(task) == ["a", "b"]


def test_a_pop_without_a_stdout(task: Path) -> None:
    fill(task, "a", "b")
    before = (task / ".orbit").read_bytes()
    closed = ["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-m", "orbit", "jot", "backend", "--pop"]
    ended = subprocess.run(closed, cwd=task, capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (141, b"")
    assert (task / ".orbit").read_bytes() == before
    assert pop(task) == ["a", "b"]


LONG = [f"{number:02d}" + "x" * 3990 for number in range(40)]
"""More than a pipe holds, so that a pop whose reader is slow is held up while it prints."""


def _first_bytes(popper: subprocess.Popen[bytes]) -> str:
    """Two characters of what it prints; from then on it is printing until the rest is read."""
    assert popper.stdout is not None
    return os.read(popper.stdout.fileno(), 2).decode()


def test_a_pop_that_is_killed_while_it_prints(task: Path) -> None:
    fill(task, *LONG)
    popper = start(task, "jot", "backend", "--pop")
    assert _first_bytes(popper) == "00"
    assert finish(start(task, "jot", "backend", "pushes go on")) == Outcome(
        0, "", "orbit: backend: 41 jots (overflow): jot backend --pop, merge, memo backend\n"
    )
    popper.send_signal(signal.SIGKILL)
    popper.communicate()
    assert queue(task) == Queue((*LONG, "pushes go on"))
    assert pop(task) == [*LONG, "pushes go on"]
    assert tidy(task) == [".orbit"]


def test_what_is_pushed_while_a_pop_prints_is_not_swallowed(task: Path) -> None:
    fill(task, *LONG)
    popper = start(task, "jot", "backend", "--pop")
    begun = _first_bytes(popper)
    late = [LONG[0], "late"]
    for text in late:
        assert finish(start(task, "jot", "backend", text)).code == 0
    second = start(task, "jot", "backend", "--pop")
    outcome = finish(popper)
    assert begun + outcome.out == "".join(f"{text}\n" for text in LONG)
    assert outcome == Outcome(0, outcome.out, IN_FLIGHT.format(40))
    assert finish(second) == Outcome(0, "".join(f"{text}\n" for text in late), IN_FLIGHT.format(42))
    assert queue(task).popped == (*LONG, *late)

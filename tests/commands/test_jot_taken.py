"""Listing a queue, taking it, putting it back."""

from __future__ import annotations

import errno
import io
import json
import os
import shutil
from pathlib import Path

import pytest

from orbit.cli.main import run
from orbit.cli.render import Streams
from orbit.knowledge.jots import Queue
from orbit.places import World as Surroundings
from queues import fill, popped, queue, waiting
from store.faults import Patched, failing, system_error
from world import Outcome, World


@pytest.fixture
def task(world: World) -> Path:
    """A workspace with one worktree, backend; the pool holds web too."""
    world.clone()
    world.clone("web")
    world.workspace()
    return world.worktree().parent


ODD = ("plain", "two\nlines\r\nand more", "tab\there \x1b[31mred\x1b[0m \x07 \u202eevil", " blanks ")
SHOWN = "plain\ntwo\\nlines\\nand more\n"


def test_a_list_shows_and_takes_nothing(task: Path, world: World) -> None:
    fill(task, ODD)
    before = (task / ".orbit").read_bytes()
    for words in (["--list"], ["backend", "--list"], ["--list", "backend/"]):
        outcome = world.orbit("jot", *words, cwd=task)
        assert (outcome.code, outcome.err) == (0, "")
        assert outcome.out.startswith(SHOWN)
        assert outcome.out.count("\n") == 4
        assert outcome.out.replace("\n", "").isprintable()
        assert outcome.out.endswith("\n blanks \n")
    outcome = world.orbit("jot", "--list", "--json", cwd=task)
    assert outcome.json() == {"repo": "backend", "entries": list(ODD), "count": 4, "popped": 0}
    assert (task / ".orbit").read_bytes() == before


def test_a_pop_hands_everything_out_once(task: Path, world: World) -> None:
    fill(task, ODD)
    outcome = world.orbit("jot", "--pop", cwd=task / "backend")
    assert outcome.out.startswith(SHOWN)
    in_flight = "orbit: backend: 4 popped, not merged: memo backend, or jot backend --requeue\n"
    assert (outcome.code, outcome.err) == (0, in_flight)
    assert (queue(task).entries, queue(task).popped) == ((), ODD)
    assert all(at > 1_600_000_000_000 for at in queue(task).popped_at)
    assert world.orbit("jot", "--pop", cwd=task) == Outcome(0, "", in_flight)
    assert world.orbit("jot", "--list", cwd=task) == Outcome(0, "", in_flight)
    assert popped(task) == ODD


def test_a_pop_as_json(task: Path, world: World) -> None:
    fill(task, ODD, ("earlier",))
    outcome = world.orbit("jot", "backend", "--pop", "--json", cwd=task)
    assert outcome.json() == {"repo": "backend", "entries": list(ODD), "count": 4, "popped": 5}
    assert outcome.out.count("\n") == 1
    assert popped(task) == ("earlier", *ODD)
    outcome = world.orbit("jot", "backend", "--pop", "--json", cwd=task)
    assert outcome.json() == {"repo": "backend", "entries": [], "count": 0, "popped": 5}


def test_a_requeue_puts_popped_entries_in_front(task: Path, world: World) -> None:
    fill(task, ("3", "4"), ("1", "2"))
    assert world.orbit("jot", "--requeue", cwd=task) == Outcome(0, "2 entries of backend are waiting again\n", "")
    assert queue(task) == Queue(("1", "2", "3", "4"))
    outcome = world.orbit("jot", "--requeue", "--json", cwd=task)
    assert outcome.json() == {"repo": "backend", "entries": ["1", "2", "3", "4"], "count": 4, "popped": 0}
    assert outcome.err == "orbit: backend: nothing to put back, no popped jots\n"
    assert world.orbit("jot", "--pop", cwd=task).out == "1\n2\n3\n4\n"


def test_nothing_waits(task: Path, world: World) -> None:
    none = Outcome(0, "", "orbit: backend: no jots waiting\n")
    assert world.orbit("jot", "--list", cwd=task) == none
    assert world.orbit("jot", "--pop", cwd=task) == none
    nothing = "orbit: backend: nothing to put back, no popped jots\n"
    assert world.orbit("jot", "backend", "--requeue", cwd=task) == Outcome(0, "", nothing)
    empty = {"repo": "backend", "entries": [], "count": 0, "popped": 0}
    for mode in ("--list", "--pop", "--requeue"):
        assert json.loads(world.orbit("jot", mode, "--json", cwd=task).out) == empty
    assert os.listdir(task) == ["backend"]


def test_a_queue_whose_worktree_is_gone(task: Path, world: World) -> None:
    fill(task, ("of web",), repo="web")
    assert world.orbit("jot", "web", "--list", cwd=task).out == "of web\n"
    which = "orbit: jot: which repository? there are jots of web\norbit: jot: name one: orbit jot REPO --pop\n"
    assert world.orbit("jot", "--pop", cwd=task) == Outcome(1, "", which)
    shutil.rmtree(task / "backend")
    shutil.rmtree(world.pool / "web")
    assert world.orbit("jot", "--pop", cwd=task).out == "of web\n"
    assert world.orbit("jot", "--requeue", cwd=task).code == 0
    assert waiting(task, "web") == ("of web",)


def test_a_name_without_worktree_or_jots_is_not_read_as_the_current_one(task: Path, world: World) -> None:
    fill(task, ("a",))
    for mode in ("--pop", "--list", "--requeue"):
        outcome = world.orbit("jot", "web", mode, cwd=task / "backend")
        assert outcome == Outcome(1, "", "orbit: jot: web has neither a worktree nor jots here\n")
        outcome = world.orbit("jot", "bakcend", mode, cwd=task / "backend")
        assert outcome == Outcome(
            1,
            "",
            "orbit: jot: bakcend has neither a worktree nor jots here\norbit: jot: did you mean backend?\n",
        )
        outcome = world.orbit("jot", "../task-01/backend", mode, cwd=task)
        assert (outcome.code, outcome.out) == (1, "")
    assert waiting(task) == ("a",)


def test_queues_are_named_when_it_is_not_clear_which(task: Path, world: World) -> None:
    fill(task, ("a",))
    fill(task, (), ("b",), repo="web")
    outcome = world.orbit("jot", "--list", cwd=task)
    assert outcome == Outcome(
        1,
        "",
        "orbit: jot: which repository? there are jots of backend, web\norbit: jot: name one: orbit jot REPO --list\n",
    )
    assert world.orbit("jot", "--list", cwd=task / "backend").out == "a\n"


class _Refusing(io.BytesIO):
    """A stdout that takes nothing."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number

    def write(self, _: object, /) -> int:
        raise system_error(self._number)


@pytest.mark.parametrize(("number", "code"), [(errno.EPIPE, 141), (errno.ENOSPC, 1)])
def test_what_could_not_be_printed_waits(task: Path, world: World, number: int, code: int) -> None:
    fill(task, ("a", "b"), ("p",))
    before = (task / ".orbit").read_bytes()
    streams = Streams(stdin=io.BytesIO(), out=_Refusing(number), err=io.BytesIO())
    assert run(["jot", "--pop"], Surroundings(cwd=str(task), env={}), streams) == code
    assert (task / ".orbit").read_bytes() == before
    assert world.orbit("jot", "--pop", cwd=task).out == "a\nb\n"


def test_what_was_printed_and_cannot_be_moved_waits(task: Path, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(task, ("a",))
    before = (task / ".orbit").read_bytes()
    monkeypatch.setattr("orbit.store.disk.os", Patched(fsync=failing("fsync", system_error(errno.EDQUOT), at=1)))
    outcome = world.orbit("jot", "--pop", cwd=task)
    error = "cannot be written: Disk quota exceeded, what was printed still waits"
    assert outcome == Outcome(1, "a\n", f"orbit: {task}/.orbit: {error}\n")
    assert (task / ".orbit").read_bytes() == before
    assert world.orbit("jot", "--pop", cwd=task).out == "a\n"

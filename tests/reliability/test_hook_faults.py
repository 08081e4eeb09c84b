"""`orbit hook` and `orbit try` with one operation failing: a host is never disturbed, and a failed call counts for
nothing; a playground is made whole or not at all.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from processes import finish, start
from reliability.amount import SOAK, drawn
from reliability.operations import FAILURES, operations
from reliability.readers import read_state
from reliability.scene import populated, put_back
from world import Outcome, Template, World

FAILING = 60 if SOAK else 3
FAILING_TRY = 30 if SOAK else 1
KILLED_TRY = 20 if SOAK else 1
EVENTS = (("session-start", "claude"), ("prompt", "codex"), ("session-start", "opencode"))


@pytest.fixture(scope="module")
def world(template: Template, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with populated(template, tmp_path_factory.mktemp("hook"), ("goal", "Do it")) as made:
        yield made


def ask(world: World, event: str, host: str) -> Outcome:
    asked = {
        "session_id": "s",
        "cwd": str(world.root / "task-01"),
        "source": "startup",
        "prompt": "x",
        "tool_name": "Bash",
        "tool_input": {"command": "orbit status"},
    }
    return world.orbit("hook", event, "--host", host, cwd=world.root / "task-01", stdin=json.dumps(asked))


@pytest.mark.parametrize(("event", "host"), EVENTS)
def test_one_operation_of_a_hook_fails(world: World, event: str, host: str) -> None:
    chance = drawn(event + host)
    put_back(world)
    before = read_state(world)
    with operations() as counted:
        clean = ask(world, event, host)
    assert (clean.code, clean.err, bool(clean.out)) == (0, "", True)
    wrong: list[str] = []
    for number, way in failures(chance, len(counted.log), FAILING):
        put_back(world)
        with operations(number, way) as watched:
            outcome = ask(world, event, host)
        where = f"{number}: {watched.failed}: {watched.reason}: {outcome}"
        if (outcome.code, outcome.err) != (0, ""):
            wrong.append(f"the host is disturbed: {where}")
        if read_state(world) != before:
            wrong.append(f"something has changed: {where}")
        if not outcome.out and ask(world, event, host).out != clean.out:
            wrong.append(f"what was not said counts as said: {where}")
    print(f"{event} {host}: {len(counted.log)} operations")
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.parametrize(("event", "host"), EVENTS[:2])
def test_a_workspace_that_cannot_be_read_for_a_moment_is_told_of_next_time(world: World, event: str, host: str) -> None:
    put_back(world)
    with operations() as counted:
        clean = ask(world, event, host)
    put_back(world)
    with operations(counted.log.index(f"scandir {world.root}/task-01") + 1):
        assert ask(world, event, host) == Outcome(0, "", "")
    assert ask(world, "prompt", host).out
    assert clean.out


def failures(chance: random.Random, total: int, most: int) -> list[tuple[int, int]]:
    ways = max(map(len, FAILURES.values()))
    return [(n, chance.randrange(ways)) for n in sorted(chance.sample(range(1, total + 1), min(most, total)))]


@pytest.mark.parametrize("there", [False, True])
def test_one_operation_of_a_playground_fails(world: World, there: bool) -> None:
    """In a directory of the user's, or in one that it makes: then it is there no more."""
    chance = drawn(str(there))
    place = world.base / "try"

    def build() -> Outcome:
        shutil.rmtree(place, ignore_errors=True)
        if there:
            place.mkdir()
        return world.orbit("try", str(place), cwd=world.base)

    with operations() as counted:
        assert build().code == 0
    wrong: list[str] = []
    for number, way in failures(chance, len(counted.log), FAILING_TRY):
        with operations(number, way) as watched:
            outcome = build()
        where = f"{number}: {watched.failed}: {watched.reason}: {outcome}"
        if outcome.code not in (0, 1) or "internal: " in outcome.err:
            wrong.append(f"no clear end: {where}")
        if outcome.code == 1 and not watched.is_told(outcome.err):
            wrong.append(f"the reason is not told: {where}")
        if outcome.code == 1 and (place.exists() != there or (there and os.listdir(place))):
            wrong.append(f"left: {os.listdir(place) if place.exists() else 'nothing at all'}: {where}")
        if outcome.code == 0 and "[FAIL]" in world.orbit("doctor", cwd=place / "task-01").out:
            wrong.append(f"not whole: {where}")
    print(f"try: {len(counted.log)} operations")
    assert not wrong, "\n" + "\n".join(wrong)


def test_a_playground_that_was_killed_is_not_taken_for_one(world: World, tmp_path: Path) -> None:
    """The loop itself too. What is there stays the user's to remove, and that is said."""
    chance = drawn()
    for number in range(KILLED_TRY):
        place = tmp_path / f"try-{number}"
        process = start(tmp_path, "try", str(place), "--run")
        while not place.exists():
            assert process.poll() is None, finish(process)
        try:
            process.wait(chance.uniform(0, 1.5))
        except subprocess.TimeoutExpired:
            process.kill()
        process.communicate()
        again = world.orbit("try", str(place), cwd=tmp_path)
        if again.code != 0:
            assert again.err == f"orbit: try: {place} is not empty\n"
        assert world.orbit("try", str(tmp_path / "another"), cwd=tmp_path).code == 0
        shutil.rmtree(tmp_path / "another")

"""Every operation of every command that writes fails once, and nothing is lost, half made or left behind.

A clean run is counted, then repeated with the n-th operation failing, for all n. What is left is read with plain git.
The suite takes a few of them, `make soak` takes all, each in one way that the seed draws.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from reliability.aftermath import clean_run, ends_badly, losses
from reliability.amount import SOAK, drawn
from reliability.operations import FAILURES, LOOKS, Operations, operations
from reliability.readers import State
from reliability.scene import NAMES, Scene, built
from world import Outcome, Template

SHARE = 0.06


@pytest.fixture(scope="module")
def scene(template: Template, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with built(template, tmp_path_factory.mktemp("scene")) as made:
        yield made


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_lost_when_one_operation_fails(scene: Scene, name: str) -> None:
    chance = drawn(name)
    log, states = clean_run(scene, name, operations)
    assert len(log) > 5
    wrong: list[str] = []
    for number, choice in chosen(chance, log):
        scene.restore()
        with operations(number, choice) as watched:
            outcome = scene.run(name)
        where = f"{name} {number}: {watched.failed}: {watched.reason}: {outcome}"
        wrong += [f"{fault}: {where}" for fault in faults(scene, name, watched, outcome, states)]
    assert not wrong, "\n" + "\n".join(wrong)


def chosen(chance: random.Random, log: list[str]) -> Iterator[tuple[int, int]]:
    """(operation, way to fail): a few of each command, or all."""
    asked = {number: entry.split()[0] for number, entry in enumerate(log, 1)}
    looks = [number for number, name in asked.items() if name in LOOKS]
    others = [number for number, name in asked.items() if name not in LOOKS]
    if not SOAK:
        looks = chance.sample(looks, chance.randrange(2))
        others = chance.sample(others, max(3, int(len(others) * SHARE)))
    for number in sorted(looks + others):
        ways = range(len(FAILURES[asked[number]]))
        yield number, chance.choice(ways)


def faults(
    scene: Scene, name: str, watched: Operations, outcome: Outcome, states: tuple[State, State]
) -> Iterator[str]:
    """What is not as it must be after one operation failed."""
    told = (outcome.err + outcome.out * name.startswith("doctor")).replace(str(scene.world.base), "")  # its findings
    if ends_badly(outcome):
        yield "no clear end"
    if outcome.code == 1:
        if not watched.is_told(told) and "git" not in told:
            yield "the reason is not told"
        if not any(mark in told for mark in ("/", "backend", "frontend")):
            yield "no file is named"
    yield from losses(scene, name, outcome, states)

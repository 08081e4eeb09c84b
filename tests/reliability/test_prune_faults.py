"""Each operation of a prune, and of a restore, fails once: nothing is lost, and the next plain call finishes.

What a kill at each step leaves is in `tests/test_prune_killed.py`, whose scenes and judgements serve here too.
"""

from __future__ import annotations

import os
import random
import re
import shutil
from collections.abc import Iterator

import pytest

from prune_oracle import queued, read_state
from reliability.aftermath import ends_badly
from reliability.amount import SOAK, drawn
from reliability.operations import FAILURES, operations
from test_prune_killed import NOTHING_BUT_RAW, Scene, after_the_stop, make_scene, outside, require_gone, words_for
from world import Outcome, Template

FAILING = 40 if SOAK else 2


@pytest.fixture(scope="module")
def scenes(template: Template, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Scene]]:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
            patch.setenv(name, os.environ[name])
        kinds = ("merged", "dirty")
        yield {kind: make_scene(tmp_path_factory.mktemp(kind), template, dirty=kind == "dirty") for kind in kinds}


def run(scene: Scene, *words: str) -> Outcome:
    return scene.world.orbit(*words, env={"ORBIT_JOBS": "1"})


def failures(chance: random.Random, log: list[str]) -> list[tuple[int, int]]:
    """(operation, way to fail). Most operations read, and fail alike: half of the chosen ones are others."""
    others = [number for number, entry in enumerate(log, 1) if not entry.startswith(("read", "open", "scandir"))]
    numbers = chance.sample(others, min(FAILING // 2, len(others)))
    numbers += chance.sample(range(1, len(log) + 1), min(FAILING - FAILING // 2, len(log)))
    return [(number, chance.randrange(max(map(len, FAILURES.values())))) for number in numbers]


def unclear(outcome: Outcome, reason: str) -> list[str]:
    told = outcome.out + outcome.err
    wrong = []
    if ends_badly(outcome):
        wrong.append("no clear end")
    if outcome.code == 1 and reason not in told and "git" not in told:
        wrong.append("the reason is not told")
    return wrong


@pytest.mark.parametrize("kind", ["merged", "dirty"])
def test_one_operation_of_a_prune_fails(scenes: dict[str, Scene], kind: str) -> None:
    scene, chance = scenes[kind], drawn(kind)
    scene.put_back()
    with operations() as counted:
        whole = run(scene, *words_for(kind))
    assert whole.code == 0, whole
    require_gone(scene)
    wrong: list[str] = []
    ends = dict.fromkeys(("intact", "gone", "at once"), 0)
    for number, way in failures(chance, counted.log):
        scene.put_back()
        with operations(number, way) as watched:
            outcome = run(scene, *words_for(kind))
        where = f"{kind} {number}: {watched.failed}: {watched.reason}: {outcome}"
        wrong += [f"{fault}: {where}" for fault in unclear(outcome, watched.reason)]
        at_once = not scene.home.exists()
        finished = run(scene, "prune")
        if finished.code != 0:
            wrong.append(f"the next prune does not finish: {finished}: {where}")
        try:
            end = after_the_stop(scene, force=kind == "dirty", what=where)
            ends["at once" if at_once else end] += 1
        except AssertionError as problem:
            wrong.append(f"{where}: {problem}")
    print(f"{kind}: {len(counted.log)} operations, {ends}")
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.fixture
def reclaimed(scenes: dict[str, Scene]) -> Iterator[tuple[Scene, list[str]]]:
    """A scene in which the workspace was reclaimed, and what an undisturbed restore asks of the system."""
    scene = scenes["dirty"]
    scene.put_back()
    assert run(scene, "prune", "task-01", "--force").code == 0
    pristine = scene.world.base / "reclaimed"
    shutil.copytree(scene.world.root, pristine, symlinks=True)
    scene = scene._replace(pristine=pristine)
    with operations() as counted:
        assert run(scene, "prune", "--restore", "task-01").code == 0
    yield scene, counted.log
    shutil.rmtree(pristine)


def test_one_operation_of_a_restore_fails(reclaimed: tuple[Scene, list[str]]) -> None:
    (scene, log), chance = reclaimed, drawn("restore")
    wrong: list[str] = []
    for number, way in failures(chance, log):
        scene.put_back()
        with operations(number, way) as watched:
            outcome = run(scene, "prune", "--restore", "task-01")
        where = f"{number}: {watched.failed}: {watched.reason}: {outcome}"
        wrong += [f"{fault}: {where}" for fault in unclear(outcome, watched.reason)]
        if outside(scene.world) != scene.outside:
            wrong.append(f"something else has changed: {where}")
        again = run(scene, "prune", "--restore", "task-01")
        if again.code != 0 and again.err != "orbit: prune: task-01 exists\n":
            wrong.append(f"again {again}: {where}")
        now = read_state(scene.world)
        if now.scoped("task-01") != scene.before.scoped("task-01") or queued(scene.home) != ["a jot"]:
            wrong.append(f"not all came back: {where}")
        if not run(scene, "prune").out.startswith(NOTHING_BUT_RAW):
            wrong.append(f"the next prune takes it again: {where}")
    print(f"restore: {len(log)} operations")
    assert not wrong, "\n" + "\n".join(wrong)


def test_a_restore_that_cannot_read_goal_and_jots_is_not_done(reclaimed: tuple[Scene, list[str]]) -> None:
    scene, log = reclaimed
    (number,) = (n for n, entry in enumerate(log, 1) if re.search("^open .*/.reclaimed/.*/.orbit$", entry))
    scene.put_back()
    with operations(number, 1):
        outcome = run(scene, "prune", "--restore", "task-01")
    assert (outcome.code, "cannot be read (Input/output error)" in outcome.err) == (1, True), outcome
    assert run(scene, "prune", "--restore", "task-01").code == 0
    assert queued(scene.home) == ["a jot"]

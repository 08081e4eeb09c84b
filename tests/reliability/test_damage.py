"""Every command on every kind of damage to every kind of metadata file: a clear end, no byte of it lost.

The suite takes a few of the pairs, `make soak` some thousands.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from reliability.aftermath import ends_badly
from reliability.amount import SOAK, drawn
from reliability.damages import DAMAGES, damage
from reliability.hostile import harmful
from reliability.scene import Scene, built, commands, reading
from world import Outcome, Template

EACH = 60 if SOAK else 4
SLOW_SECONDS = 30.0

FILES = {
    "index": ".repos/.orbit",
    "card": ".repos/.backend.md",
    "marker": ".repos/README.md",
    "workspace": "task-01/.orbit",
    "history": ".repos/.cards.git",
    "head of the history": ".repos/.cards.git/HEAD",
    "branch of the history": ".repos/.cards.git/refs/heads/main",
    "cache": ".repos/.cache",
    "file of the cache": ".repos/.cache/orbit-1.sqlite",
    "config of the clone": ".repos/backend/.git/config",
    "head of the clone": ".repos/backend/.git/HEAD",
    "packed refs of the clone": ".repos/backend/.git/packed-refs",
    "branch of the clone": ".repos/backend/.git/refs/heads/main",
    "index of the clone": ".repos/backend/.git/index",
    "README of the clone": ".repos/frontend/README.md",
    "note of an add": ".repos/frontend/.git/orbit-adding",
    "link of the worktree": "task-01/backend/.git",
    "git directory of the clone": ".repos/backend/.git",
}
ALL = {**commands(Path("/"), Path("/"), "", ""), **reading(Path("/"), Path("/"))}


@pytest.fixture(scope="module")
def scene(template: Template, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with built(template, tmp_path_factory.mktemp("scene")) as made:
        root = made.world.root
        yield made._replace(words={**made.words, **reading(root, root / "task-01")})


@pytest.mark.parametrize("file", FILES)
def test_a_damaged_file_ends_no_command_badly(scene: Scene, file: str) -> None:
    chance = drawn(file)
    pairs = [(kind, name) for kind in DAMAGES for name in ALL]
    wrong: list[str] = []
    for kind, name in chance.sample(pairs, min(EACH, len(pairs))):
        scene.restore()
        path = scene.world.root / FILES[file]
        before = damage(path, kind)
        begun = time.monotonic()
        outcome = scene.run(name)
        seconds = time.monotonic() - begun
        where = f"{file} {kind}, {name}: {outcome.code} {outcome.out[:300]!r} {outcome.err[:600]!r}"
        wrong += [f"{fault}: {where}" for fault in faults(path, kind, before, outcome)]
        if seconds > SLOW_SECONDS:
            wrong.append(f"took {seconds:.0f} s: {where}")
    assert not wrong, "\n" + "\n".join(wrong)


def faults(path: Path, kind: str, before: bytes | None, outcome: Outcome) -> Iterator[str]:
    if ends_badly(outcome):
        yield "no clear end"
    if outcome.code == 1 and not outcome.err and not outcome.out:
        yield "no reason"
    if harmful(outcome.out) or harmful(outcome.err):
        yield "harmful output"
    if not stat.S_ISCHR(os.stat("/dev/zero").st_mode):
        yield "the device has become a file"
    told = [line.split(" cannot be used")[0] for line in outcome.err.splitlines() if "cannot be used" in line]
    if len(told) != len(set(told)):
        yield f"told twice: {told}"
    if path.name != ".orbit" or before is None or kind in ("empty", "gone"):
        return
    now = path.read_bytes() if path.is_file() else None
    kept = [copy.read_bytes() for copy in path.parent.glob(f"{path.name}.damaged-*") if copy.is_file()]
    if now != before and outcome.code == 0 and "damaged" in outcome.err and before not in kept:
        yield "the damaged file is not kept"

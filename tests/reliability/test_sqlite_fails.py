"""Every call of SQLite fails once, with the databases there and without: the answer is that of a call without a cache.

The suite takes a few, `make soak` takes all in every way.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from reliability.amount import SOAK, drawn
from reliability.queries import WAYS, queries
from reliability.scene import Scene, built
from world import Template

EACH = 1


@pytest.fixture(scope="module")
def scene(template: Template, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """With cards that are behind their clones, so that distances, briefs and words are all worth keeping."""
    with built(template, tmp_path_factory.mktemp("scene")) as made:
        world, task = made.world, made.world.root / "task-01"
        for number in range(2):
            world.origins["backend"].commit({"src/app.py": f"print({number})\n"})
            world.git(world.pool / "backend", "pull", "-q", "--ff-only")
            world.git(task / "backend", "fetch", "-q")
        words = {
            "repos": (world.root, ("repos", "--json")),
            "repos WORDS": (world.root, ("repos", "service", "copy", "--json")),
            "context": (task, ("context", "--startup")),
            "context --reignite": (task, ("context", "--reignite")),
            "info": (task, ("info", "backend", "--json")),
            "status": (task, ("status", "--json")),
            "memo --check": (task, ("memo", "backend", "--check")),
        }
        yield made._replace(words=words)


@pytest.mark.parametrize("warm", [False, True], ids=["cold", "warm"])
@pytest.mark.parametrize(
    "name",
    ["repos", "repos WORDS", "context", "context --reignite", "info", "status", "memo --check"],
)
def test_a_cache_that_fails_changes_no_answer(scene: Scene, name: str, warm: bool, tmp_path: Path) -> None:
    chance = drawn(f"{name} {warm}")
    cache = scene.world.pool / ".cache"
    shutil.rmtree(cache, ignore_errors=True)
    expected = scene.run(name)
    assert expected.code == 0, expected
    kept = tmp_path / "kept"
    shutil.copytree(cache, kept) if warm and cache.exists() else kept.mkdir()

    def restore() -> None:
        shutil.rmtree(cache, ignore_errors=True)
        if warm:
            shutil.copytree(kept, cache)

    restore()
    with queries() as counted:
        assert scene.run(name) == expected
    pairs = [(number, way) for number in range(1, len(counted.log) + 1) for way in WAYS]
    wrong = []
    for number, way in pairs if SOAK else chance.sample(pairs, min(EACH, len(pairs))):
        restore()
        with queries(number, way) as watched:
            outcome = scene.run(name)
        again = scene.run(name)
        wrong += [
            f"{number} {watched.failed}: {way}: {found} not {expected}"
            for found in (outcome, again)
            if found != expected
        ]
    assert not wrong, "\n" + "\n".join(wrong)

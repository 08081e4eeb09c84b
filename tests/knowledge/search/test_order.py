from __future__ import annotations

import os

from blocks import row
from orbit.knowledge.search.order import best_first
from orbit.places import Project
from pool_files import put_card
from world import World


def ordered(world: World, names: str, **scores: float) -> list[str]:
    return [one.name for one in best_first(Project(str(world.root)), map(row, names.split()), scores)]


def test_recently_added_or_written_comes_first_among_equals(world: World) -> None:
    for name in ("never", "also", "written", "added"):
        world.clone(name)
    (world.pool / "added" / ".git" / "worktrees").mkdir()
    os.utime(world.pool / "added" / ".git" / "worktrees", (2000, 2000))
    os.utime(put_card(world, "written"), (3000, 3000))
    assert ordered(world, "never written added also") == ["written", "added", "also", "never"]
    assert ordered(world, "never written added also", also=1, never=2) == ["never", "also", "written", "added"]
    assert ordered(world, "never written added also", added=1, written=1) == ["written", "added", "also", "never"]
    assert ordered(world, "") == []

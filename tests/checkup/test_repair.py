"""The harmless repairs, from a project with everything wrong to one in order."""

from __future__ import annotations

import os
import time

from orbit.checkup.project import check_project
from orbit.checkup.repair import repair
from orbit.places import Project
from world import World


def test_everything_harmless_is_repaired_and_named(world: World) -> None:
    clone = world.clone()
    world.workspace()
    world.worktree()
    (world.root / "task-01").rename(world.root / "renamed")
    world.git(clone, "config", "fetch.prune", "false")
    (world.pool / ".backend.md").write_text("# backend\n\nServes the API.\n")
    (world.pool / ".orbit").write_text("[broken\n")
    (world.pool / ".clone-1-0123abcd").mkdir()
    (world.pool / ".cache").mkdir()
    (world.pool / ".cache" / "orbit-1.sqlite").write_text("no database " * 100)
    lock = clone / ".git" / "packed-refs.lock"
    lock.write_text("")
    past = time.time() - 700
    os.utime(lock, (past, past))
    project = Project(str(world.root))
    done = repair(project, check_project(project))
    assert done == [
        f"removed the stale lock {lock}",
        "removed the unfinished clone .clone-1-0123abcd",
        "removed the damaged cache",
        "rebuilt the index",
        f"joined the worktree {world.root}/renamed/backend to the pool again",
        "backend: fetch.prune: false -> true put back, config git.fetchPrune once stops it",
    ]
    levels = {finding.name: finding.level for finding in check_project(project).findings}
    assert "FAIL" not in levels.values()
    assert "WARN" not in levels.values()
    assert repair(project, check_project(project)) == []


def test_a_row_that_lacks_its_brief_is_repaired_and_head_stays(world: World) -> None:
    world.clone()
    world.orbit("memo", "backend", "--text", "# backend\n\nServes the API.\n")
    head = world.git(world.root, "config", "--file", ".repos/.orbit", "repos.backend.head")
    world.git(world.root, "config", "--file", ".repos/.orbit", "--unset", "repos.backend.brief")
    world.origins["backend"].commit({"x": "1"})
    world.orbit("sync")
    project = Project(str(world.root))
    assert repair(project, check_project(project)) == ["repaired 1 index entries"]
    assert world.git(world.root, "config", "--file", ".repos/.orbit", "repos.backend.brief") == "Serves the API."
    assert world.git(world.root, "config", "--file", ".repos/.orbit", "repos.backend.head") == head

"""A clock that is wrong, and a pool clone made by hand without a remote named origin."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cards import card
from world import Outcome, World, run_git

LONG_AGO, FAR_FUTURE = 100_000_000, 4_000_000_000  # 1973 and 2096


def rows_of(world: World, task: Path) -> list[dict[str, object]]:
    """The worktrees that `status` lists."""
    rows: list[dict[str, object]] = world.orbit("status", "--json", cwd=task).json()["worktrees"]
    return rows


@pytest.mark.parametrize("when", [LONG_AGO, FAR_FUTURE])
def test_commits_dated_by_a_wrong_clock(world: World, when: int) -> None:
    """Children older than their parents, or from the next century: counts come from ancestry, not from dates."""
    world.clone()
    task = world.workspace()
    assert world.orbit("add", "backend", "-s", cwd=task).code == 0
    assert world.orbit("memo", "backend", "--text", card(), cwd=task).code == 0
    world.now = when
    for _ in range(3):
        world.origins["backend"].commit({"src/app.py": "print(9)\n"})
    forwarded = "backend: fast-forwarded 3 commits → origin/main\n"
    assert world.orbit("sync") == Outcome(0, forwarded, "")
    (row,) = world.orbit("repos", "--json").json()
    assert row["memoBehind"] == 3
    (status,) = rows_of(world, task)
    assert (status["ahead"], status["behind"]) == (0, 3)


def test_files_from_the_future(world: World) -> None:
    """The system's clock was put back: what was written before it seems newer than anything that comes."""
    world.clone()
    task = world.workspace()
    assert world.orbit("add", "backend", "-s", cwd=task).code == 0
    assert world.orbit("memo", "backend", "--text", card(), cwd=task).code == 0
    assert world.orbit("done", cwd=task).code == 0
    for _ in range(2):
        assert world.orbit("repos").code == 0
    for path in world.root.rglob("*"):
        os.utime(path, (FAR_FUTURE, FAR_FUTURE), follow_symlinks=False)
    world.origins["backend"].commit({"src/app.py": "print(9)\n"})
    assert world.orbit("sync").out == "backend: fast-forwarded 1 commits → origin/main\n"
    (row,) = world.orbit("repos", "--json").json()
    assert row["memoBehind"] == 1
    (world.pool / ".backend.md").write_text(card("Another brief altogether."))
    os.utime(world.pool / ".backend.md", (FAR_FUTURE, FAR_FUTURE))
    (row,) = world.orbit("repos", "--json").json()
    assert row["brief"] == "Another brief altogether."
    (task / "backend" / "README.md").write_text("changed\n")
    os.utime(task / "backend" / "README.md", (FAR_FUTURE, FAR_FUTURE))
    (status,) = rows_of(world, task)
    assert status["dirtyFiles"] == 1
    assert world.orbit("goal", "Go on", cwd=task).code == 0
    for words in (("context",), ("context", "--prime"), ("info", "backend"), ("doctor",), ("done",)):
        done = world.orbit(*words, cwd=task)
        assert done.code == 0, done


def test_a_task_done_in_the_future(world: World) -> None:
    world.clone()
    task = world.workspace()
    (task / ".orbit").write_text(
        f"[workspace]\n\tgoal = It\n\tcreated = {FAR_FUTURE}\n\tstatus = done\n\tdone-at = {FAR_FUTURE}\n"
    )
    for words in (("context",), ("status",), ("context", "state"), ("add", "backend", "-s"), ("doctor",), ("done",)):
        done = world.orbit(*words, cwd=task)
        assert (done.code, "Traceback" in done.err) == (0, False), done
    assert world.orbit("context", "state", cwd=task).out == "done\n"


@pytest.mark.parametrize("how", ["absent", "renamed"])
def test_a_clone_without_origin(world: World, how: str) -> None:
    """Made by hand: every command works with what the clone has, and says so where it matters."""
    clone = world.clone()
    world.git(clone, "remote", *(("remove", "origin") if how == "absent" else ("rename", "origin", "upstream")))
    fact = "orbit: backend: the pool clone has no remote named origin, working with what it has\n"
    task = world.workspace()
    added = world.orbit("add", "backend", "-s", cwd=task)
    out = "added backend → task-01/backend (branch: ws/task-01/main, upstream: none)\n"
    assert added == Outcome(0, out, fact)
    assert world.orbit("sync") == Outcome(0, "", fact)
    (row,) = world.orbit("repos", "--json").json()
    assert (row["name"], row["branch"]) == ("backend", "main")
    (status,) = rows_of(world, task)
    assert (status["upstream"], status["error"]) == (None, None)
    assert "(no upstream)" in world.orbit("status", cwd=task).out
    made = world.orbit("switch", "-c", "fix", cwd=task / "backend")
    assert (made.code, made.out) == (
        0,
        "backend is on ws/task-01/fix (new, without upstream: the clone has no origin)\n",
    ), made
    gone = world.orbit("switch", "topic", cwd=task / "backend")
    assert (gone.code, gone.out) == (1, "")
    other = world.workspace("other")
    by_ref = world.orbit("add", "backend", "--ref", "main", "-s", cwd=other)
    assert by_ref.code == 0, by_ref
    for words in (("info", "backend"), ("context", "--prime"), ("context", "--reignite"), ("doctor",), ("done",)):
        done = world.orbit(*words, cwd=task)
        assert (done.code, "Traceback" in done.err) == (0, False), done
    assert run_git(clone, "remote") == ("" if how == "absent" else "upstream")

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from cards import card
from counted_git import counted_git
from orbit.knowledge.jots import EMPTY, Queue
from orbit.knowledge.status import RepoStatus, workspace_status
from orbit.places import Project
from orbit.pool.worktrees import Worktree
from orbit.store.cache import Cache
from orbit.store.settings import read_settings
from orbit.store.syntax import parse
from pool_files import put_card
from reliability.starts import starts
from world import World, run_git

HERE = Worktree("backend", "/x/backend", "ws/task-01/main", "a" * 40)


def statuses(world: World, settings: str = "") -> tuple[RepoStatus, ...]:
    project = Project(str(world.root))
    cache = Cache(project.cache)
    found, _ = workspace_status(project, "task-01", read_settings(parse(settings)), cache)
    cache.close()
    return found


def only(world: World, settings: str = "") -> RepoStatus:
    (found,) = statuses(world, settings)
    return found


def ready(world: World, name: str = "backend") -> Path:
    """A worktree with a good card: nothing is pending."""
    world.clone(name)
    put_card(world, name)
    if not (world.root / "task-01").exists():
        world.workspace()
    return world.worktree(name=name)


def jot(world: World, repo: str = "backend", **queue: tuple[str, ...]) -> None:
    """Entries in the workspace's metadata; `entry`, `popped` and so on."""
    for key, values in queue.items():
        for value in values:
            run_git(world.root, "config", "--file", "task-01/.orbit", "--add", f"jot.{repo}.{key}", value)


@pytest.mark.parametrize(
    ("changes", "facts"),
    [
        ({}, []),
        ({"queue": Queue(("a",))}, ["1 jots"]),
        ({"queue": Queue(("a",) * 3), "level": "building"}, ["3 jots (building)"]),
        ({"queue": Queue(("a",) * 5), "level": "overflow"}, ["5 jots (overflow)"]),
        ({"queue": Queue((), ("p", "q"))}, ["2 popped, not merged"]),
        ({"behind": "2"}, ["2 behind upstream"]),
        ({"behind": "untracked"}, []),
        ({"memo_state": "none"}, ["memo thin"]),
        ({"memo_state": "thin"}, ["memo thin"]),
        ({"memo_state": "over"}, ["memo over budget"]),
        ({"memo_state": "none", "worktree": None}, []),
        ({"memo_state": "over", "worktree": None, "queue": Queue(("a",))}, ["1 jots"]),
        ({"raw": "feature"}, ["raw branch feature"]),
        ({"raw": "fea\u202eture"}, ["raw branch feature"]),
        (
            {"queue": Queue(("a",), ("p",)), "behind": "7", "memo_state": "over", "raw": "x"},
            ["1 jots", "1 popped, not merged", "7 behind upstream", "memo over budget", "raw branch x"],
        ),
    ],
)
def test_facts_and_whether_anything_is_pending(changes: dict[str, object], facts: list[str]) -> None:
    clean = RepoStatus("backend", HERE, EMPTY, "", "", "ok", "", "main")
    status = clean.replace(**changes)
    assert status.facts() == facts
    assert status.pending is bool(facts)


def test_a_clean_worktree(world: World) -> None:
    path = ready(world)
    found = only(world)
    assert found.worktree is not None
    assert (found.name, found.worktree.path, found.branch, found.raw) == ("backend", str(path), "main", "")
    assert (found.queue, found.level, found.behind, found.memo_state, found.damage) == (EMPTY, "", "", "ok", "")
    assert not found.pending


@pytest.mark.parametrize(
    ("count", "settings", "level"),
    [
        (2, "", ""),
        (3, "", "building"),
        (4, "", "building"),
        (5, "", "overflow"),
        (3, "[memo]\n\tminLines = 2\n", "overflow"),
        (3, "[jot]\n\tbufferSize = 6\n", ""),
    ],
)
def test_the_level_of_a_queue(world: World, count: int, settings: str, level: str) -> None:
    world.clone()
    world.workspace()
    jot(world, entry=("text",) * count)
    assert only(world, settings).level == level


def test_a_queue_outlives_its_worktree(world: World) -> None:
    ready(world)
    ready(world, "frontend")
    jot(world, "zebra", entry=("not even in the pool",))
    jot(world, "frontend", entry=("one",), popped=("two", "three"))
    world.git(world.pool / "frontend", "worktree", "remove", "--force", str(world.root / "task-01" / "frontend"))
    backend, zebra, frontend = statuses(world)
    assert backend.worktree is not None
    assert (zebra.name, zebra.worktree, zebra.queue.entries) == ("zebra", None, ("not even in the pool",))
    assert (zebra.memo_state, zebra.branch, zebra.behind) == ("none", "", "")
    assert (frontend.name, frontend.worktree, frontend.memo_state) == ("frontend", None, "ok")
    assert frontend.queue.popped == ("two", "three")
    assert [status.pending for status in (backend, zebra, frontend)] == [False, True, True]


@pytest.mark.parametrize("name", ["../../etc", "a b", "x/y", "-x", "\u202e"])
def test_a_queue_of_an_impossible_name_is_only_a_queue(world: World, name: str) -> None:
    world.workspace()
    (world.root / "task-01" / ".orbit").write_text(f'[jot "{name}"]\n\tentry = text\n')
    found = only(world)
    assert (found.name, found.worktree, found.memo_state) == (name, None, "none")


@pytest.mark.parametrize(("text", "state"), [(None, "none"), ("x\n", "thin"), (card(), "ok"), (card(paths=30), "over")])
def test_the_card(world: World, text: str | None, state: str) -> None:
    ready(world)
    (world.pool / ".backend.md").unlink()
    if text is not None:
        put_card(world, text=text)
    found = only(world)
    assert (found.memo_state, found.pending) == (state, state != "ok")


def test_a_card_that_cannot_be_read(world: World) -> None:
    ready(world)
    (world.pool / ".backend.md").unlink()
    (world.pool / ".backend.md").mkdir()
    found = only(world)
    assert (found.memo_state, found.damage) == ("none", "is a directory")


# --- branch and upstream ---------------------------------------------------------------------------------------------


def test_behind_upstream_as_last_fetched(world: World, tmp_path: Path) -> None:
    path = ready(world)
    for _ in range(3):
        world.origins["backend"].commit()
    with counted_git(tmp_path) as calls:
        assert only(world).behind == ""
        assert calls.lines == []
        world.git(path, "fetch", "-q")
        before = len(calls.lines)
        assert only(world).behind == "3"
        assert only(world).behind == "3"
        assert len(calls.lines) == before + 1, "counted once"
    world.git(path, "commit", "-q", "--allow-empty", "-m", "Mine")
    assert only(world).behind == "3", "commits of one's own do not matter"
    world.git(path, "rebase", "-q", "origin/main")
    assert only(world).behind == ""


def test_upstream_of_the_branch_counts_not_the_default(world: World) -> None:
    path = ready(world)
    world.origins["backend"].branch("topic", "main~1")
    world.git(path, "fetch", "-q")
    world.git(path, "branch", "-q", "--set-upstream-to=origin/topic")
    assert only(world).behind == ""
    world.origins["backend"].commit(branch="topic")
    world.git(path, "fetch", "-q")
    assert only(world).behind == "1"


@pytest.mark.parametrize(
    ("commands", "branch", "raw", "behind"),
    [
        ([["checkout", "-q", "-b", "feature"]], "feature", "feature", "untracked"),
        ([["checkout", "-q", "-b", "feature", "--track", "origin/main"]], "feature", "feature", ""),
        ([["checkout", "-q", "-b", "ws/task-02/main"]], "ws/task-02/main", "ws/task-02/main", "untracked"),
        ([["checkout", "-q", "-b", "ws/task-01/login/form"]], "login/form", "", "untracked"),
        ([["branch", "-q", "--unset-upstream"]], "main", "", "untracked"),
        ([["checkout", "-q", "--detach"]], "detached", "", "untracked"),
        ([["checkout", "-q", "--orphan", "ws/task-01/fresh"]], "fresh", "", "untracked"),
        ([["update-ref", "-d", "refs/remotes/origin/main"]], "main", "", ""),
    ],
)
def test_branch(world: World, commands: list[list[str]], branch: str, raw: str, behind: str) -> None:
    path = ready(world)
    for words in commands:
        world.git(path, *words)
    found = only(world)
    assert (found.branch, found.raw, found.behind) == (branch, raw, behind)


def test_the_prefix_is_a_setting(world: World) -> None:
    path = ready(world)
    assert only(world, "[branch]\n\tprefix = agent\n").raw == "ws/task-01/main"
    world.git(path, "checkout", "-q", "-b", "agent/task-01/main")
    assert only(world, "[branch]\n\tprefix = agent\n").raw == ""


def test_a_damaged_worktree_is_one_status_among_others(world: World) -> None:
    ready(world)
    ready(world, "frontend")
    shutil.rmtree(world.pool / "backend" / ".git" / "worktrees" / "backend")
    backend, frontend = statuses(world)
    assert backend.worktree is not None
    assert backend.worktree.error
    assert (backend.behind, backend.raw) == ("", "")
    assert not frontend.pending


# --- only looking ----------------------------------------------------------------------------------------------------


def test_looking_makes_nothing(world: World) -> None:
    plain = world.workspace()
    (plain / "notes").mkdir()
    (plain / "backend").write_text("a file\n")
    world.git(plain, "init", "-q", "foreign")
    assert statuses(world) == ()
    assert sorted(os.listdir(plain)) == ["backend", "foreign", "notes"]
    assert os.listdir(world.pool) == []


def test_damaged_metadata_is_no_obstacle(world: World) -> None:
    ready(world)
    (world.root / "task-01" / ".orbit").write_bytes(b"[jot \xff\0")
    project = Project(str(world.root))
    found, loaded = workspace_status(project, "task-01", read_settings(parse("")), Cache(project.cache))
    assert [status.name for status in found] == ["backend"]
    assert loaded.state == "damaged"
    assert (world.root / "task-01" / ".orbit").read_bytes() == b"[jot \xff\0"


def test_a_distance_that_cannot_be_counted_is_not_none(world: World) -> None:
    world.populated()
    world.origins["backend"].commit()
    world.git(world.pool / "backend", "fetch", "-q")
    with starts(1, "fails at once"):
        (found,) = statuses(world)
    assert found.behind == "?"
    assert "? behind upstream" in found.facts()
    assert statuses(world)[0].behind == "1"

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from blocks import CUT, HEAD, TOP, detail, reignite, status
from cards import card
from orbit.knowledge.context import Detail, read_details, reignite_json
from orbit.knowledge.jots import Queue
from orbit.knowledge.staleness import FRESH, NO_CARD, RemoteAhead, Staleness
from orbit.knowledge.status import workspace_status
from orbit.places import Project
from orbit.pool.index import read_index
from orbit.pool.worktrees import Worktree
from orbit.store.cache import Cache
from pool_files import NOBODY, advance, known_clone, put_card, put_row
from world import World


def test_reignite_shows_every_worktree() -> None:
    queue = Queue(("first\nsecond line", "two", "three", "four", "five", "six"), ("p",))
    full = Detail(
        status("backend", queue=queue, level="overflow", behind="2", memo_state="thin", raw="x", branch="x"),
        Staleness("rewritten", 3, 1),
        RemoteAhead(4, "main"),
        "# Backend\n\nIt answers.\n\n",
        5,
    )
    assert reignite(full, detail("quiet")) == [
        *TOP,
        "--- backend (branch: x) ---",
        "memo is 3 commits behind HEAD (history rewritten, 1 dropped): "
        "memo backend with what changed, or memo backend --refresh if the card still holds",
        "4 new commits on origin/main: sync backend",
        "status: 6 jots (overflow) | 1 popped, not merged | 2 behind upstream | memo thin | raw branch x",
        "jot: first",
        "  second line",
        "jot: two",
        "jot: three",
        "jot: four",
        "… 2 more jots: orbit jot backend --list",
        "# Backend",
        "",
        "It answers.",
        "--- quiet (branch: main) ---",
    ]


def test_reignite_shows_jots_whose_worktree_is_gone() -> None:
    gone = detail("gone", card(), worktree=None, queue=Queue(("left over",)))
    assert reignite(gone, detail("here")) == [
        *TOP,
        "repo gone: 1 jots",
        "  jot: left over",
        "--- here (branch: main) ---",
    ]


def test_reignite_tells_of_damage() -> None:
    tree = Worktree("backend", "/x", error="its registration in the pool is gone")
    lines = reignite(detail(worktree=tree, branch="detached", damage="is a directory"))
    assert lines[3:] == [
        "--- backend (branch: detached) ---",
        "damaged: its registration in the pool is gone",
        "damaged: the card cannot be read (is a directory)",
    ]


def test_cards_are_cut_least_recently_used_first() -> None:
    text = card(paths=20)
    details = [detail(name, f"{name}\n{text}", used) for name, used in (("a", 30), ("b", 10), ("c", 20), ("d", 40))]
    room = len("\n".join(reignite(*details)).encode()) + 1
    assert reignite(*details, maxBytes=room)[-1] != "… card cut: orbit info d"
    for less, cut in (
        (1, ["b"]),
        (len(text) // 2, ["b"]),
        (len(text) + 100, ["b", "c"]),
        (5 * len(text) // 2, ["a", "b", "c"]),
    ):
        lines = reignite(*details, maxBytes=room - less)
        assert [line for line in lines if line.startswith("… card cut")] == [f"… card cut: orbit info {n}" for n in cut]
        for name in "abcd":
            position = lines.index(f"--- {name} (branch: main) ---")
            assert (lines[position + 1] == name) is (name not in cut)


def test_sixty_worktrees_keep_to_the_budget_and_are_all_named() -> None:
    queue = Queue(("a discovery of a usual length, about where to start",) * 4)
    details = [
        Detail(
            status(f"repository-{n:02}", queue=queue, level="building"),
            Staleness("behind", 57),
            RemoteAhead(12, "main"),
            card(),
            n,
        )
        for n in range(60)
    ]
    lines = reignite(*details)
    titles = [line for line in lines if line.startswith("--- ")]
    assert titles == [f"--- repository-{n:02} (branch: main) ---" for n in range(60)]
    assert lines.count("status: 4 jots (building)") == 60, "what is pending is never dropped for a card"
    first = lines.index(titles[0])
    assert lines[first + 2] == "… cut: orbit info repository-00"
    assert len("\n".join(lines).encode()) > 8000, "the budget is used"


def test_more_worktrees_than_the_budget_can_name() -> None:
    lines = reignite(*(detail(f"repository-{n:03}", card(), n) for n in range(500)))
    assert lines[-1] == CUT


def test_reignite_json() -> None:
    queue = Queue(("one\ntwo\t\x1b[31mred",), ("p",))
    one = Detail(
        status(queue=queue, level="", behind="untracked"),
        Staleness("unknown", None),
        RemoteAhead(None, "main"),
        "card \u202e\x1b[1mtext\n",
        0,
    )
    data = reignite_json(HEAD, (one, detail("gone", worktree=None, branch="")))
    assert data["mode"] == "reignite"
    assert data["worktrees"] == [
        {"name": "backend", "jots": 1, "jotLevel": "", "behind": "untracked", "memoState": "ok", "popped": 1}
        | {"branch": "main", "scoped": True, "memoBehind": None, "remoteAhead": None}
        | {"jotEntries": ["one\ntwo\t\x1b[31mred"], "memo": "card text\n", "evidence": {"paths": [], "commits": None}},
        {"name": "gone", "jots": 0, "jotLevel": "", "behind": "", "memoState": "ok", "popped": 0}
        | {
            "branch": "",
            "scoped": False,
            "memoBehind": 0,
            "remoteAhead": 0,
            "jotEntries": [],
            "memo": "",
            "evidence": {"paths": [], "commits": 0},
        },
    ]


def details_of(world: World, cache: Cache) -> Mapping[str, Detail]:
    project = Project(str(world.root))
    read = read_index(project)
    statuses, _ = workspace_status(project, "task-01", read.settings, cache)
    return {one.status.name: one for one in read_details(project, statuses, read, cache)}


def test_details_come_from_the_pool(world: World, tmp_path: Path) -> None:
    world.workspace()
    for name in ("backend", "frontend", "nocard"):
        world.clone(name)
        world.worktree(name=name)
        os.utime(world.pool / name / ".git" / "worktrees" / name / "index", (1000, 1000))
    os.utime(world.pool / "backend" / ".git" / "worktrees" / "backend" / "HEAD", (9, 9))
    for name in ("backend", "frontend"):
        put_card(world, name)
        put_row(world, name, head=world.git(world.pool / name, "rev-parse", "HEAD"))
    advance(world, "backend", 2)
    world.origins["frontend"].commit()
    world.git(world.pool / "frontend", "fetch", "-q")
    cache = Cache(str(tmp_path / "cache"))
    found = details_of(world, cache)
    assert (found["backend"].staleness.behind, found["backend"].ahead.commits) == (2, 0)
    assert found["backend"].used == 1000
    assert (found["frontend"].staleness, found["frontend"].ahead) == (FRESH, RemoteAhead(1, "main"))
    assert found["frontend"].card == card(repo="frontend")
    assert (found["nocard"].staleness, found["nocard"].card) == (NO_CARD, "")
    cache.close()


def test_details_without_clone_row_or_readable_card(world: World, tmp_path: Path) -> None:
    world.workspace()
    known_clone(world)
    world.worktree()
    (world.pool / ".orbit").unlink()
    cache = Cache(str(tmp_path / "cache"))
    assert details_of(world, cache)["backend"].staleness.reason == "no head was recorded with the card"
    put_row(world, head=NOBODY)
    assert details_of(world, cache)["backend"].staleness.state == "unknown"
    (world.pool / ".backend.md").unlink()
    (world.pool / ".backend.md").mkdir()
    assert (details_of(world, cache)["backend"].card, details_of(world, cache)["backend"].staleness) == ("", NO_CARD)
    shutil.rmtree(world.pool / "backend")
    assert [one.ahead for one in details_of(world, cache).values()] == [RemoteAhead(0, "")]
    cache.close()

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from cards import card
from contexts import context, populated, shape, task_with_goal, top
from counted_git import counted_git
from pool_files import NOBODY, advance, head_of, known_clone, put_card, put_row
from world import World

ROSTER = "available in pool (orbit add REPO …):"
NO_MEMO = "no memo (orbit info REPO shows the README):"
APART = "index out of sync (orbit memo REPO --refresh):"
RENEW = "memo backend with what changed, or memo backend --refresh if the card still holds"


@pytest.fixture
def task(world: World) -> Path:
    return task_with_goal(world)


# --- prime -----------------------------------------------------------------------------------------------------------


def test_startup_without_worktrees_primes(world: World, task: Path) -> None:
    known_clone(world)
    world.clone("web")
    put_row(world, "web", url="x", head=head_of(world, "web"))
    known_clone(world, "apart")
    put_row(world, "apart", brief="")
    for name, when in (("apart", 3000), ("backend", 2000)):
        os.utime(world.pool / f".{name}.md", (when, when))
    block = context(world, "--startup", cwd=task)
    assert block == [
        *top(task),
        "",
        ROSTER,
        "  apart  The service that stores orders.",
        "  backend  From the index",
        "  web  A small service that the tests copy.",
        NO_MEMO,
        "  web",
        APART,
        "  apart",
    ]
    assert context(world, "--prime", cwd=task) == block
    data = shape(world, "--startup", cwd=task)
    assert (data["mode"], data["shown"]) == ("prime", 3)
    assert data["repos"] == [
        {"name": "apart", "brief": "The service that stores orders.", "memoState": "ok", "source": "card"},
        {"name": "backend", "brief": "From the index", "memoState": "ok", "source": "index"},
        {"name": "web", "brief": "A small service that the tests copy.", "memoState": "none", "source": "readme"},
    ]


def test_prime_of_an_empty_pool(world: World, task: Path) -> None:
    assert context(world, "--startup", cwd=task)[-1] == "the pool is empty: orbit clone URL adds a repository"
    assert shape(world, "--prime", cwd=task)["repos"] == []


def test_prime_shows_what_a_removed_worktree_left(world: World, task: Path) -> None:
    populated(world)
    for text in ("first\nsecond line", "another"):
        world.orbit("jot", "backend", text, cwd=task)
    world.orbit("jot", "backend", "--pop", cwd=task)
    world.orbit("jot", "backend", "waiting", cwd=task)
    world.git(world.pool / "backend", "worktree", "remove", "--force", str(task / "backend"))
    block = context(world, "--startup", cwd=task)
    assert block[3:7] == ["repo backend: 1 jots | 2 popped, not merged", "  jot: waiting", "", ROSTER]


def test_prime_counts_no_distance(world: World, task: Path, tmp_path: Path) -> None:
    known_clone(world)
    advance(world)
    with counted_git(tmp_path) as calls:
        context(world, "--startup", cwd=task)
        assert calls.lines == []


def test_prime_rebuilds_a_lost_index(world: World, task: Path) -> None:
    known_clone(world)
    (world.pool / ".orbit").unlink()
    outcome = world.orbit("context", "--startup", cwd=task)
    assert outcome.err == "orbit: index: rebuilt from 1 clones\n"
    assert "  backend  The service that stores orders." in outcome.out.splitlines()


def test_prime_of_a_large_pool_keeps_to_its_limits(world: World, task: Path) -> None:
    config = world.clone() / ".git"
    for number in range(299):
        (world.pool / f"repo-{number:03}" / ".git").mkdir(parents=True)
        for name in ("HEAD", "config"):
            shutil.copy(config / name, world.pool / f"repo-{number:03}" / ".git" / name)
        put_row(world, f"repo-{number:03}", url="x", brief="漢字の説明" * 24)
    for settings, most in (("", 50), ("[context]\n\trosterLimit = 9\n", 9), ("[context]\n\tmaxBytes = 2000\n", 50)):
        with (world.pool / ".orbit").open("a") as file:
            file.write(settings)
        outcome = world.orbit("context", "--startup", cwd=task)
        room = 2000 if "maxBytes" in settings else 9000
        assert len(outcome.out.encode()) <= room
        data = shape(world, "--startup", cwd=task)
        assert len(data["repos"]) == 300
        assert 0 < data["shown"] <= most
        roster = outcome.out.partition(ROSTER)[2].partition(NO_MEMO)[0].strip("\n").splitlines()
        assert len(roster) == data["shown"]
        left = 300 - data["shown"]
        assert outcome.out.splitlines()[-1] == f"… {left} more in the pool: orbit repos WORDS searches them"


# --- reignite --------------------------------------------------------------------------------------------------------


def test_startup_with_worktrees_reignites(world: World, task: Path) -> None:
    path = populated(world)
    populated(world, "web")
    advance(world, commits=2)
    world.origins["backend"].commit()
    world.git(path, "fetch", "-q")
    world.orbit("jot", "backend", "a discovery", cwd=task)
    block = context(world, "--startup", cwd=task)
    assert block == [
        *top(task),
        "--- backend (branch: main) ---",
        f"memo is 2 commits behind HEAD: {RENEW}",
        "1 new commits on origin/main: sync backend",
        "status: 1 jots | 1 behind upstream",
        "jot: a discovery",
        *card().splitlines(),
        "--- web (branch: main) ---",
        *card(repo="web").splitlines(),
    ]
    assert context(world, "--reignite", cwd=task) == block
    data = shape(world, "--startup", cwd=task)
    assert data["mode"] == "reignite"
    assert data["worktrees"][0] == {
        "name": "backend",
        "branch": "main",
        "memoBehind": 2,
        "remoteAhead": 1,
        "jots": 1,
        "jotLevel": "",
        "behind": "1",
        "memoState": "ok",
        "jotEntries": ["a discovery"],
        "memo": card(),
        "evidence": {"paths": [], "commits": 2},
        "popped": 0,
        "scoped": True,
    }
    assert data["worktrees"][1]["memo"] == card(repo="web")


@pytest.mark.parametrize(
    ("state", "line"),
    [
        ("gone", f"memo distance unknown, the card's commit is gone from the clone: {RENEW}"),
        ("lost", f"memo distance unknown, no head was recorded with the card: {RENEW}"),
        ("rewritten", f"memo is 0 commits behind HEAD (history rewritten, 2 dropped): {RENEW}"),
    ],
)
def test_staleness_is_inside_the_block(world: World, task: Path, state: str, line: str) -> None:
    populated(world)
    if state == "rewritten":
        advance(world, commits=2)
        put_row(world, head=head_of(world))
        world.git(world.pool / "backend", "reset", "-q", "--hard", "origin/main")
    else:
        put_row(world, head=NOBODY if state == "gone" else "")
    assert line in context(world, "--startup", cwd=task)
    expected = 0 if state == "rewritten" else None
    assert shape(world, "--startup", cwd=task)["worktrees"][0]["memoBehind"] == expected


def test_jots_are_shown_up_to_the_buffer(world: World, task: Path) -> None:
    populated(world)
    (task / ".orbit").write_text('[jot "backend"]\n' + "".join(f"\tentry = jot {n}\n" for n in range(7)))
    block = context(world, "--startup", cwd=task)
    assert [line for line in block[2:] if "jot" in line] == [
        "status: 7 jots (overflow)",
        *(f"jot: jot {n}" for n in range(4)),
        "… 3 more jots: orbit jot backend --list",
    ]
    assert len(shape(world, "--startup", cwd=task)["worktrees"][0]["jotEntries"]) == 7


def test_one_can_be_forced(world: World, task: Path) -> None:
    assert context(world, "--reignite", cwd=task) == top(task)
    assert shape(world, "--reignite", cwd=task)["worktrees"] == []
    populated(world)
    assert ROSTER in context(world, "--prime", cwd=task)
    assert shape(world, "--prime", cwd=task)["mode"] == "prime"


def test_worktrees_without_a_clone_or_with_damage(world: World, task: Path) -> None:
    populated(world)
    populated(world, "web")
    (world.pool / ".web.md").unlink()
    (world.pool / ".web.md").mkdir()
    shutil.rmtree(world.pool / "backend" / ".git" / "worktrees")
    outcome = world.orbit("context", "--startup", cwd=task)
    assert (outcome.code, outcome.err) == (0, "orbit: .repos/.web.md: cannot be used (is a directory)\n")
    assert "--- backend (branch: detached) ---\ndamaged: its registration in the pool is gone" in outcome.out
    assert "--- web (branch: main) ---\ndamaged: the card cannot be read (is a directory)\n" in outcome.out


def test_many_worktrees_keep_to_the_budget(world: World, task: Path) -> None:
    """One real worktree; sixty more registrations and cards beside it are files."""
    populated(world)
    gits = world.pool / "backend" / ".git" / "worktrees"
    text = card(paths=60)
    for number in range(60):
        name = f"repo-{number:02}"
        shutil.copytree(gits / "backend", gits / name)
        (task / name).mkdir()
        (task / name / ".git").write_text(f"gitdir: {gits / name}\n")
        for file in ("HEAD", "index"):
            os.utime(gits / name / file, (number + 1, number + 1))
        (world.pool / name).symlink_to("backend")
        put_card(world, name, text)
        put_row(world, name, head=head_of(world))
    outcome = world.orbit("context", "--startup", cwd=task)
    assert len(outcome.out.encode()) <= 9000
    lines = outcome.out.splitlines()
    assert len([line for line in lines if line.startswith("--- ")]) == 61
    cut = [line for line in lines if line.startswith("… card cut: orbit info ")]
    assert cut == [f"… card cut: orbit info repo-{number:02}" for number in range(len(cut))]
    assert len(cut) > 50
    assert len(shape(world, "--startup", cwd=task)["worktrees"]) == 61
    (world.pool / ".orbit").write_text("[context]\n\tmaxBytes = 500\n")
    assert len(world.orbit("context", "--startup", cwd=task).out.encode()) <= 500

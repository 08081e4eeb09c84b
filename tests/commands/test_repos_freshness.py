from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from cards import BRIEF, card
from counted_git import counted_git
from pool_files import NOBODY, advance, head_of, known_clone, put_card, put_row
from rosters import README_BRIEF, behind, renew, repos
from world import Outcome, World, run_git

# --- staleness -------------------------------------------------------------------------------------------------------


def test_every_kind_of_staleness_is_told_apart(world: World) -> None:
    for name in ("behind", "fresh", "gone", "lost", "rewritten"):
        known_clone(world, name)
    advance(world, "behind", 3)
    put_row(world, "gone", head=NOBODY)
    put_row(world, "lost", head="")
    world.git(world.pool / "rewritten", "commit", "-q", "--amend", "--allow-empty", "-m", "Amended")
    origin = world.origin("shallow")
    put_row(world, "shallow", head=origin.sha("main~2"), url=origin.url, brief="x")
    run_git(world.pool, "clone", "-q", "--depth=2", f"file://{origin.path}", "shallow")
    put_card(world, "shallow")
    os.utime(world.pool / ".shallow.md", (1, 1))
    outcome = world.orbit("repos", "--no-urls")
    assert outcome.code == 0
    cells = {line.split()[0]: line[18:28].strip() for line in outcome.out.splitlines()[1:]}
    assert cells == {
        "behind": "stale 3",
        "fresh": "ok",
        "gone": "stale ?",
        "lost": "stale ?",
        "rewritten": "rewritten",
        "shallow": "stale 2+",
    }
    assert outcome.err == (
        behind("behind", 3)
        + f"orbit: gone: memo distance unknown, the card's commit is gone from the clone: {renew('gone')}\n"
        + f"orbit: lost: memo distance unknown, no head was recorded with the card: {renew('lost')}\n"
        + behind("rewritten", 1, " (history rewritten, 1 dropped)")
        + behind("shallow", 2, " (at least)")
    )
    found = {row["name"]: (row["staleness"], row["memoBehind"]) for row in repos(world)}
    assert found == {
        "behind": ("behind", 3),
        "fresh": ("fresh", 0),
        "gone": ("unknown", None),
        "lost": ("unknown", None),
        "rewritten": ("rewritten", 1),
        "shallow": ("shallow", 2),
    }


@pytest.mark.parametrize(("count", "last"), [(5, ""), (6, "1"), (8, "3")])
def test_at_most_five_staleness_lines_and_a_count(world: World, count: int, last: str) -> None:
    for number in range(count):
        known_clone(world, f"repo-{number}", head=NOBODY)
    lines = world.orbit("repos").err.splitlines()
    told = [line.split(": ")[1] for line in lines]
    assert told == [*(f"repo-{number}" for number in range(5)), *(["repos"] if last else [])]
    if last:
        assert lines[-1] == f"orbit: repos: {last} more memos are stale: repos --stale"
    assert len(world.orbit("repos", "--limit", "2").err.splitlines()) == 2


def test_it_never_asks_the_remote_and_counts_once(world: World, tmp_path: Path) -> None:
    for name in ("backend", "frontend"):
        known_clone(world, name)
        world.origins[name].commit()
    advance(world, "frontend", 2)
    shutil.rmtree(world.origins["backend"].path)
    with counted_git(tmp_path) as calls:
        first = world.orbit("repos")
        assert first.err == behind("frontend", 2)
        assert len(calls.lines) == 1
        assert world.orbit("repos") == first
        assert len(calls.lines) == 1
        shutil.rmtree(world.pool / ".cache")
        assert world.orbit("repos") == first
        assert len(calls.lines) == 2
        (world.pool / ".cache" / "orbit-1.sqlite").write_bytes(b"no database" * 100)
        assert world.orbit("repos") == first
        assert world.orbit("repos") == first
    assert head_of(world, "backend") == run_git(world.pool / "backend", "rev-parse", "origin/main")


# --- the index is a cache --------------------------------------------------------------------------------------------


def test_a_lost_index_is_rebuilt_without_pretending(world: World) -> None:
    known_clone(world)
    world.clone("frontend")
    (world.pool / ".orbit").unlink()
    outcome = world.orbit("repos", "--no-urls")
    assert outcome.out.splitlines() == [
        "NAME      ADDED  MEMO     BRIEF",
        f"backend          stale ?  {BRIEF}",
        f"frontend         none     {README_BRIEF}",
    ]
    unknown = f"orbit: backend: memo distance unknown, no head was recorded with the card: {renew('backend')}\n"
    assert (outcome.code, outcome.err) == (0, f"orbit: index: rebuilt from 2 clones\n{unknown}")
    assert (world.pool / ".orbit").exists()
    assert world.orbit("repos", "--no-urls") == Outcome(0, outcome.out, unknown)
    assert world.orbit("memo", "backend", "--refresh").code == 0
    assert world.orbit("repos").err == ""


def test_a_repository_deleted_by_hand(world: World) -> None:
    known_clone(world)
    known_clone(world, "frontend")
    shutil.rmtree(world.pool / "backend")
    outcome = world.orbit("repos", "--no-urls")
    assert (outcome.code, outcome.err) == (0, "")
    assert [line.split()[0] for line in outcome.out.splitlines()] == ["NAME", "frontend"]


def test_a_directory_that_is_no_repository(world: World) -> None:
    known_clone(world)
    (world.pool / "notes").mkdir()
    outcome = world.orbit("repos", "--no-urls")
    assert [line.split()[0] for line in outcome.out.splitlines()] == ["NAME", "backend"]
    assert outcome.err == "orbit: notes: skipped, this directory in the pool is not a git repository\n"


def test_a_card_edited_by_hand_speaks_for_itself(world: World) -> None:
    world.clone()
    assert world.orbit("memo", "backend", stdin=card("Written by a command.")).code == 0
    assert repos(world)[0]["brief"] == "Written by a command."
    put_card(world, text=card("Edited by a person."))
    outcome = world.orbit("repos")
    assert "Edited by a person." in outcome.out
    assert outcome.err == "orbit: backend: index out of sync with the card: memo backend --refresh\n"
    assert world.orbit("memo", "backend", "--refresh").code == 0
    assert world.orbit("repos").err == ""
    assert repos(world)[0]["brief"] == "Edited by a person."


def test_an_index_that_lacks_a_brief(world: World) -> None:
    world.clone()
    put_card(world)
    put_row(world, url="x", head=head_of(world))
    outcome = world.orbit("repos")
    assert BRIEF in outcome.out
    assert outcome.err == "orbit: backend: index out of sync with the card: memo backend --refresh\n"
    assert "brief" not in (world.pool / ".orbit").read_text(), "reading repairs nothing"


def test_a_bad_setting_is_told_once(world: World) -> None:
    known_clone(world)
    with (world.pool / ".orbit").open("a") as file:
        file.write("[memo]\n\tmaxLines = many\n")
    assert world.orbit("repos").err == (
        "orbit: config: memo.maxLines = many is not valid, using 16: config memo.maxLines VALUE\n"
    )

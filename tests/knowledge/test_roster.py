from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cards import card
from counted_git import counted_git
from orbit.knowledge.card import revision
from orbit.knowledge.roster import Roster, Row, read_roster
from orbit.places import Project
from orbit.store.cache import Cache
from pool_files import NOBODY, advance, head_of, known_clone, put_card, put_row
from world import World

README_BRIEF = "A small service that the tests copy."
INDEX_BRIEF = "From the index"
OWN = "The service that stores orders."
ID = revision(card(repo="backend").encode())
INDEX_TIME = 1_700_000_000


def roster(world: World, *, distances: bool = True, jobs: int = 1) -> Roster:
    project = Project(str(world.root))
    cache = Cache(project.cache)
    found = read_roster(project, cache, jobs, distances=distances)
    cache.close()
    return found


def row(world: World, name: str = "backend") -> Row:
    return next(row for row in roster(world).rows if row.name == name)


def lines(found: Roster) -> list[str]:
    return [notice.line for notice in found.notices]


def index_text(world: World) -> str:
    return (world.pool / ".orbit").read_text()


# --- briefs: index, card, README, nothing ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "text", "readme", "brief", "source", "out_of_sync"),
    [
        # with an id of the card's text, the id decides
        ({"brief": INDEX_BRIEF, "card": ID}, card(), True, INDEX_BRIEF, "index", False),
        ({"brief": INDEX_BRIEF, "card": ID}, card("Edited by hand."), True, "Edited by hand.", "card", True),
        ({"brief": OWN, "card": ID}, card() + "- one more role\n", True, OWN, "card", False),
        ({"brief": INDEX_BRIEF, "card": NOBODY}, "", True, INDEX_BRIEF, "index", False),
        # the index has none
        ({"card": ID}, card(), True, OWN, "card", True),
        ({"brief": "  ", "card": ID}, card(), True, OWN, "card", True),
        ({}, card(), True, OWN, "card", True),
        ({}, "", True, README_BRIEF, "readme", False),
        ({}, None, True, README_BRIEF, "readme", False),
        ({}, None, False, "", "none", False),
        ({}, "- `only/a/list`\n", False, "", "none", False),
        # a card deleted by hand
        ({"brief": INDEX_BRIEF, "card": ID}, None, True, INDEX_BRIEF, "index", False),
        ({"brief": INDEX_BRIEF}, None, True, INDEX_BRIEF, "index", False),
        # whatever is in the index, one safe line is shown
        ({"brief": '"two\\nlines\\tand \x1b[31mred\u202e "'}, None, True, "two lines and red", "index", False),
    ],
)
def test_where_a_brief_comes_from(
    world: World,
    fields: dict[str, str],
    text: str | None,
    readme: bool,
    brief: str,
    source: str,
    out_of_sync: bool,
) -> None:
    clone = world.clone()
    if not readme:
        (clone / "README.md").unlink()
    if text is not None:
        put_card(world, text=text)
    put_row(world, url="somewhere", **fields)
    found = row(world)
    assert (found.brief, found.source, found.out_of_sync) == (brief, source, out_of_sync)


@pytest.mark.parametrize(("age", "brief"), [(-1, INDEX_BRIEF), (0, INDEX_BRIEF), (1, OWN)])
def test_without_an_id_the_newer_file_is_believed(world: World, age: int, brief: str) -> None:
    world.clone()
    put_row(world, brief=INDEX_BRIEF, url="somewhere", head=head_of(world))
    path = put_card(world)
    os.utime(world.pool / ".orbit", (INDEX_TIME, INDEX_TIME))
    os.utime(path, (INDEX_TIME + age, INDEX_TIME + age))
    found = row(world)
    assert (found.brief, found.out_of_sync) == (brief, False)


def test_a_brief_too_long_is_cut(world: World) -> None:
    world.clone()
    put_row(world, url="somewhere", brief="word " * 100)
    assert len(row(world).brief) <= 120
    assert row(world).brief.endswith("word…")


# --- the index is a cache --------------------------------------------------------------------------------------------


def test_a_missing_index_is_rebuilt_and_written(world: World) -> None:
    for name in ("backend", "frontend"):
        world.clone(name)
    put_card(world)
    found = roster(world)
    assert lines(found) == ["orbit: index: rebuilt from 2 clones"]
    backend, frontend = found.rows
    assert (backend.staleness.state, backend.staleness.behind) == ("unknown", None)
    assert (backend.brief, backend.source, backend.out_of_sync) == (OWN, "index", False)
    assert (frontend.staleness.state, frontend.brief) == ("none", README_BRIEF)
    project = world.pool / ".orbit"
    for name in ("backend", "frontend"):
        assert world.git(world.root, "config", "--file", str(project), f"repos.{name}.url") == world.origins[name].url
    assert world.git(world.root, "config", "--file", str(project), "repos.backend.brief") == OWN
    assert world.git(world.root, "config", "--file", str(project), "repos.frontend.head") == head_of(world, "frontend")
    assert "head" not in index_text(world).partition("[repos")[2].partition("[repos")[0], "the card's head is lost"
    again = roster(world)
    assert again.rows == found.rows
    assert lines(again) == []


def test_a_missing_index_of_an_empty_pool_is_not_made(world: World) -> None:
    (world.pool / "README.md").write_text("marker\n")
    found = roster(world)
    assert (found.rows, found.notices) == ((), ())
    assert sorted(os.listdir(world.pool)) == ["README.md"]


def test_a_missing_index_that_cannot_be_written_is_worked_around(world: World) -> None:
    world.clone()
    put_card(world)
    (world.pool / ".orbit").symlink_to(world.base / "nothing" / "there")
    found = roster(world)
    assert [(r.name, r.brief, r.url) for r in found.rows] == [("backend", OWN, world.origins["backend"].url)]
    assert lines(found) == ["orbit: index: rebuilt from 1 clones (not written)"]


def test_a_damaged_index_is_kept_aside(world: World) -> None:
    world.clone()
    (world.pool / ".orbit").write_text('[repos "backend"\n\turl = x\n')
    found = roster(world)
    assert [r.name for r in found.rows] == ["backend"]
    copies = [name for name in os.listdir(world.pool) if name.startswith(".orbit.damaged-")]
    assert len(copies) == 1
    assert (world.pool / copies[0]).read_text() == '[repos "backend"\n\turl = x\n'
    damage, rebuilt = lines(found)
    assert damage.startswith("orbit: .repos/.orbit: cannot be used (line 1: ")
    assert damage.endswith(f"), kept as .repos/{copies[0]}")
    assert rebuilt == "orbit: index: rebuilt from 1 clones"
    assert lines(roster(world)) == []


def test_a_row_that_the_index_lacks_is_filled_in_for_show(world: World) -> None:
    world.clone()
    (world.pool / ".orbit").write_text("[memo]\n\tminLines = 3\n")
    found = row(world)
    assert (found.url, found.brief, found.head) == (world.origins["backend"].url, README_BRIEF, head_of(world))
    assert index_text(world) == "[memo]\n\tminLines = 3\n", "an index that can be read is left as it is"


@pytest.mark.parametrize("distances", [True, False])
def test_rows_of_clones_that_are_gone_are_not_shown(world: World, *, distances: bool) -> None:
    clone = known_clone(world)
    known_clone(world, "frontend")
    shutil.rmtree(clone)
    found = roster(world, distances=distances)
    assert [r.name for r in found.rows] == ["frontend"]
    assert lines(found) == []
    assert 'repos "backend"' in index_text(world)


# --- what stands in the pool -----------------------------------------------------------------------------------------


def test_what_is_no_repository_is_named_and_skipped(world: World) -> None:
    known_clone(world)
    (world.pool / "plain" / "src").mkdir(parents=True)
    (world.pool / "hollow" / ".git").mkdir(parents=True)
    (world.pool / "-option").mkdir()
    (world.pool / "bad name\x1b[0m").mkdir()
    (world.pool / "file").write_text("")
    (world.pool / ".hidden").mkdir()
    (world.pool / "nowhere").symlink_to("gone")
    found = roster(world)
    assert [r.name for r in found.rows] == ["backend"]
    skipped = "skipped, this directory in the pool is not a git repository"
    assert sorted(notice.subject for notice in found.notices) == ["-option", "bad name\x1b[0m", "hollow", "plain"]
    assert {notice.fact for notice in found.notices} == {skipped}


def test_odd_clones_are_clones(world: World) -> None:
    outside = world.base / "outside"
    world.clone()
    shutil.move(world.pool / "backend", outside)
    (world.pool / "linked").symlink_to(outside)
    world.git(world.pool, "init", "-q", "unborn")
    world.git(world.pool, "init", "-q", "--separate-git-dir", str(world.base / "apart"), "separate")
    found = roster(world)
    assert [(r.name, r.head) for r in found.rows] == [
        ("linked", world.git(outside, "rev-parse", "HEAD")),
        ("separate", ""),
        ("unborn", ""),
    ]


def is_directory(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize("damage", [is_directory, os.mkfifo])
def test_a_card_that_cannot_be_read_stops_nothing(world: World, damage: Callable[[Path], None]) -> None:
    known_clone(world, "frontend")
    world.clone()
    damage(world.pool / ".backend.md")
    found = roster(world)
    assert [(r.name, r.memo_state, r.brief) for r in found.rows] == [
        ("backend", "none", README_BRIEF),
        ("frontend", "ok", INDEX_BRIEF),
    ]
    assert len(lines(found)) == 1
    assert lines(found)[0].startswith("orbit: .repos/.backend.md: cannot be used (is ")


@pytest.mark.parametrize(
    ("text", "state"),
    [(None, "none"), ("", "thin"), ("one\n\ntwo\n", "thin"), (card(), "ok"), (card(paths=40), "over")],
)
def test_the_state_of_the_card(world: World, text: str | None, state: str) -> None:
    world.clone()
    if text is not None:
        put_card(world, text=text)
    assert row(world).memo_state == state


@pytest.mark.parametrize(
    ("has_card", "lacks", "incomplete"),
    [(True, "", False), (False, "", True), (True, "url", True), (True, "brief", True), (True, "head", True)],
)
def test_incomplete(world: World, lacks: str, *, has_card: bool, incomplete: bool) -> None:
    world.clone()
    if has_card:
        put_card(world)
    fields = {"url": "somewhere", "brief": "something", "head": head_of(world)}
    put_row(world, **{key: value for key, value in fields.items() if key != lacks})
    assert row(world).incomplete is incomplete


@pytest.mark.parametrize(
    ("recorded", "shown"),
    [
        ("https://user:secret@host.example/team/backend.git", "https://host.example/team/backend.git"),
        ("ssh://git@host.example/team/backend", "ssh://git@host.example/team/backend"),
        ('"https://host.example/\x1b[31mteam\u202e/backend"', "https://host.example/team/backend"),
    ],
)
def test_a_url_is_shown_without_credentials(world: World, recorded: str, shown: str) -> None:
    world.clone()
    put_row(world, url=recorded)
    assert row(world).url == shown


def test_the_url_of_a_clone_that_the_index_does_not_know(world: World) -> None:
    clone = world.clone()
    world.git(clone, "config", "remote.origin.url", "https://user:secret@host.example/team/backend.git")
    put_row(world, "other", url="x")
    assert row(world).url == "https://host.example/team/backend.git"


def test_a_recorded_head_that_is_no_commit_name_is_not_shown(world: World) -> None:
    world.clone()
    put_row(world, url="x", head="\x1b]0;title\x07")
    assert row(world).head == head_of(world)


# --- distances -------------------------------------------------------------------------------------------------------


def pool_of(world: World, *names: str) -> None:
    """Cards behind by 1, 2, 3 … commits."""
    for count, name in enumerate(names, start=1):
        known_clone(world, name)
        advance(world, name, commits=count)


def distances(found: Roster) -> list[tuple[str, str, int | None]]:
    return [(r.name, r.staleness.state, r.staleness.behind) for r in found.rows]


def test_distances_are_counted_once(world: World, tmp_path: Path) -> None:
    pool_of(world, "a", "b", "c")
    known_clone(world, "fresh")
    world.clone("nocard")
    expected: list[tuple[str, str, int | None]] = [("a", "behind", 1), ("b", "behind", 2), ("c", "behind", 3)]
    expected += [("fresh", "fresh", 0), ("nocard", "none", 0)]
    with counted_git(tmp_path) as calls:
        assert distances(roster(world, jobs=4)) == expected
        assert len(calls.lines) == 3
        assert distances(roster(world)) == expected
        assert len(calls.lines) == 3, "cached distances and equal heads cost no git process"
    shutil.rmtree(world.pool / ".cache")
    assert distances(roster(world)) == expected


def test_every_state_side_by_side(world: World) -> None:
    pool_of(world, "behind", "gone", "rewritten")
    put_row(world, "gone", head=NOBODY)
    world.git(world.pool / "rewritten", "reset", "-q", "--hard", "HEAD~4")
    origin = world.origin("shallow")
    put_row(world, "shallow", head=origin.sha("main~2"))
    world.git(world.pool, "clone", "-q", "--depth=1", f"file://{origin.path}", "shallow")
    put_card(world, "shallow")
    assert distances(roster(world, jobs=3)) == [
        ("behind", "behind", 1),
        ("gone", "unknown", None),
        ("rewritten", "rewritten", 0),
        ("shallow", "shallow", 1),
    ]
    cache = Cache(str(world.pool / ".cache"))
    assert len(cache.get("distance")) == 2, "neither unknown nor at least is kept"
    cache.close()


def test_without_distances_nothing_is_counted(world: World, tmp_path: Path) -> None:
    pool_of(world, "a")
    with counted_git(tmp_path) as calls:
        found = roster(world, distances=False)
        assert calls.lines == []
    assert [(r.name, r.staleness.stale) for r in found.rows] == [("a", True)]


def garbage(path: Path) -> None:
    path.mkdir()
    (path / "orbit-1.sqlite").write_bytes(b"garbage" * 1000)


def a_file(path: Path) -> None:
    path.write_text("")


def read_only_elsewhere(path: Path) -> None:
    path.symlink_to("/proc/self/nothing")


@pytest.mark.parametrize("damage", [garbage, a_file, read_only_elsewhere])
def test_the_cache_never_matters(world: World, damage: Callable[[Path], None]) -> None:
    pool_of(world, "a", "b")
    damage(world.pool / ".cache")
    for _ in range(2):
        found = roster(world)
        assert distances(found) == [("a", "behind", 1), ("b", "behind", 2)]
        assert lines(found) == []

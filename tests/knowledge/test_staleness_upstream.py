from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from counted_git import counted_git
from orbit.knowledge.staleness import (
    FRESH,
    NO_CARD,
    RemoteAhead,
    Staleness,
    memo_column,
    memo_notice,
    remote_ahead,
    remote_notice,
)
from orbit.store.cache import Cache
from pool_files import NOBODY, advance
from world import World

GONE = "the card's commit is gone from the clone"


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[Cache]:
    made = Cache(str(tmp_path / "cache"))
    yield made
    made.close()


def test_remote_ahead_counts_what_was_fetched(world: World, cache: Cache, tmp_path: Path) -> None:
    origin = world.origin()
    clone = world.clone()
    assert remote_ahead(str(clone), cache) == RemoteAhead(0, "main")
    origin.commit()
    origin.commit()
    with counted_git(tmp_path) as calls:
        assert remote_ahead(str(clone), cache) == RemoteAhead(0, "main"), "nothing is fetched by looking"
        assert calls.lines == []
        world.git(clone, "fetch", "-q")
        before = len(calls.lines)
        assert remote_ahead(str(clone), cache) == RemoteAhead(2, "main")
        assert remote_ahead(str(clone), cache) == RemoteAhead(2, "main")
        assert len(calls.lines) == before + 1


def test_remote_ahead_of_a_rewound_upstream(world: World, cache: Cache) -> None:
    clone = world.clone()
    advance(world, commits=2)
    assert remote_ahead(str(clone), cache) == RemoteAhead(0, "main"), "the pool is ahead"
    world.git(clone, "update-ref", "refs/remotes/origin/main", "HEAD~3")
    assert remote_ahead(str(clone), cache) == RemoteAhead(0, "main")


def fetched(world: World, clone: Path) -> None:
    """Two commits on the tracked branch of upstream, fetched."""
    for _ in range(2):
        world.origins["backend"].commit()
    world.git(clone, "fetch", "-q", "origin")


def detached(world: World, clone: Path) -> None:
    world.git(clone, "checkout", "-q", "--detach", "HEAD~1")


def on_another_branch(world: World, clone: Path) -> None:
    world.git(clone, "checkout", "-q", "-b", "mine", "HEAD~1")
    world.git(clone, "branch", "-q", "-D", "main")


def without_origin_head(world: World, clone: Path) -> None:
    world.git(clone, "symbolic-ref", "-d", "refs/remotes/origin/HEAD")


def packed(world: World, clone: Path) -> None:
    world.git(clone, "pack-refs", "--all")


@pytest.mark.parametrize(
    ("state", "ahead"),
    [
        (detached, RemoteAhead(2, "main")),
        (on_another_branch, RemoteAhead(3, "main")),
        (without_origin_head, RemoteAhead(2, "main")),
        (packed, RemoteAhead(2, "main")),
    ],
)
def test_remote_ahead_looks_at_the_tracked_branch(
    world: World, cache: Cache, state: Callable[[World, Path], None], ahead: RemoteAhead
) -> None:
    clone = world.clone()
    fetched(world, clone)
    state(world, clone)
    assert remote_ahead(str(clone), cache) == ahead


def test_remote_ahead_of_a_clone_made_while_upstream_was_empty(world: World, cache: Cache) -> None:
    origin = world.origin(empty=True)
    clone = world.clone()
    assert remote_ahead(str(clone), cache) == RemoteAhead(0, "main")
    origin.commit()
    origin.commit()
    world.git(clone, "fetch", "-q", "origin")
    assert remote_ahead(str(clone), cache) == RemoteAhead(2, "main")


def test_remote_ahead_without_origin(world: World, cache: Cache) -> None:
    clone = world.pool / "backend"
    world.git(world.pool, "init", "-q", str(clone))
    assert remote_ahead(str(clone), cache) == RemoteAhead(0, "main")
    shutil.rmtree(clone / ".git")
    assert remote_ahead(str(clone), cache) == RemoteAhead(0, "")


def test_remote_ahead_that_cannot_be_counted(world: World, cache: Cache) -> None:
    clone = world.clone()
    (clone / ".git" / "refs" / "remotes" / "origin" / "main").write_text(f"{NOBODY}\n")
    assert remote_ahead(str(clone), cache) == RemoteAhead(None, "main")


# --- how it is said --------------------------------------------------------------------------------------------------

RENEW = "memo shop with what changed, or memo shop --refresh if the card still holds"


@pytest.mark.parametrize(
    ("staleness", "memo_state", "cell", "line"),
    [
        (NO_CARD, "none", "none", ""),
        (FRESH, "ok", "ok", ""),
        (FRESH, "thin", "thin", ""),
        (FRESH, "over", "over", ""),
        (Staleness("behind", 1), "ok", "stale 1", "memo is 1 commits behind HEAD"),
        (Staleness("behind", 57), "thin", "stale 57", "memo is 57 commits behind HEAD"),
        (
            Staleness("rewritten", 3, 2),
            "ok",
            "rewritten",
            "memo is 3 commits behind HEAD (history rewritten, 2 dropped)",
        ),
        (
            Staleness("rewritten", 0, 2),
            "ok",
            "rewritten",
            "memo is 0 commits behind HEAD (history rewritten, 2 dropped)",
        ),
        (Staleness("shallow", 4), "over", "stale 4+", "memo is 4 commits behind HEAD (at least)"),
        (Staleness("shallow", None), "ok", "stale ?", "memo distance unknown, history is cut off"),
        (Staleness("unknown", None, reason=GONE), "ok", "stale ?", f"memo distance unknown, {GONE}"),
    ],
)
def test_cell_and_line(staleness: Staleness, memo_state: str, cell: str, line: str) -> None:
    notice = memo_notice("shop", staleness)
    assert memo_column(staleness, memo_state) == cell
    assert (notice.line if notice else "") == (f"orbit: shop: {line}: {RENEW}" if line else "")


@pytest.mark.parametrize(
    ("ahead", "line"),
    [
        (RemoteAhead(0, "main"), ""),
        (RemoteAhead(0, ""), ""),
        (RemoteAhead(1, "main"), "orbit: shop: 1 new commits on origin/main: sync shop"),
        (RemoteAhead(12, "release/1.x"), "orbit: shop: 12 new commits on origin/release/1.x: sync shop"),
        (RemoteAhead(None, "main"), "orbit: shop: origin/main differs, distance unknown: sync shop"),
    ],
)
def test_the_line_about_upstream(ahead: RemoteAhead, line: str) -> None:
    notice = remote_notice("shop", ahead)
    assert (notice.line if notice else "") == line

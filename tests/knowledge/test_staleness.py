from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from counted_git import counted_git
from orbit.knowledge.staleness import (
    FRESH,
    NO_CARD,
    Staleness,
    between,
    is_object_name,
    measure,
    memo_staleness,
    recall,
    remember,
    without_git,
)
from orbit.store.cache import Cache
from pool_files import NOBODY, advance, head_of
from world import World, environment, run_git

GONE = "the card's commit is gone from the clone"
CUT_OFF = "history is cut off before the card"


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[Cache]:
    made = Cache(str(tmp_path / "cache"))
    yield made
    made.close()


def kept(cache: Cache) -> dict[str, str]:
    return cache.get("distance")


def forget(clone: Path) -> None:
    """Objects that no ref reaches are gone afterwards."""
    run_git(clone, "reflog", "expire", "--expire=now", "--all")
    run_git(clone, "gc", "-q", "--prune=now")


def rewrite(world: World, clone: Path, new: int) -> str:
    """A force-push that the pool follows: another history from the root on; the new HEAD."""
    world.git(clone, "checkout", "-q", "--orphan", "other")
    for _ in range(new):
        world.git(clone, "commit", "-q", "--allow-empty", "-m", "Another")
    world.git(clone, "branch", "-q", "-M", "main")
    return head_of(world)


SHA, OTHER = "a" * 40, "b" * 64


@pytest.mark.parametrize(
    ("stored", "current", "has_card", "answer"),
    [
        (SHA, SHA, False, NO_CARD),
        ("", "", False, NO_CARD),
        ("rubbish", SHA, False, NO_CARD),
        (SHA, SHA, True, FRESH),
        (OTHER, OTHER, True, FRESH),
        (OTHER, SHA, True, None),
        ("", SHA, True, Staleness("unknown", None, reason="no head was recorded with the card")),
        (SHA, "", True, Staleness("unknown", None, reason="HEAD of the pool clone names no commit")),
        ("", "", True, Staleness("unknown", None, reason="HEAD of the pool clone names no commit")),
        ("HEAD", SHA, True, Staleness("unknown", None, reason="the head recorded with the card is not a commit name")),
        ("--all", SHA, True, Staleness("unknown", None, reason="the head recorded with the card is not a commit name")),
    ],
)
def test_what_needs_no_git(stored: str, current: str, *, has_card: bool, answer: Staleness | None) -> None:
    assert without_git(stored, current, has_card=has_card) == answer


@pytest.mark.parametrize("text", ["", "a" * 39, "A" * 40, "g" * 40, "-" + "a" * 39, "a" * 40 + "\n", "a" * 41])
def test_no_object_names(text: str) -> None:
    assert not is_object_name(text)
    assert is_object_name(SHA)
    assert is_object_name(OTHER)


@pytest.mark.parametrize("commits", [1, 4])
def test_behind(world: World, cache: Cache, commits: int) -> None:
    clone = world.clone()
    old = head_of(world)
    new = advance(world, commits=commits)
    found = memo_staleness(str(clone), old, new, cache, has_card=True)
    assert found == Staleness("behind", commits, cacheable=True)
    assert kept(cache) == {f"{old}...{new}": f"0 {commits}"}


def test_merged_side_branches_count_too(world: World, cache: Cache) -> None:
    clone = world.clone()
    old = head_of(world)
    world.git(clone, "checkout", "-q", "-b", "side", "HEAD~1")
    advance(world, commits=2)
    world.git(clone, "checkout", "-q", "main")
    world.git(clone, "merge", "-q", "--no-ff", "-m", "Merge", "side")
    assert between(str(clone), old, head_of(world), cache).behind == 3


def test_rewritten(world: World, cache: Cache) -> None:
    clone = world.clone()
    old = head_of(world)
    new = rewrite(world, clone, 2)
    found = memo_staleness(str(clone), old, new, cache, has_card=True)
    assert found == Staleness("rewritten", 2, 3, cacheable=True)
    assert kept(cache) == {f"{old}...{new}": "3 2"}


def test_a_pool_put_back_to_an_older_commit_is_not_fresh(world: World, cache: Cache) -> None:
    clone = world.clone()
    old = head_of(world)
    world.git(clone, "reset", "-q", "--hard", "HEAD~2")
    found = memo_staleness(str(clone), old, head_of(world), cache, has_card=True)
    assert found == Staleness("rewritten", 0, 2, cacheable=True)


def test_a_collected_commit_is_unknown_and_not_kept(world: World, cache: Cache) -> None:
    clone = world.clone()
    old = advance(world)
    world.git(clone, "reset", "-q", "--hard", "origin/main~1")
    forget(clone)
    found = memo_staleness(str(clone), old, head_of(world), cache, has_card=True)
    assert found == Staleness("unknown", None, reason=GONE)
    assert kept(cache) == {}


def test_what_was_counted_once_stays_true_after_the_commit_is_gone(world: World, cache: Cache) -> None:
    clone = world.clone()
    old = advance(world)
    new = rewrite(world, clone, 1)
    assert between(str(clone), old, new, cache).state == "rewritten"
    forget(clone)
    assert measure(str(clone), old, new).state == "unknown"
    assert between(str(clone), old, new, cache) == Staleness("rewritten", 1, 4, cacheable=True)


def shallow_clone(world: World, depth: int) -> Path:
    origin = world.origins["backend"]
    path = world.pool / "backend"
    run_git(world.pool, "clone", "-q", f"--depth={depth}", f"file://{origin.path}", str(path))
    return path


def test_shallow_history_that_reaches_the_card_is_counted_but_not_kept(world: World, cache: Cache) -> None:
    origin = world.origin()
    old = origin.sha()
    clone = shallow_clone(world, 1)
    for _ in range(3):
        origin.commit()
    world.git(clone, "fetch", "-q", "origin", "main")
    world.git(clone, "reset", "-q", "--hard", "FETCH_HEAD")
    assert between(str(clone), old, head_of(world), cache) == Staleness("behind", 3)
    assert kept(cache) == {}


def test_shallow_history_that_ends_before_the_card_gives_at_least(world: World, cache: Cache) -> None:
    origin = world.origin()
    old = origin.sha()
    for _ in range(5):
        origin.commit()
    clone = shallow_clone(world, 2)
    assert between(str(clone), old, head_of(world), cache) == Staleness("shallow", 2, reason=CUT_OFF)
    assert kept(cache) == {}
    world.git(clone, "fetch", "-q", "--unshallow")
    assert between(str(clone), old, head_of(world), cache) == Staleness("behind", 5, cacheable=True)


def test_shallow_history_with_a_gap_before_the_card(world: World, cache: Cache) -> None:
    origin = world.origin()
    old = origin.sha()
    clone = shallow_clone(world, 1)
    for _ in range(5):
        origin.commit()
    world.git(clone, "fetch", "-q", "--depth=2", "origin", "main")
    world.git(clone, "update-ref", "refs/kept", old)
    world.git(clone, "reset", "-q", "--hard", "FETCH_HEAD")
    assert between(str(clone), old, head_of(world), cache) == Staleness("shallow", 2)
    assert kept(cache) == {}


def test_shallow_history_with_a_side_branch_cut_off(world: World, cache: Cache) -> None:
    origin = world.origin()
    old = origin.sha()
    origin.branch("side", "main~2")
    for _ in range(4):
        origin.commit(branch="side")
    tree = world.git(origin.path, "rev-parse", "main^{tree}")
    merged = world.git(origin.path, "commit-tree", tree, "-p", "main", "-p", "side", "-m", "Merge")
    world.git(origin.path, "update-ref", "refs/heads/main", merged)
    clone = shallow_clone(world, 3)
    assert between(str(clone), old, merged, cache) == Staleness("shallow", 3)
    assert kept(cache) == {}
    world.git(clone, "fetch", "-q", "--unshallow")
    assert between(str(clone), old, merged, cache) == Staleness("behind", 5, cacheable=True)


def test_a_replaced_commit_is_believed_but_not_kept(world: World, cache: Cache) -> None:
    clone = world.clone()
    old = head_of(world)
    new = advance(world, commits=3)
    world.git(clone, "replace", "--graft", "HEAD", old)
    assert between(str(clone), old, new, cache) == Staleness("behind", 1)
    assert kept(cache) == {}
    world.git(clone, "replace", "-d", new)
    assert between(str(clone), old, new, cache) == Staleness("behind", 3, cacheable=True)


def test_object_names_of_the_long_kind(world: World, cache: Cache) -> None:
    clone = world.pool / "backend"
    world.git(world.pool, "init", "-q", "--object-format=sha256", str(clone))
    old = advance(world)
    new = advance(world, commits=2)
    assert len(old) == 64
    assert between(str(clone), old, new, cache) == Staleness("behind", 2, cacheable=True)


@pytest.mark.parametrize("stored", [NOBODY, "f" * 64])
def test_a_commit_that_was_never_there(world: World, cache: Cache, stored: str) -> None:
    clone = world.clone()
    assert between(str(clone), stored, head_of(world), cache) == Staleness("unknown", None, reason=GONE)
    assert kept(cache) == {}


def test_a_directory_that_is_no_clone(world: World, cache: Cache) -> None:
    (world.pool / "plain").mkdir()
    found = between(str(world.pool / "plain"), SHA, NOBODY, cache)
    assert found == Staleness("unknown", None, reason="git cannot read the pool clone")


def test_a_clone_that_git_cannot_read(world: World, cache: Cache) -> None:
    clone = world.clone()
    old = head_of(world)
    new = advance(world)
    shutil.rmtree(clone / ".git" / "objects")
    (clone / ".git" / "objects").mkdir()
    assert between(str(clone), old, new, cache) == Staleness("unknown", None, reason="git cannot read the pool clone")


def test_a_machine_without_git(world: World, cache: Cache, tmp_path: Path) -> None:
    clone = world.clone()
    old = head_of(world)
    new = advance(world)
    with environment({"PATH": str(tmp_path)}):
        found = between(str(clone), old, new, cache)
    assert (found.state, found.behind) == ("unknown", None)
    assert found.reason.startswith("git is not on PATH")


def test_a_kept_distance_starts_no_git(world: World, cache: Cache, tmp_path: Path) -> None:
    clone = world.clone()
    old = head_of(world)
    new = advance(world, commits=2)
    with counted_git(tmp_path) as calls:
        first = between(str(clone), old, new, cache)
        assert len(calls.lines) == 1
        again = between(str(clone), old, new, Cache(str(tmp_path / "cache")))
        assert memo_staleness(str(clone), new, new, cache, has_card=True) == FRESH
        assert len(calls.lines) == 1
    assert first == again


@pytest.mark.parametrize("value", ["", "3", "x 3", "1 -3", "0 ٣", "0 " + "9" * 5000, "0 3 4"])
def test_a_distance_that_is_none_is_counted_again(world: World, cache: Cache, value: str) -> None:
    clone = world.clone()
    old = head_of(world)
    new = advance(world)
    cache.put("distance", {f"{old}...{new}": value})
    assert between(str(clone), old, new, cache).behind == 1
    assert kept(cache) == {f"{old}...{new}": "0 1"}


def test_many_at_once(cache: Cache) -> None:
    behind, rewritten = Staleness("behind", 3, cacheable=True), Staleness("rewritten", 4, 2, cacheable=True)
    remember(cache, {("a", "b"): behind, ("c", "d"): rewritten})
    assert recall(cache, [("a", "b"), ("c", "d"), ("a", "d")]) == {("a", "b"): behind, ("c", "d"): rewritten}


def test_where_history_is_cut_off_is_not_guessed(world: World, cache: Cache) -> None:
    clone = world.clone()
    old = world.git(clone, "rev-parse", "HEAD~1")
    (clone / ".git" / "shallow").mkdir()
    found = between(str(clone), old, world.git(clone, "rev-parse", "HEAD"), cache)
    assert (found.state, found.behind, found.reason) == ("unknown", None, "cannot be read: is a directory")

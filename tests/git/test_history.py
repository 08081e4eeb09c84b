"""How far commits are apart, and whether one is there, against what git itself was told to make."""

from __future__ import annotations

import pytest

from orbit.errors import OrbitError
from orbit.git.history import Distance, count_commits, count_unpushed, distance, has_commit, merge_bases
from orbit.git.run import GitError
from reliability.starts import starts
from world import World, clone_repository

NOWHERE = "1" * 40


def test_distance_counts_both_sides(world: World) -> None:
    origin = world.origin()
    base = origin.sha()
    origin.branch("side")
    side = [origin.commit({f"s{n}": "x"}, branch="side") for n in range(2)][-1]
    main = [origin.commit({f"m{n}": "x"}) for n in range(3)][-1]
    directory = origin.url
    assert distance(directory, base, main) == Distance(dropped=0, new=3)
    assert distance(directory, main, base) == Distance(dropped=3, new=0)
    assert distance(directory, side, main) == Distance(dropped=2, new=3)
    assert distance(directory, main, main) == Distance(dropped=0, new=0)


def test_all_commits_and_one_commit(world: World) -> None:
    clone = str(world.clone())
    tip = world.origins["backend"].sha()
    assert count_commits(clone, tip) == 3
    assert has_commit(clone, tip)
    assert not has_commit(clone, NOWHERE)
    assert not has_commit(clone, world.git(clone, "rev-parse", "HEAD^{tree}"))


def test_a_shallow_clone_counts_what_it_has(world: World) -> None:
    world.git(world.base, "clone", "-q", "--depth=1", f"file://{world.origin().url}", str(world.base / "shallow"))
    assert count_commits(str(world.base / "shallow"), "HEAD") == 1


@pytest.mark.parametrize("bad", [NOWHERE, "", "--all", "--output=made", "HEAD --all"])
def test_what_is_no_commit_is_unknown_and_never_an_option(world: World, bad: str) -> None:
    clone = world.clone()
    assert distance(str(clone), bad, "HEAD") is None or bad == ""
    assert count_commits(str(clone), bad) is None
    assert not has_commit(str(clone), bad)
    assert not (clone / "made").exists()


def test_no_repository(world: World) -> None:
    assert distance(str(world.base), "a", "b") is None
    assert count_commits(str(world.base), "a") is None
    assert not has_commit(str(world.base), "a")


def test_a_replaced_history_is_counted_as_it_is_shown(world: World) -> None:
    clone = world.pool / "backend"
    clone_repository(world.origin().url, clone)
    world.git(clone, "replace", "--graft", "HEAD")
    assert count_commits(str(clone), "HEAD") == 1


def test_what_two_commits_grew_from(world: World) -> None:
    origin = world.origin()
    base = origin.sha()
    origin.branch("other")
    here, there = origin.commit(), origin.commit({"x": "1"}, branch="other")
    path = str(origin.path)
    assert merge_bases(path, here, there) == [base]
    assert merge_bases(path, here, here) == [here]
    with pytest.raises(GitError, match="comparing it with 000000000000"):
        merge_bases(path, here, "0" * 40)


def test_commits_that_no_branch_of_origin_has(world: World) -> None:
    clone = world.clone()
    assert count_unpushed(str(clone)) == 0
    world.git(clone, "commit", "-q", "--allow-empty", "-m", "mine")
    assert count_unpushed(str(clone)) == 1
    world.git(clone, "push", "-q", "origin", "HEAD:other")
    assert count_unpushed(str(clone)) == 0
    assert count_unpushed(str(world.base)) is None


@pytest.mark.parametrize("way", ["EAGAIN", "is killed at once", "fails at once"])
def test_histories_did_not_begin_apart_because_git_failed(world: World, way: str) -> None:
    clone = world.clone()
    head = world.git(clone, "rev-parse", "HEAD")
    with starts(1, way), pytest.raises(OrbitError):
        merge_bases(str(clone), head, head)

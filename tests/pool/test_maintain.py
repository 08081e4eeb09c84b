"""Managed git config: first written, put back, told; never where the user said so."""

from __future__ import annotations

from pathlib import Path

import pytest

from orbit.git.run import GitError
from orbit.pool.clones import clone_config
from orbit.pool.maintain import FULL_MAP, differing, has_full_map, is_chosen, note_choice, put_back, write_at_clone
from orbit.store.settings import Settings, read_settings
from orbit.store.syntax import parse
from world import World

KEYS = {"remote.origin.fetch": FULL_MAP, "fetch.prune": "true", "push.default": "upstream"}
NARROW = "+refs/heads/main:refs/remotes/origin/main"


def settings(mode: str = "always") -> Settings:
    text = f"[git]\n\tfetchAllBranches = {mode}\n\tfetchPrune = {mode}\n\tpushUpstreamByDefault = {mode}\n"
    return read_settings(parse(text))


@pytest.fixture
def clone(world: World) -> Path:
    return world.clone()


def stored(world: World, clone: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in world.git(clone, "config", "--local", "--list").splitlines():
        key, _, value = line.partition("=")
        if key in KEYS:
            found.setdefault(key, []).append(value)
    return found


def as_git_leaves_it(world: World, clone: Path) -> None:
    world.git(clone, "config", "remote.origin.fetch", NARROW)
    world.git(clone, "config", "--unset", "fetch.prune")
    world.git(clone, "config", "--unset", "push.default")


@pytest.mark.parametrize("mode", ["always", "once"])
def test_a_new_clone_gets_all_of_it(world: World, clone: Path, mode: str) -> None:
    as_git_leaves_it(world, clone)
    write_at_clone(str(clone), settings(mode))
    assert stored(world, clone) == {key: [value] for key, value in KEYS.items()}


def test_never_is_never(world: World, clone: Path) -> None:
    as_git_leaves_it(world, clone)
    write_at_clone(str(clone), settings("never"))
    assert put_back("backend", str(clone), settings("never")) == []
    assert stored(world, clone) == {"remote.origin.fetch": [NARROW]}


def test_once_is_not_again(world: World, clone: Path) -> None:
    as_git_leaves_it(world, clone)
    assert put_back("backend", str(clone), settings("once")) == []
    assert stored(world, clone) == {"remote.origin.fetch": [NARROW]}


def test_what_drifted_is_put_back_and_each_is_told(world: World, clone: Path) -> None:
    as_git_leaves_it(world, clone)
    world.git(clone, "config", "push.default", "nothing")
    told = put_back("backend", str(clone), settings())
    change = f"{NARROW} -> {FULL_MAP}"
    assert [notice.line for notice in told] == [
        f"orbit: backend: remote.origin.fetch: {change} put back, config git.fetchAllBranches once stops it",
        "orbit: backend: fetch.prune: unset -> true put back, config git.fetchPrune once stops it",
        "orbit: backend: push.default: nothing -> upstream put back, config git.pushUpstreamByDefault once stops it",
    ]
    assert stored(world, clone) == {key: [value] for key, value in KEYS.items()}
    assert put_back("backend", str(clone), settings()) == []


def test_several_values_become_the_one(world: World, clone: Path) -> None:
    world.git(clone, "config", "--add", "remote.origin.fetch", "+refs/pull/*:refs/pull/*")
    (notice,) = put_back("backend", str(clone), settings())
    assert f"{FULL_MAP}, +refs/pull/*:refs/pull/* -> {FULL_MAP}" in notice.fact
    assert stored(world, clone)["remote.origin.fetch"] == [FULL_MAP]


def test_one_setting_governs_one_key(world: World, clone: Path) -> None:
    as_git_leaves_it(world, clone)
    mixed = read_settings(parse("[git]\n\tfetchAllBranches = never\n\tfetchPrune = once\n"))
    assert [notice.subject for notice in put_back("backend", str(clone), mixed)] == ["backend"]
    assert stored(world, clone) == {"remote.origin.fetch": [NARROW], "push.default": ["upstream"]}
    assert [managed.name for managed, _ in differing(clone_config(str(clone)), mixed, ("once",))] == ["fetch.prune"]


def test_a_clone_without_origin_is_left_alone(world: World, clone: Path) -> None:
    world.git(clone, "remote", "rename", "origin", "elsewhere")
    before = (clone / ".git" / "config").read_text()
    assert put_back("backend", str(clone), settings()) == []
    assert (clone / ".git" / "config").read_text() == before


def test_a_locked_config_is_an_error_and_no_fault_of_the_remote(world: World, clone: Path) -> None:
    as_git_leaves_it(world, clone)
    (clone / ".git" / "config.lock").touch()
    with pytest.raises(GitError, match="another git process holds a lock") as caught:
        put_back("backend", str(clone), settings())
    assert caught.value.kind == "lock"


def test_the_full_map_is_exact(world: World, clone: Path) -> None:
    assert has_full_map(clone_config(str(clone)))
    world.git(clone, "config", "--add", "remote.origin.fetch", NARROW)
    assert not has_full_map(clone_config(str(clone)))


def test_a_chosen_branch_is_remembered(world: World, clone: Path) -> None:
    assert not is_chosen(clone_config(str(clone)), "main")
    note_choice(str(clone), "release/1.x")
    assert is_chosen(clone_config(str(clone)), "release/1.x")
    assert not is_chosen(clone_config(str(clone)), "main")

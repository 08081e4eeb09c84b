"""What cannot be read keeps a workspace, or whatever it is about; it is never taken for what is not there.

A directory in a file's place, or a link in a ring, cannot be read by anybody.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from finished import branches, finished
from prune_oracle import read_state, refs_of
from world import World

Make = Callable[[World, Path], Path]


def registration(world: World, name: str = "backend") -> Path:
    return world.pool / "backend" / ".git" / "worktrees" / name


def lock_file(world: World, tree: Path) -> Path:
    world.git(world.pool / "backend", "worktree", "lock", "--reason", "on a stick", str(tree))
    return registration(world) / "locked"


def registry(world: World, _: Path) -> Path:
    return world.pool / "backend" / ".git" / "worktrees"


def other_tree(world: World, _: Path) -> Path:
    """It has a branch of the workspace checked out, as its HEAD would say."""
    elsewhere = world.base / "elsewhere"
    world.git(world.pool / "backend", "worktree", "add", "-q", "-b", "ws/task-01/other", str(elsewhere), "origin/main")
    return registration(world, "elsewhere") / "HEAD"


def other_rebase(world: World, tree: Path) -> Path:
    """It will come back to a branch of the workspace, as git noted."""
    other_tree(world, tree)
    world.git(world.base / "elsewhere", "switch", "-q", "--detach")
    name = registration(world, "elsewhere") / "rebase-merge" / "head-name"
    name.parent.mkdir()
    name.write_text("refs/heads/ws/task-01/other\n")
    return name


def config(world: World, _: Path) -> Path:
    return world.pool / "backend" / ".git" / "config"


def head_of_the_clone(world: World, _: Path) -> Path:
    return world.pool / "backend" / ".git" / "HEAD"


def other_clone(world: World, _: Path) -> Path:
    return world.clone("frontend") / ".git"


def link_of_another_clone(world: World, _: Path) -> Path:
    """A pool clone whose `.git` is a file, and too odd to be read."""
    clone = world.clone("frontend")
    (clone / ".git").rename(world.base / "frontend.git")
    (clone / ".git").write_text(f"gitdir: {world.base}/frontend.git\n")
    return clone / ".git"


def original_head(world: World, tree: Path) -> Path:
    world.git(tree, "reset", "-q", "--hard")
    return registration(world) / "ORIG_HEAD"


def modules(world: World, _: Path) -> Path:
    (registration(world) / "modules").mkdir()
    return registration(world) / "modules"


def link(_: World, tree: Path) -> Path:
    return tree / ".git"


def place_of_it(world: World, _: Path) -> Path:
    return registration(world) / "gitdir"


IN_A_RING = (registry, other_clone, modules)
FINAL: dict[str, tuple[Make, str]] = {
    "lock": (lock_file, "backend: worktree backend is locked (its reason cannot be read)"),
    "registry": (registry, "backend: its worktrees cannot be listed ("),
    "HEAD of another worktree": (other_tree, "/worktrees/elsewhere/HEAD cannot be read (is a directory)"),
    "rebase of another worktree": (other_rebase, "/rebase-merge/head-name cannot be read (is a directory)"),
    "config": (config, "backend: {pool}/backend/.git/config cannot be read (is a directory)"),
    "HEAD of the clone": (head_of_the_clone, "{pool}/backend/.git/HEAD cannot be read (is a directory)"),
    "another clone": (other_clone, "frontend: its .git cannot be read"),
}
RELEASED: dict[str, tuple[Make, str]] = {
    "ORIG_HEAD": (original_head, "/worktrees/backend/ORIG_HEAD cannot be read (is a directory))"),
    "submodules": (modules, "/modules cannot be read: Too many levels of symbolic links"),
    "link": (link, "backend: worktree cannot be read (damaged, its .git file is missing or broken)"),
    "place": (place_of_it, "a worktree of the pool that is damaged or was moved: backend"),
}


def spoil(path: Path, *, ring: bool = False) -> Path:
    """Something that nobody can read in place of what is there; where that is now."""
    aside = path.with_name(f"{path.name}.aside")
    if path.exists():
        path.rename(aside)
    if ring:
        path.symlink_to(path.name)
    else:
        path.mkdir()
    return aside


def mend(path: Path, aside: Path) -> None:
    path.unlink() if path.is_symlink() else path.rmdir()
    if aside.exists():
        aside.rename(path)


@pytest.mark.parametrize("name", FINAL)
def test_it_stays_in_every_mode(world: World, name: str) -> None:
    make, text = FINAL[name]
    tree = finished(world) / "backend"
    path = make(world, tree)
    before = read_state(world)
    aside = spoil(path, ring=make in IN_A_RING)
    for mode in ([], ["--dry-run"], ["--force"]):
        outcome = world.orbit("prune", *mode)
        assert outcome.code == 0
        assert text.format(pool=world.pool) in outcome.out, outcome
        assert outcome.out.startswith(("kept: task-01 (nothing of it was changed)\n", "would keep: task-01\n"))
        assert "--force" not in outcome.out
    mend(path, aside)
    assert read_state(world) == before


@pytest.mark.parametrize("name", RELEASED)
def test_it_stays_unless_forced(world: World, name: str) -> None:
    make, text = RELEASED[name]
    home = finished(world)
    path = make(world, home / "backend")
    before = read_state(world)
    aside = spoil(path, ring=make in IN_A_RING)
    for mode in ([], ["--dry-run"]):
        assert text in world.orbit("prune", *mode).out
    mend(path, aside)
    assert read_state(world) == before
    spoil(path, ring=make in IN_A_RING)
    outcome = world.orbit("prune", "--force")
    assert outcome.code == 0
    assert outcome.out.startswith("discarding in task-01:\n")
    assert text in outcome.out
    assert not home.exists()


@pytest.mark.parametrize(("name", "what"), [("locked", "is locked (its reason"), ("HEAD", "HEAD cannot be read")])
def test_a_ghost_stays(world: World, name: str, what: str) -> None:
    shutil.rmtree(finished(world))
    before = refs_of(world.pool / "backend")
    spoil(registration(world) / name)
    outcome = world.orbit("prune")
    assert outcome.code == 0
    assert outcome.out.startswith("kept: task-01 ")
    assert what in outcome.out
    assert refs_of(world.pool / "backend") == before
    assert registration(world).is_dir()


def test_a_ghost_stays_that_may_lie_where_nobody_can_look(world: World) -> None:
    shutil.rmtree(finished(world))
    place = world.root / "attic" / "deep"
    place.mkdir(parents=True)
    spoil(place / ".git", ring=True)
    outcome = world.orbit("prune", "--force")
    assert (outcome.code, outcome.out) == (0, "nothing to prune\n")
    assert outcome.err == f"orbit: task-01: left alone, it may have been moved to {place}, which cannot be read\n"
    assert registration(world).is_dir()
    assert "ws/task-01/main" in branches(world)
    shutil.rmtree(place)
    assert world.orbit("prune").out.startswith("pruned: task-01 (its directory is gone, ")


def test_a_worktree_whose_place_cannot_be_reached_is_not_gone(world: World) -> None:
    """On a mount that is down, say."""
    away = world.base / "away"
    world.clone()
    world.git(world.pool / "backend", "worktree", "add", "-q", "--detach", str(away / "tree"), "origin/main")
    aside = spoil(away, ring=True)
    assert world.orbit("prune").out == "nothing to prune\n"
    mend(away, aside)
    assert world.git(away / "tree", "status", "--porcelain") == ""


def test_a_registration_of_which_not_all_can_be_kept_stays(world: World) -> None:
    shutil.rmtree(finished(world) / "backend")
    assert world.orbit("goal", "go on", cwd=world.root / "task-01").code == 0
    spoil(registration(world) / "HEAD")
    outcome = world.orbit("prune")
    assert outcome.out.startswith("kept the registration of ")
    assert "HEAD cannot be read (is a directory)" in outcome.out
    assert registration(world).is_dir()


@pytest.mark.parametrize("make", [config, registry])
def test_what_was_not_looked_at_is_told(world: World, make: Make) -> None:
    world.clone()
    (world.pool / "backend" / ".git" / "worktrees").mkdir()
    spoil(make(world, world.root), ring=make in IN_A_RING)
    outcome = world.orbit("prune")
    assert outcome.code == 0
    assert outcome.err.startswith("orbit: backend: not looked at for what others left in it, ")
    assert f"{world.pool}/backend/.git/{'config' if make is config else 'worktrees'} cannot be read (" in outcome.err


def test_what_is_only_hidden_in_the_pool_is_a_clone(world: World) -> None:
    finished(world)
    path = link_of_another_clone(world, world.root)
    path.unlink()
    os.mkfifo(path)
    assert "frontend: its .git cannot be read\n" in world.orbit("prune").out
    assert (world.root / "task-01" / "backend").is_dir()

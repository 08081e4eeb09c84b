"""Roots and worktrees in places that are odd, gone, held or moved by hand. Contract: git.md, What must work."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from rounds import assert_in_order, begin, row, well, work_and_end
from worktrees import assert_usable, state_of
from world import Outcome, World, environment, run_git

# --- roots -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["mein Projekt", "проект ä", 'it\'s "$HOME" & `x`', "a:b", "-n", "[x]*"])
def test_a_root_of_any_name(world: World, name: str) -> None:
    root = world.base / name
    root.mkdir()
    tree = begin(world, world.origin().url, root=root)
    world.origins["backend"].commit({"new.txt": "new\n"})
    assert well(world.orbit("sync", cwd=tree)).out == "backend: fast-forwarded 1 commits → origin/main\n"
    work_and_end(world, tree)


@pytest.mark.parametrize("way", ["root", "ORBIT_ROOT", "pool"])
def test_symlinks_on_the_way(world: World, way: str) -> None:
    link = world.base / "way in"
    if way == "pool":
        world.pool.rename(link)
        world.pool.symlink_to(link)
        link = world.root
    else:
        link.symlink_to(world.root)
    with environment({"ORBIT_ROOT": str(link) if way == "ORBIT_ROOT" else None}):
        tree = begin(world, world.origin().url, root=link)
        assert (world.root / "task-01" / "backend" / "README.md").exists()
        work_and_end(world, tree)


# --- worktrees that are held or gone ---------------------------------------------------------------------------------


def test_a_locked_worktree_works_like_any_other(world: World) -> None:
    tree = begin(world, world.origin().url)
    world.git(tree, "worktree", "lock", "--reason", "on a stick", str(tree))
    work_and_end(world, tree)
    assert "locked on a stick" in world.git(tree, "worktree", "list", "--porcelain")


def test_a_worktree_removed_by_hand_is_added_anew(world: World) -> None:
    tree = begin(world, world.origin().url)
    shutil.rmtree(tree)
    for words in (["status"], ["context"], ["repos"], ["sync"], ["doctor"]):
        well(world.orbit(*words, cwd=tree.parent))
    said = well(world.orbit("add", "backend", "-s", cwd=tree.parent))
    assert said.out == "added backend → task-01/backend (branch: ws/task-01/main, upstream: origin/main)\n"
    cleared = "orbit: backend: cleared the registration of task-01/backend, whose directory is gone\n"
    assert said.err.startswith(cleared)
    assert_usable(tree)
    assert world.git(tree, "worktree", "list", "--porcelain").count("worktree ") == 2
    assert_in_order(world, tree)


def test_a_worktree_removed_by_hand_keeps_the_commits_of_its_branch(world: World) -> None:
    tree = begin(world, world.origin().url)
    world.git(tree, "commit", "-q", "--allow-empty", "-m", "Work")
    work = world.git(tree, "rev-parse", "HEAD")
    shutil.rmtree(tree)
    said = world.orbit("add", "backend", cwd=tree.parent)
    assert (said.code, said.out) == (1, "")
    assert "orbit add backend --reuse" in said.err
    well(world.orbit("add", "backend", "--reuse", cwd=tree.parent))
    assert world.git(tree, "rev-parse", "HEAD") == work


def test_a_worktree_removed_by_hand_keeps_commits_that_only_its_head_holds(world: World) -> None:
    tree = begin(world, world.origin().url)
    world.git(tree, "checkout", "-q", "--detach")
    world.git(tree, "commit", "-q", "--allow-empty", "-m", "Work")
    work = world.git(tree, "rev-parse", "--short=10", "HEAD")
    shutil.rmtree(tree)
    before = state_of(world)
    said = world.orbit("add", "backend", cwd=tree.parent)
    line = f"task-01/backend is gone, and only its registration holds the commit {work}"
    hint = f"keep it as a branch: git -C {world.pool}/backend branch NAME {work}"
    assert said == Outcome(1, "", f"orbit: backend: {line}\norbit: backend: {hint}\n")
    assert state_of(world) == before
    world.git(world.pool / "backend", "branch", "kept", work)
    well(world.orbit("add", "backend", cwd=tree.parent))
    assert_usable(tree)


def test_a_worktree_that_is_gone_and_locked_stays_registered(world: World) -> None:
    tree = begin(world, world.origin().url)
    world.git(tree, "worktree", "lock", "--reason", "on a stick", str(tree))
    away = world.base / "away"
    tree.rename(away)
    before = state_of(world)
    said = world.orbit("add", "backend", cwd=tree.parent)
    line = "task-01/backend is not there, and git worktree lock holds its place (on a stick)"
    hint = "bring it back, or give it up with git worktree unlock"
    assert said == Outcome(1, "", f"orbit: backend: {line}\norbit: backend: {hint}\n")
    assert state_of(world) == before
    away.rename(tree)
    work_and_end(world, tree)


def test_a_worktree_in_the_middle_of_a_rebase(world: World) -> None:
    origin = world.origin()
    tree = begin(world, origin.url)
    (tree / "README.md").write_text("# Mine\n")
    world.git(tree, "commit", "-q", "-a", "-m", "Mine")
    origin.commit({"README.md": "# Theirs\n"})
    well(world.orbit("sync", cwd=tree))
    rebase = subprocess.run(["git", "-C", str(tree), "rebase", "-q", "@{upstream}"], capture_output=True, check=False)
    assert rebase.returncode != 0
    at = world.git(tree, "rev-parse", "HEAD")
    found = row(world, tree)
    assert (found["operation"], found["branch"], found["dirtyFiles"]) == ("rebase", "detached", 1)
    for words in (["status"], ["context"], ["repos"], ["doctor"], ["done"], ["goal", "Go on"]):
        well(world.orbit(*words, cwd=tree))
    origin.commit({"new.txt": "new\n"})
    assert well(world.orbit("sync", cwd=tree)).out == "backend: fast-forwarded 1 commits → origin/main\n"
    for words in (["switch", "-c", "other"], ["switch", "main"]):
        said = world.orbit(*words, cwd=tree)
        assert (said.code, said.out) == (1, "")
        assert "rebas" in said.err
    assert row(world, tree)["operation"] == "rebase"
    assert world.git(tree, "rev-parse", "HEAD") == at
    world.git(tree, "rebase", "--abort")
    assert (tree / "README.md").read_text() == "# Mine\n"
    assert row(world, tree)["ahead"] == 1


def test_a_branch_under_rebase_is_not_taken_by_another_worktree(world: World) -> None:
    tree = begin(world, world.origin().url)
    world.git(tree, "-c", "sequence.editor=echo break >", "rebase", "-q", "-i", "HEAD~1")
    assert row(world, tree)["operation"] == "rebase"
    tip = world.git(tree, "rev-parse", "ws/task-01/main")
    renamed = world.root / "task-02"
    tree.parent.rename(renamed)
    (world.root / "task-01").mkdir()
    said = world.orbit("add", "backend", cwd=world.root / "task-01")
    assert (said.code, said.out) == (1, "")
    assert "doctor --fix" in said.err
    well(world.orbit("doctor", "--fix"))
    said = world.orbit("add", "backend", cwd=world.root / "task-01")
    assert "ws/task-01/main is checked out in" in said.err
    assert run_git(renamed / "backend", "rev-parse", "ws/task-01/main") == tip
    assert row(world, renamed / "backend")["operation"] == "rebase"


ANEW = "move the folder out of the project, then orbit add REPO"


# --- moved by hand ---------------------------------------------------------------------------------------------------


def staged(world: World, tree: Path) -> None:
    """Work that only the worktree's registration knows."""
    (tree / "staged.txt").write_text("staged\n")
    world.git(tree, "add", "staged.txt")


def assert_joined(world: World, tree: Path, *, root: Path) -> None:
    said = well(world.orbit("doctor", cwd=root))
    assert f"[WARN] worktrees: moved by hand: {tree}: orbit doctor --fix" in said.out
    said = well(world.orbit("doctor", "--fix", cwd=root))
    assert f"fixed: joined the worktree {tree} to the pool again" in said.out
    assert_in_order(world, root)
    listed = world.git(root / ".repos" / "backend", "worktree", "list", "--porcelain")
    assert f"worktree {tree}\n" in listed
    assert world.git(tree, "status", "--porcelain") == "A  staged.txt"
    assert row(world, tree)["dirtyFiles"] == 1


def test_a_worktree_moved_beside_its_place(world: World) -> None:
    tree = begin(world, world.origin().url)
    staged(world, tree)
    moved = tree.parent / "kept"
    tree.rename(moved)
    before = state_of(world)
    said = world.orbit("add", "backend", cwd=tree.parent)
    line = "task-01/backend was moved by hand to task-01/kept"
    hint = "join it to the pool again: orbit doctor --fix"
    assert said == Outcome(1, "", f"orbit: backend: {line}\norbit: backend: {hint}\n")
    assert state_of(world) == before
    assert_joined(world, moved, root=world.root)


def test_a_workspace_renamed_by_hand(world: World) -> None:
    tree = begin(world, world.origin().url)
    staged(world, tree)
    tree.parent.rename(world.root / "renamed")
    assert_joined(world, world.root / "renamed" / "backend", root=world.root)


def test_a_project_moved_by_hand(world: World) -> None:
    tree = begin(world, world.origin().url)
    staged(world, tree)
    root = world.base / "moved here"
    world.root.rename(root)
    tree = root / "task-01" / "backend"
    found = well(world.orbit("status", "--json", cwd=tree)).json()["worktrees"]
    assert [(line["name"], line["error"]) for line in found] == [
        ("backend", "it was moved by hand, orbit doctor --fix joins it to the pool again")
    ]
    assert "doctor --fix" in well(world.orbit("status", cwd=tree)).out
    for words in (
        ["repos"],
        ["context"],
        ["context", "--prime"],
        ["context", "--reignite"],
        ["sync"],
        ["info", "backend"],
    ):
        well(world.orbit(*words, cwd=tree))
    for words in (["add", "backend"], ["switch", "-c", "topic"], ["switch", "topic"]):
        said = world.orbit(*words, cwd=tree)
        assert (said.code, said.out) == (1, "")
        assert "doctor --fix" in said.err, said.err
    assert_joined(world, tree, root=root)
    world.git(tree, "rm", "-q", "--cached", "staged.txt")
    (tree / "staged.txt").unlink()
    work_and_end(world, tree)


def test_a_copied_project_is_not_joined_to_what_the_first_one_has(world: World) -> None:
    tree = begin(world, world.origin().url)
    copy = world.base / "copy"
    shutil.copytree(world.root, copy, symlinks=True)
    before = state_of(world)
    said = well(world.orbit("doctor", "--fix", cwd=copy))
    copied = copy / "task-01" / "backend"
    line = f"copied, they share the git state of the first ones: {copied}"
    assert f"[WARN] worktrees: {line}: {ANEW}\n" in said.out
    assert "fixed: joined" not in said.out
    assert state_of(world) == before
    assert_in_order(world, tree)


def test_a_copied_workspace_takes_nothing_from_the_first_one(world: World) -> None:
    tree = begin(world, world.origin().url)
    copied = world.root / "task-02" / "backend"
    shutil.copytree(tree.parent, copied.parent, symlinks=True)
    before = state_of(world)
    said = well(world.orbit("doctor", "--fix"))
    assert f"[WARN] worktrees: copied, they share the git state of the first ones: {copied}: {ANEW}\n" in said.out
    assert state_of(world) == before


def test_a_worktree_whose_registration_is_gone(world: World) -> None:
    tree = begin(world, world.origin().url)
    away = world.base / "away"
    tree.rename(away)
    world.git(world.pool / "backend", "worktree", "prune", "--expire", "now")
    away.rename(tree)
    assert "its registration in the pool is gone" in str(row(world, tree)["error"])
    said = well(world.orbit("doctor", cwd=tree))
    line = f"their registrations in the pool are gone: {tree}"
    assert f"[WARN] worktrees: {line}: {ANEW}\n" in said.out
    assert (tree / "README.md").exists()

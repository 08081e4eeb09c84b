"""What others left: repaired where nothing can be lost, else listed with the exact command."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess

from finished import branches, commit, finished
from world import World


def test_a_registration_of_a_removed_worktree_is_cleared(world: World) -> None:
    finished(world, "active")
    world.git(world.root, "config", "--file", str(world.root / "active" / ".orbit"), "workspace.status", "active")
    shutil.rmtree(world.root / "active" / "backend")
    planned = world.orbit("prune", "--dry-run").out
    path = world.root / "active" / "backend"
    assert planned == f"would clear the registration of {path}, whose directory is gone, in backend\n"
    assert world.orbit("prune").out == f"cleared the registration of {path}, whose directory is gone, in backend\n"
    assert "active" not in world.git(world.pool / "backend", "worktree", "list")
    assert "ws/active/main" in branches(world)
    assert world.orbit("prune").out == "nothing to prune\n"


def test_a_commit_that_only_the_registration_holds_is_kept(world: World) -> None:
    world.clone()
    path = world.workspace() / "backend"
    world.git(world.pool / "backend", "worktree", "add", "-q", "--detach", str(path))
    sha = commit(world, path)
    shutil.rmtree(path)
    assert "cleared the registration" in world.orbit("prune").out
    assert sha in world.git(world.pool / "backend", "for-each-ref", "--format=%(objectname)", "refs/orbit")


def test_a_registration_whose_worktree_was_moved_stays(world: World) -> None:
    workspace = finished(world, "active")
    world.git(world.root, "config", "--file", str(workspace / ".orbit"), "workspace.status", "active")
    (world.root / "attic").mkdir()
    os.rename(workspace / "backend", world.root / "attic" / "backend")
    assert world.orbit("prune").out == "nothing to prune\n"
    assert world.orbit("doctor", "--fix").code == 0
    assert world.git(world.root / "attic" / "backend", "status", "--porcelain") == ""


def test_a_locked_or_damaged_one_is_left_alone(world: World) -> None:
    for name in ("locked", "damaged"):
        workspace = finished(world, name)
        world.git(world.root, "config", "--file", str(workspace / ".orbit"), "workspace.status", "active")
    world.git(world.pool / "backend", "worktree", "lock", str(world.root / "locked" / "backend"))
    shutil.rmtree(world.root / "locked" / "backend")
    (world.root / "damaged" / "backend" / ".git").unlink()
    assert world.orbit("prune").out == "nothing to prune\n"
    listed = world.git(world.pool / "backend", "worktree", "list")
    assert "locked" in listed
    assert "damaged" in listed


def test_config_of_a_branch_that_is_gone_is_dropped(world: World) -> None:
    clone = world.clone()
    world.git(clone, "config", "branch.old.remote", "origin")
    world.git(clone, "config", "branch.old.merge", "refs/heads/old")
    assert world.orbit("prune").out == "dropped the config of old, a branch that is gone, in backend\n"
    config = (clone / ".git" / "config").read_text()
    assert '"old"' not in config
    assert '"main"' in config


def test_an_unborn_branch_keeps_its_config(world: World) -> None:
    world.origin("empty", empty=True)
    world.clone("empty")
    world.workspace()
    assert world.orbit("add", "empty", "-s", cwd=world.root / "task-01").code == 0
    before = (world.pool / "empty" / ".git" / "config").read_text()
    assert world.orbit("prune").out == "nothing to prune\n"
    assert (world.pool / "empty" / ".git" / "config").read_text() == before


def test_raw_branches_are_listed_with_a_command_that_works(world: World) -> None:
    clone = world.clone()
    odd = "it's;$(odd)"
    world.git(clone, "branch", "-q", odd)
    tree = world.base / "elsewhere"
    world.git(clone, "worktree", "add", "-q", "-b", "open-work", str(tree))
    commit(world, tree)
    world.git(clone, "worktree", "remove", "--force", str(tree))
    out = world.orbit("prune").out
    assert out.startswith("raw branches that exist nowhere else (orbit never deletes them):\n")
    lines = {line.split(" in ")[0].strip(): line.strip() for line in out.splitlines()[1:]}
    assert "(merged)" in lines[odd]
    assert "(not merged)" in lines["open-work"]
    assert {odd, "open-work"} <= set(branches(world))
    command = lines[odd].partition("): ")[2]
    assert shlex.split(command)[-1] == odd
    subprocess.run(["sh", "-c", command], check=True, capture_output=True)
    assert odd not in branches(world)


def test_branches_that_are_somewhere_else_are_not_listed(world: World) -> None:
    clone = world.clone()
    world.origins["backend"].branch("pushed")
    world.git(clone, "fetch", "-q", "origin")
    world.git(clone, "branch", "-q", "pushed", "origin/pushed")
    world.git(clone, "worktree", "add", "-q", "-b", "checked-out", str(world.base / "elsewhere"))
    assert world.orbit("prune").out == "nothing to prune\n"


def test_a_ghosts_merged_branches_go_and_the_others_stay(world: World) -> None:
    workspace = finished(world)
    commit(world, workspace / "backend")
    world.git(world.pool / "backend", "branch", "-q", "ws/task-01/merged", "origin/main")
    shutil.rmtree(workspace)
    done = world.orbit("prune")
    assert done.code == 0
    assert "pruned: task-01 (its directory is gone, 1 worktrees removed, 1 branches deleted)\n" in done.out
    assert "  deleted branch (merged): ws/task-01/merged" in done.out
    assert "  backend: kept branch (unmerged): ws/task-01/main" in done.out
    assert branches(world) == ["main", "ws/task-01/main"]
    again = world.orbit("prune")
    assert "kept: task-01" in again.out
    forced = world.orbit("prune", "task-01", "--force")
    assert "deleted branch (forced): ws/task-01/main" in forced.out
    assert branches(world) == ["main"]
    assert world.orbit("prune").out == "nothing to prune\n"
    assert "branch ws/task-01/main at" in world.orbit("prune", "--restore", "task-01").out


def test_a_moved_ghost_is_left_alone_in_every_mode(world: World) -> None:
    finished(world)
    os.rename(world.root / "task-01", world.root / "renamed")
    for mode in ([], ["--force"], ["--dry-run"]):
        done = world.orbit("prune", "task-01", *mode)
        assert done.err == (
            f"orbit: task-01: left alone, it was moved by hand to {world.root}/renamed/backend: doctor --fix\n"
        )
        assert done.out == "nothing to prune\n"
    assert "ws/task-01/main" in branches(world)
    assert world.git(world.root / "renamed" / "backend", "status", "--porcelain") == ""

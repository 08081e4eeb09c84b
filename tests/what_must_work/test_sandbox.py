"""A sandbox as Codex has it: the workspace can be written, the pool and git's own files cannot.

Every command works or says what it could not write; nothing is left half-made.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from cards import card
from world import Outcome, World

_DENIED = ("Read-only file system", "Permission denied")


@pytest.fixture
def task(world: World) -> Path:
    """Two clones, one of them with a card and a worktree, one jot."""
    path = world.populated()
    assert world.orbit("memo", "backend", "--text", card()).code == 0
    assert world.orbit("jot", "backend", "before", cwd=path).code == 0
    assert world.orbit("repos").code == 0
    return path


def sandboxed(world: World, task: Path, *words: str) -> Outcome:
    """orbit as a process for which the pool, where every `.git` of a worktree leads, is read-only."""
    orbit = shlex.join([sys.executable, "-m", "orbit", *words])
    if os.geteuid() != 0:
        pytest.skip("only root can make a mount for one process")
    pool = shlex.quote(str(world.pool))
    script = f"mount --bind {pool} {pool} && mount -o remount,bind,ro {pool} || exit 97\nexec {orbit}"
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script], cwd=task, capture_output=True, text=True, check=False, timeout=120
    )
    if done.returncode == 97 or "unshare" in done.stderr:
        pytest.skip("no mounts here")
    return Outcome(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize(
    "words",
    [
        *("repos", "repos --json", "info backend", "info frontend", "status", "context", "context --startup"),
        *("context --reignite", "context goal", "jot --list", "memo backend --log", "memo backend --check", "version"),
        *("jot backend 'a discovery'", "goal 'another direction'", "jot backend --pop", "done"),
    ],
)
def test_what_needs_only_the_workspace_works(world: World, task: Path, words: str) -> None:
    done = sandboxed(world, task, *shlex.split(words))
    assert done.code == 0, done
    assert "internal" not in done.err


def test_a_jot_is_there_afterwards(world: World, task: Path) -> None:
    assert sandboxed(world, task, "jot", "backend", "a discovery").code == 0
    assert "a discovery" in world.orbit("jot", "backend", "--list", cwd=task).out


@pytest.mark.parametrize(
    "words",
    [
        *("add frontend", "switch -c backend fix", "sync", "memo", "memo backend --refresh"),
        *("memo backend --text '# backend\n\nAnother.\n'", "config memo.maxLines 20"),
    ],
)
def test_what_needs_the_pool_says_what_it_could_not_write(world: World, task: Path, words: str) -> None:
    world.origins["backend"].commit()
    before = {str(path): path.lstat().st_mtime_ns for path in world.root.rglob("*") if path.is_file()}
    done = sandboxed(world, task, *shlex.split(words))
    assert done.code == 1, done
    assert any(reason in done.err for reason in _DENIED), done
    assert "internal" not in done.err
    assert all(line.startswith("orbit: ") for line in done.err.splitlines()), done
    after = {str(path): path.lstat().st_mtime_ns for path in world.root.rglob("*") if path.is_file()}
    assert after == before
    assert not (task / "frontend").exists()


def test_doctor_names_what_must_be_allowed(world: World, task: Path) -> None:
    done = sandboxed(world, task, "doctor")
    assert done.code == 0, done
    line = next(line for line in done.out.splitlines() if line.startswith("[INFO] sandbox"))
    assert f"{world.pool}/backend/.git/worktrees/backend" in line
    assert line.endswith(f"{world.pool}/backend/.git")

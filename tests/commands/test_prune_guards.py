"""Every guard × {plain, --force, --dry-run}: what is reported, and what stands on disk afterwards."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from finished import branches, commit, digest, finished
from world import World, clone_repository

Make = Callable[[World, Path, ExitStack], None]


def uncommitted(world: World, workspace: Path, _: ExitStack) -> None:
    (workspace / "backend" / "README.md").write_text("changed")


def staged(world: World, workspace: Path, _: ExitStack) -> None:
    (workspace / "backend" / "README.md").write_text("changed")
    world.git(workspace / "backend", "add", "README.md")


def untracked(world: World, workspace: Path, _: ExitStack) -> None:
    (workspace / "backend" / "deep").mkdir()
    (workspace / "backend" / "deep" / "new.txt").write_text("x")


def untracked_and_hidden(world: World, workspace: Path, _: ExitStack) -> None:
    world.git(workspace / "backend", "config", "status.showUntrackedFiles", "no")
    untracked(world, workspace, _)


def assume_unchanged(world: World, workspace: Path, _: ExitStack) -> None:
    world.git(workspace / "backend", "update-index", "--assume-unchanged", "README.md")
    (workspace / "backend" / "README.md").write_text("changed")


def skip_worktree(world: World, workspace: Path, _: ExitStack) -> None:
    world.git(workspace / "backend", "update-index", "--skip-worktree", "README.md")
    (workspace / "backend" / "README.md").write_text("changed")


def assumed_and_deleted(world: World, workspace: Path, _: ExitStack) -> None:
    world.git(workspace / "backend", "update-index", "--assume-unchanged", "README.md")
    (workspace / "backend" / "README.md").unlink()


def nested_worktree(world: World, workspace: Path, _: ExitStack) -> None:
    """In a folder that the outer worktree ignores."""
    exclude = world.pool / "backend" / ".git" / "info" / "exclude"
    exclude.parent.mkdir(exist_ok=True)
    exclude.write_text("build/\n")
    inner = workspace / "backend" / "build" / "inner"
    world.git(world.pool / "backend", "worktree", "add", "-q", "--detach", str(inner), "origin/main")
    (inner / "new.txt").write_text("x")


def rebase(world: World, workspace: Path, _: ExitStack) -> None:
    checkout = workspace / "backend"
    commit(world, checkout, "README.md", "one\n")
    world.git(checkout, "push", "-q", "origin", "HEAD:main")
    world.git(checkout, "switch", "-q", "--detach", "HEAD~1")
    commit(world, checkout, "README.md", "two\n")
    subprocess.run(["git", "-C", str(checkout), "rebase", "origin/main"], capture_output=True, check=False)
    assert (world.pool / "backend" / ".git" / "worktrees" / "backend" / "rebase-merge").is_dir()


def bisect(world: World, workspace: Path, _: ExitStack) -> None:
    world.git(workspace / "backend", "bisect", "start")


def foreign_repository(world: World, workspace: Path, _: ExitStack) -> None:
    (workspace / "deep" / "er").mkdir(parents=True)
    world.git(workspace / "deep" / "er", "init", "-q")


def foreign_worktree(world: World, workspace: Path, _: ExitStack) -> None:
    other = world.base / "other"
    clone_repository(world.origins["backend"].url, other)
    world.git(other, "worktree", "add", "-q", "--detach", str(workspace / "theirs"))


def bare_repository(world: World, workspace: Path, _: ExitStack) -> None:
    world.git(workspace, "init", "-q", "--bare", "mirror.git")


def in_ignored_folder(world: World, workspace: Path, _: ExitStack) -> None:
    exclude = world.pool / "backend" / ".git" / "info" / "exclude"
    exclude.parent.mkdir(exist_ok=True)
    exclude.write_text("vendor/\n")
    place = workspace / "backend" / "vendor" / "theirs"
    place.mkdir(parents=True)
    world.git(place, "init", "-q")


def jots(world: World, workspace: Path, _: ExitStack) -> None:
    assert world.orbit("jot", "backend", "an entry point", cwd=workspace).code == 0


def popped(world: World, workspace: Path, _: ExitStack) -> None:
    jots(world, workspace, _)
    assert world.orbit("jot", "backend", "--pop", cwd=workspace).code == 0


def damaged(world: World, workspace: Path, _: ExitStack) -> None:
    (workspace / "backend" / ".git").unlink()


def link_to_nowhere(world: World, workspace: Path, _: ExitStack) -> None:
    (workspace / "backend" / ".git").write_text("gitdir: /nowhere/at/all\n")


def renamed(world: World, workspace: Path, _: ExitStack) -> None:
    os.rename(workspace / "backend", workspace / "moved")


def detached(world: World, workspace: Path, _: ExitStack) -> None:
    world.git(workspace / "backend", "switch", "-q", "--detach")
    commit(world, workspace / "backend")
    commit(world, workspace / "backend", "more.txt")


def submodule(world: World, workspace: Path) -> Path:
    """An initialised submodule in the worktree, upstream's own commit included."""
    library = world.origin("library")
    checkout = workspace / "backend"
    world.git(checkout, "submodule", "--quiet", "add", library.url, "lib")
    world.git(checkout, "commit", "-q", "-m", "Add the library")
    world.git(checkout, "push", "-q", "origin", "HEAD:main")
    return checkout / "lib"


def submodule_changes(world: World, workspace: Path, _: ExitStack) -> None:
    (submodule(world, workspace) / "README.md").write_text("changed")


def submodule_commits(world: World, workspace: Path, _: ExitStack) -> None:
    inner = submodule(world, workspace)
    commit(world, inner)
    world.git(inner.parent, "add", "lib")
    world.git(inner.parent, "commit", "-q", "-m", "Move the library")
    world.git(inner.parent, "push", "-q", "origin", "HEAD:main")


def submodule_changes_ignored(world: World, workspace: Path, _: ExitStack) -> None:
    inner = submodule(world, workspace)
    world.git(workspace / "backend", "config", "diff.ignoreSubmodules", "all")
    (inner / "new.txt").write_text("x")


def unmerged(world: World, workspace: Path, _: ExitStack) -> None:
    commit(world, workspace / "backend")


def somebody_at_work(world: World, workspace: Path, stack: ExitStack) -> None:
    words = [sys.executable, "-c", "print(); input()"]
    process = subprocess.Popen(words, cwd=workspace / "backend", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    stack.enter_context(process)
    stack.callback(process.kill)
    assert process.stdout is not None
    process.stdout.readline()


def locked(world: World, workspace: Path, _: ExitStack) -> None:
    path = str(workspace / "backend")
    world.git(world.pool / "backend", "worktree", "lock", "--reason", "on a stick", path)


def linked_worktree(world: World, workspace: Path, _: ExitStack) -> None:
    other = world.base / "other"
    clone_repository(world.origins["backend"].url, other)
    (workspace / "linked").symlink_to(other)


def moved_to_another(world: World, workspace: Path, _: ExitStack) -> None:
    world.workspace("archive")
    os.rename(workspace / "backend", world.root / "archive" / "backend")


RELEASED: dict[str, tuple[Make, str]] = {
    "uncommitted": (uncommitted, "backend: 1 uncommitted changes"),
    "staged": (staged, "backend: 1 uncommitted changes"),
    "untracked": (untracked, "backend: 1 untracked files"),
    "untracked and hidden": (untracked_and_hidden, "backend: 1 untracked files"),
    "assume-unchanged": (assume_unchanged, "backend: 1 uncommitted changes"),
    "skip-worktree": (skip_worktree, "backend: 1 uncommitted changes"),
    "assumed and deleted": (assumed_and_deleted, "backend: 1 uncommitted changes"),
    "nested worktree": (nested_worktree, "backend: 1 untracked files in backend/build/inner"),
    "rebase": (rebase, "backend: a rebase is in progress"),
    "bisect": (bisect, "backend: a bisect is in progress"),
    "foreign repository": (foreign_repository, "not of the pool: repository in deep/er"),
    "foreign worktree": (foreign_worktree, "not of the pool: repository in theirs"),
    "bare repository": (bare_repository, "not of the pool: repository in mirror.git"),
    "in an ignored folder": (in_ignored_folder, "not of the pool: repository in backend/vendor/theirs"),
    "jots": (jots, "1 jots waiting for backend"),
    "popped": (popped, "1 popped, not merged for backend"),
    "damaged": (damaged, "backend: worktree cannot be read (damaged, its .git file is missing or broken)"),
    "link to nowhere": (link_to_nowhere, "backend: worktree cannot be read (damaged"),
    "detached": (detached, "backend: 2 commits on a detached HEAD that no branch holds"),
    "submodule changes": (submodule_changes, "backend: submodule lib: 1 uncommitted changes"),
    "submodule commits": (submodule_commits, "backend: submodule lib: commits its remote does not have ("),
    "submodule ignored": (submodule_changes_ignored, "backend: submodule lib: 1 uncommitted changes"),
    "unmerged": (unmerged, "backend: kept branch (unmerged): ws/task-01/main"),
    "somebody at work": (somebody_at_work, ") works inside it"),
}
FINAL: dict[str, tuple[Make, str]] = {
    "locked": (locked, "backend: worktree backend is locked (on a stick)"),
    "linked worktree": (linked_worktree, "a symbolic link in place of a worktree: linked"),
    "moved to another": (moved_to_another, "backend: its worktree was moved by hand to "),
    "renamed": (renamed, "backend: its worktree was moved by hand to "),
}
MODES = {"plain": [], "force": ["--force"], "dry": ["--dry-run"], "dry force": ["--dry-run", "--force"]}


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def everything(world: World) -> str:
    """The workspaces, and what git knows of them; the index of a worktree may be refreshed by looking."""
    refs = world.git(world.pool / "backend", "for-each-ref")
    trees = world.git(world.pool / "backend", "worktree", "list", "--porcelain")
    return f"{digest(world.root, besides=('.repos',))}\n{refs}\n{trees}"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("guard", [*RELEASED, *FINAL])
def test_guard(world: World, stack: ExitStack, guard: str, mode: str) -> None:
    make, text = {**RELEASED, **FINAL}[guard]
    workspace = finished(world)
    make(world, workspace, stack)
    before = everything(world)
    done = world.orbit("prune", *MODES[mode])
    assert done.code == 0
    if guard in FINAL or mode in ("plain", "dry"):
        head = "would keep: task-01" if mode.startswith("dry") else "kept: task-01"
        assert head in done.out
        assert text in done.out
        assert "pruned" not in done.out
        assert ("--force" in done.out) == (guard in RELEASED)
    elif mode == "dry force":
        assert "would prune: task-01" in done.out
        assert text.replace("kept branch (unmerged):", "unmerged branch") in done.out
    else:
        assert "discarding in task-01:\n" in done.out
        assert text.replace("kept branch (unmerged):", "unmerged branch") in done.out
        assert "pruned: task-01 (" in done.out
        assert not workspace.exists()
        assert not any(name.startswith("ws/task-01/") for name in branches(world))
        assert "task-01" not in world.git(world.pool / "backend", "worktree", "list")
        return
    assert everything(world) == before


def test_a_sparse_checkout_hides_nothing(world: World) -> None:
    """Files that a sparse checkout leaves out are marked skip-worktree, and not there."""
    workspace = finished(world)
    world.git(workspace / "backend", "sparse-checkout", "set", "--no-cone", "/README.md")
    assert not (workspace / "backend" / "src" / "app.py").exists()
    assert world.orbit("prune").out.startswith("pruned: task-01")


def test_a_clone_whose_branches_cannot_be_listed_stops_it(world: World) -> None:
    """Nobody can say what of the workspace that clone holds, so force does not help."""
    finished(world)
    broken = world.clone("frontend") / ".git" / "packed-refs"
    broken.write_text("nonsense refs/heads/ws/task-01/main\n")
    for mode in ([], ["--force"], ["--dry-run"]):
        out = world.orbit("prune", *mode).out
        assert "frontend: its branches cannot be listed (listing refs/heads/ws/: unexpected line in" in out
        assert "--force" not in out
    assert (world.root / "task-01" / "backend" / "README.md").is_file()


def test_a_mount_below_is_not_deleted(world: World) -> None:
    """A file system that somebody mounted in the workspace is theirs."""
    workspace = finished(world)
    place = workspace / "mnt"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "none", str(place)], capture_output=True, check=False)
    if mounted.returncode != 0:
        pytest.skip("mounting is not allowed here")
    try:
        (place / "data").write_text("x")
        for mode in ([], ["--force"]):
            assert "another file system is mounted at mnt" in world.orbit("prune", *mode).out
            assert (place / "data").read_text() == "x"
    finally:
        subprocess.run(["umount", str(place)], check=True)

"""Every state a worktree may be found in, as `status` sees it; nothing is written by looking."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from looks import unseen
from orbit.places import Project
from orbit.workspace.overview import Glance, glance
from world import World, run_git

CLEAN = {"branch": "main", "scoped": True, "operation": "", "error": ""}


def seen(world: World, jobs: int = 2) -> list[Glance]:
    return glance(Project(str(world.root)), "task-01", "ws", jobs)


def only(world: World) -> Glance:
    (found,) = seen(world)
    return found


@pytest.fixture
def tree(world: World) -> Path:
    world.clone()
    world.workspace()
    return world.worktree()


def conflict(world: World, tree: Path, *command: str) -> None:
    """git stops in the middle of `command`, which takes in a commit that clashes with this branch."""
    world.git(tree, "branch", "other")
    for branch, text in (("other", "theirs"), ("ws/task-01/main", "ours")):
        world.git(tree, "switch", "-q", branch)
        (tree / "README.md").write_text(text)
        world.git(tree, "commit", "-q", "-a", "-m", text)
    stopped = subprocess.run(["git", "-C", str(tree), *command, "other"], capture_output=True, check=False)
    assert stopped.returncode != 0


def test_a_clean_worktree(world: World, tree: Path) -> None:
    found = only(world)
    assert {name: getattr(found, name) for name in CLEAN} == CLEAN
    assert (found.tree.upstream, found.tree.ahead, found.tree.behind, found.tree.dirty_files) == (
        "origin/main",
        0,
        0,
        0,
    )


def test_ahead_behind_and_dirty(world: World, tree: Path) -> None:
    world.git(tree, "commit", "-q", "--allow-empty", "-m", "Mine")
    world.origins["backend"].commit()
    world.origins["backend"].commit()
    world.git(tree, "fetch", "-q")
    (tree / "README.md").write_text("changed")
    (tree / "new").mkdir()
    (tree / "new" / "a.txt").write_text("a")
    world.git(tree, "mv", "src/app.py", "src/renamed.py")
    found = only(world).tree
    assert (found.ahead, found.behind, found.dirty_files) == (1, 2, 3)


@pytest.mark.parametrize("setting", ["status.showUntrackedFiles=no", "color.ui=always", "core.quotePath=true"])
def test_settings_of_the_user_hide_nothing(world: World, tree: Path, setting: str) -> None:
    world.git(tree, "config", *setting.split("="))
    (tree / "näu.txt").write_text("")
    found = only(world).tree
    assert (found.upstream, found.dirty_files) == ("origin/main", 1)


def test_no_upstream(world: World, tree: Path) -> None:
    world.git(tree, "branch", "--unset-upstream")
    assert only(world).tree.upstream == ""


def test_an_upstream_that_is_gone_is_none(world: World, tree: Path) -> None:
    world.git(tree, "update-ref", "-d", "refs/remotes/origin/main")
    assert only(world).tree.upstream == ""


def test_a_local_upstream(world: World, tree: Path) -> None:
    world.git(tree, "branch", "-q", "--set-upstream-to=main")
    assert only(world).tree.upstream == "main"


def test_unborn(world: World) -> None:
    world.origin(empty=True)
    world.clone()
    world.workspace()
    assert world.orbit("add", "backend", cwd=world.root / "task-01").code == 0
    found = only(world)
    assert {name: getattr(found, name) for name in CLEAN} == CLEAN
    assert found.tree.upstream == ""


def test_detached_and_raw(world: World, tree: Path) -> None:
    world.git(tree, "checkout", "-q", "--detach")
    assert (only(world).branch, only(world).scoped) == ("detached", False)
    world.git(tree, "switch", "-q", "-c", "fix/thing")
    assert (only(world).branch, only(world).scoped) == ("fix/thing", False)


@pytest.mark.parametrize(
    ("command", "operation", "branch"),
    [
        (["merge"], "merge", "main"),
        (["cherry-pick"], "cherry-pick", "main"),
        (["rebase"], "rebase", "detached"),
        (["rebase", "--apply"], "rebase", "detached"),
    ],
)
def test_operations_in_progress(world: World, tree: Path, command: list[str], operation: str, branch: str) -> None:
    conflict(world, tree, *command)
    found = only(world)
    assert (found.operation, found.branch, found.error) == (operation, branch, "")
    assert found.tree.dirty_files == 1


def test_revert_and_bisect(world: World, tree: Path) -> None:
    (tree / "src" / "app.py").write_text("print(3)\n")
    world.git(tree, "commit", "-q", "-a", "-m", "Third")
    stopped = subprocess.run(
        ["git", "-C", str(tree), "revert", "--no-edit", "HEAD~1"], capture_output=True, check=False
    )
    assert (stopped.returncode != 0, only(world).operation) == (True, "revert")
    world.git(tree, "revert", "--abort")
    world.git(tree, "bisect", "start", "HEAD", "HEAD~2")
    assert only(world).operation == "bisect"


def registration_gone(world: World, tree: Path) -> None:
    shutil.rmtree(run_git(tree, "rev-parse", "--absolute-git-dir"))


def head_gone(world: World, tree: Path) -> None:
    Path(run_git(tree, "rev-parse", "--absolute-git-dir"), "HEAD").unlink()


def index_broken(world: World, tree: Path) -> None:
    Path(run_git(tree, "rev-parse", "--absolute-git-dir"), "index").write_bytes(b"not an index")


def clone_gone(world: World, tree: Path) -> None:
    shutil.rmtree(world.pool / "backend")


@pytest.mark.parametrize("damage", [registration_gone, head_gone, index_broken, clone_gone])
def test_one_damaged_worktree_is_one_row(world: World, tree: Path, damage: Callable[[World, Path], None]) -> None:
    world.clone("web")
    world.worktree(name="web")
    damage(world, tree)
    damaged, whole = seen(world)
    assert (damaged.name, bool(damaged.error), "\n" in damaged.error) == ("backend", True, False)
    assert damaged.branch != "detached"
    assert (whole.name, whole.error, whole.branch) == ("web", "", "main")


def test_many_side_by_side_keep_their_order(world: World) -> None:
    world.workspace()
    for name in ("c", "a", "b"):
        world.clone(name)
        world.worktree(name=name)
    assert [row.name for row in seen(world, jobs=3)] == ["a", "b", "c"]


def test_what_is_no_worktree_of_the_pool_is_no_row(world: World, tree: Path) -> None:
    workspace = tree.parent
    (workspace / "notes").mkdir()
    (workspace / ".hidden").mkdir()
    world.git(workspace, "init", "-q", "foreign")
    assert [row.name for row in seen(world)] == ["backend"]


def test_looking_takes_no_lock_and_writes_nothing(world: World, tree: Path) -> None:
    git_directory = Path(run_git(tree, "rev-parse", "--absolute-git-dir"))
    (git_directory / "index.lock").write_text("")
    before = (git_directory / "index").stat().st_mtime_ns
    assert only(world).error == ""
    assert (git_directory / "index").stat().st_mtime_ns == before
    assert not (tree.parent / ".orbit").exists()


def test_an_operation_that_cannot_be_looked_for_is_the_rows_error(world: World, tree: Path) -> None:
    registration = world.pool / "backend" / ".git" / "worktrees" / "backend"
    with unseen(registration / "MERGE_HEAD"):
        assert only(world).error == "cannot be looked at: Input/output error"

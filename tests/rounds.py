"""One task from clone to done through the commands a user types, and what each step must say and leave behind."""

from __future__ import annotations

from pathlib import Path

from world import Outcome, World

CARD = "Add this repository when the service changes.\n\n## When to add\n- always\n\n## How to use\n- read app.py\n"


def well(outcome: Outcome) -> Outcome:
    assert outcome.code == 0, outcome
    return outcome


def begin(world: World, *clone: str, root: Path | None = None, workspace: str = "task-01") -> Path:
    """`clone`, `new`, `add`: the worktree, which git finds clean."""
    root = root or world.root
    if clone:
        well(world.orbit("clone", *clone, "--name", "backend", cwd=root))
    well(world.orbit("new", "Change the service", "--name", workspace, cwd=root))
    well(world.orbit("add", "backend", cwd=root / workspace))
    tree = root / workspace / "backend"
    assert world.git(tree, "status", "--porcelain") == ""
    return tree


def row(world: World, tree: Path) -> dict[str, object]:
    """What `status` says of the worktree."""
    (found,) = well(world.orbit("status", "--json", cwd=tree)).json()["worktrees"]
    assert isinstance(found, dict)
    return found


def work_and_end(world: World, tree: Path, branch: str = "main") -> None:
    """From a fresh worktree: look, a branch of one's own, a commit, a push, a jot, a card, sync, done."""
    assert world.git(tree, "symbolic-ref", "--short", "HEAD") == f"ws/task-01/{branch}"
    assert world.git(tree, "rev-parse", "--abbrev-ref", "@{upstream}") == f"origin/{branch}"
    assert row(world, tree)["upstream"] == f"origin/{branch}"
    assert "backend" in well(world.orbit("repos", cwd=tree)).out
    assert well(world.orbit("info", "backend", cwd=tree)).out
    well(world.orbit("switch", "-c", "topic", cwd=tree))
    (tree / "made here.txt").write_text("x")
    assert (row(world, tree)["branch"], row(world, tree)["dirtyFiles"]) == ("topic", 1)
    world.git(tree, "add", "-A")
    world.git(tree, "commit", "-q", "-m", "Work")
    world.git(tree, "push", "-q")
    assert (row(world, tree)["upstream"], row(world, tree)["ahead"]) == ("origin/topic", 0)
    well(world.orbit("jot", "the entry is app.py", cwd=tree))
    assert "1 jots" in well(world.orbit("context", cwd=tree)).out
    well(world.orbit("jot", "backend", "--pop", cwd=tree))
    well(world.orbit("memo", "backend", cwd=tree, stdin=CARD))
    assert well(world.orbit("info", "backend", cwd=tree)).out == CARD
    assert well(world.orbit("sync", cwd=tree)).out == "backend: already up to date\n"
    assert well(world.orbit("done", cwd=tree)) == Outcome(0, "task-01 is done\n", "")
    assert_in_order(world, tree)


def assert_in_order(world: World, place: Path) -> None:
    found = well(world.orbit("doctor", "--json", cwd=place)).json()
    assert [check for check in found["checks"] if check["level"] in ("WARN", "FAIL")] == []

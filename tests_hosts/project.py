"""A project for a client to work in: two repositories, one of them with a card, and a workspace with a goal."""

from __future__ import annotations

import subprocess
from pathlib import Path

from drivers import Bed

GOAL = "Say when an order arrives"
CARD = """# backend

Keeps the orders and sends them on.

## Where to start

- `src/app.py` holds the loop
- `README.md` says how it is run
"""
JOT = "the loop reads its settings once, at the start"


def make_project(bed: Bed) -> None:
    """Fails the test when orbit does."""
    for name in ("backend", "frontend"):
        make_remote(bed, bed.root.parent / "remotes" / f"{name}.git", name)
        _must(bed.orbit("clone", str(bed.root.parent / "remotes" / f"{name}.git")))
    _must(bed.orbit("memo", "backend", "--text", CARD))
    _must(bed.orbit("new", GOAL, "--name", "task-01"))
    _must(bed.orbit("jot", "backend", JOT, cwd=bed.task))


def make_remote(bed: Bed, path: Path, name: str) -> None:
    """A bare repository with one commit on main."""
    work = path.parent / f"{name}.work"
    (work / "src").mkdir(parents=True)
    (work / "README.md").write_text(f"# {name}\n\nThe {name} of the shop that the tests run.\n")
    (work / "src" / "app.py").write_text("print('orders')\n")
    for words in (
        ("init", "-q", "-b", "main", "."),
        ("add", "."),
        ("commit", "-q", "-m", "Begin"),
        ("clone", "-q", "--bare", ".", str(path)),
    ):
        subprocess.run(["git", *words], cwd=work, env=bed.env(), check=True, capture_output=True)


def _must(done: object) -> None:
    assert getattr(done, "code", 1) == 0, done

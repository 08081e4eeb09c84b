"""Two versions of orbit, and other programs, at one pool: what one does not know it leaves as it is."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from reliability.readers import read_state
from reliability.scene import NAMES, Scene, built, reading
from world import Template, run_git

INDEX = """\
# written by hand; stays
[future]
\tformat = 7 ; the end of the line too
\tlist = a
\tlist = b
[future "with a \\"name\\""]
\tflag
[repos "backend"]
\tlabels = one, two
\tpinned
[memo]
\tunheardOf = 3
"""
WORKSPACE = """\
# of the next version
[workspace]
\tpriority = high
\tgroup = A "quoted" one
[jot "backend"]
\tentry-by = someone
[timer "x"]
\tstarted = 1700000000
"""


@pytest.fixture(scope="module")
def scene(template: Template, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with built(template, tmp_path_factory.mktemp("scene")) as made:
        root = made.world.root
        yield made._replace(words={**made.words, **reading(root, root / "task-01")})


def test_what_another_program_wrote_survives_every_command(scene: Scene) -> None:
    scene.restore()
    index, metadata = scene.world.pool / ".orbit", scene.world.root / "task-01" / ".orbit"
    index.write_text(index.read_text() + INDEX)
    metadata.write_text(metadata.read_text() + WORKSPACE)
    before = {path: foreign(scene, path, text) for path, text in ((index, INDEX), (metadata, WORKSPACE))}
    for name in scene.words:
        outcome = scene.run(name)
        assert outcome.code == 0 or name in ("memo --check", "memo --push"), (name, outcome)
        for path, text in ((index, INDEX), (metadata, WORKSPACE)):
            assert foreign(scene, path, text) == before[path], f"{path.name} after {name}"
            for line in text.splitlines():
                assert line in path.read_text().splitlines(), f"{line!r} in {path.name} after {name}"


def foreign(scene: Scene, path: Path, text: str) -> list[str]:
    """What git finds of it in the file."""
    (scene.world.base / "foreign").write_text(text)
    ours = run_git(scene.world.base, "config", "--file", "foreign", "--list").splitlines()
    return [
        line for line in run_git(scene.world.base, "config", "--file", str(path), "--list").splitlines() if line in ours
    ]


def test_git_config_and_orbit_write_by_turns(scene: Scene) -> None:
    """`git config` gives up at once when orbit holds the lock; orbit waits for git."""
    scene.restore()
    metadata = str(scene.world.root / "task-01" / ".orbit")
    run_git(scene.world.base, "config", "--file", metadata, "other.key", "value")
    for number in range(5):
        assert scene.run("jot").code == 0
        run_git(scene.world.base, "config", "--file", metadata, "--add", "other.list", str(number))
    listed = run_git(scene.world.base, "config", "--file", metadata, "--get-all", "other.list").split()
    assert listed == ["0", "1", "2", "3", "4"]
    assert sum("=three" in line for line in read_state(scene.world).queue) == 5


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("goal", "task-01/.orbit"),
        ("jot", "task-01/.orbit"),
        ("jot --pop", "task-01/.orbit"),
        ("done", "task-01/.orbit"),
        ("config", ".repos/.orbit"),
        ("memo", ".repos/.backend.md"),
        ("memo", ".repos/.orbit"),
        ("memo", ".repos/.cards"),
        ("add", ".repos/frontend/.git/orbit"),
        ("switch -c", ".repos/backend/.git/orbit"),
        ("clone", ".repos/.orbit"),
        ("sync", ".repos/backend/.git/orbit"),
        ("sync", ".repos/backend/.git/orbit-fetch"),
    ],
)
def test_a_lock_of_another_program_is_waited_for(scene: Scene, name: str, file: str) -> None:
    """Empty, as git's own are: it belongs to somebody alive until it goes away."""
    scene.restore()
    lock = scene.world.root / f"{file}.lock"
    lock.touch()
    threading.Timer(0.3, lock.unlink).start()
    outcome = scene.run(name)
    assert outcome.code == 0, outcome
    assert not lock.exists()


@pytest.mark.parametrize("name", NAMES)
def test_locks_of_the_dead_hold_up_no_command(scene: Scene, name: str) -> None:
    """Every lock that orbit knows, left by a process of an earlier boot."""
    scene.restore()
    expected = scene.run(name)
    scene.restore()
    with_locks = [".repos/.orbit", ".repos/.backend.md", ".repos/.frontend.md", ".repos/.cards", "task-01/.orbit"]
    with_locks += [
        f".repos/{repo}/.git/{lock}" for repo in ("backend", "frontend") for lock in ("orbit", "orbit-fetch")
    ]
    for file in with_locks:
        host = os.uname().nodename
        (scene.world.root / f"{file}.lock").write_text(f"orbit {host} an-earlier-boot pid:[1] 4711 17\n")
    outcome = scene.run(name)
    assert (outcome.code, outcome.out) == (expected.code, expected.out) or name == "doctor --fix", outcome
    assert "internal: " not in outcome.err

"""A full disk, a project that cannot be written, odd paths, a wrong clock: a clear end, and nothing is lost."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from reliability.readers import leftovers, read_state
from reliability.scene import NAMES, Scene, built, commands, reading
from rounds import begin, work_and_end
from world import Outcome, Template, World

WRITING = [name for name in NAMES if name not in ("repos", "context", "doctor --fix", "memo alone", "sync")]
READING = [name for name in reading(Path("/"), Path("/")) if name != "memo --check"]


@contextmanager
def mounted(*words: str, at: Path) -> Iterator[None]:
    """Skips where mounting is not permitted."""
    done = subprocess.run(["mount", *words, str(at)], capture_output=True, check=False)
    if done.returncode:
        pytest.skip("mounting is not permitted")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(at)], check=True)


@pytest.fixture(scope="module")
def scene(template: Template, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """On a file system of its own."""
    base = tmp_path_factory.mktemp("scene")
    with mounted("-t", "tmpfs", "-o", "size=64m", "none", at=base), built(template, base) as made:
        root = made.world.root
        yield made._replace(words={**made.words, **reading(root, root / "task-01")})


def fill_up(directory: Path) -> Path:
    """Take every byte that is left."""
    filler = directory / "filler"
    with open(filler, "wb", buffering=0) as file:
        for size in (1 << 20, 4096, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue
    return filler


@pytest.mark.parametrize("name", WRITING)
def test_a_full_disk_loses_nothing(scene: Scene, name: str) -> None:
    scene.restore()
    before = read_state(scene.world)
    filler = fill_up(scene.world.base)
    try:
        outcome = scene.run(name)
    finally:
        filler.unlink()
    assert outcome.code == 1, outcome
    assert "internal: " not in outcome.err
    assert "No space left on device" in outcome.err, outcome
    assert read_state(scene.world) == before
    assert scene.run(name).code == 0
    assert leftovers(scene.world) == []


@pytest.mark.parametrize("name", READING)
def test_a_full_disk_stops_no_reader(scene: Scene, name: str) -> None:
    scene.restore()
    expected = scene.run(name)
    scene.restore()
    filler = fill_up(scene.world.base)
    try:
        assert unlike_sizes(scene.run(name)) == unlike_sizes(expected)
    finally:
        filler.unlink()


def unlike_sizes(outcome: Outcome) -> tuple[int, list[str]]:
    """The cache may not have been written."""
    return outcome.code, [line for line in outcome.out.splitlines() if "cache" not in line]


@contextmanager
def read_only(root: Path) -> Iterator[None]:
    with mounted("--bind", str(root), at=root):
        subprocess.run(["mount", "-o", "remount,ro,bind", str(root)], check=True)
        yield


@pytest.mark.parametrize("name", WRITING)
def test_a_project_that_cannot_be_written(scene: Scene, name: str) -> None:
    scene.restore()
    before = read_state(scene.world)
    with read_only(scene.world.root):
        outcome = scene.run(name)
    assert outcome.code == 1, outcome
    assert "internal: " not in outcome.err
    assert "Read-only file system" in outcome.err, outcome
    assert read_state(scene.world) == before


@pytest.mark.parametrize("name", READING)
def test_a_project_that_cannot_be_written_can_be_read(scene: Scene, name: str) -> None:
    scene.restore()
    expected = scene.run(name)
    scene.restore()
    with read_only(scene.world.root):
        assert unlike_sizes(scene.run(name)) == unlike_sizes(expected)


def test_a_project_without_any_metadata_that_cannot_be_written(scene: Scene) -> None:
    """What would be made again serves this call."""
    scene.restore()
    (scene.world.pool / ".orbit").unlink()
    (scene.world.root / "task-01" / ".orbit").unlink()
    with read_only(scene.world.root):
        outcome = scene.run("repos")
    assert outcome.code == 0
    assert "Another one." in outcome.out
    assert outcome.err == "orbit: index: rebuilt from 2 clones (not written)\n"


@pytest.mark.parametrize(
    "name", ["a b\tc", "zwölf ☃ 日本", "tail ", "$(x)`y`;&|", "--name", "%s{0}", "new\nline", "q\"'\\"]
)
def test_a_project_in_an_odd_place(world: World, name: str) -> None:
    root = world.base / name
    root.mkdir()
    tree = begin(world, world.origin().url, root=root)
    work_and_end(world, tree)


@pytest.mark.parametrize("now", [1, 86_400, 1_000_000_000, 4_102_444_800, 16_725_225_600, 2**37])
def test_a_clock_that_is_wrong(template: Template, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, now: int) -> None:
    """Set back behind everything that is recorded, or far ahead of it."""
    with built(template, tmp_path) as scene:
        root = scene.world.root
        words = {**commands(root, root / "task-01", "none", "x"), **reading(root, root / "task-01"), **scene.words}
        made = scene._replace(words=words)
        monkeypatch.setattr(time, "time", lambda: float(now))
        monkeypatch.setattr(time, "time_ns", lambda: now * 1_000_000_000)
        for name in ("jot", "goal", "memo", "status", "context", "info", "done", "new", "prune --dry-run", "doctor"):
            outcome = made.run(name)
            assert outcome.code == 0, (name, outcome)
        queued = read_state(scene.world).queue
        assert [line for line in queued if "three" in line]
        (root / "task-01" / ".orbit").write_bytes(b"[broken\n")
        assert made.run("goal").code == 0
        assert [path.read_bytes() for path in (root / "task-01").glob(".orbit.damaged-*")] == [b"[broken\n"]


def test_the_umask_of_the_user_is_kept(world: World) -> None:
    before = os.umask(0o077)
    try:
        assert world.orbit("new", "x", "--name", "task").code == 0
    finally:
        os.umask(before)
    assert (world.root / "task" / ".orbit").stat().st_mode & 0o077 == 0

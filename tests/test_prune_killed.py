"""`kill -9`, Ctrl-C and SIGTERM at every step of a prune and at random moments: the next plain prune finishes or finds
everything as it was, and nothing outside the workspace is touched.

The suite takes samples; ORBIT_SOAK=1 stops at each single step and at two hundred random moments.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from prune_oracle import State, files_of, queued, read_state
from test_killed import kill_after
from world import Outcome, Template, World, as_text

SOAK = os.environ.get("ORBIT_SOAK") == "1"
ROUNDS = 100 if SOAK else 5
SAMPLES = 1_000_000 if SOAK else 4
SIGNALS = (signal.SIGKILL, signal.SIGINT, signal.SIGTERM)
REPOS = ("backend", "billing", "gateway", "reports", "web")
STAND_IN = Path(__file__).with_name("stopped.py")
CASES = [pytest.param(kind, sign, id=f"{kind}-{sign.name}") for kind in ("merged", "dirty") for sign in SIGNALS]
SEED = 20_261
NOTHING_BUT_RAW = "raw branches that exist nowhere else"
KINDS = ("merged", "dirty")


class Scene(NamedTuple):
    """A project that can be put back as it was; `before` is what plain git saw of it."""

    world: World
    pristine: Path
    before: State
    outside: dict[str, object]

    @property
    def home(self) -> Path:
        return self.world.root / "task-01"

    def put_back(self) -> None:
        shutil.rmtree(self.world.root)
        shutil.copytree(self.pristine, self.world.root, symlinks=True)


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory, template: Template) -> Iterator[dict[str, Scene]]:
    """`merged`: everything is upstream. `dirty`: every kind of work that only --force gives up."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
            patch.setenv(name, os.environ[name])
        yield {kind: make_scene(tmp_path_factory.mktemp(kind), template, dirty=kind == "dirty") for kind in KINDS}


def make_scene(directory: Path, template: Template, *, dirty: bool) -> Scene:
    world = World(directory, template)
    for name in ("task-01", "task-02"):
        world.orbit("new", f"goal of {name}", "--name", name)
    for repo in REPOS:
        world.clone(repo)
        for name in ("task-01", "task-02"):
            world.worktree(name, repo)
        world.git(world.pool / repo, "branch", "raw", "main")
        commit(world, world.root / "task-02" / repo)
    (world.root / "task-02" / "backend" / "dirty").write_text("not to be touched\n")
    home = world.root / "task-01"
    world.git(home / "web", "switch", "-q", "-c", "ws/task-01/topic")
    world.git(home / "gateway", "worktree", "add", "-q", "--detach", str(home / "gateway" / "nested"))
    (home / "reports" / "deep" / "er").mkdir(parents=True)
    (world.pool / "gateway" / ".git" / "info").mkdir(exist_ok=True)
    (world.pool / "gateway" / ".git" / "info" / "exclude").write_text("nested\n")
    if dirty:
        commit(world, home / "web")
        commit(world, home / "gateway" / "nested")
        (home / "reports" / "deep" / "er" / "untracked").write_text("x\n")
        assert world.orbit("jot", "backend", "a jot", cwd=home).code == 0
    assert world.orbit("done", cwd=home).code == 0
    pristine = directory / "pristine"
    shutil.copytree(world.root, pristine, symlinks=True)
    return Scene(world, pristine, read_state(world), outside(world))


def commit(world: World, tree: Path) -> None:
    (tree / "work.txt").write_text("work\n")
    world.git(tree, "add", "work.txt")
    world.git(tree, "commit", "-q", "-m", "Work")


def outside(world: World) -> dict[str, object]:
    """Whatever is not of task-01: other workspaces, refs, registrations, the config of other branches, the index."""
    state = read_state(world)
    found: dict[str, object] = {"files": {name: files for name, files in state.files.items() if name != "task-01"}}
    for repo in REPOS:
        clone = world.pool / repo
        refs = {r: sha for r, sha in state.refs[repo].items() if "/task-01/" not in r}
        config = world.git(clone, "config", "--local", "--list").split("\n")
        found[repo] = (refs, sorted(line for line in config if not line.startswith("branch.ws/task-01/")))
    found["registrations"] = [one for one in state.registrations if "task-01" not in str(one.path)]
    found["index"] = (world.pool / ".orbit").read_bytes()
    return found


def stop(scene: Scene, number: int, sign: int, *words: str) -> tuple[Outcome, list[str]]:
    """orbit that gets a signal just before its step of that number; the steps it came to."""
    log = scene.world.base / "steps"
    log.unlink(missing_ok=True)
    command = [sys.executable, "-B", str(STAND_IN), str(log), str(sign), str(number), *words]
    env = {**os.environ, "ORBIT_JOBS": "1"}
    done = subprocess.run(command, cwd=scene.world.root, capture_output=True, env=env, timeout=120, check=False)
    return Outcome(done.returncode, as_text(done.stdout), as_text(done.stderr)), log.read_text().splitlines()


def is_intact(scene: Scene) -> bool:
    """Whether the workspace is wholly as it was, with nothing of an attempt left."""
    now = read_state(scene.world)
    now.files["task-01"].pop(".orbit.lock", None)  # a dead owner's: the next writer removes it
    return now == scene.before and not (scene.world.root / ".prune-trash").exists()


def require_gone(scene: Scene) -> None:
    """Wholly removed, and every tip kept."""
    world, now = scene.world, read_state(scene.world)
    assert "task-01" not in now.files
    assert now.scoped("task-01") == {}
    assert now.below(scene.home) == []
    assert not (world.root / ".prune-trash").exists()
    for repo in REPOS:
        assert "ws/task-01/" not in world.git(world.pool / repo, "config", "--local", "--list")
        kept = {sha for ref, sha in now.refs[repo].items() if ref.startswith("refs/orbit/reclaimed/task-01/")}
        assert kept >= {sha for (r, _), sha in scene.before.scoped("task-01").items() if r == repo}
        assert kept >= {o.head for o in scene.before.below(scene.home) if o.repo == repo and not o.branch}


def after_the_stop(scene: Scene, *, force: bool, what: str) -> str:
    """What the next run makes of it: `intact` when nothing had begun that --force was needed for, else `gone`."""
    assert outside(scene.world) == scene.outside, what
    outcome = scene.world.orbit("prune")
    assert outcome.code == 0, (what, outcome)
    assert outside(scene.world) == scene.outside, what
    if force and scene.home.exists():
        assert is_intact(scene), (what, outcome)
        assert "kept: task-01" in outcome.out, what
        return "intact"
    require_gone(scene)
    assert outcome.out.startswith(("pruned: task-01 (", NOTHING_BUT_RAW)), (what, outcome)
    again = scene.world.orbit("prune")
    assert again.code == 0, (what, again)
    assert again.out.startswith(NOTHING_BUT_RAW), (what, again)
    return "gone"


def words_for(kind: str) -> list[str]:
    return ["prune", "task-01", "--force"] if kind == "dirty" else ["prune"]


def numbers(total: int, samples: int) -> list[int]:
    """All steps, or samples: evenly spread, with the last."""
    if total <= samples:
        return list(range(1, total + 1))
    return [round(number * total / samples) for number in range(1, samples + 1)]


@pytest.mark.parametrize(("kind", "sign"), CASES)
def test_every_step(scenes: dict[str, Scene], kind: str, sign: signal.Signals) -> None:
    scene, force = scenes[kind], kind == "dirty"
    scene.put_back()
    whole, steps = stop(scene, 0, 0, *words_for(kind))
    assert whole.code == 0, whole
    require_gone(scene)
    ends = dict.fromkeys(("intact", "gone"), 0)
    for number in numbers(len(steps), SAMPLES if sign == signal.SIGKILL else SAMPLES // 2):
        scene.put_back()
        outcome, reached = stop(scene, number, sign, *words_for(kind))
        assert outcome.code == (-9 if sign == signal.SIGKILL else 128 + sign), (steps[number - 1], outcome)
        ends[after_the_stop(scene, force=force, what=f"{number}: {reached[-1]}")] += 1
    print(f"{kind} {sign.name}: {len(steps)} steps, {ends}")
    assert sum(ends.values()) > 1


def test_every_step_of_a_restore(scenes: dict[str, Scene]) -> None:
    """Stopped half way, it is simply called again."""
    scene = scenes["dirty"]
    scene.put_back()
    assert scene.world.orbit("prune", "task-01", "--force").code == 0
    reclaimed = scene.world.base / "reclaimed"
    shutil.copytree(scene.world.root, reclaimed, symlinks=True)
    scene = scene._replace(pristine=reclaimed)
    whole, steps = stop(scene, 0, 0, "prune", "--restore", "task-01")
    assert whole.code == 0, whole
    for number in numbers(len(steps), SAMPLES):
        scene.put_back()
        outcome, _ = stop(scene, number, signal.SIGKILL, "prune", "--restore", "task-01")
        assert outcome.code == -9
        assert outside(scene.world) == scene.outside
        again = scene.world.orbit("prune", "--restore", "task-01")
        assert again.code == 0 or again.err == "orbit: prune: task-01 exists\n", (steps[number - 1], again)
        now = read_state(scene.world)
        assert now.scoped("task-01") == scene.before.scoped("task-01")
        assert queued(scene.home) == ["a jot"], steps[number - 1]
        assert files_of(scene.home).keys() == {".orbit"}
        for repo, branch in now.scoped("task-01"):
            if branch.endswith("/main"):
                assert scene.world.git(scene.world.pool / repo, "config", f"branch.{branch}.merge") == "refs/heads/main"
        assert scene.world.orbit("prune").out.startswith(NOTHING_BUT_RAW), steps[number - 1]
    print(f"restore: {len(steps)} steps")
    shutil.rmtree(reclaimed)


@pytest.mark.parametrize("kind", KINDS)
def test_random_moments(scenes: dict[str, Scene], kind: str) -> None:
    """A git that a killed orbit had started goes on; the next prune is called at once and has to live with it."""
    scene, chance = scenes[kind], random.Random(SEED)
    print(f"seed {SEED}")
    scene.put_back()
    start = time.monotonic()
    assert scene.world.orbit_process(*words_for(kind)).code == 0
    lasts = time.monotonic() - start
    killed, ends = 0, dict.fromkeys(("intact", "gone"), 0)
    for _ in range(ROUNDS):
        scene.put_back()
        killed += kill_after(chance.uniform(0.2, 1) * lasts, words_for(kind), scene.world.root)
        ends[after_the_stop(scene, force=kind == "dirty", what="random")] += 1
    print(f"{kind}: {ROUNDS} rounds, {killed} killed, {ends}")
    assert killed

"""`orbit doctor` as typed."""

from __future__ import annotations

import os
from pathlib import Path

from hosts.programs import surroundings
from shapes import json_of
from world import World


def test_in_order(world: World) -> None:
    world.clone()
    world.orbit("repos")
    done = world.orbit("doctor")
    assert (done.code, done.err) == (0, "")
    assert "[OK] index: 1 entries" in done.out.splitlines()
    assert "[INFO] project: 1 clones, 0 workspaces" in done.out.splitlines()


def test_outside_a_project(world: World) -> None:
    world.pool.rmdir()
    done = world.orbit("doctor", cwd=world.base)
    assert done.code == 0
    assert done.out.splitlines()[-1] == "[INFO] project: not in a project"


def test_a_failure_is_exit_1_names_its_remedy_and_is_fixed(world: World) -> None:
    world.clone()
    (world.pool / ".orbit").write_text("[broken\n")
    looked = world.orbit("doctor")
    assert looked.code == 1
    assert (
        "[FAIL] index: .repos/.orbit cannot be used (line 1: bad section header): orbit doctor --fix"
        in looked.out.splitlines()
    )
    assert (world.pool / ".orbit").read_text() == "[broken\n"
    fixed = world.orbit("doctor", "--fix")
    assert fixed.code == 0
    assert fixed.out.splitlines()[0] == "fixed: rebuilt the index"


def test_json_has_its_shape(world: World) -> None:
    world.clone()
    done = world.orbit("doctor", "--json")
    assert json_of("doctor", done)["ok"] is True


def test_in_a_workspace_it_names_what_a_sandbox_must_allow(world: World) -> None:
    clone = world.clone()
    world.workspace()
    tree = world.worktree()
    done = world.orbit("doctor", cwd=tree)
    sandbox = next(line for line in done.out.splitlines() if line.startswith("[INFO] sandbox"))
    assert f"{clone}/.git/worktrees/backend" in sandbox
    assert sandbox.endswith(f"{clone}/.git")


def test_it_looks_at_the_agent_hosts(world: World, tmp_path: Path) -> None:
    env = surroundings(tmp_path, "claude")
    (Path(env["HOME"]) / ".claude").mkdir()
    path = f"{env['PATH']}:{os.environ['PATH']}"
    done = world.orbit("doctor", env={**env, "PATH": path})
    assert done.code == 0
    assert "[INFO] claude: Claude Code 1.2.3, without orbit (orbit setup claude puts it in)" in done.out.splitlines()

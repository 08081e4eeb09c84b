"""`orbit sync`: its scope, its lines, its JSON, and that one repository never stops another."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

import orbit
from ssh import busy_server
from world import Outcome, SilentServer, World

SCHEMA = json.loads((Path(orbit.__file__).parent / "schemas" / "sync.json").read_text())
CURRENT = "{}: already up to date\n"
FORWARDED = "{}: fast-forwarded 1 commits \N{RIGHTWARDS ARROW} origin/main\n"


def progress(err: str) -> list[str]:
    """The plain lines of the progress display, in the order of the names."""
    return sorted(line for line in err.splitlines() if line.endswith(")") and "/" in line.rpartition("(")[2])


def guidance(err: str) -> list[str]:
    return [line for line in err.splitlines() if line not in progress(err)]


def three(world: World) -> None:
    for name in ("backend", "frontend", "worker"):
        world.clone(name)


def test_one_by_name(world: World) -> None:
    world.clone()
    assert world.orbit("sync", "backend") == Outcome(0, CURRENT.format("backend"), "")
    world.origins["backend"].commit()
    assert world.orbit("sync", "backend") == Outcome(0, FORWARDED.format("backend"), "")


def test_every_one_at_the_root(world: World) -> None:
    three(world)
    world.origins["frontend"].commit()
    done = world.orbit("sync")
    assert done.code == 0
    assert done.out == CURRENT.format("backend") + FORWARDED.format("frontend") + CURRENT.format("worker")
    assert guidance(done.err) == []
    assert [line.rpartition(" (")[0] for line in progress(done.err)] == [
        "orbit: backend: up to date",
        "orbit: frontend: fast-forwarded",
        "orbit: worker: up to date",
    ]


@pytest.mark.parametrize(
    ("place", "names", "synced"),
    [
        (".", [], ["backend", "frontend", "worker"]),
        (".repos/backend/src", [], ["backend", "frontend", "worker"]),
        ("task-01", [], ["backend", "frontend"]),
        ("task-01/backend/src", [], ["backend"]),
        ("task-01/notes", [], ["backend", "frontend"]),
        ("task-01/backend", ["worker", "frontend", "worker"], ["worker", "frontend"]),
        ("task-01", ["worker"], ["worker"]),
    ],
)
def test_scope(world: World, place: str, names: list[str], synced: list[str]) -> None:
    three(world)
    world.workspace()
    (world.root / "task-01" / "notes").mkdir()
    for name in ("backend", "frontend"):
        world.worktree(name=name)
    done = world.orbit("sync", *names, cwd=world.root / place)
    assert done.code == 0
    assert done.out == "".join(CURRENT.format(name) for name in synced)


@pytest.mark.parametrize("name", ["with space", "caf\xe9", "a:b", "-x", "quote'd", "linked"])
def test_any_root(world: World, name: str) -> None:
    """Cloned into, drifted, detached, brought up to date."""
    root = world.base / "roots" / name
    real = world.base / "real" if name == "linked" else root
    real.mkdir(parents=True)
    if name == "linked":
        root.parent.mkdir()
        root.symlink_to(real)
    origin = world.origin()
    assert world.orbit("clone", origin.url, cwd=root) == Outcome(0, "cloned backend (default branch: main)\n", "")
    clone = real / ".repos" / "backend"
    world.git(clone, "config", "fetch.prune", "false")
    world.git(clone, "checkout", "-q", "--detach")
    origin.commit()
    done = world.orbit("sync", cwd=root)
    assert done == Outcome(
        0,
        FORWARDED.format("backend"),
        "orbit: backend: fetch.prune: false -> true put back, config git.fetchPrune once stops it\n"
        "orbit: backend: the pool clone was put back on main\n",
    )
    assert world.orbit("config", "branch.prefix", "task", cwd=root).code == 0


def test_nothing_in_scope(world: World) -> None:
    assert world.orbit("sync") == Outcome(0, "", "orbit: pool: no repositories yet: clone URL\n")
    assert world.orbit("sync", "--json").out == "[]\n"
    world.clone()
    world.workspace()
    done = world.orbit("sync", cwd=world.root / "task-01")
    assert done == Outcome(0, "", "orbit: task-01: no worktrees yet: repos, then add REPO\n")


@pytest.mark.parametrize(
    ("name", "err"),
    [
        ("bakend", "orbit: bakend: not in the pool (.repos/)\norbit: bakend: did you mean backend?\n"),
        ("zzz", "orbit: zzz: not in the pool (.repos/)\n"),
        ("../up", "orbit: ../up: not a repository name (letters, digits, . _ -)\n"),
        ("", "orbit: repo: not a repository name (letters, digits, . _ -)\n"),
    ],
)
def test_an_unknown_name_syncs_nothing(world: World, name: str, err: str) -> None:
    world.clone()
    world.origins["backend"].commit()
    assert world.orbit("sync", "backend", name) == Outcome(1, "", err)
    assert world.orbit("sync", "backend", name, "--json") == Outcome(1, "", err)
    assert world.orbit("sync").out == FORWARDED.format("backend")


def test_outside_a_project(world: World) -> None:
    done = world.orbit("sync", cwd=world.base)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("orbit: project: not in an orbit project")


@pytest.mark.parametrize("option", ["--prune", "-x", "--json=1"])
def test_an_unknown_option(world: World, option: str) -> None:
    done = world.orbit("sync", option)
    assert (done.code, done.out) == (2, "")


def mixed(world: World) -> None:
    """One of each: up to date, forwarded, diverged, dirty, without origin, unreachable."""
    for name in ("a-current", "b-forwarded", "c-diverged", "d-dirty", "e-no-origin", "f-failed"):
        clone = world.clone(name)
        if name not in ("a-current", "f-failed"):
            world.origins[name].commit({"README.md": "theirs"})
        if name == "c-diverged":
            (clone / "own").write_text("x")
            world.git(clone, "add", "own")
            world.git(clone, "commit", "-q", "-m", "Own")
        elif name == "d-dirty":
            (clone / "README.md").write_text("mine")
        elif name == "e-no-origin":
            world.git(clone, "remote", "remove", "origin")
        elif name == "f-failed":
            world.git(clone, "remote", "set-url", "origin", "http://user:secret@127.0.0.1:1/r.git")


def test_one_that_fails_does_not_stop_the_others(world: World) -> None:
    mixed(world)
    done = world.orbit("sync")
    assert done.code == 1
    assert done.out == CURRENT.format("a-current") + FORWARDED.format("b-forwarded")
    assert "secret" not in done.err
    told = guidance(done.err)
    assert told[:3] == [
        "orbit: c-diverged: left alone, main has 1 commits that origin/main lacks and lacks 1 of its commits",
        "orbit: d-dirty: left alone, the pool clone has 1 uncommitted changes",
        "orbit: e-no-origin: the pool clone has no remote named origin, working with what it has",
    ]
    assert told[3].startswith(
        "orbit: f-failed: not synced, asking for its branches: cannot reach the remote: "
        "unable to access 'http://127.0.0.1:1/r.git/': "
    )
    assert len(told) == 4
    assert [line.rpartition(" (")[0].rpartition(": ")[2] for line in progress(done.err)] == [
        "up to date",
        "fast-forwarded",
        "left alone",
        "left alone",
        "left alone",
        "failed",
    ]


def test_json(world: World) -> None:
    mixed(world)
    done = world.orbit("sync", "--json")
    assert done.code == 1
    assert done.out.count("\n") == 1
    rows = done.json()
    jsonschema.validate(rows, SCHEMA)
    error = rows[-1].pop("error")
    assert error.startswith("asking for its branches: cannot reach the remote: ")
    assert "secret" not in done.out
    assert rows == [
        {"repo": "a-current", "state": "current", "commits": 0, "branch": "main", "error": None},
        {"repo": "b-forwarded", "state": "forwarded", "commits": 1, "branch": "main", "error": None},
        {"repo": "c-diverged", "state": "left", "commits": 0, "branch": "main", "error": None},
        {"repo": "d-dirty", "state": "left", "commits": 0, "branch": "main", "error": None},
        {"repo": "e-no-origin", "state": "left", "commits": 0, "branch": "main", "error": None},
        {"repo": "f-failed", "state": "failed", "commits": 0, "branch": "main"},
    ]
    assert world.orbit("sync", "--json-schema").json() == SCHEMA


def test_left_alone_is_no_failure(world: World) -> None:
    clone = world.clone()
    (clone / "README.md").write_text("mine")
    world.origins["backend"].commit()
    done = world.orbit("sync")
    assert done == Outcome(0, "", "orbit: backend: left alone, the pool clone has 1 uncommitted changes\n")


def test_a_card_is_behind_afterwards_and_untouched(world: World) -> None:
    """Code becomes fresh, knowledge becomes stale: sync leaves the second to whoever reads."""
    world.clone()
    world.orbit("memo", "backend", "--text", "Serves orders.\n\n- a role\n- another\n- `src/app.py`: the start\n")
    card = (world.pool / ".backend.md").read_bytes()
    index = (world.pool / ".orbit").read_bytes()
    world.origins["backend"].commit()
    done = world.orbit("sync")
    assert done == Outcome(0, FORWARDED.format("backend"), "")
    assert (world.pool / ".backend.md").read_bytes() == card
    assert (world.pool / ".orbit").read_bytes() == index
    assert "memo is 1 commits behind HEAD" in world.orbit("repos").err


def test_worktrees_of_the_workspace_that_track_the_branch_are_mentioned(world: World) -> None:
    three(world)
    world.workspace()
    world.workspace("task-02")
    backend, frontend = world.worktree(), world.worktree(name="frontend")
    world.worktree("task-02", "backend")
    world.git(frontend, "branch", "-q", "--unset-upstream")
    before = world.git(backend, "rev-parse", "HEAD")
    for name in ("backend", "frontend"):
        world.origins[name].commit()
        world.origins[name].commit()
    done = world.orbit("sync", cwd=world.root / "task-01")
    assert done.code == 0
    assert guidance(done.err) == [
        "orbit: backend: worktree task-01/backend is 2 commits behind origin/main; git in the worktree can catch up"
    ]
    assert world.git(backend, "rev-parse", "HEAD") == before
    world.origins["backend"].commit()
    assert guidance(world.orbit("sync").err) == []


def test_managed_config_put_back_is_reported(world: World) -> None:
    clone = world.clone()
    world.git(clone, "config", "push.default", "simple")
    done = world.orbit("sync")
    assert done == Outcome(
        0,
        CURRENT.format("backend"),
        "orbit: backend: push.default: simple -> upstream put back, config git.pushUpstreamByDefault once stops it\n",
    )
    world.orbit("config", "git.pushUpstreamByDefault", "once")
    world.git(clone, "config", "push.default", "simple")
    assert world.orbit("sync").err == ""
    assert world.git(clone, "config", "push.default") == "simple"


def test_a_damaged_index_stops_nothing(world: World) -> None:
    world.clone()
    (world.pool / ".orbit").write_text("[broken")
    done = world.orbit("sync")
    assert (done.code, done.out) == (0, CURRENT.format("backend"))
    assert done.err.startswith("orbit: .repos/.orbit: cannot be used (line 1: ")
    assert (world.pool / ".orbit").read_text() == "[broken"


def test_a_directory_that_is_no_repository_is_passed_over(world: World) -> None:
    world.clone()
    (world.pool / "plain").mkdir()
    assert world.orbit("sync") == Outcome(0, CURRENT.format("backend"), "")


def test_one_that_hangs_does_not_hold_the_others(world: World, silent_server: SilentServer) -> None:
    three(world)
    world.git(world.pool / "backend", "remote", "set-url", "origin", silent_server.url)
    world.origins["worker"].commit()
    done = world.orbit("sync", env={"ORBIT_STALL_SECONDS": "1", "ORBIT_JOBS": "2"})
    assert done.code == 1
    assert done.out == CURRENT.format("frontend") + FORWARDED.format("worker")
    lines = [line for line in done.err.splitlines() if line in progress(done.err)]
    assert lines[-1] == "orbit: backend: failed (3/3)"
    assert guidance(done.err) == [
        "orbit: backend: not synced, asking for its branches: the remote stopped answering: no activity for 1 s"
    ]


@pytest.mark.parametrize("names", [["backend"], []])
def test_interrupted_nothing_is_half_moved(world: World, silent_server: SilentServer, names: list[str]) -> None:
    clone = world.clone()
    world.clone("frontend")
    world.git(clone, "remote", "set-url", "origin", silent_server.url)
    command = [sys.executable, "-m", "orbit", "sync", *names]
    process = subprocess.Popen(command, cwd=world.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert silent_server.connected.wait(60)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    assert b"Traceback" not in err
    assert [name for name in os.listdir(clone / ".git") if name.endswith(".lock")] == []
    world.git(clone, "remote", "set-url", "origin", world.origins["backend"].url)
    assert world.orbit("sync").code == 0


def test_killed_leaves_no_lock_that_stays(world: World, silent_server: SilentServer) -> None:
    clone = world.clone()
    world.git(clone, "remote", "set-url", "origin", silent_server.url)
    process = subprocess.Popen([sys.executable, "-m", "orbit", "sync"], cwd=world.root, stderr=subprocess.PIPE)
    assert silent_server.connected.wait(60)
    process.kill()
    process.communicate(timeout=60)
    lock = clone / ".git" / "orbit-fetch.lock"
    assert lock.exists()
    world.git(clone, "remote", "set-url", "origin", world.origins["backend"].url)
    done = world.orbit("sync")
    assert (done.code, done.out) == (0, CURRENT.format("backend"))
    assert done.err == f"orbit: lock: removed {lock}, left by process {process.pid} that no longer runs\n"
    assert not lock.exists()


def test_who_is_turned_away_before_login_tries_once_more(world: World) -> None:
    """And what was told before it was turned away is told all the same."""
    for name in ("backend", "frontend"):
        clone = world.clone(name)
        world.git(clone, "remote", "set-url", "origin", f"example.com:{world.origins[name].url}")
        world.origins[name].commit()
    world.git(world.pool / "backend", "config", "push.default", "simple")
    world.git(world.pool / "frontend", "remote", "set-url", "origin", f"example.com:{world.remotes}/missing.git")
    done = world.orbit("sync", env=busy_server(world))
    assert (done.code, done.out) == (1, FORWARDED.format("backend"))
    told = guidance(done.err)
    assert told[0].startswith("orbit: backend: push.default: simple -> upstream put back")
    assert told[1].startswith("orbit: frontend: not synced, asking for its branches: no such repository: ")
    assert len(told) == 2
    assert len(progress(done.err)) == 2

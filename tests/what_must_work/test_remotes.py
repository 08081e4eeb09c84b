"""Remotes that work, refuse, fall silent, or drop half way: what the user is told, and what must not be left behind."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from servers import Server, git_daemon, http_is_missing, smart_http
from worktrees import state_of
from world import Origin, Outcome, World, run_git

LARGE = random.Random(7).randbytes(400_000)
HALF = 150_000
LOOSE = re.compile(r"/objects/[0-9a-f]{2}/[0-9a-f]{38}$")
MOST_SECONDS = 8
STALL = {"ORBIT_STALL_SECONDS": "1"}
needs_http = pytest.mark.skipif(http_is_missing(), reason="this git was built without http")
KINDS = [pytest.param("git", id="git"), pytest.param("http", id="http", marks=needs_http)]
DROPPED = {
    "git": ("early EOF", "unexpected disconnect"),
    "http": ("RPC failed", "the remote end hung up unexpectedly"),
}


@pytest.fixture(params=KINDS)
def server(request: pytest.FixtureRequest, world: World) -> Iterator[Server]:
    """A real server of every remote of the world."""
    make = {"git": git_daemon, "http": smart_http}[request.param]
    with make(world.remotes) as running:
        yield running


@pytest.fixture
def web(world: World) -> Iterator[Server]:
    """The one of the two that can ask who is there."""
    if http_is_missing():
        pytest.skip("this git was built without http")
    with smart_http(world.remotes) as running:
        yield running


def pool_of(world: World, server: Server, *names: str) -> None:
    """Pool clones by way of the server."""
    for name in names:
        if name not in world.origins:
            world.origin(name)
        done = world.orbit("clone", server.url(name))
        assert done == Outcome(0, f"cloned {name} (default branch: main)\n", "")


def files_of(pool: Path) -> list[str]:
    """Everything in the pool that a failed command must not have added to: locks and half-received packs show.

    Whole objects that git unpacked before the end came may stay: nothing refers to them.
    """
    paths = (path for path in pool.rglob("*") if path.is_file() and not {".cache", "FETCH_HEAD"} & set(path.parts))
    names = (str(path.relative_to(pool)) for path in paths)
    return sorted(name for name in names if not LOOSE.search(name))


def grow(origin: Origin, branch: str = "main") -> None:
    """A commit too large to come in one piece."""
    origin.commit({"large.bin": LARGE}, branch=branch)


def assert_only_facts(done: Outcome) -> None:
    """One line for each thing told, none of them git's advice or its other chatter."""
    for line in done.err.splitlines():
        assert line.startswith("orbit: "), done.err
    assert "hint:" not in done.err
    assert "Traceback" not in done.err


def refusals(server: Server) -> dict[str, tuple[str, str]]:
    """What is wrong -> (URL, how the reason begins)."""
    missing = server.url("missing")
    with_git = "no such repository: remote error: "
    cases = {
        "gone": (missing, with_git if server.scheme == "git" else f"no such repository: repository '{missing}/' not"),
        "closed": (
            f"{server.scheme}://127.0.0.1:1/backend.git",
            "cannot reach the remote: unable to " + ("connect to" if server.scheme == "git" else "access"),
        ),
    }
    if server.scheme == "http":
        cases["password"] = (server.url(), "the remote needs credentials: could not read Username for ")
        cases["wrong"] = (server.url(user="tester:wrong"), "the remote needs credentials: Authentication failed for ")
    return cases


@pytest.mark.parametrize("what", ["gone", "closed", "password", "wrong"])
def test_failures_are_told_apart(world: World, server: Server, what: str) -> None:
    """By clone and by sync, with git's own words; the next repository goes on."""
    pool_of(world, server, "backend", "frontend")
    world.origins["frontend"].commit()
    if what in ("password", "wrong"):
        server.mood.password = "tester:right"
        world.git(world.pool / "frontend", "config", "remote.origin.url", server.url("frontend", user="tester:right"))
    cases = refusals(server)
    if what not in cases:
        pytest.skip("git:// knows no passwords")
    url, reason = cases[what]
    shown = url.replace("tester:wrong@", "")
    before = files_of(world.pool)
    cloned = world.orbit("clone", url, "--name", "other")
    assert (cloned.code, cloned.out) == (1, "")
    assert cloned.err.startswith(f"orbit: clone: {shown}: {reason}"), cloned.err
    assert_only_facts(cloned)
    assert files_of(world.pool) == before

    world.git(world.pool / "backend", "config", "remote.origin.url", url)
    state, head = state_of(world), run_git(world.pool / "backend", "rev-parse", "HEAD")
    synced = world.orbit("sync")
    assert (synced.code, synced.out) == (1, "frontend: fast-forwarded 1 commits → origin/main\n")
    assert f"orbit: backend: not synced, asking for its branches: {reason}" in synced.err
    assert_only_facts(synced)
    assert (state_of(world), run_git(world.pool / "backend", "rev-parse", "HEAD")) == (state, head)
    world.workspace()
    added = world.orbit("add", "backend", "--ref", "v9", cwd=world.root / "task-01")
    assert (added.code, added.out) == (1, "")
    assert added.err.startswith(f"orbit: backend: cannot fetch ref: v9 (looking for a ref: {reason}"), added.err
    assert_only_facts(added)
    tree = world.worktree()
    switched = world.orbit("switch", "topic", cwd=tree)
    assert (switched.code, switched.out) == (1, "")
    assert reason in switched.err
    assert_only_facts(switched)
    assert run_git(tree, "branch", "--show-current") == "ws/task-01/main"


def test_a_ref_that_is_not_there(world: World, server: Server) -> None:
    pool_of(world, server, "backend")
    tree = world.worktree()
    before = files_of(world.pool)
    cloned = world.orbit("clone", server.url(), "--name", "other", "--branch", "gone")
    assert (cloned.code, cloned.out) == (1, "")
    reason = "no such ref: Remote branch gone not found in upstream origin"
    assert cloned.err == f"orbit: clone: {server.url()}: {reason}\n"
    world.workspace("task-02")
    added = world.orbit("add", "backend", "--ref", "gone", cwd=world.root / "task-02")
    assert (added.code, added.out) == (1, "")
    assert added.err == "orbit: backend: cannot fetch ref: gone\n"
    switched = world.orbit("switch", "gone", cwd=tree)
    assert (switched.code, switched.out) == (1, "")
    assert "-c" in switched.err
    assert_only_facts(switched)
    assert files_of(world.pool) == before
    assert not (world.root / "task-02" / "backend").exists()


def test_everything_works_over_a_real_server(world: World, server: Server) -> None:
    pool_of(world, server, "backend")
    backend = world.origins["backend"]
    world.git(backend.path, "tag", "v1", "main~1")
    backend.branch("topic")
    task = world.workspace()
    added = world.orbit("add", "backend", "--ref", "v1", "-s", cwd=task)
    assert added.code == 0, added.err
    assert run_git(task / "backend", "rev-parse", "HEAD") == backend.sha("v1")
    switched = world.orbit("switch", "topic", cwd=task / "backend")
    assert switched.code == 0, switched.err
    assert run_git(task / "backend", "rev-parse", "--abbrev-ref", "@{upstream}") == "origin/topic"
    grow(backend)
    synced = world.orbit("sync")
    assert synced == Outcome(0, "backend: fast-forwarded 1 commits → origin/main\n", "")
    assert run_git(world.pool / "backend", "rev-parse", "HEAD") == backend.sha()


def test_dropped_half_way_through_a_pack(world: World, server: Server) -> None:
    pool_of(world, server, "backend", "frontend")
    backend = world.origins["backend"]
    backend.branch("topic")
    world.git(backend.path, "tag", "v1", "main")
    tree = world.worktree()
    for branch in ("main", "topic"):
        grow(backend, branch)
    world.git(backend.path, "tag", "v2", "main")
    world.origins["frontend"].commit()
    world.workspace("task-02")
    before, state = files_of(world.pool), state_of(world)
    server.mood.cut_after = HALF
    reasons = DROPPED[server.scheme]

    def assert_told(done: Outcome, out: str = "") -> None:
        assert (done.code, done.out) == (1, out), done
        assert "cannot reach the remote: " in done.err
        assert any(reason in done.err for reason in reasons), done.err
        assert_only_facts(done)

    assert_told(world.orbit("clone", server.url(), "--name", "other"))
    assert_told(world.orbit("add", "backend", "--ref", "v2", cwd=world.root / "task-02"))
    assert_told(world.orbit("switch", "topic", cwd=tree))
    assert files_of(world.pool) == before
    assert state_of(world) == state
    assert run_git(tree, "branch", "--show-current") == "ws/task-01/main"
    assert_told(world.orbit("sync"), "frontend: fast-forwarded 1 commits → origin/main\n")
    assert [name for name in files_of(world.pool / "backend") if "tmp" in name or name.endswith(".lock")] == []
    server.mood.cut_after = None
    assert world.orbit("sync", "backend").out == "backend: fast-forwarded 1 commits → origin/main\n"


def test_a_server_that_takes_the_call_and_never_answers(world: World, server: Server) -> None:
    """Given up after ORBIT_STALL_SECONDS, by every command that calls; the others are not held up."""
    pool_of(world, server, "backend")
    world.clone("frontend")
    world.origins["frontend"].commit()
    tree = world.worktree()
    world.workspace("task-02")
    before, state = files_of(world.pool), state_of(world)
    server.mood.silent = True
    commands: list[tuple[list[str], Path]] = [
        (["clone", server.url(), "--name", "other"], world.root),
        (["add", "backend", "--ref", "v9"], world.root / "task-02"),
        (["switch", "topic"], tree),
    ]
    for words, place in commands:
        began = time.monotonic()
        done = world.orbit(*words, cwd=place, env=STALL)
        took = time.monotonic() - began
        assert (done.code, done.out) == (1, ""), done
        assert "the remote stopped answering: " in done.err
        assert 1 <= took < MOST_SECONDS
        assert_only_facts(done)
    assert files_of(world.pool) == before
    assert state_of(world) == state
    synced = world.orbit("sync", env=STALL)
    assert (synced.code, synced.out) == (1, "frontend: fast-forwarded 1 commits → origin/main\n")
    assert "orbit: backend: not synced, asking for its branches: the remote stopped answering: " in synced.err


def test_a_slow_server_is_no_silent_one(world: World, server: Server) -> None:
    """Each call takes a while (over http of three answers), none of them as long as the limit."""
    server.mood.delay = {"git": 0.6, "http": 0.2}[server.scheme]
    world.origin()
    assert world.orbit("clone", server.url(), env=STALL).code == 0
    world.origins["backend"].commit()
    assert world.orbit("sync", env=STALL).out == "backend: fast-forwarded 1 commits → origin/main\n"


def test_several_clones_go_on_without_those_that_fail(world: World, server: Server, web: Server) -> None:
    for name in ("backend", "frontend", "locked"):
        world.origin(name)
    web.mood.password = "tester:right"
    urls = [server.url("missing"), server.url("backend"), web.url("locked"), server.url("frontend")]
    done = world.orbit("clone", *urls)
    assert done.code == 1
    assert done.out == "cloned backend (default branch: main)\ncloned frontend (default branch: main)\n"
    assert "no such repository: " in done.err
    assert "the remote needs credentials: could not read Username for " in done.err
    assert_only_facts(done)
    assert sorted(path.name for path in world.pool.iterdir()) == [".orbit", "README.md", "backend", "frontend"]


def test_what_a_server_calls_a_hint_is_not_passed_on(world: World, server: Server) -> None:
    """A server's own git may advise the server's own people; only the fact is for ours."""
    pool_of(world, server, "backend")
    world.origins["backend"].commit()
    hook = world.base / "pack-hook"
    hook.write_text("#!/bin/sh\necho 'hint: turn it off and on' >&2\necho 'fatal: no room left' >&2\nexit 1\n")
    hook.chmod(0o755)
    settings = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "uploadpack.packObjectsHook"}
    server.mood.environment = {**settings, "GIT_CONFIG_VALUE_0": str(hook)}
    done = world.orbit("sync")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("orbit: backend: not synced, fetching: ")
    assert done.err.count("\n") == 1
    assert_only_facts(done)


def test_credentials_in_the_environment_reach_git(world: World, web: Server) -> None:
    """Hosts and CI hand them over as GIT_CONFIG_* variables."""
    world.origin()
    web.mood.password = "tester:right"
    header = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": f"http.http://127.0.0.1:{web.port}/.extraHeader"}
    header["GIT_CONFIG_VALUE_0"] = "Authorization: Basic dGVzdGVyOnJpZ2h0"
    assert world.orbit("clone", web.url(), env=header).code == 0
    assert world.orbit("sync", env=header) == Outcome(0, "backend: already up to date\n", "")
    assert world.orbit("sync").code == 1


def test_side_by_side_takes_a_fraction_of_one_after_another(world: World) -> None:
    """The short form of benchmarks/sync.py: the server's delay is waited for once, not once for each clone."""
    names = [f"repo-{number}" for number in range(8)]
    with git_daemon(world.remotes) as server:
        for name in names:
            world.git(world.clone(name), "config", "remote.origin.url", server.url(name))
        server.mood.delay = 0.2
        took = []
        for jobs in ("1", ""):
            began = time.monotonic()
            done = world.orbit("sync", env={"ORBIT_JOBS": jobs})
            took.append(time.monotonic() - began)
            assert done.code == 0, done.err
            assert done.out == "".join(f"{name}: already up to date\n" for name in names)
    alone, together = took
    assert together < alone / 2, took

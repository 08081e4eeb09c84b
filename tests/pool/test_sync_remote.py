"""One clone and its remote: what is asked for, what is lost there, and how its failures are told."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from one_pool import FULL_MAP, NARROW, OnePool, told
from orbit.git.files import Head, read_head, read_symref
from orbit.places import Project
from orbit.pool.clone import CloneRequest, clone_one
from orbit.pool.project import clone_lock
from orbit.pool.sync import Synced, sync_one, wanted_branches
from orbit.store.settings import read_settings
from orbit.store.syntax import parse
from world import Origin, SilentServer, World, environment


@pytest.fixture
def pool(world: World) -> OnePool:
    return OnePool(world)


def test_an_unchanged_remote_is_looked_at_and_not_fetched(pool: OnePool) -> None:
    with environment({"GIT_TRACE": str(pool.world.base / "trace")}):
        pool.sync()
    trace = (pool.world.base / "trace").read_text()
    assert "git ls-remote" in trace
    assert "git fetch" not in trace


def test_only_named_branches_are_fetched_in_one_call(pool: OnePool) -> None:
    for name in ("tracked", "feat/other", "unwanted"):
        pool.origin.branch(name)
        pool.origin.commit({name: "x"}, branch=name)
    pool.world.git(pool.origin.path, "tag", "v1", "tracked")
    pool.origin.commit()
    for branch, merge in (("ws/a/x", "tracked"), ("ws/b/x", "tracked"), ("ws/a/y", "feat/other"), ("ws/a/z", "gone")):
        pool.git("branch", "-q", "--no-track", branch)
        pool.git("config", f"branch.{branch}.remote", "origin")
        pool.git("config", f"branch.{branch}.merge", f"refs/heads/{merge}")
    with environment({"GIT_TRACE": str(pool.world.base / "trace")}):
        assert pool.sync().state == "forwarded"
    assert pool.refs() == ["feat/other", "main", "tracked"]
    assert pool.refs("refs/tags") == [""]
    fetches = [line for line in (pool.world.base / "trace").read_text().splitlines() if "built-in: git fetch" in line]
    assert len(fetches) == 1
    assert fetches[0].count("+refs/heads/") == 3


def test_what_is_wanted() -> None:
    config = parse(
        '[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n'
        '[branch "a"]\n\tremote = origin\n\tmerge = refs/heads/x\n'
        '[branch "b"]\n\tremote = fork\n\tmerge = refs/heads/y\n'
        '[branch "c"]\n\tremote = origin\n\tmerge = refs/tags/v1\n'
        '[branch "d"]\n\tremote = .\n\tmerge = refs/heads/z\n'
        '[branch "e"]\n\tremote = origin\n'
        '[branch "f"]\n\tremote = origin\n\tmerge = refs/heads/HEAD\n'
    )
    assert wanted_branches(config, "main") == ["main", "x"]
    assert wanted_branches(config, "trunk") == ["trunk", "main", "x"]
    assert wanted_branches(parse(""), "") == []


def test_a_remote_branch_that_was_lost_fails_nothing_and_its_ref_goes(pool: OnePool) -> None:
    pool.git("update-ref", "refs/remotes/origin/lost", "HEAD")
    pool.git("branch", "-q", "--track", "ws/a/lost", "origin/lost")
    pool.git("pack-refs", "--all")
    pool.origin.commit()
    assert pool.sync().state == "forwarded"
    assert pool.refs() == ["main"]
    assert pool.git("rev-parse", "ws/a/lost")


def test_refs_of_lost_branches_go_only_under_the_full_map(pool: OnePool) -> None:
    pool.git("config", "remote.origin.fetch", NARROW)
    pool.git("update-ref", "refs/remotes/origin/lost", "HEAD")
    pool.origin.commit()
    assert pool.sync("[git]\n\tfetchAllBranches = never\n").state == "forwarded"
    assert pool.refs() == ["lost", "main"]
    assert pool.git("config", "--get-all", "remote.origin.fetch") == NARROW


@pytest.mark.parametrize("mode", ["always", "never"])
@pytest.mark.parametrize(("before", "after"), [("feat", "feat/x"), ("feat/x", "feat")])
def test_a_branch_that_became_a_directory(pool: OnePool, mode: str, before: str, after: str) -> None:
    """And the other way round: the stale ref goes, also where refs of lost branches are kept otherwise."""
    pool.git("update-ref", f"refs/remotes/origin/{before}", "HEAD")
    pool.git("update-ref", "refs/remotes/origin/lost", "HEAD")
    tip = pool.origin.branch(after)
    pool.git("config", "branch.ws/a/x.remote", "origin")
    pool.git("config", "branch.ws/a/x.merge", f"refs/heads/{after}")
    if mode == "never":
        pool.git("config", "remote.origin.fetch", NARROW)
    assert pool.sync(f"[git]\n\tfetchAllBranches = {mode}\n").state == "current"
    assert pool.refs() == sorted([after, "main", *(["lost"] if mode == "never" else [])])
    assert pool.git("rev-parse", f"refs/remotes/origin/{after}") == tip


def lose(pool: OnePool) -> None:
    pool.origin.branch("trunk")
    pool.world.git(pool.origin.path, "symbolic-ref", "HEAD", "refs/heads/trunk")
    pool.world.git(pool.origin.path, "update-ref", "-d", "refs/heads/main")


def test_a_lost_default_branch_is_loud(pool: OnePool) -> None:
    lose(pool)
    pool.world.git(pool.origin.path, "symbolic-ref", "HEAD", "refs/heads/main")
    before = pool.head()
    synced = pool.sync()
    assert (synced.state, synced.error) == ("failed", "origin has no branch main any more")
    assert told(synced) == ["orbit: backend: origin has no branch main any more"]
    assert pool.head() == before
    assert pool.sync().state == "failed"


def test_a_renamed_default_branch_is_told_and_not_adopted(pool: OnePool) -> None:
    lose(pool)
    before = pool.head()
    synced = pool.sync()
    assert synced.state == "failed"
    assert told(synced) == [
        "orbit: backend: upstream's default branch is now trunk, the pool stays on main: sync backend --branch trunk",
        "orbit: backend: origin has no branch main any more",
    ]
    assert pool.head() == before
    assert read_symref(str(pool.path / ".git"), "refs/remotes/origin/HEAD") == "refs/remotes/origin/main"


def test_a_renamed_default_branch_whose_old_name_stays(pool: OnePool) -> None:
    pool.origin.branch("trunk")
    pool.world.git(pool.origin.path, "symbolic-ref", "HEAD", "refs/heads/trunk")
    pool.origin.commit()
    synced = pool.sync()
    assert synced.state == "forwarded"
    assert told(synced) == [
        "orbit: backend: upstream's default branch is now trunk, the pool stays on main: sync backend --branch trunk"
    ]


def test_a_branch_that_the_user_chose_is_no_rename(world: World) -> None:
    origin = world.origin()
    origin.branch("release/1.x")
    project = Project(str(world.root))
    clone_one(project, CloneRequest(url=origin.url, directory="/", branch="release/1.x"))
    origin.commit({"x": "x"}, branch="release/1.x")
    origin.commit({"y": "y"})
    synced = sync_one(project, "backend", read_settings(parse("")))
    assert synced == Synced("backend", "forwarded", "release/1.x", 1)
    assert synced.line == "backend: fast-forwarded 1 commits → origin/release/1.x"


def empty_pool(world: World) -> tuple[Origin, Callable[[], Synced], Path]:
    origin = world.origin("empty", empty=True)
    project = Project(str(world.root))
    clone_one(project, CloneRequest(url=origin.url, directory="/"))
    return origin, lambda: sync_one(project, "empty", read_settings(parse(""))), world.pool / "empty"


def test_an_empty_remote(world: World) -> None:
    _, sync, _ = empty_pool(world)
    assert sync() == Synced("empty", "current", "main")


def test_an_empty_remote_that_got_its_first_commits(world: World) -> None:
    origin, sync, path = empty_pool(world)
    origin.commit({"first": "x"})
    tip = origin.commit({"second": "x"})
    assert sync() == Synced("empty", "forwarded", "main", 2)
    assert read_head(str(path)) == Head("main", tip)
    assert (path / "second").exists()
    assert read_symref(str(path / ".git"), "refs/remotes/origin/HEAD") == "refs/remotes/origin/main"


def test_an_empty_remote_that_got_a_branch_of_another_name(world: World) -> None:
    origin, sync, path = empty_pool(world)
    tip = origin.commit({"first": "x"}, branch="trunk")
    synced = sync()
    assert synced.state == "failed"
    assert synced.error == "which branch to follow is not clear, origin has trunk and no default branch"
    world.git(origin.path, "symbolic-ref", "HEAD", "refs/heads/trunk")
    assert sync() == Synced("empty", "forwarded", "trunk", 1)
    assert read_head(str(path)) == Head("trunk", tip)


def test_a_remote_that_was_emptied_takes_nothing_away(pool: OnePool) -> None:
    pool.git("update-ref", "refs/remotes/origin/other", "HEAD")
    pool.world.git(pool.origin.path, "update-ref", "-d", "refs/heads/main")
    synced = pool.sync()
    assert (synced.state, synced.error) == ("failed", "origin has no branch main any more")
    assert pool.refs() == ["main", "other"]


def test_origin_head_that_is_missing_is_stored(pool: OnePool) -> None:
    pool.git("symbolic-ref", "--delete", "refs/remotes/origin/HEAD")
    assert pool.sync().state == "current"
    assert read_symref(str(pool.path / ".git"), "refs/remotes/origin/HEAD") == "refs/remotes/origin/main"
    pool.git("symbolic-ref", "--delete", "refs/remotes/origin/HEAD")
    pool.git("checkout", "-q", "--detach")
    assert pool.sync().branch == "main"
    assert pool.head().branch == "main"


@pytest.mark.parametrize(
    ("url", "error"),
    [
        ("/nowhere", "asking for its branches: no such repository: '/nowhere' does not appear to be a git repository"),
        ("git://127.0.0.1:1/r", "asking for its branches: cannot reach the remote: unable to connect to 127.0.0.1"),
        (
            "http://user:secret@127.0.0.1:1/r",
            "asking for its branches: cannot reach the remote: unable to access 'http://127.0.0.1:1/r/'",
        ),
    ],
)
def test_a_remote_that_fails(pool: OnePool, url: str, error: str) -> None:
    pool.git("remote", "set-url", "origin", url)
    before = (pool.head(), pool.refs())
    synced = pool.sync()
    assert (synced.state, synced.line, synced.branch) == ("failed", "", "main")
    assert synced.error.startswith(error)
    assert told(synced) == [f"orbit: backend: not synced, {synced.error}"]
    assert "secret" not in str(synced)
    assert (pool.head(), pool.refs()) == before


def test_a_remote_that_hangs_does_not_hold_up_local_work(pool: OnePool, silent_server: SilentServer) -> None:
    pool.git("remote", "set-url", "origin", silent_server.url)
    found: list[Synced] = []
    with environment({"ORBIT_STALL_SECONDS": "1"}):
        syncing = threading.Thread(target=lambda: found.append(pool.sync()))
        syncing.start()
        assert silent_server.connected.wait(20)
        with clone_lock(str(pool.path)):
            assert not found
        syncing.join(timeout=20)
    (synced,) = found
    assert synced.error == "asking for its branches: the remote stopped answering: no activity for 1 s"


def test_names_from_a_hostile_remote(pool: OnePool) -> None:
    tip = pool.origin.sha()
    names = ["line\N{LINE SEPARATOR}break", "caf\udce9", "HEAD", "\x85x", "--upload-pack=x", "a'b$(c)"]
    for name in names:
        pool.world.git(pool.origin.path, "update-ref", f"refs/heads/{name}", tip)
        pool.git("update-ref", f"refs/remotes/origin/{name}x", "HEAD")
        pool.git("config", f"branch.ws/a/{names.index(name)}.remote", "origin")
        pool.git("config", f"branch.ws/a/{names.index(name)}.merge", f"refs/heads/{name}")
    pool.origin.commit()
    assert pool.sync().state == "forwarded"
    assert sorted(pool.refs()) == sorted(["main", *(name for name in names if name != "HEAD")])


@pytest.mark.parametrize("without", ["remove", "rename"])
def test_without_an_origin(pool: OnePool, without: str) -> None:
    pool.git("remote", *((without, "origin") if without == "remove" else (without, "origin", "elsewhere")))
    synced = pool.sync()
    assert (synced.state, synced.line) == ("left", "")
    assert told(synced) == ["orbit: backend: the pool clone has no remote named origin, working with what it has"]


def test_an_origin_from_an_included_file(pool: OnePool) -> None:
    other = pool.world.base / "included"
    other.write_text(f'[remote "origin"]\n\turl = {pool.origin.url}\n\tfetch = {FULL_MAP}\n')
    pool.git("config", "--remove-section", "remote.origin")
    pool.git("config", "include.path", str(other))
    pool.origin.commit()
    assert pool.sync().state == "forwarded"


def test_a_damaged_config_is_no_missing_origin(pool: OnePool) -> None:
    (pool.path / ".git" / "config").write_text("[broken")
    synced = pool.sync()
    assert synced.state == "failed"
    assert synced.error.startswith("bad config line ")

"""One clone brought up to upstream: what moves, what is left alone and told, what is never touched."""

from __future__ import annotations

import threading

import pytest

import lfs
from one_pool import FULL_MAP, NARROW, OnePool, told
from orbit.git.files import Head, read_head
from orbit.places import Project
from orbit.pool.sync import Synced, sync_one
from orbit.store.settings import read_settings
from orbit.store.syntax import parse
from world import World, environment, run_git


@pytest.fixture
def pool(world: World) -> OnePool:
    return OnePool(world)


def test_up_to_date(pool: OnePool) -> None:
    synced = pool.sync()
    assert synced == Synced("backend", "current", "main")
    assert synced.line == "backend: already up to date"


def test_fast_forward(pool: OnePool) -> None:
    tip = [pool.origin.commit({f"f{number}": "x"}) for number in range(3)][-1]
    synced = pool.sync()
    assert synced == Synced("backend", "forwarded", "main", 3)
    assert synced.line == "backend: fast-forwarded 3 commits → origin/main"
    assert pool.head() == Head("main", tip)
    assert (pool.path / "f2").exists()
    assert pool.sync().state == "current"


def test_managed_config_is_put_back_and_told(pool: OnePool) -> None:
    pool.git("config", "--unset", "fetch.prune")
    pool.git("config", "remote.origin.fetch", NARROW)
    synced = pool.sync()
    assert synced.state == "current"
    change = f"{NARROW} -> {FULL_MAP}"
    assert told(synced) == [
        f"orbit: backend: remote.origin.fetch: {change} put back, config git.fetchAllBranches once stops it",
        "orbit: backend: fetch.prune: unset -> true put back, config git.fetchPrune once stops it",
    ]
    assert pool.sync().notices == ()


def test_diverged_is_left_alone(pool: OnePool) -> None:
    own = pool.commit()
    pool.origin.commit()
    pool.origin.commit()
    synced = pool.sync()
    assert (synced.state, synced.line) == ("left", "")
    assert told(synced) == [
        "orbit: backend: left alone, main has 1 commits that origin/main lacks and lacks 2 of its commits"
    ]
    assert pool.head().sha == own


def test_ahead_of_a_rewound_upstream_is_said(pool: OnePool) -> None:
    pool.world.git(pool.origin.path, "update-ref", "refs/heads/main", "main~2")
    synced = pool.sync()
    assert (synced.state, synced.line) == ("left", "")
    assert told(synced) == ["orbit: backend: left alone, main is 2 commits ahead of origin/main"]
    assert pool.git("rev-parse", "origin/main") == pool.origin.sha()


def test_a_dirty_clone_is_left_alone(pool: OnePool) -> None:
    before = pool.head()
    (pool.path / "README.md").write_text("mine")
    assert pool.sync().state == "current"
    pool.origin.commit({"README.md": "theirs"})
    synced = pool.sync()
    assert (synced.state, synced.line) == ("left", "")
    assert told(synced) == ["orbit: backend: left alone, the pool clone has 1 uncommitted changes"]
    assert (pool.path / "README.md").read_text() == "mine"
    assert pool.head() == before


def test_an_untracked_file_in_the_way_is_kept(pool: OnePool) -> None:
    pool.origin.commit({"notes": "theirs"})
    (pool.path / "notes").write_text("mine")
    (pool.path / "other").write_text("mine")
    synced = pool.sync()
    assert synced.state == "failed"
    (line,) = told(synced)
    assert line.startswith("orbit: backend: not synced, fast-forwarding: ")
    assert "untracked working tree files would be overwritten by merge: notes" in line
    assert (pool.path / "notes").read_text() == "mine"
    (pool.path / "notes").unlink()
    assert pool.sync().state == "forwarded"
    assert (pool.path / "other").read_text() == "mine"


@pytest.mark.parametrize("move", [("checkout", "-q", "--detach", "HEAD~1"), ("switch", "-q", "-c", "elsewhere")])
def test_a_clone_on_another_commit_is_put_back(pool: OnePool, move: tuple[str, ...]) -> None:
    pool.git(*move)
    tip = pool.origin.commit()
    synced = pool.sync()
    assert synced == Synced("backend", "forwarded", "main", 1, notices=synced.notices)
    assert told(synced) == ["orbit: backend: the pool clone was put back on main"]
    assert pool.head() == Head("main", tip)


def test_a_detached_clone_with_commits_of_its_own_is_left_alone(pool: OnePool) -> None:
    pool.git("checkout", "-q", "--detach")
    own = pool.commit()
    pool.origin.commit()
    synced = pool.sync()
    assert synced.state == "left"
    assert told(synced) == [
        "orbit: backend: left alone, the pool clone is detached from main with 1 commits that no branch holds"
    ]
    assert pool.head() == Head("", own)
    pool.git("branch", "kept")
    assert pool.sync().state == "forwarded"


def test_a_detached_and_dirty_clone_is_left_alone(pool: OnePool) -> None:
    pool.git("checkout", "-q", "--detach", "HEAD~1")
    (pool.path / "README.md").write_text("mine")
    pool.origin.commit()
    synced = pool.sync()
    assert synced.state == "left"
    assert told(synced) == ["orbit: backend: left alone, the pool clone has 1 uncommitted changes"]
    assert pool.head().branch == ""


def test_a_rebase_in_the_pool_is_left_where_it_is(pool: OnePool) -> None:
    pool.git("update-ref", "refs/heads/side", "HEAD~1")
    pool.git("-c", "sequence.editor=sed -i 1ibreak", "rebase", "-q", "-i", "side")
    synced = pool.sync()
    assert synced.state == "failed"
    assert "cannot switch branch while rebasing" in synced.error
    assert (pool.path / ".git" / "rebase-merge").is_dir()


def test_a_worktree_that_holds_the_tracked_branch(pool: OnePool) -> None:
    pool.git("checkout", "-q", "--detach")
    pool.world.workspace()
    tree = pool.world.root / "task-01" / "backend"
    pool.git("worktree", "add", "-q", str(tree), "main")
    before = pool.world.git(tree, "rev-parse", "HEAD")
    pool.origin.commit()
    synced = pool.sync()
    assert synced.state == "failed"
    assert f"'{tree}'" in synced.error
    assert pool.world.git(tree, "rev-parse", "HEAD") == before
    assert pool.world.git(tree, "status", "--porcelain") == ""


def test_a_local_branch_that_was_deleted_is_made_again(pool: OnePool) -> None:
    pool.git("checkout", "-q", "--detach")
    pool.git("branch", "-q", "-D", "main")
    pool.git("config", "checkout.guess", "false")
    tip = pool.origin.commit()
    synced = pool.sync()
    assert synced.state == "current"
    assert pool.head() == Head("main", tip)
    assert pool.git("rev-parse", "--abbrev-ref", "main@{upstream}") == "origin/main"


def test_worktrees_and_cards_are_never_touched(pool: OnePool) -> None:
    pool.world.workspace()
    tree = pool.world.worktree()
    card = pool.world.pool / ".backend.md"
    card.write_text("# backend\n")
    before = pool.world.git(tree, "rev-parse", "HEAD")
    pool.origin.commit()
    assert pool.sync().state == "forwarded"
    assert pool.world.git(tree, "rev-parse", "HEAD") == before
    assert card.read_text() == "# backend\n"


def test_a_local_lock_is_no_fault_of_the_remote(pool: OnePool) -> None:
    pool.origin.commit()
    (pool.path / ".git" / "index.lock").touch()
    synced = pool.sync()
    assert synced.state == "failed"
    assert synced.error.startswith("fast-forwarding: another git process holds a lock: ")
    (pool.path / ".git" / "index.lock").unlink()
    assert pool.sync().state == "forwarded"


@pytest.mark.parametrize("depth", ["--depth=1", "--filter=blob:none"])
def test_a_clone_that_lacks_objects(world: World, depth: str) -> None:
    origin = world.origin()
    world.git(origin.path, "config", "uploadpack.allowFilter", "true")
    path = world.pool / "backend"
    run_git(world.pool, "clone", "-q", "--single-branch", depth, f"file://{origin.url}", str(path))
    world.git(path, "config", "remote.origin.fetch", FULL_MAP)
    tip = [origin.commit({"new": f"{number}"}) for number in range(2)][-1]
    synced = sync_one(Project(str(world.root)), "backend", read_settings(parse("")))
    assert (synced.state, synced.commits) == ("forwarded", 2)
    assert read_head(str(path)) == Head("main", tip)
    assert (path / "new").read_text() == "1"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("merge.ff", "false"),
        ("merge.verifySignatures", "true"),
        ("commit.gpgSign", "true"),
        ("branch.main.mergeOptions", "--no-ff"),
        ("pull.rebase", "true"),
        ("push.default", "nothing"),
        ("submodule.recurse", "true"),
        ("fetch.recurseSubmodules", "true"),
        ("merge.autoStash", "true"),
        ("checkout.defaultRemote", "fork"),
        ("log.showSignature", "true"),
        ("color.ui", "always"),
        ("alias.merge", "log"),
    ],
)
def test_no_setting_of_the_user_s_stops_it(pool: OnePool, key: str, value: str) -> None:
    pool.git("config", key, value)
    tip = pool.origin.commit({"new": "x"})
    assert pool.sync().state == "forwarded"
    assert pool.head() == Head("main", tip)


def test_hooks_of_the_pool_s_do_not_run(pool: OnePool) -> None:
    hooks = pool.path / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-merge", "post-checkout"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {pool.world.base}/ran\nexit 1\n")
        (hooks / name).chmod(0o755)
    pool.git("-c", "core.hooksPath=/dev/null", "checkout", "-q", "--detach")
    pool.origin.commit()
    assert pool.sync().state == "forwarded"
    assert not (pool.world.base / "ran").exists()


def test_lfs_that_is_not_installed(world: World) -> None:
    origin = world.origin("media", lfs.FILES)
    path = world.clone("media")
    origin.commit({"b.bin": "another pointer\n"})
    with lfs.configured_and_missing(world):
        synced = sync_one(Project(str(world.root)), "media", read_settings(parse("")))
    assert synced.state == "forwarded"
    assert (path / "b.bin").read_text() == "another pointer\n"


def test_packed_refs(pool: OnePool) -> None:
    pool.git("pack-refs", "--all")
    tip = pool.origin.commit()
    assert pool.sync().state == "forwarded"
    pool.git("pack-refs", "--all")
    assert pool.sync() == Synced("backend", "current", "main")
    assert pool.head() == Head("main", tip)


def test_side_by_side_over_one_clone(pool: OnePool) -> None:
    pool.origin.commit()
    found: list[Synced] = []
    threads = [threading.Thread(target=lambda: found.append(pool.sync())) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(synced.state for synced in found) == ["current"] * 5 + ["forwarded"]


def test_inside_a_git_hook(pool: OnePool) -> None:
    tip = pool.origin.commit()
    with environment({"GIT_DIR": "/nowhere", "GIT_INDEX_FILE": "/nowhere/index", "GIT_WORK_TREE": "/nowhere"}):
        synced = pool.sync()
    assert synced.state == "forwarded"
    assert pool.head() == Head("main", tip)

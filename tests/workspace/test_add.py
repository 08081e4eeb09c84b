"""Which branch a worktree gets and where it starts; leftovers; clones made by hand; many at once."""

from __future__ import annotations

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from orbit.errors import OrbitError
from orbit.guidance.notice import Notice
from orbit.places import Project
from orbit.store.document import load
from orbit.store.settings import read_settings
from orbit.workspace.add import Added, AddRequest, add_worktree
from worktrees import assert_usable, state_of, write_hook
from world import World, environment, run_git

BRANCH = "ws/task-01/main"


class Adding:
    """A workspace to add `backend` to."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.clone = world.pool / "backend"
        self.worktree = world.root / "task-01" / "backend"
        self.told: list[Notice] = []

    def add(self, *, ref: str = "", reuse: bool = False, workspace: str = "task-01") -> Added:
        (self.world.root / workspace).mkdir(exist_ok=True)
        settings = read_settings(load(f"{self.world.pool}/.orbit").config)
        request = AddRequest("backend", workspace, ref, reuse)
        return add_worktree(Project(str(self.world.root)), request, settings, self.told)

    def refused(self) -> OrbitError:
        """Nothing but the refusal may come of it."""
        (self.world.root / "task-01").mkdir(exist_ok=True)
        before = state_of(self.world)
        with pytest.raises(OrbitError) as caught:
            self.add()
        assert state_of(self.world) == before
        return caught.value

    def sha(self, revision: str = BRANCH) -> str:
        return run_git(self.clone, "rev-parse", revision)

    @property
    def names(self) -> list[str]:
        return [notice.name for notice in self.told if notice.name != "push-goes-to-default"]


@pytest.fixture
def adding(world: World) -> Adding:
    return Adding(world)


# --- where it starts -------------------------------------------------------------------------------------------------


def test_upstream_as_last_fetched_not_the_pools_branch(world: World, adding: Adding) -> None:
    world.clone()
    fetched = world.origins["backend"].commit()
    world.git(adding.clone, "fetch", "-q")
    world.origins["backend"].commit()
    assert adding.add() == Added("backend", BRANCH, "origin/main")
    assert_usable(adding.worktree)
    assert adding.sha() == fetched
    assert adding.names == []


@pytest.mark.parametrize("name", ["trunk", "release/1.x"])
def test_other_default_branches(world: World, adding: Adding, name: str) -> None:
    origin = world.origin()
    world.git(origin.path, "branch", "-m", "main", name)
    origin.untouched = False
    world.clone()
    assert adding.add() == Added("backend", f"ws/task-01/{name}", f"origin/{name}")
    assert_usable(adding.worktree, f"ws/task-01/{name}", f"origin/{name}")


def test_a_missing_tracking_ref_is_fetched(world: World, adding: Adding) -> None:
    world.clone()
    newer = world.origins["backend"].commit()
    world.git(adding.clone, "update-ref", "-d", "refs/remotes/origin/main")
    adding.add()
    assert adding.sha() == newer


def test_a_missing_origin_head_is_asked_for_and_kept(world: World, adding: Adding) -> None:
    world.clone()
    world.git(adding.clone, "remote", "set-head", "origin", "--delete")
    adding.add()
    assert run_git(adding.clone, "symbolic-ref", "refs/remotes/origin/HEAD") == "refs/remotes/origin/main"


def test_offline_without_origin_head_the_clones_branch_serves(world: World, adding: Adding) -> None:
    world.clone()
    world.git(adding.clone, "remote", "set-head", "origin", "--delete")
    shutil.rmtree(world.origins["backend"].path)
    adding.add()
    assert_usable(adding.worktree)


def test_offline_with_nothing_to_go_by(world: World, adding: Adding) -> None:
    world.clone()
    world.git(adding.clone, "remote", "set-head", "origin", "--delete")
    world.git(adding.clone, "checkout", "-q", "--detach")
    shutil.rmtree(world.origins["backend"].path)
    problem = adding.refused()
    assert (problem.context, "no such repository" in problem.message) == ("backend", True)


def test_a_default_branch_that_is_gone_on_both_sides(world: World, adding: Adding) -> None:
    world.clone()
    world.git(adding.clone, "update-ref", "-d", "refs/remotes/origin/main")
    world.git(world.origins["backend"].path, "branch", "-m", "main", "trunk")
    assert adding.add() == Added("backend", "ws/task-01/trunk", "origin/trunk")


def test_a_detached_and_dirty_pool_clone_does_not_matter(world: World, adding: Adding) -> None:
    world.clone()
    world.git(adding.clone, "checkout", "-q", "--detach", "HEAD~1")
    (adding.clone / "README.md").write_text("dirty")
    adding.add()
    assert_usable(adding.worktree)
    assert (adding.clone / "README.md").read_text() == "dirty"


def test_a_shallow_clone(world: World, adding: Adding) -> None:
    origin = world.origin()
    world.git(world.pool, "clone", "-q", "--depth=1", "-o", "origin", f"file://{origin.path}", "backend")
    adding.add()
    assert_usable(adding.worktree)


def test_a_sha256_repository(world: World, adding: Adding) -> None:
    origin = world.base / "made"
    world.git(world.base, "init", "-q", "--object-format=sha256", str(origin))
    world.git(origin, "commit", "-q", "--allow-empty", "-m", "First")
    world.git(world.pool, "clone", "-q", "-o", "origin", str(origin), "backend")
    adding.add()
    assert_usable(adding.worktree)
    assert len(adding.sha()) == 64


def test_ref_decides_where_it_starts_and_nothing_else(world: World, adding: Adding) -> None:
    world.clone()
    first = adding.sha("HEAD~2")
    assert adding.add(ref=first[:8]) == Added("backend", BRANCH, "origin/main")
    assert adding.sha() == first


def test_a_prefix_of_the_users_own(world: World, adding: Adding) -> None:
    world.clone()
    world.orbit("config", "branch.prefix", "work")
    assert adding.add().branch == "work/task-01/main"


# --- leftover branches -----------------------------------------------------------------------------------------------


def leave_branch(world: World, adding: Adding, start: str = "HEAD~1", commits: int = 0) -> str:
    """The branch of an earlier task of this name; its tip."""
    world.git(adding.clone, "branch", BRANCH, start)
    if commits:
        with_work = world.base / "earlier"
        world.git(adding.clone, "worktree", "add", "-q", str(with_work), BRANCH)
        for number in range(commits):
            world.git(with_work, "commit", "-q", "--allow-empty", "-m", f"Work {number + 1}")
        world.git(adding.clone, "worktree", "remove", str(with_work))
    return adding.sha()


@pytest.mark.parametrize("reuse", [False, True])
@pytest.mark.parametrize("start", ["HEAD", "HEAD~1"])
def test_without_commits_of_its_own_it_starts_afresh(world: World, adding: Adding, start: str, reuse: bool) -> None:
    world.clone()
    leave_branch(world, adding, start)
    adding.add(reuse=reuse)
    assert_usable(adding.worktree)
    assert adding.sha() == adding.sha("origin/main")
    assert adding.names == ["branch-reset"]


def test_it_starts_afresh_from_ref(world: World, adding: Adding) -> None:
    world.clone()
    leave_branch(world, adding)
    adding.add(ref=adding.sha("HEAD~2"))
    assert adding.sha() == adding.sha("HEAD~2")


def test_with_commits_of_its_own_it_is_refused_and_described(world: World, adding: Adding) -> None:
    world.clone()
    tip = leave_branch(world, adding, commits=2)
    problem = adding.refused()
    short = run_git(adding.clone, "rev-parse", "--short", tip)
    assert problem.message == f"branch {BRANCH} exists with 2 commits of its own (latest: {short} Work 2)"
    assert problem.hint == "continue on it: orbit add backend --reuse"


def test_with_reuse_it_goes_on_where_it_was(world: World, adding: Adding) -> None:
    world.clone()
    tip = leave_branch(world, adding, commits=1)
    adding.add(reuse=True)
    assert_usable(adding.worktree)
    assert adding.sha() == tip
    assert adding.names == []


def test_commits_that_ref_has_are_not_its_own(world: World, adding: Adding) -> None:
    world.clone()
    tip = leave_branch(world, adding, commits=1)
    adding.add(ref=tip)
    assert adding.sha() == tip


def test_commits_merged_upstream_are_not_its_own(world: World, adding: Adding) -> None:
    world.clone()
    tip = leave_branch(world, adding, "HEAD", commits=1)
    world.git(adding.clone, "push", "-q", "origin", f"{tip}:refs/heads/main")
    adding.add(ref=adding.sha("HEAD~1"))
    assert adding.sha() == adding.sha("HEAD~1")


def test_a_leftover_in_an_empty_repository_is_work_too(world: World, adding: Adding) -> None:
    world.origin(empty=True)
    world.clone()
    adding.add()
    world.git(adding.worktree, "commit", "-q", "--allow-empty", "-m", "First")
    tip = adding.sha()
    world.git(adding.clone, "worktree", "remove", str(adding.worktree))
    assert "with 1 commits of its own" in adding.refused().message
    adding.add(reuse=True)
    assert adding.sha() == tip


def test_a_leftover_held_elsewhere_is_not_moved(world: World, adding: Adding) -> None:
    world.clone()
    tip = leave_branch(world, adding)
    world.git(adding.clone, "worktree", "add", "-q", str(world.base / "elsewhere"), BRANCH)
    assert adding.refused().message == f"{BRANCH} is checked out in {world.base}/elsewhere"
    assert adding.sha() == tip


@pytest.mark.parametrize("name", ["ws", "ws/task-01"])
def test_a_local_branch_in_the_place_of_the_prefix(world: World, adding: Adding, name: str) -> None:
    world.clone()
    world.git(adding.clone, "branch", name)
    problem = adding.refused()
    assert problem.message == f"a local branch is called {name}, so {BRANCH} cannot exist"
    assert problem.hint == "another first segment: orbit config branch.prefix NAME"


def test_a_local_branch_below_the_new_one(world: World, adding: Adding) -> None:
    world.clone()
    world.git(adding.clone, "branch", f"{BRANCH}/deeper")
    problem = adding.refused()
    assert (problem.context, BRANCH in problem.message) == ("backend", True)


# --- empty repositories and clones made by hand ----------------------------------------------------------------------


@pytest.mark.parametrize("offline", [False, True])
def test_an_empty_repository(world: World, adding: Adding, offline: bool) -> None:
    origin = world.origin(empty=True)
    world.clone()
    if offline:
        shutil.rmtree(origin.path)
    assert adding.add() == Added("backend", BRANCH, "origin/main")
    world.git(adding.worktree, "commit", "-q", "--allow-empty", "-m", "First")
    assert run_git(adding.clone, "rev-list", "--parents", BRANCH) == adding.sha(), "a root commit"


@pytest.mark.parametrize("branch", ["main", "trunk"])
def test_a_repository_that_was_empty_when_it_was_cloned(world: World, adding: Adding, branch: str) -> None:
    origin = world.origin(empty=True)
    world.clone()
    tip = origin.commit({"first.txt": "first"}, branch=branch)
    world.git(origin.path, "symbolic-ref", "HEAD", f"refs/heads/{branch}")
    assert adding.add() == Added("backend", f"ws/task-01/{branch}", f"origin/{branch}")
    assert_usable(adding.worktree, f"ws/task-01/{branch}", f"origin/{branch}")
    assert adding.sha(f"ws/task-01/{branch}") == tip


@pytest.mark.parametrize("change", [("remove", "origin"), ("rename", "origin", "upstream")])
def test_a_clone_without_origin_works_with_what_it_has(world: World, adding: Adding, change: tuple[str, ...]) -> None:
    world.clone()
    world.git(adding.clone, "remote", *change)
    world.git(adding.clone, "commit", "-q", "--allow-empty", "-m", "Local")
    assert adding.add() == Added("backend", BRANCH, "")
    assert adding.sha() == adding.sha("HEAD")
    assert adding.names == ["origin-missing"]
    assert "ws/task-01" not in (adding.clone / ".git/config").read_text()


def test_a_clone_without_origin_takes_its_own_refs(world: World, adding: Adding) -> None:
    world.clone()
    world.git(adding.clone, "branch", "local", "HEAD~1")
    world.git(adding.clone, "remote", "remove", "origin")
    adding.add(ref="local")
    assert adding.sha() == adding.sha("local")


def test_a_clone_without_origin_and_branch(world: World, adding: Adding) -> None:
    world.clone()
    world.git(adding.clone, "remote", "remove", "origin")
    world.git(adding.clone, "checkout", "-q", "--detach")
    assert adding.refused().message == "the pool clone has no remote named origin and is on no branch"


def test_an_empty_repository_made_by_hand(world: World, adding: Adding) -> None:
    world.git(world.pool, "init", "-q", "-b", "main", "backend")
    assert adding.add() == Added("backend", BRANCH, "")
    world.git(adding.worktree, "commit", "-q", "--allow-empty", "-m", "First")
    assert run_git(adding.clone, "rev-list", "--parents", BRANCH) == adding.sha()


# --- what fails half way --------------------------------------------------------------------------------------------


def test_config_that_stays_locked(world: World, adding: Adding, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worktree and its branch are made by then."""
    monkeypatch.setattr("orbit.workspace.making._LOCK_WAIT_SECONDS", 0.0)
    world.clone()
    (adding.clone / ".git" / "config.lock").write_text("")
    problem = adding.refused()
    assert (problem.context, "another git process holds a lock" in problem.message) == ("backend", True)


def git_without(directory: Path, words: str) -> dict[str, str | None]:
    """The environment in which git fails when its arguments hold `words`."""
    script = directory / "git"
    script.write_text(f'#!/bin/sh\ncase "$*" in *"{words}"*) exit 1;; esac\nexec {shutil.which("git")} "$@"\n')
    script.chmod(0o755)
    return {"PATH": f"{directory}:{os.environ['PATH']}"}


def test_half_of_the_upstream_written(world: World, adding: Adding, tmp_path: Path) -> None:
    world.clone()
    with environment(git_without(tmp_path, "main.merge")):
        assert adding.refused().message == "write its upstream: git exited with 1"


def test_a_leftover_goes_back_to_where_it_was(world: World, adding: Adding, tmp_path: Path) -> None:
    world.clone()
    tip = leave_branch(world, adding)
    world.git(adding.clone, "branch", "-q", "--set-upstream-to=origin/main", BRANCH)
    with environment(git_without(tmp_path, "main.merge")):
        adding.refused()
    assert adding.sha() == tip


# --- managed config, room, many at once ------------------------------------------------------------------------------


def test_managed_config_is_put_back_and_told(world: World, adding: Adding) -> None:
    world.clone()
    world.git(adding.clone, "config", "push.default", "simple")
    adding.add()
    assert run_git(adding.clone, "config", "push.default") == "upstream"
    assert [notice.fact for notice in adding.told if notice.name == "config-restored"] == [
        "push.default: simple -> upstream put back, config git.pushUpstreamByDefault once stops it"
    ]


def test_a_bare_push_goes_to_upstream(world: World, adding: Adding) -> None:
    world.clone()
    adding.add()
    world.git(adding.worktree, "commit", "-q", "--allow-empty", "-m", "Work")
    world.git(adding.worktree, "push", "-q")
    assert world.origins["backend"].sha() == adding.sha()


@pytest.mark.parametrize("kind", ["folder", "file", "link", "foreign"])
def test_something_stands_there(world: World, adding: Adding, kind: str) -> None:
    world.clone()
    world.workspace()
    path: Path = adding.worktree
    if kind == "folder":
        path.mkdir()
    elif kind == "file":
        path.write_text("text")
    elif kind == "link":
        path.symlink_to("nowhere")
    else:
        world.git(world.root / "task-01", "init", "-q", "backend")
    assert adding.refused().message == "task-01/backend exists and is not a worktree of the pool"


def test_a_folder_that_no_branch_can_be_named_after(world: World, adding: Adding) -> None:
    world.clone()
    with pytest.raises(OrbitError) as refused:
        adding.add(workspace="my task")
    assert str(refused.value) == "backend: git takes no branch called ws/my task/main"
    assert os.listdir(world.root / "my task") == []


def test_a_folder_with_a_name_that_only_new_refuses(world: World, adding: Adding) -> None:
    world.clone()
    name = "n" * 60
    assert adding.add(workspace=name).branch == f"ws/{name}/main"


def test_ten_workspaces_of_one_repository_at_once(world: World, adding: Adding) -> None:
    world.clone()
    names = [f"task-{number:02d}" for number in range(1, 11)]
    with ThreadPoolExecutor(10) as pool:
        added = list(pool.map(lambda name: adding.add(workspace=name).branch, names))
    assert added == [f"ws/{name}/main" for name in names]
    for name in names:
        assert_usable(world.root / name / "backend", f"ws/{name}/main")


def test_the_same_worktree_ten_times_at_once(world: World, adding: Adding) -> None:
    world.clone()

    def attempt(_: int) -> str:
        try:
            return adding.add().branch
        except OrbitError as problem:
            return str(problem)

    with ThreadPoolExecutor(10) as pool:
        outcomes = sorted(pool.map(attempt, range(10)))
    assert outcomes == ["backend: worktree already exists (task-01/backend)"] * 9 + [BRANCH]
    assert_usable(adding.worktree)


# --- a workspace that goes meanwhile ---------------------------------------------------------------------------------


def moving(adding: Adding, hook: str) -> Path:
    """The pool clone with a hook that moves the workspace away; where to."""
    adding.world.clone()
    home, away = adding.world.root / "task-01", adding.world.root / ".prune-trash" / "task-01.7.1700000000"
    away.parent.mkdir()
    write_hook(adding.clone, f"if [ -d '{home}' ] && [ ! -e '{away}' ]; then mv '{home}' '{away}'; fi", hook)
    return away


def test_a_workspace_that_goes_before_its_worktree_is_made(adding: Adding) -> None:
    """git would make the directory again, and nothing could be put back there."""
    away = moving(adding, "reference-transaction")
    with pytest.raises(OrbitError, match="the workspace task-01 was removed meanwhile"):
        adding.add()
    assert away.is_dir()
    assert not (adding.world.root / "task-01").exists()
    listed = run_git(adding.clone, "worktree", "list", "--porcelain")
    assert listed.count("worktree ") == 1
    assert run_git(adding.clone, "for-each-ref", "refs/heads/ws") == ""


def test_a_workspace_that_goes_with_its_new_worktree(adding: Adding) -> None:
    """It is put back with it, for it has changed since the plan."""
    away = moving(adding, "post-checkout")
    assert adding.add().branch == BRANCH
    away.rename(adding.world.root / "task-01")
    assert_usable(adding.worktree)


def test_a_workspace_that_is_gone(adding: Adding) -> None:
    adding.world.clone()
    request = AddRequest("backend", "task-01")
    with pytest.raises(OrbitError, match=r"the workspace task-01 is gone$"):
        add_worktree(Project(str(adding.world.root)), request, read_settings(load("none").config), [])
    assert not (adding.world.root / "task-01").exists()

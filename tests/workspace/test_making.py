"""Making one worktree: hooks, filters, empty and blobless repositories; and taking it back without a trace."""

from __future__ import annotations

import os
import resource
import shutil
import threading
from pathlib import Path

import pytest

from looks import unseen
from orbit.errors import OrbitError
from orbit.git.run import GitError
from orbit.workspace.making import Making, complete, is_finished, is_registered, make, patiently, undo
from reliability.starts import starts
from worktrees import assert_usable, state_of, write_hook
from world import World, environment, run_git

BRANCH = "ws/task-01/main"


def making(world: World, *, before: str = "", start: str | None = None, upstream: str = "main") -> Making:
    clone = world.pool / "backend"
    (world.root / "task-01").mkdir(exist_ok=True)
    begin = run_git(clone, "rev-parse", "origin/main") if start is None else start
    return Making(str(clone), str(world.root / "task-01" / "backend"), BRANCH, upstream, before, begin)


def worktree(world: World) -> Path:
    return world.root / "task-01" / "backend"


def names_of(notices: list[object]) -> list[str]:
    return [notice.name for notice in notices]  # type: ignore[attr-defined]


def test_a_new_branch_with_its_upstream(world: World) -> None:
    world.clone()
    wanted = making(world)
    assert not is_registered(wanted)
    assert make("backend", wanted) == []
    assert is_finished(wanted.path)
    assert is_registered(wanted)
    assert_usable(worktree(world))


def test_a_leftover_branch_starts_where_it_is_told(world: World) -> None:
    clone = world.clone()
    world.git(clone, "branch", BRANCH, "HEAD~2")
    make("backend", making(world, before=run_git(clone, "rev-parse", "HEAD~2")))
    assert_usable(worktree(world))
    assert run_git(worktree(world), "rev-parse", "HEAD") == run_git(clone, "rev-parse", "origin/main")


def test_without_an_origin_no_upstream_is_wired(world: World) -> None:
    world.clone()
    make("backend", making(world, upstream=""))
    assert "ws/task-01" not in (world.pool / "backend/.git/config").read_text()


# --- what fails ------------------------------------------------------------------------------------------------------


def test_undo_leaves_everything_as_it_was(world: World) -> None:
    world.clone()
    wanted = making(world)
    before = state_of(world)
    make("backend", wanted)
    (worktree(world) / "README.md").write_text("changed")
    undo(wanted)
    assert state_of(world) == before


def test_undo_puts_a_leftover_branch_back(world: World) -> None:
    clone = world.clone()
    world.git(clone, "branch", BRANCH, "HEAD~1")
    wanted = making(world, before=run_git(clone, "rev-parse", "HEAD~1"))
    make("backend", wanted)
    undo(wanted)
    assert run_git(clone, "rev-parse", BRANCH) == wanted.before
    assert not is_registered(wanted)


def test_undo_never_takes_a_branch_that_moved_on_or_is_held(world: World) -> None:
    clone = world.clone()
    wanted = making(world)
    world.git(clone, "branch", BRANCH, wanted.start)
    world.git(clone, "worktree", "add", "-q", str(world.base / "elsewhere"), BRANCH)
    undo(wanted)
    assert run_git(clone, "rev-parse", BRANCH) == wanted.start
    world.git(world.base / "elsewhere", "commit", "-q", "--allow-empty", "-m", "Work")
    world.git(clone, "worktree", "remove", str(world.base / "elsewhere"))
    undo(wanted)
    assert run_git(clone, "rev-parse", BRANCH) != wanted.start


def test_other_worktrees_that_moved_away_keep_their_registration(world: World) -> None:
    """`git worktree prune` would forget them, with their staged work."""
    clone = world.clone()
    world.workspace("task-02")
    other = world.worktree("task-02")
    other.rename(world.base / "moved")
    wanted = making(world)
    make("backend", wanted)
    undo(wanted)
    world.git(clone, "worktree", "repair", str(world.base / "moved"))
    assert run_git(world.base / "moved", "status", "--porcelain") == ""


def test_a_checkout_that_fails_half_way(world: World) -> None:
    """A required filter that is not there ends git after it has written the first files."""
    world.origin(files={"a.txt": "a", "z.bin": "z", ".gitattributes": "*.bin filter=absent\n"})
    clone = world.clone()
    for key in ("smudge", "clean"):
        world.git(clone, "config", f"filter.absent.{key}", "no-such-program")
    world.git(clone, "config", "filter.absent.required", "true")
    wanted = making(world)
    before = state_of(world)
    with pytest.raises(GitError, match=r"^backend: .*cannot run no-such-program"):
        make("backend", wanted)
    undo(wanted)
    assert state_of(world) == before


def test_no_room_on_the_disk(world: World) -> None:
    """A limit on the size of a file stops git as a full disk does."""
    world.origin(files={"large.bin": os.urandom(200_000), "z.txt": "z"})
    world.clone()
    wanted = making(world)
    before = state_of(world)
    allowed = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, allowed[1]))
    try:
        with pytest.raises(GitError, match=r"^backend: make the worktree: "):
            make("backend", wanted)
        undo(wanted)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, allowed)
    assert state_of(world) == before


def test_git_killed_half_way(world: World) -> None:
    """Worse than failing: git removes nothing itself."""
    world.origin(files={"z.bin": "z", ".gitattributes": "*.bin filter=murder\n"})
    clone = world.clone()
    wanted = making(world)
    before = state_of(world)
    world.git(clone, "config", "filter.murder.smudge", "kill -9 $(ps -o ppid= -p $PPID) $PPID")
    with pytest.raises(GitError, match=r"^backend: .*git was ended by signal 9$"):
        make("backend", wanted)
    undo(wanted)
    world.git(clone, "config", "--remove-section", "filter.murder")
    assert state_of(world) == before


def test_a_worktree_in_the_way_of_its_branch(world: World) -> None:
    clone = world.clone()
    world.git(clone, "worktree", "add", "-q", "-b", BRANCH, str(world.base / "elsewhere"))
    wanted = making(world, before=run_git(clone, "rev-parse", "HEAD"), start=run_git(clone, "rev-parse", "HEAD~1"))
    before = state_of(world)
    with pytest.raises(OrbitError, match="is checked out in"):
        make("backend", wanted)
    undo(wanted)
    assert state_of(world) == before


# --- hooks and filters -----------------------------------------------------------------------------------------------


def test_a_failing_hook_undoes_nothing(world: World) -> None:
    clone = world.clone()
    write_hook(clone, "exit 3")
    assert names_of(list(make("backend", making(world)))) == ["hook-failed"]
    assert_usable(worktree(world))


def test_a_failing_hook_in_an_empty_repository(world: World) -> None:
    world.origin(empty=True)
    clone = world.clone()
    write_hook(clone, "exit 3")
    assert names_of(list(make("backend", making(world, start="")))) == ["hook-failed"]
    assert run_git(worktree(world), "symbolic-ref", "HEAD") == f"refs/heads/{BRANCH}"


POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"


@pytest.mark.parametrize("required", ["true", "false", None])
def test_lfs_without_git_lfs(world: World, required: str | None) -> None:
    if shutil.which("git-lfs"):
        pytest.skip("git-lfs is installed")
    world.origin(files={"big.bin": POINTER, ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n"})
    clone = world.clone()
    if required is not None:
        world.git(clone, "config", "filter.lfs.smudge", "git-lfs smudge -- %f")
        world.git(clone, "config", "filter.lfs.process", "git-lfs filter-process")
        world.git(clone, "config", "filter.lfs.required", required)
    assert names_of(list(make("backend", making(world)))) == ["lfs-not-smudged"]
    assert (worktree(world) / "big.bin").read_text() == POINTER
    assert run_git(worktree(world), "symbolic-ref", "HEAD") == f"refs/heads/{BRANCH}"


def test_another_broken_filter_is_not_taken_for_lfs(world: World) -> None:
    world.origin(files={"z.bin": "z", ".gitattributes": "*.bin filter=absent\n"})
    clone = world.clone()
    world.git(clone, "config", "filter.absent.smudge", "no-such-program")
    world.git(clone, "config", "filter.lfs.smudge", "git-lfs smudge -- %f")
    assert make("backend", making(world)) == []


# --- empty and blobless ----------------------------------------------------------------------------------------------


def test_the_first_commit_of_an_empty_repository_is_a_root_commit(world: World) -> None:
    world.origin(empty=True)
    world.clone()
    make("backend", making(world, start=""))
    path = worktree(world)
    assert run_git(path, "for-each-ref") == ""
    (path / "first.txt").write_text("first")
    world.git(path, "add", "first.txt")
    world.git(path, "commit", "-q", "-m", "First")
    assert run_git(path, "rev-list", "--parents", BRANCH).split() == [run_git(path, "rev-parse", BRANCH)]
    world.git(path, "push", "-q")
    assert run_git(world.origins["backend"].path, "rev-parse", "main") == run_git(path, "rev-parse", "HEAD")


def test_an_unborn_branch_is_undone(world: World) -> None:
    world.origin(empty=True)
    world.clone()
    wanted = making(world, start="")
    before = state_of(world)
    make("backend", wanted)
    undo(wanted)
    assert state_of(world) == before


@pytest.fixture
def blobless(world: World) -> World:
    """A clone that has none of the files of a commit fetched later."""
    origin = world.origin()
    world.git(origin.path, "config", "uploadpack.allowFilter", "true")
    world.git(origin.path, "config", "uploadpack.allowAnySHA1InWant", "true")
    world.git(world.pool, "clone", "-q", "--filter=blob:none", "-o", "origin", f"file://{origin.path}", "backend")
    origin.commit({f"new/{number}.txt": f"{number}\n" for number in range(5)})
    world.git(world.pool / "backend", "fetch", "-q")
    return world


def test_a_blobless_clone_fetches_what_it_lacks(blobless: World) -> None:
    make("backend", making(blobless))
    assert_usable(worktree(blobless))
    assert (worktree(blobless) / "new" / "4.txt").read_text() == "4\n"


def test_a_blobless_clone_that_lacks_nothing_works_offline(blobless: World) -> None:
    shutil.rmtree(blobless.origins["backend"].path)
    make("backend", making(blobless, start=run_git(blobless.pool / "backend", "rev-parse", "HEAD")))
    assert (worktree(blobless) / "README.md").exists()


def test_a_blobless_clone_that_lacks_files_offline(blobless: World) -> None:
    wanted = making(blobless)
    before = state_of(blobless)
    shutil.rmtree(blobless.origins["backend"].path)
    with pytest.raises(GitError, match=r"^backend: .*no such repository"):
        make("backend", wanted)
    undo(wanted)
    assert state_of(blobless) == before


# --- completing ------------------------------------------------------------------------------------------------------


def test_completing_does_only_what_is_missing(world: World) -> None:
    clone = world.clone()
    wanted = making(world)
    make("backend", wanted)
    world.git(clone, "config", "--remove-section", f"branch.{BRANCH}")
    locked = Path(run_git(worktree(world), "rev-parse", "--absolute-git-dir"), "locked")
    locked.write_text("initializing\n")
    (worktree(world) / "mine.txt").write_text("mine")
    complete(wanted)
    assert not locked.exists()
    assert run_git(worktree(world), "status", "--porcelain") == "?? mine.txt"
    assert run_git(worktree(world), "rev-parse", "--abbrev-ref", "@{upstream}") == "origin/main"


def test_completing_leaves_what_the_user_has_settled(world: World) -> None:
    clone = world.clone()
    wanted = making(world)
    make("backend", wanted)
    world.git(clone, "config", f"branch.{BRANCH}.merge", "refs/heads/other")
    locked = Path(run_git(worktree(world), "rev-parse", "--absolute-git-dir"), "locked")
    locked.write_text("on a stick\n")
    before = state_of(world)
    complete(wanted)
    assert locked.exists()
    assert state_of(world) == before


def test_completing_after_the_branch_is_gone_makes_no_config(world: World) -> None:
    clone = world.clone()
    wanted = making(world)
    make("backend", wanted)
    world.git(worktree(world), "switch", "-q", "-c", "other")
    world.git(clone, "branch", "-D", BRANCH)
    complete(wanted)
    assert BRANCH not in (clone / ".git/config").read_text()


def test_completing_names_the_branch_of_an_empty_repository(world: World) -> None:
    world.origin(empty=True)
    clone = world.clone()
    wanted = making(world, start="")
    tree = run_git(clone, "hash-object", "-t", "tree", "-w", "--stdin")
    commit = run_git(clone, "commit-tree", "-m", "empty", tree)
    world.git(clone, "worktree", "add", "-q", "--detach", wanted.path, commit)
    complete(wanted)
    assert run_git(worktree(world), "symbolic-ref", "HEAD") == f"refs/heads/{BRANCH}"
    assert f'[branch "{BRANCH}"]' in (clone / ".git/config").read_text()


def test_a_commit_made_on_the_throw_away_one_is_not_lost(world: World) -> None:
    world.origin(empty=True)
    clone = world.clone()
    wanted = making(world, start="")
    tree = run_git(clone, "hash-object", "-t", "tree", "-w", "--stdin")
    commit = run_git(clone, "commit-tree", "-m", "empty", tree)
    world.git(clone, "worktree", "add", "-q", "--detach", wanted.path, commit)
    world.git(worktree(world), "commit", "-q", "--allow-empty", "-m", "Work")
    head = run_git(worktree(world), "rev-parse", "HEAD")
    complete(wanted)
    assert run_git(worktree(world), "rev-parse", "HEAD") == head


# --- a lock of git's own ---------------------------------------------------------------------------------------------


def test_a_config_lock_of_another_git_is_waited_for(world: World) -> None:
    clone = world.clone()
    lock = clone / ".git" / "config.lock"
    lock.write_text("")
    timer = threading.Timer(0.2, lock.unlink)
    timer.start()
    make("backend", making(world))
    timer.join()
    assert_usable(worktree(world))


def test_waiting_for_a_lock_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("orbit.workspace.making._LOCK_WAIT_SECONDS", 0.0)
    calls = []

    def held() -> None:
        calls.append(1)
        raise GitError("backend", "locked", kind="lock", git_code=128, first_line="locked")

    with pytest.raises(GitError):
        patiently(held)
    assert calls


@pytest.mark.parametrize("problem", [GitError("b", "m", kind="other", git_code=1, first_line=""), OrbitError("b", "m")])
def test_other_faults_are_not_repeated(problem: OrbitError) -> None:
    calls = []

    def failing() -> None:
        calls.append(1)
        raise problem

    with pytest.raises(OrbitError):
        patiently(failing)
    assert len(calls) == 1


def test_inside_a_hook_of_another_repository(world: World, tmp_path: Path) -> None:
    world.clone()
    with environment({"GIT_DIR": str(tmp_path), "GIT_INDEX_FILE": str(tmp_path / "index"), "GIT_WORK_TREE": "/"}):
        make("backend", making_sealed(world))
    assert_usable(worktree(world))
    assert not os.path.exists(tmp_path / "index")


def making_sealed(world: World) -> Making:
    """`making` while git's location variables point elsewhere."""
    with environment({"GIT_DIR": None, "GIT_INDEX_FILE": None, "GIT_WORK_TREE": None}):
        return making(world)


def test_whether_it_is_finished_or_registered_is_not_guessed(world: World) -> None:
    """What is taken for unfinished, or for not git's, is removed."""
    world.clone()
    this = making(world)
    make("backend", this)
    index = world.pool / "backend" / ".git" / "worktrees" / "backend" / "index"
    with unseen(index), pytest.raises(OrbitError, match="cannot be looked at"):
        is_finished(this.path)
    for way in ("is killed at once", "fails at once"):
        with starts(1, way), pytest.raises(OrbitError):
            is_registered(this)

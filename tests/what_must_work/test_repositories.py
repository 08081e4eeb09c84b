"""Repositories of every kind that git makes, from clone to done. Contract: git.md, What must work."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

import lfs
from rounds import assert_in_order, begin, row, well, work_and_end
from worktrees import assert_usable, state_of
from world import Origin, Outcome, World, environment, run_git


def with_default(world: World, branch: str) -> Origin:
    origin = world.origin()
    origin.untouched = False
    world.git(origin.path, "branch", "-m", "main", branch)
    return origin


# --- default branches ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("branch", ["trunk", "release/1.x", "größe/ß'$x"])
def test_a_default_branch_of_any_name(world: World, branch: str) -> None:
    origin = with_default(world, branch)
    tree = begin(world, origin.url)
    origin.commit({"new.txt": "new\n"}, branch=branch)
    said = well(world.orbit("sync", cwd=tree))
    assert said.out == f"backend: fast-forwarded 1 commits → origin/{branch}\n"
    assert row(world, tree)["behind"] == 1
    world.git(tree, "merge", "-q", "--ff-only", "@{upstream}")
    work_and_end(world, tree, branch)


def test_a_default_branch_renamed_upstream(world: World) -> None:
    origin = world.origin()
    tree = begin(world, origin.url)
    world.git(origin.path, "branch", "-m", "main", "trunk")
    said = world.orbit("sync", "backend")
    assert (said.code, said.out) == (1, "")
    assert "sync backend --branch trunk" in said.err
    assert world.git(world.pool / "backend", "symbolic-ref", "--short", "HEAD") == "main"
    assert well(world.orbit("sync", "backend", "--branch", "trunk")).out == "backend: now follows origin/trunk\n"
    assert well(world.orbit("sync")).out == "backend: already up to date\n"
    assert row(world, tree)["branch"] == "main", "a worktree stays where it is"
    other = begin(world, workspace="task-02")
    assert_usable(other, "ws/task-02/trunk", "origin/trunk")


# --- empty, shallow, without blobs -----------------------------------------------------------------------------------


def test_an_empty_remote_gets_its_first_commit_from_a_worktree(world: World) -> None:
    tree = begin(world, world.origin(empty=True).url)
    assert row(world, tree)["branch"] == "main"
    for words in (["repos"], ["info", "backend"], ["context"], ["context", "--prime"], ["sync"], ["doctor"]):
        well(world.orbit(*words, cwd=tree))
    (tree / "README.md").write_text("# First\n\nThe first text.\n")
    world.git(tree, "add", "-A")
    world.git(tree, "commit", "-q", "-m", "First")
    world.git(tree, "push", "-q")
    assert world.git(tree, "rev-list", "--count", "HEAD") == "1"
    assert well(world.orbit("sync", cwd=tree)).out == "backend: fast-forwarded 1 commits → origin/main\n"
    assert (world.pool / "backend" / "README.md").exists()
    assert (row(world, tree)["upstream"], row(world, tree)["ahead"]) == ("origin/main", 0)
    work_and_end(world, tree)


def test_a_shallow_clone_stays_shallow(world: World) -> None:
    origin = world.origin()
    tree = begin(world, f"file://{origin.path}", "--depth", "1")
    origin.commit({"new.txt": "new\n"})
    said = well(world.orbit("sync", cwd=tree))
    assert said.out == "backend: fast-forwarded 1 commits → origin/main\n"
    assert world.git(tree, "rev-list", "--count", "HEAD") == "1"
    assert (world.pool / "backend" / ".git" / "shallow").exists()
    work_and_end(world, tree)


@pytest.fixture
def filtering(world: World) -> Origin:
    origin = world.origin()
    world.git(origin.path, "config", "uploadpack.allowFilter", "true")
    world.git(origin.path, "config", "uploadpack.allowAnySHA1InWant", "true")
    return origin


def test_a_blobless_clone(world: World, filtering: Origin) -> None:
    tree = begin(world, f"file://{filtering.path}", "--filter", "blob:none")
    filtering.commit({"new.txt": "new\n"})
    assert well(world.orbit("sync", cwd=tree)).out == "backend: fast-forwarded 1 commits → origin/main\n"
    work_and_end(world, tree)


def test_a_blobless_clone_fetches_the_files_of_a_branch_it_goes_to(world: World, filtering: Origin) -> None:
    tree = begin(world, f"file://{filtering.path}", "--filter", "blob:none")
    filtering.branch("feat")
    filtering.commit({"only/there.txt": "there\n"}, branch="feat")
    well(world.orbit("switch", "feat", cwd=tree))
    assert (tree / "only" / "there.txt").read_text() == "there\n"
    assert_usable(tree, "ws/task-01/feat", "origin/feat")


def test_a_blobless_clone_offline(world: World, filtering: Origin) -> None:
    tree = begin(world, f"file://{filtering.path}", "--filter", "blob:none")
    filtering.commit({"src/app.py": "print(3)\n", "README.md": "# Other\n\nAnother text.\n"})
    world.git(tree, "fetch", "-q", "origin")
    objects = world.git(tree, "count-objects", "-v")
    filtering.path.rename(filtering.path.with_suffix(".away"))
    assert row(world, tree)["behind"] == 1
    for words in (["repos"], ["info", "backend"], ["context"], ["context", "--prime"], ["doctor"], ["done"]):
        well(world.orbit(*words, cwd=tree))
    assert world.git(tree, "count-objects", "-v") == objects, "looking fetched something"
    well(world.orbit("new", "Another", "--name", "task-02"))
    before = state_of(world)
    said = world.orbit("add", "backend", cwd=world.root / "task-02")
    assert (said.code, said.out) == (1, "")
    assert "no such repository" in said.err
    assert state_of(world) == before


# --- what the pool clone stands on -----------------------------------------------------------------------------------


def test_a_detached_and_dirty_pool_clone(world: World) -> None:
    origin = world.origin()
    well(world.orbit("clone", origin.url))
    pool = world.pool / "backend"
    world.git(pool, "checkout", "-q", "--detach", "HEAD~1")
    (pool / "README.md").write_text("mine\n")
    tree = begin(world)
    assert_usable(tree)
    origin.commit({"new.txt": "new\n"})
    said = world.orbit("sync", cwd=tree)
    assert (said.code, said.out) == (0, "")
    assert "orbit: backend: left alone" in said.err
    assert (pool / "README.md").read_text() == "mine\n"
    assert world.git(pool, "rev-parse", "HEAD") == origin.sha("main~2")
    for words in (["repos"], ["info", "backend"], ["context"], ["status"]):
        well(world.orbit(*words, cwd=tree))
    world.git(pool, "checkout", "-q", "README.md")
    said = well(world.orbit("sync", cwd=tree))
    assert said.out == "backend: fast-forwarded 1 commits → origin/main\n"
    assert "the pool clone was put back on main" in said.err
    work_and_end(world, tree)


# --- submodules ------------------------------------------------------------------------------------------------------


@pytest.fixture
def library(world: World) -> Origin:
    """A remote that `backend`, itself a remote, has as its submodule `lib`."""
    library, origin = world.origin("library"), world.origin()
    maker = world.base / "maker"
    world.git(world.base, "clone", "-q", origin.url, str(maker))
    world.git(maker, "submodule", "--quiet", "add", library.url, "lib")
    world.git(maker, "commit", "-q", "-m", "Take the library")
    world.git(maker, "push", "-q")
    return library


def take_newer_library(world: World, library: Origin) -> None:
    library.commit({"newer.txt": "newer\n"})
    maker = world.base / "maker"
    world.git(maker / "lib", "pull", "-q")
    world.git(maker, "commit", "-q", "-a", "-m", "Newer library")
    world.git(maker, "push", "-q")


def test_an_initialised_submodule_of_a_worktree(world: World, library: Origin) -> None:
    tree = begin(world, world.origins["backend"].url)
    assert os.listdir(tree / "lib") == []
    world.git(tree, "submodule", "--quiet", "update", "--init")
    assert row(world, tree)["dirtyFiles"] == 0
    (tree / "lib" / "README.md").write_text("changed\n")
    assert row(world, tree)["dirtyFiles"] == 1
    take_newer_library(world, library)
    well(world.orbit("sync", cwd=tree))
    assert (tree / "lib" / "README.md").read_text() == "changed\n"
    world.git(tree / "lib", "checkout", "-q", "README.md")
    world.git(tree, "merge", "-q", "--ff-only", "@{upstream}")
    world.git(tree, "submodule", "--quiet", "update")
    assert well(world.orbit("status", "--json", cwd=tree / "lib")).json()["workspace"] == "task-01"
    work_and_end(world, tree)


def test_an_initialised_submodule_of_the_pool_clone_does_not_hold_it_back(world: World, library: Origin) -> None:
    tree = begin(world, world.origins["backend"].url)
    pool = world.pool / "backend"
    world.git(pool, "submodule", "--quiet", "update", "--init")
    before = world.git(pool / "lib", "rev-parse", "HEAD")
    for _ in range(2):
        take_newer_library(world, library)
        assert well(world.orbit("sync", cwd=tree)).out == "backend: fast-forwarded 1 commits → origin/main\n"
    assert world.git(pool / "lib", "rev-parse", "HEAD") == before, "what is in a submodule is the user's"


RECURSE = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "submodule.recurse", "GIT_CONFIG_VALUE_0": "true"}


@pytest.mark.parametrize("where", ["pool", "worktree"])
def test_switching_with_submodules_and_a_user_who_recurses(world: World, library: Origin, where: str) -> None:
    world.origins["backend"].branch("before", "main~1")
    tree = begin(world, world.origins["backend"].url)
    world.git(tree if where == "worktree" else world.pool / "backend", "submodule", "--quiet", "update", "--init")
    with environment(RECURSE):
        for name in ("before", "main"):
            well(world.orbit("switch", name, cwd=tree))
            assert (row(world, tree)["branch"], row(world, tree)["dirtyFiles"]) == (name, 0)
    assert ("README.md" in os.listdir(tree / "lib")) == (where == "worktree")


# --- LFS without git-lfs ---------------------------------------------------------------------------------------------


def test_lfs_that_is_not_installed(world: World) -> None:
    origin = world.origin(files=lfs.FILES)
    with lfs.configured_and_missing(world):
        well(world.orbit("clone", origin.url))
        well(world.orbit("new", "--no-goal", "--name", "task-01"))
        tree = world.root / "task-01" / "backend"
        said = well(world.orbit("add", "backend", "-s", cwd=tree.parent))
        assert said.err.count("git lfs pull") == 1
        assert (tree / "a.bin").read_text() == "pointer\n"
        assert row(world, tree)["dirtyFiles"] == 0
        origin.commit({"a.bin": "another pointer\n"})
        assert well(world.orbit("sync", cwd=tree)).out == "backend: fast-forwarded 1 commits → origin/main\n"
        assert_in_order(world, tree)


def test_lfs_that_is_not_installed_and_another_branch(world: World) -> None:
    origin = world.origin(files=lfs.FILES)
    origin.branch("feat")
    origin.commit({"a.bin": "pointer of feat\n"}, branch="feat")
    with lfs.configured_and_missing(world):
        well(world.orbit("clone", origin.url))
        well(world.orbit("new", "--no-goal", "--name", "task-01"))
        tree = world.root / "task-01" / "backend"
        well(world.orbit("add", "backend", "-s", cwd=tree.parent))
        assert "git lfs pull" in well(world.orbit("switch", "feat", cwd=tree)).err
        assert (tree / "a.bin").read_text() == "pointer of feat\n"
        well(world.orbit("switch", "main", cwd=tree))
        assert (tree / "a.bin").read_text() == "pointer\n"
        well(world.orbit("switch", "-c", "mine", cwd=tree))
        assert row(world, tree)["dirtyFiles"] == 0


# --- formats ---------------------------------------------------------------------------------------------------------


def test_a_sha256_repository(world: World) -> None:
    maker = world.base / "maker"
    world.git(world.base, "init", "-q", "--object-format=sha256", "-b", "main", str(maker))
    (maker / "README.md").write_text("# Service\n\nA service.\n")
    world.git(maker, "add", "-A")
    world.git(maker, "commit", "-q", "-m", "First")
    world.git(world.base, "clone", "-q", "--bare", str(maker), str(world.remotes / "new.git"))
    tree = begin(world, str(world.remotes / "new.git"))
    assert len(world.git(tree, "rev-parse", "HEAD")) == 64
    work_and_end(world, tree)
    index = (world.pool / ".orbit").read_text()
    assert world.git(world.pool / "backend", "rev-parse", "HEAD") in index


def test_a_reftable_repository(world: World) -> None:
    origin = world.remotes / "tables.git"
    words = ["git", "init", "-q", "--bare", "--ref-format=reftable", str(origin)]
    if subprocess.run(words, capture_output=True, check=False).returncode != 0:
        pytest.skip("this git has no reftable (it came with 2.45)")
    world.git(world.origin().path, "push", "-q", str(origin), "main")
    with environment({"GIT_DEFAULT_REF_FORMAT": "reftable"}):
        tree = begin(world, str(origin))
    assert (world.pool / "backend" / ".git" / "reftable").is_dir()
    work_and_end(world, tree)


def test_50_000_packed_refs(world: World) -> None:
    origin = world.origin()
    tip = origin.sha()
    names = sorted(["main", *(f"team/{number:05}" for number in range(50_000))])
    header = "# pack-refs with: peeled fully-peeled sorted \n"
    (origin.path / "packed-refs").write_text(header + "".join(f"{tip} refs/heads/{name}\n" for name in names))
    well(world.orbit("clone", origin.url))
    pool = world.pool / "backend"
    lines = "".join(f"{tip} refs/remotes/origin/{name}\n" for name in names)
    (pool / ".git" / "packed-refs").write_text(header + lines)
    tree = begin(world)
    assert_usable(tree)
    assert well(world.orbit("sync", cwd=tree)).out == "backend: already up to date\n"
    well(world.orbit("switch", "team/49999", cwd=tree))
    assert_usable(tree, "ws/task-01/team/49999", "origin/team/49999")
    well(world.orbit("status", cwd=tree))
    assert len(world.git(pool, "for-each-ref", "refs/remotes/origin/team").splitlines()) == 50_000


def test_file_names_that_are_not_utf8(world: World) -> None:
    name = os.fsdecode(b"caf\xe9.txt")
    origin = world.origin(files={name: "x\n"})
    tree = begin(world, origin.url)
    (tree / name).write_text("changed\n")
    (tree / os.fsdecode(b"new\xff")).write_text("x")
    assert row(world, tree)["dirtyFiles"] == 2
    assert "\ufffd" not in well(world.orbit("status", cwd=tree)).out
    (world.pool / "backend" / name).write_text("changed\n")
    origin.commit({name: "y\n"})
    said = world.orbit("sync", "backend", cwd=tree)
    assert (said.code, said.out) == (0, "")
    assert "left alone, the pool clone has 1 uncommitted changes" in said.err
    said = world.orbit("sync", "backend", "--force")
    assert said.code == 1
    assert "caf" in said.err
    assert (world.pool / "backend" / name).read_text() == "changed\n"
    world.git(world.pool / "backend", "checkout", "-q", ".")
    assert well(world.orbit("sync", cwd=tree)).out == "backend: fast-forwarded 1 commits → origin/main\n"


# --- names -----------------------------------------------------------------------------------------------------------


def test_repository_names_that_differ_by_case_only(world: World) -> None:
    well(world.orbit("clone", world.origin().url))
    said = world.orbit("clone", world.origins["backend"].url, "--name", "BackEnd")
    assert said == Outcome(1, "", "orbit: BackEnd: the pool has backend, names may not differ by case only\n")
    assert not (world.pool / "BackEnd").exists()
    assert [line["name"] for line in well(world.orbit("repos", "--json")).json()] == ["backend"]


def test_a_branch_replaced_upstream_by_a_branch_below_its_name(world: World) -> None:
    origin = world.origin()
    origin.branch("feat")
    tree = begin(world, origin.url)
    world.git(world.pool / "backend", "fetch", "-q", "origin", "feat:refs/remotes/origin/feat")
    world.git(origin.path, "branch", "-m", "feat", "feat/x")
    well(world.orbit("switch", "feat/x", cwd=tree))
    assert_usable(tree, "ws/task-01/feat/x", "origin/feat/x")
    assert well(world.orbit("sync", cwd=tree)).out == "backend: already up to date\n"
    world.git(origin.path, "branch", "-m", "feat/x", "feat")
    well(world.orbit("sync", cwd=tree))
    well(world.orbit("new", "Another", "--name", "task-02"))
    other = world.root / "task-02"
    well(world.orbit("add", "backend", "--ref", "feat", cwd=other))
    well(world.orbit("switch", "feat", cwd=other / "backend"))
    assert_usable(other / "backend", "ws/task-02/feat", "origin/feat")


@pytest.mark.parametrize(("first", "second"), [("feat", "feat/x"), ("feat/x", "feat")])
def test_a_branch_beside_one_below_its_name(world: World, first: str, second: str) -> None:
    tree = begin(world, world.origin().url)
    well(world.orbit("switch", "-c", first, cwd=tree))
    before = state_of(world)
    said = world.orbit("switch", "-c", second, cwd=tree)
    line = f"a local branch is called ws/task-01/{first}, so ws/task-01/{second} cannot exist"
    hint = "take another name, or rename that branch first with git branch -m"
    assert said == Outcome(1, "", f"orbit: backend: {line}\norbit: backend: {hint}\n")
    assert state_of(world) == before
    assert_branch(tree, f"ws/task-01/{first}")
    other = begin(world, workspace="task-02")
    well(world.orbit("switch", "-c", second, cwd=other))
    assert_branch(other, f"ws/task-02/{second}")


def assert_branch(tree: Path, branch: str) -> None:
    assert run_git(tree, "symbolic-ref", "--short", "HEAD") == branch

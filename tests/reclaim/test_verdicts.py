"""Whether work is upstream: three grounds, and the cases in which each must not speak."""

from __future__ import annotations

from pathlib import Path

import pytest

from finished import commit
from orbit.git.run import git_version
from orbit.places import Project
from orbit.reclaim.plan import Branch
from orbit.reclaim.survey import view_clone
from orbit.reclaim.verdicts import judge
from world import World, environment

NAME = "ws/task-01/main"


@pytest.fixture
def tree(world: World) -> Path:
    world.clone()
    world.workspace()
    return world.worktree()


def verdict(world: World, name: str = NAME, *, merged_pr: bool = False) -> Branch:
    world.git(world.pool / "backend", "fetch", "-q", "origin")
    clone = view_clone(Project(str(world.root)), "backend", "ws")
    return judge(clone, [name], lambda *_: merged_pr, str(world.base / "scratch"))[name]


def test_no_commit_of_its_own(world: World, tree: Path) -> None:
    found = verdict(world)
    assert (found.verdict, found.upstream, found.sha) == ("merged", "main", world.git(tree, "rev-parse", "HEAD"))


def test_merged_by_fast_forward(world: World, tree: Path) -> None:
    commit(world, tree)
    assert verdict(world).verdict == "unmerged"
    world.git(tree, "push", "-q", "origin", "HEAD:main")
    assert verdict(world).verdict == "merged"


def test_merged_as_a_squash_with_more_on_top(world: World, tree: Path) -> None:
    for number in range(3):
        commit(world, tree, f"{number}.txt")
    world.origins["backend"].commit({f"{number}.txt": "work\n" for number in range(3)}, "Squashed")
    world.origins["backend"].commit({"later.txt": "x"})
    assert verdict(world).verdict == "content"


def test_merged_as_a_rebase(world: World, tree: Path) -> None:
    commit(world, tree, "a.txt")
    commit(world, tree, "b.txt")
    origin = world.origins["backend"]
    origin.commit({"first.txt": "x"})
    origin.commit({"a.txt": "work\n"})
    origin.commit({"b.txt": "work\n"})
    assert verdict(world).verdict == "content"


def test_half_of_it_upstream_is_not_enough(world: World, tree: Path) -> None:
    commit(world, tree, "a.txt")
    commit(world, tree, "b.txt")
    world.origins["backend"].commit({"a.txt": "work\n"})
    assert verdict(world).verdict == "unmerged"


def test_reverted_upstream_is_not_upstream(world: World, tree: Path) -> None:
    commit(world, tree, "a.txt")
    world.origins["backend"].commit({"a.txt": "work\n"})
    assert verdict(world).verdict == "content"
    world.origins["backend"].commit({"a.txt": None}, "Revert")
    found = verdict(world)
    assert found.verdict == "unmerged"
    assert found.hint == "though every patch of it is upstream"


@pytest.mark.parametrize("attribute", ["merge=ours", "merge=union", "-merge", "merge=theirs"])
def test_attributes_and_drivers_have_no_say(world: World, tree: Path, attribute: str) -> None:
    """`merge=ours` would take any change for upstream's, wherever it is written down."""
    clone = world.pool / "backend"
    world.git(clone, "config", "merge.ours.driver", "true")
    world.git(clone, "config", "merge.theirs.driver", "true")
    (clone / ".git" / "info").mkdir(exist_ok=True)
    (clone / ".git" / "info" / "attributes").write_text(f"* {attribute}\n")
    world.origins["backend"].commit({".gitattributes": f"* {attribute}\n", "README.md": "upstream's\n"})
    commit(world, tree, "README.md", "mine\n")
    attributes = world.base / "attributes"
    attributes.write_text(f"* {attribute}\n")
    settings = {"core.attributesFile": str(attributes), "merge.default": "ours"}
    keys = {f"GIT_CONFIG_KEY_{number}": key for number, key in enumerate(settings)}
    values = {f"GIT_CONFIG_VALUE_{number}": value for number, value in enumerate(settings.values())}
    with environment({"GIT_CONFIG_COUNT": str(len(settings)), **keys, **values}):
        assert verdict(world).verdict == "unmerged"


def test_a_pull_request_speaks_first(world: World, tree: Path) -> None:
    commit(world, tree)
    assert verdict(world, merged_pr=True).verdict == "pr-merged"


def test_without_an_upstream_no_pull_request_covers_it(world: World, tree: Path) -> None:
    commit(world, tree)
    world.git(tree, "branch", "--unset-upstream")
    assert verdict(world, merged_pr=True).verdict == "unmerged"


def test_the_command_to_review_it(world: World, tree: Path) -> None:
    sha = commit(world, tree)
    review = verdict(world).review
    assert review == f"git -C {world.pool}/backend log origin/main..{NAME}"
    assert sha[:7] in world.git(world.pool / "backend", "log", "--oneline", *review.split()[4:])


def test_a_clone_without_a_remote_branch_to_compare_with(world: World, tree: Path) -> None:
    clone = world.pool / "backend"
    world.git(clone, "update-ref", "-d", "refs/remotes/origin/main")
    found = judge(
        view_clone(Project(str(world.root)), "backend", "ws"), [NAME], lambda *_: False, str(world.base / "s")
    )
    assert (found[NAME].verdict, found[NAME].hint) == ("unmerged", "origin/main is not there to compare with")
    assert tree.is_dir()


def test_a_shallow_clone_answers_what_it_can(world: World) -> None:
    origin = world.origin()
    world.git(world.pool, "clone", "-q", "--depth=1", f"file://{origin.path}", "backend")
    world.workspace()
    tree = world.worktree()
    assert verdict(world).verdict == "merged"
    commit(world, tree, "a.txt")
    assert verdict(world).verdict == "unmerged"
    origin.commit({"a.txt": "work\n"}, "Squashed")
    assert verdict(world).verdict in ("content", "unmerged")


def test_a_blobless_clone_is_not_fetched_for_it(world: World) -> None:
    origin = world.origin()
    world.git(origin.path, "config", "uploadpack.allowFilter", "true")
    world.git(world.pool, "clone", "-q", "--filter=blob:none", f"file://{origin.path}", "backend")
    world.workspace()
    tree = world.worktree()
    commit(world, tree, "README.md", "mine\n")
    origin.commit({"README.md": "other\n"})
    world.git(world.pool / "backend", "fetch", "-q", "origin")
    origin.path.rename(world.base / "away")
    clone = view_clone(Project(str(world.root)), "backend", "ws")
    assert judge(clone, [NAME], lambda *_: False, str(world.base / "s"))[NAME].verdict == "unmerged"


def test_nothing_is_left_behind_and_nothing_written_to_the_clone(world: World, tree: Path) -> None:
    commit(world, tree)
    world.git(world.pool / "backend", "fetch", "-q", "origin")
    before = world.git(world.pool / "backend", "count-objects", "-v")
    verdict(world)
    assert world.git(world.pool / "backend", "count-objects", "-v") == before
    assert list((world.base / "scratch").iterdir()) == []


def test_sha256(world: World) -> None:
    source = world.base / "source"
    world.git(world.base, "init", "-q", "--object-format=sha256", str(source))
    commit(world, source, "README.md")
    world.git(world.pool, "clone", "-q", str(source), "backend")
    world.workspace()
    tree = world.worktree()
    commit(world, tree, "a.txt")
    assert verdict(world).verdict == "unmerged"
    commit(world, source, "a.txt")
    assert verdict(world).verdict == "content"


def test_before_git_2_38_content_is_not_compared(world: World, tree: Path, tmp_path: Path) -> None:
    """A stand-in that has no `merge-tree --write-tree`, and says so as old versions do."""
    commit(world, tree, "a.txt")
    commit(world, tree, "b.txt")
    world.git(world.pool / "backend", "fetch", "-q", "origin")
    real = world.git(world.base, "--exec-path")
    (tmp_path / "git").write_text(
        '#!/bin/sh\ncase " $* " in *" version "*) echo git version 2.37.1; exit 0;; *merge-tree*) exit 129;; esac\n'
        f'exec {real}/git "$@"\n'
    )
    (tmp_path / "git").chmod(0o755)
    with environment({"PATH": f"{tmp_path}:/usr/bin:/bin"}):
        assert git_version() == (2, 37, 1)
        clone = view_clone(Project(str(world.root)), "backend", "ws")
        found = judge(clone, [NAME], lambda *_: False, str(world.base / "s"))[NAME]
    assert (found.verdict, found.hint) == ("unmerged", "content cannot be compared before git 2.38")

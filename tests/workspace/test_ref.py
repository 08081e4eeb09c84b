"""`--ref`: what REF may name, what is fetched for it, and what is said when nothing has it."""

from __future__ import annotations

import os
import re
import shutil

import pytest

from orbit.errors import OrbitError
from orbit.git.run import GitError
from orbit.workspace.ref import fetch_branch, resolve_ref
from world import Origin, World, run_git


class Remote:
    """A remote with more than its clone knows: a branch, tags of both kinds, and a commit on the branch."""

    def __init__(self, world: World) -> None:
        self.origin: Origin = world.origin()
        self.clone = str(world.clone())
        self.main = self.origin.sha()
        self.origin.branch("feature")
        self.first = self.origin.commit(branch="feature")
        world.git(self.origin.path, "tag", "light", self.first)
        world.git(self.origin.path, "tag", "-a", "-m", "annotated", "v1.0", self.first)
        self.tip = self.origin.commit(branch="feature")

    def resolve(self, ref: str) -> str:
        return resolve_ref(self.clone, "backend", ref)


@pytest.fixture
def remote(world: World) -> Remote:
    return Remote(world)


@pytest.mark.parametrize(
    ("ref", "meant"),
    [
        ("main", "main"),
        ("feature", "tip"),
        ("origin/feature", "tip"),
        ("refs/heads/feature", "tip"),
        ("heads/feature", "tip"),
        ("refs/remotes/origin/feature", "tip"),
        ("light", "first"),
        ("v1.0", "first"),
        ("refs/tags/v1.0", "first"),
        ("tags/v1.0", "first"),
    ],
)
def test_names(remote: Remote, ref: str, meant: str) -> None:
    assert remote.resolve(ref) == getattr(remote, meant)


@pytest.mark.parametrize("length", [40, 7])
@pytest.mark.parametrize("which", ["main", "first", "tip"])
def test_commits_known_and_unknown_whole_and_abbreviated(remote: Remote, which: str, length: int) -> None:
    sha: str = getattr(remote, which)
    assert remote.resolve(sha[:length].upper()) == sha
    assert remote.resolve(sha[:length]) == sha


def test_a_commit_that_no_branch_reaches(world: World, remote: Remote) -> None:
    world.git(remote.origin.path, "config", "uploadpack.allowAnySHA1InWant", "true")
    lost = remote.origin.commit(branch="gone")
    world.git(remote.origin.path, "branch", "-D", "gone")
    assert remote.resolve(lost) == lost


UNKNOWN = ("nope", "feature/x", "refs/heads/v1.0", "refs/tags/feature", "HEAD", "feature~1", "main..feature", "*")
REFUSED = ("-n", "--upload-pack=x", "", "a\0b", ":", "+main", "main:main", "deadbeef", "f" * 40, "ev\x1b[31mil")


@pytest.mark.parametrize("refs", [UNKNOWN, REFUSED])
def test_unknown(remote: Remote, refs: tuple[str, ...]) -> None:
    before = set(run_git(remote.clone, "for-each-ref").splitlines())
    for ref in refs:
        with pytest.raises(OrbitError, match=r"^backend: cannot fetch ref: ") as refused:
            remote.resolve(ref)
        assert "\x1b" not in str(refused.value)
    assert before <= set(run_git(remote.clone, "for-each-ref").splitlines()), "nothing is taken away"


def test_the_message_is_exact(remote: Remote) -> None:
    with pytest.raises(OrbitError) as refused:
        remote.resolve("nope")
    assert str(refused.value) == "backend: cannot fetch ref: nope"


def test_a_tag_that_is_no_commit(world: World, remote: Remote) -> None:
    blob = run_git(remote.origin.path, "rev-parse", "main:README.md")
    world.git(remote.origin.path, "tag", "text", blob)
    with pytest.raises(OrbitError, match=r"cannot fetch ref: text$"):
        remote.resolve("text")


def test_a_tag_goes_before_a_branch_of_its_name(world: World, remote: Remote) -> None:
    world.git(remote.origin.path, "tag", "feature", remote.first)
    assert remote.resolve("feature") == remote.first
    assert remote.resolve("refs/heads/feature") == remote.tip


def test_a_tag_of_the_users_own_is_not_moved(world: World, remote: Remote) -> None:
    world.git(remote.clone, "tag", "light", "HEAD")
    assert remote.resolve("light") == remote.first
    assert run_git(remote.clone, "rev-parse", "light") == remote.main


def test_other_tags_are_not_followed(remote: Remote) -> None:
    remote.resolve("feature")
    assert run_git(remote.clone, "tag") == ""
    remote.resolve("v1.0")
    assert run_git(remote.clone, "tag") == "v1.0"


@pytest.mark.parametrize(("ref", "meant"), [("feature", "tip"), ("v1.0", "first"), ("tip", "tip")])
def test_offline_what_was_fetched_before(remote: Remote, ref: str, meant: str) -> None:
    ref = remote.tip[:10] if ref == "tip" else ref
    remote.resolve(ref)
    shutil.rmtree(remote.origin.path)
    assert remote.resolve(ref) == getattr(remote, meant)


def test_offline_the_reason_is_told(remote: Remote) -> None:
    shutil.rmtree(remote.origin.path)
    with pytest.raises(OrbitError) as refused:
        remote.resolve("feature")
    assert re.fullmatch(r"backend: cannot fetch ref: feature \(.*no such repository: .*\)", str(refused.value))


@pytest.mark.parametrize(("old", "new"), [("feat", "feat/x"), ("feat/x", "feat"), ("feat/x/y", "feat/x")])
def test_a_stale_tracking_ref_makes_way(world: World, remote: Remote, old: str, new: str) -> None:
    remote.origin.branch(old)
    remote.resolve(old)
    world.git(remote.origin.path, "branch", "-m", old, "elsewhere")
    world.git(remote.origin.path, "branch", "-m", "elsewhere", new)
    fetch_branch(remote.clone, new)
    assert run_git(remote.clone, "rev-parse", f"origin/{new}") == remote.main
    assert f"origin/{old}" not in run_git(remote.clone, "for-each-ref", "--format=%(refname:lstrip=2)").splitlines()


def test_a_branch_that_is_gone_removes_nothing(world: World, remote: Remote) -> None:
    remote.resolve("feature")
    with pytest.raises(GitError) as refused:
        fetch_branch(remote.clone, "feature/x")
    assert refused.value.kind == "no-ref"
    assert run_git(remote.clone, "rev-parse", "origin/feature") == remote.tip


def test_a_shallow_clone(world: World, remote: Remote) -> None:
    shutil.rmtree(remote.clone)
    url = f"file://{remote.origin.path}"
    world.git(world.pool, "clone", "-q", "--depth=1", "--single-branch", url, "backend")
    assert remote.resolve("v1.0") == remote.first
    assert remote.resolve(remote.tip[:9]) == remote.tip
    assert os.path.exists(f"{remote.clone}/.git/shallow")

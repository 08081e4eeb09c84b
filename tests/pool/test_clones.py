"""Which clones the pool holds, and what their config says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from looks import unseen
from orbit.errors import OrbitError
from orbit.places import Project
from orbit.pool.clones import clone_config, is_clone, list_clones, origin_url, require_clone, upstream_of
from orbit.store.syntax import parse
from world import World, run_git


@pytest.fixture
def project(world: World) -> Project:
    return Project(str(world.root))


def test_clones_are_told_from_everything_else(world: World, project: Project) -> None:
    world.clone("frontend")
    world.clone("Backend")
    linked = world.base / "elsewhere"
    run_git(world.base, "init", "-q", str(linked))
    (world.pool / "linked").symlink_to(linked)
    (world.pool / "dangling").symlink_to(world.base / "nowhere")
    (world.pool / "notes.txt").write_text("a file is not looked at")
    (world.pool / "plain").mkdir()
    (world.pool / "-option").mkdir()
    for hidden in (".clone-1-00000000", ".cards.git", ".cache", ".git"):
        (world.pool / hidden / ".git").mkdir(parents=True)
    run_git(world.pool, "init", "-q", "--bare", "bare")
    run_git(world.pool, "init", "-q", "with space")
    listing = list_clones(project)
    assert listing.clones == ("Backend", "frontend", "linked")
    assert listing.strange == ("-option", "bare", "plain", "with space")


def test_an_empty_pool(project: Project) -> None:
    assert list_clones(project).clones == ()
    assert list_clones(project).strange == ()


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../backend", "backend/", "/backend", ".git", "-x", "a b", "a\nb", "\xe9"]
)
def test_a_name_outside_the_rule_is_no_clone(world: World, project: Project, name: str) -> None:
    world.clone()
    assert not is_clone(project, name)
    with pytest.raises(OrbitError) as caught:
        require_clone(project, name)
    assert caught.value.message == "not a repository name (letters, digits, . _ -)"
    assert "\n" not in caught.value.context


@pytest.mark.parametrize(
    ("name", "clone_hint", "hint"),
    [
        ("bakend", False, "did you mean backend?"),
        ("bakend", True, "did you mean backend? Or clone it first: orbit clone URL"),
        ("zzz", False, ""),
        ("zzz", True, "clone it first: orbit clone URL"),
        ("plain", False, ""),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(
    world: World, project: Project, name: str, clone_hint: bool, hint: str
) -> None:
    world.clone()
    (world.pool / "plain").mkdir()
    with pytest.raises(OrbitError) as caught:
        require_clone(project, name, clone_hint=clone_hint)
    assert (caught.value.context, caught.value.message) == (name, "not in the pool (.repos/)")
    assert caught.value.hint == hint


def test_a_known_name_passes(world: World, project: Project) -> None:
    world.clone()
    require_clone(project, "backend")
    assert is_clone(project, "backend")


def test_the_config_of_a_clone_is_that_of_its_worktrees(world: World) -> None:
    clone = world.clone()
    world.workspace()
    tree = world.worktree()
    world.git(tree, "config", "some.key", "value")
    assert clone_config(str(clone)).get("some", None, "key") == "value"
    assert clone_config(str(tree)).text == clone_config(str(clone)).text


def test_a_config_that_cannot_be_read_is_empty(world: World) -> None:
    clone = world.clone()
    (clone / ".git" / "config").write_text("[broken")
    assert clone_config(str(clone)).entries == []
    assert clone_config(str(world.base)).entries == []


def test_the_origin_is_as_configured(world: World) -> None:
    clone = world.clone()
    assert origin_url(str(clone)) == world.origins["backend"].url
    world.git(clone, "remote", "set-url", "origin", "https://user:token@example.com/r.git")
    world.git(clone, "config", "url.ssh://git@example.com/.insteadOf", "https://user:token@example.com/")
    assert origin_url(str(clone)) == "https://user:token@example.com/r.git"
    world.git(clone, "remote", "rename", "origin", "elsewhere")
    assert origin_url(str(clone)) == ""


@pytest.mark.parametrize(
    ("remote", "merge", "expected"),
    [
        ("origin", "refs/heads/main", ("refs/remotes/origin/main", "origin/main")),
        ("origin", "refs/heads/release/1.x", ("refs/remotes/origin/release/1.x", "origin/release/1.x")),
        ("fork", "refs/heads/main", ("refs/remotes/fork/main", "fork/main")),
        (".", "refs/heads/main", ("refs/heads/main", "main")),
        ("origin", "refs/tags/v1", ("", "")),
        ("origin", "", ("", "")),
        ("", "refs/heads/main", ("", "")),
    ],
)
def test_upstream(remote: str, merge: str, expected: tuple[str, str]) -> None:
    config = parse(f'[branch "ws/a/main"]\n\tremote = {remote}\n\tmerge = {merge}\n')
    assert upstream_of(config, "ws/a/main") == expected


def test_no_upstream() -> None:
    assert upstream_of(parse('[branch "other"]\n\tremote = origin\n'), "main") == ("", "")


def test_a_pool_reached_through_a_link(world: World, tmp_path: Path) -> None:
    world.clone()
    os.symlink(world.root, tmp_path / "way in")
    assert list_clones(Project(str(tmp_path / "way in"))).clones == ("backend",)


def test_a_clone_that_cannot_be_looked_at_is_not_gone(world: World, project: Project) -> None:
    clone = world.clone()
    with unseen(clone / ".git"):
        assert list_clones(project).clones == ("backend",)
        with pytest.raises(OrbitError, match="cannot be looked at: Input/output error"):
            require_clone(project, "backend")

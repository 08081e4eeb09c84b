"""Every finding about a project."""

from __future__ import annotations

import os

import pytest

from cards import card
from orbit.checkup.project import check_project
from orbit.places import Project
from world import World, fast_import


@pytest.fixture
def project(world: World) -> Project:
    world.clone()
    world.orbit("repos")
    return Project(str(world.root))


def found(project: Project) -> dict[str, tuple[str, str]]:
    return {finding.name: (finding.level, finding.message) for finding in check_project(project).findings}


def test_everything_in_order(project: Project) -> None:
    assert found(project) == {
        "index": ("OK", "1 entries"),
        "clones": ("OK", "1 clones, 0 with findings"),
        "git config": ("OK", "managed keys are in place"),
        "cards": ("OK", "0 cards, each with its clone"),
        "card history": ("OK", "readable, nothing to merge"),
        "locks": ("OK", "none left behind"),
        "worktrees": ("OK", "every link holds"),
        "leftovers": ("OK", "none"),
        "cache": found(project)["cache"],
        "project": ("INFO", "1 clones, 0 workspaces"),
    }
    assert found(project)["cache"][0] == "OK"


def test_the_index(world: World, project: Project) -> None:
    index = world.pool / ".orbit"
    index.write_text("[broken\n")
    assert found(project)["index"] == ("FAIL", ".repos/.orbit cannot be used (line 1: bad section header)")
    index.unlink()
    assert found(project)["index"] == ("WARN", ".repos/.orbit is missing")
    index.write_text("")
    assert found(project)["index"] == ("WARN", "no entry for backend")


def test_clones(world: World, project: Project) -> None:
    (world.pool / "plain").mkdir()
    world.git(world.pool / "backend", "remote", "rename", "origin", "upstream")
    found_now = found(project)
    assert found_now["plain"] == ("WARN", "in the pool, but not a git repository")
    assert found_now["backend"] == ("WARN", "no remote named origin")
    assert found_now["clones"] == ("INFO", "1 clones, 2 with findings")


def test_a_broken_clone_is_a_failure_with_gits_words(world: World, project: Project) -> None:
    (world.pool / "backend" / ".git" / "HEAD").write_text("garbage\n")
    assert found(project)["backend"][0] == "FAIL"


@pytest.mark.parametrize("file", ["HEAD", "config", "index", "refs/heads/main", "refs/tags/v1"])
def test_a_pipe_in_a_clone_is_a_failure_and_holds_nothing_up(world: World, project: Project, file: str) -> None:
    path = world.pool / "backend" / ".git" / file
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    assert found(project)["backend"] == ("FAIL", f"{path} is a pipe or a device, not a file")


def test_managed_config(world: World, project: Project) -> None:
    world.git(world.pool / "backend", "config", "push.default", "nothing")
    assert found(project)["git config"] == ("WARN", "managed keys differ in backend")
    world.orbit("config", "git.pushUpstreamByDefault", "once")
    assert found(project)["git config"][0] == "OK"


def test_a_card_without_a_clone(world: World, project: Project) -> None:
    (world.pool / ".gone.md").write_text("# gone\n")
    assert found(project)["cards"] == ("WARN", "without a clone: gone")


def test_a_card_that_two_pools_changed_and_nobody_merged(world: World, project: Project) -> None:
    shared = world.base / "cards.git"
    world.git(world.base, "init", "-q", "--bare", shared)
    world.orbit("memo", "backend", "--text", card("Ours."))
    fast_import(shared, "main", {"backend.md": card("Theirs.")}, "backend: write", world.tick())
    pulled = world.orbit("memo", "--pull", str(shared))
    theirs = world.git(shared, "rev-parse", "main:backend.md")
    assert found(project)["card history"] == ("WARN", "two texts that nobody has merged: backend"), pulled
    remedy = next(finding.remedy for finding in check_project(project).findings if finding.name == "card history")
    shown = world.orbit(*remedy.split(", ")[0].removeprefix("orbit ").split())
    assert shown.out == card("Theirs."), (remedy, theirs)
    world.orbit("memo", "backend", "--text", card("Both."))
    assert found(project)["card history"][0] == "OK"


def test_a_history_that_cannot_be_read(world: World, project: Project) -> None:
    world.orbit("memo", "backend", "--text", card())
    for kind in ("objects", "refs/heads/main"):
        path = world.pool / ".cards.git" / kind
        path.rename(world.base / "kept")
        if kind != "objects":
            path.write_text("garbage\n")
        assert found(project)["card history"][0] == "WARN", kind
        if path.is_file():
            path.unlink()
        (world.base / "kept").rename(path)
    assert found(project)["card history"][0] == "OK"


def test_a_worktree_without_its_git_file(world: World, project: Project) -> None:
    world.workspace()
    tree = world.worktree()
    (tree / ".git").unlink()
    assert found(project)["worktrees"] == ("WARN", f"their .git files are missing or broken: {tree}")
    assert f"joined the worktree {tree} to the pool again" in world.orbit("doctor", "--fix").out
    assert found(project)["worktrees"] == ("OK", "every link holds")


def test_unfinished_clones_and_kept_copies(world: World, project: Project) -> None:
    (world.pool / ".orbit.damaged-1").write_text("x")
    assert found(project)["leftovers"] == ("INFO", "copies of damaged files: .orbit.damaged-1")
    (world.pool / ".clone-1-0123abcd").mkdir()
    assert found(project)["leftovers"][0] == "WARN"


@pytest.mark.parametrize("name", ["orbit-1.sqlite", "search-1.sqlite"])
def test_a_damaged_cache(world: World, project: Project, name: str) -> None:
    cache = world.pool / ".cache"
    cache.mkdir(exist_ok=True)
    (cache / name).write_text("no database " * 100)
    assert found(project)["cache"] == ("WARN", "damaged")


def test_cards_that_an_outer_repository_ignores(world: World, project: Project) -> None:
    world.git(world.root, "init", "-q")
    (world.root / ".gitignore").write_text(".repos/\n")
    assert check_project(project).findings[-2].message.startswith("the repository around this project ignores")

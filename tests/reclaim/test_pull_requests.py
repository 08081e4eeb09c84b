from __future__ import annotations

import json
from pathlib import Path

import pytest

from finished import commit, finished
from orbit.reclaim.pull_requests import repository_of
from stand_ins import stand_in
from world import World

URL = "https://example.com/team/backend/pull/7"


@pytest.mark.parametrize(
    ("url", "repository"),
    [
        (URL, "example.com/team/backend"),
        ("https://user:secret@example.com/team/backend/pull/7/files", "example.com/team/backend"),
        ("https://example.com/group/sub/backend/-/merge_requests/12", "example.com/group/sub/backend"),
        ("https://example.com/team/backend", ""),
        ("https://example.com/team/backend/pull/new", ""),
        ("https://example.com/team/backend/issues/7", ""),
        ("nonsense", ""),
    ],
)
def test_whose_pull_request_it_is(url: str, repository: str) -> None:
    assert repository_of(url) == repository


def pushed(world: World) -> str:
    """One commit, pushed as `topic`, its pull request recorded; the origin has a name of a hosting service."""
    workspace = finished(world)
    sha = commit(world, workspace / "backend")
    clone = world.pool / "backend"
    world.git(clone, "config", "remote.origin.url", "https://example.com/team/backend.git")
    world.git(clone, "config", f"url.{world.origins['backend'].url}.insteadOf", "https://example.com/team/backend.git")
    world.git(clone, "config", "branch.ws/task-01/main.merge", "refs/heads/topic")
    world.git(world.root, "config", "--file", str(workspace / ".orbit"), "--add", "pr.url", URL)
    return sha


def answer(state: str = "MERGED", branch: str = "topic", head: str = "") -> str:
    data = json.dumps({"state": state, "headRefName": branch, "headRefOid": head})
    return f"echo asked >> \"$0.log\"\necho '{data}'"


def test_a_merged_one_with_this_tip_frees_the_branch(world: World, tmp_path: Path) -> None:
    sha = pushed(world)
    with stand_in(tmp_path, "gh", answer(head=sha)):
        assert f"deleted branch (PR merged): ws/task-01/main (was {sha[:10]})" in world.orbit("prune").out


def test_a_tip_below_the_merged_head_is_covered(world: World, tmp_path: Path) -> None:
    pushed(world)
    tree = world.root / "task-01" / "backend"
    later = commit(world, tree, "later.txt")
    world.git(tree, "branch", "-q", "elsewhere")
    world.git(tree, "reset", "-q", "--hard", "HEAD~1")
    with stand_in(tmp_path, "gh", answer(head=later)):
        assert "deleted branch (PR merged)" in world.orbit("prune").out


@pytest.mark.parametrize(
    ("state", "branch", "head"),
    [
        ("OPEN", "topic", ""),
        ("CLOSED", "topic", ""),
        ("MERGED", "another", ""),
        ("MERGED", "topic", "0" * 40),
        ("MERGED", "topic", "not a commit"),
    ],
)
def test_one_that_proves_nothing(world: World, tmp_path: Path, state: str, branch: str, head: str) -> None:
    sha = pushed(world)
    with stand_in(tmp_path, "gh", answer(state, branch, head or sha)):
        assert "kept branch (unmerged)" in world.orbit("prune").out


def test_work_on_top_of_what_was_merged_is_not_covered(world: World, tmp_path: Path) -> None:
    sha = pushed(world)
    commit(world, world.root / "task-01" / "backend", "later.txt")
    with stand_in(tmp_path, "gh", answer(head=sha)):
        assert "kept branch (unmerged)" in world.orbit("prune").out


def test_one_of_another_repository_is_not_asked_for(world: World, tmp_path: Path) -> None:
    pushed(world)
    metadata = str(world.root / "task-01" / ".orbit")
    world.git(world.root, "config", "--file", metadata, "pr.url", "https://example.com/fork/backend/pull/7")
    with stand_in(tmp_path, "gh", answer()):
        assert "kept branch (unmerged)" in world.orbit("prune").out
    assert not (tmp_path / "gh.log").exists()


def test_it_is_asked_once_a_run_and_never_by_a_dry_one(world: World, tmp_path: Path) -> None:
    pushed(world)
    world.git(world.pool / "backend", "branch", "-q", "--copy", "ws/task-01/main", "ws/task-01/other")
    with stand_in(tmp_path, "gh", answer("OPEN")):
        dry = world.orbit("prune", "--dry-run")
        assert dry.err == "orbit: prune: 1 recorded pull requests were not asked for, a dry run is local\n"
        assert not (tmp_path / "gh.log").exists()
        world.orbit("prune")
    assert (tmp_path / "gh.log").read_text() == "asked\n"


def test_a_failing_gh_is_one_note_and_the_rest_goes_on(world: World, tmp_path: Path) -> None:
    pushed(world)
    world.git(world.root / "task-01" / "backend", "push", "-q", "origin", "HEAD:main")
    with stand_in(tmp_path, "gh", "echo please log in >&2; exit 4"):
        done = world.orbit("prune")
    assert done.err == ("orbit: prune: merged pull requests are judged by git alone, gh failed (please log in)\n")
    assert "deleted branch (merged)" in done.out


def test_without_recorded_ones_gh_is_not_started(world: World, tmp_path: Path) -> None:
    finished(world)
    with stand_in(tmp_path, "gh", answer()):
        world.orbit("prune")
    assert not (tmp_path / "gh.log").exists()

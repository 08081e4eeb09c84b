"""`orbit prune` as its users see it: what goes, what stays, what is said, what is left on disk."""

from __future__ import annotations

import os
import re
import shutil
import time
from pathlib import Path

import pytest

from finished import DONE_AT, branches, commit, digest, finished, mark_done
from shapes import json_of
from world import World


def test_a_finished_workspace_goes_with_all_that_belongs_to_it(world: World) -> None:
    workspace = finished(world, repos=("backend", "frontend"))
    sha = world.git(world.pool / "backend", "rev-parse", "origin/main")
    done = world.orbit("prune")
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        "pruned: task-01 (2 worktrees removed, 2 branches deleted)\n"
        f"  deleted branch (merged): ws/task-01/main (was {sha[:10]}) in backend\n"
        f"  deleted branch (merged): ws/task-01/main (was {sha[:10]}) in frontend\n"
    )
    assert not workspace.exists()
    assert not (world.root / ".prune-trash").exists()
    for repo in ("backend", "frontend"):
        assert branches(world, repo) == ["main"]
        assert world.git(world.pool / repo, "worktree", "list").count("\n") == 0
        assert "ws/task-01" not in (world.pool / repo / ".git" / "config").read_text()


def test_nothing_to_prune(world: World) -> None:
    world.clone()
    world.workspace()
    assert world.orbit("prune") == (0, "nothing to prune\n", "")
    assert world.orbit("prune", "--dry-run") == (0, "nothing to prune\n", "")


def test_a_dry_run_says_the_same_and_changes_nothing(world: World) -> None:
    finished(world)
    kept = finished(world, "task-02")
    (kept / "backend" / "new.txt").write_text("x")
    world.origins["backend"].commit({"later.txt": "x"})
    before = digest(world.root)
    planned = world.orbit("prune", "--dry-run")
    assert planned.code == 0
    assert (
        "would prune: task-01 (1 worktrees, 1 branches)\n  would delete branch (merged): ws/task-01/main" in planned.out
    )
    assert f"would keep: task-02\n  backend: 1 untracked files (review: git -C {kept}/backend status)\n" in planned.out
    assert digest(world.root) == before


def test_a_kept_workspace_does_not_stop_the_others(world: World) -> None:
    finished(world)
    kept = finished(world, "task-02")
    commit(world, kept / "backend")
    before = digest(kept)
    done = world.orbit("prune")
    assert done.code == 0
    assert "pruned: task-01" in done.out
    review = f"git -C {world.pool}/backend log origin/main..ws/task-02/main"
    assert (
        "kept: task-02 (nothing of it was changed)\n"
        f"  backend: kept branch (unmerged): ws/task-02/main (review: {review})\n"
        "kept 1: task-02. Review with the commands above; commit and push, or merge.\n"
        "To discard uncommitted work, jots and unmerged branches for good: orbit prune task-02 --force"
    ) in done.out
    assert digest(kept) == before
    assert "ws/task-02/main" in branches(world)


def test_all_reasons_of_all_repositories_come_together(world: World) -> None:
    workspace = finished(world, repos=("backend", "frontend"))
    commit(world, workspace / "backend")
    (workspace / "frontend" / "new.txt").write_text("x")
    (workspace / "notes").mkdir()
    world.git(workspace / "notes", "init", "-q")
    world.orbit("jot", "backend", "an entry point", cwd=workspace)
    out = world.orbit("prune").out
    wanted = [
        "1 jots waiting for backend",
        "not of the pool: repository in notes",
        "frontend: 1 untracked files",
        "backend: kept branch (unmerged): ws/task-01/main",
    ]
    places = [out.index(text) for text in wanted]
    assert places == sorted(places)
    assert out.count("kept: ") == 1


def test_force_announces_what_it_gives_up_and_keeps_every_tip(world: World) -> None:
    workspace = finished(world)
    sha = commit(world, workspace / "backend")
    (workspace / "backend" / "new.txt").write_text("x")
    done = world.orbit("prune", "--force")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("discarding in task-01:\n  backend: 1 untracked files")
    assert "  backend: unmerged branch ws/task-01/main" in done.out
    assert f"  deleted branch (forced): ws/task-01/main (was {sha[:10]}) in backend\n" in done.out
    assert not workspace.exists()
    kept = world.git(world.pool / "backend", "for-each-ref", "--format=%(objectname)", "refs/orbit/reclaimed")
    assert sha in kept.split()


def test_restore_brings_back_what_was_committed(world: World) -> None:
    workspace = finished(world)
    world.git(world.root, "config", "--file", str(workspace / ".orbit"), "workspace.goal", "make it so")
    sha = commit(world, workspace / "backend")
    world.orbit("jot", "backend", "an entry point", cwd=workspace)
    world.orbit("prune", "--force")
    back = world.orbit("prune", "--restore", "task-01")
    assert back.code == 0
    assert back.out == (
        "restored: task-01 (1 branches, its goal and jots)\n"
        f"  branch ws/task-01/main at {sha[:10]} in backend, upstream: origin/main\n"
        "Next, in task-01: orbit add backend --reuse\n"
    )
    assert back.err == "orbit: task-01: what was never committed is gone\n"
    assert world.git(world.pool / "backend", "rev-parse", "ws/task-01/main") == sha
    assert world.git(world.pool / "backend", "rev-parse", "--abbrev-ref", "ws/task-01/main@{u}") == "origin/main"
    assert world.orbit("context", "goal", cwd=workspace).out == "make it so\n"
    assert world.orbit("context", "state", cwd=workspace).out == "active\n"
    assert world.orbit("jot", "backend", "--list", cwd=workspace).out == "an entry point\n"
    assert world.orbit("add", "backend", "--reuse", "-s", cwd=workspace).code == 0
    assert (workspace / "backend" / "work.txt").read_text() == "work\n"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["nowhere"], "no such workspace: nowhere"),
        ([".repos"], "no such workspace: .repos"),
        (["a/b"], "no such workspace: a/b"),
        (["active"], "active exists but is not marked done"),
        (["plain"], "plain exists but its metadata is missing or unreadable"),
        (["damaged"], "damaged exists but its metadata is missing or unreadable"),
        (["link"], "link is a symbolic link"),
        (["--restore", "nowhere"], "nothing of nowhere is kept"),
        (["--restore", "active"], "nothing of active is kept"),
    ],
)
def test_named_workspaces_that_are_no_candidates(world: World, words: list[str], line: str) -> None:
    for name in ("active", "plain", "damaged"):
        world.workspace(name)
    world.git(world.root, "config", "--file", str(world.root / "active" / ".orbit"), "workspace.goal", "x")
    (world.root / "damaged" / ".orbit").write_text("[broken\n")
    (world.root / "link").symlink_to(world.root / "active")
    before = digest(world.root)
    for mode in ([], ["--force"]):
        if mode and "--restore" in words:
            continue
        done = world.orbit("prune", *words, *mode)
        assert (done.code, done.out, done.err) == (1, "", f"orbit: prune: {line}\n")
    assert digest(world.root, besides=(".cache",)) == before


@pytest.mark.parametrize("duration", ["0d", "", "5", "d", "-1d", "1.5h", "1y", "9999999d", "1 d"])
def test_durations_that_are_none(world: World, duration: str) -> None:
    finished(world)
    done = world.orbit("prune", f"--older={duration}")
    assert done.code == 2
    assert "--older takes a number above 0 with h, d, w or m" in done.err
    assert (world.root / "task-01").is_dir()


def test_older_goes_by_when_it_was_done(world: World) -> None:
    finished(world)
    finished(world, "fresh")
    mark_done(world, "fresh", int(time.time()) - 7200)
    done = world.orbit("prune", "--older", "12h")
    assert "pruned: task-01" in done.out
    assert done.err == "orbit: fresh: left alone, it was done 2 hours ago\n"
    assert (world.root / "fresh").is_dir()
    named = world.orbit("prune", "fresh", "--older", "12h")
    assert (named.code, named.out) == (0, "nothing to prune\n")
    assert world.orbit("prune", "fresh", "--older", "1h").out.startswith("pruned: fresh")


def test_work_that_was_merged_upstream_since_the_last_fetch_is_recognised(world: World) -> None:
    workspace = finished(world)
    commit(world, workspace / "backend")
    world.git(workspace / "backend", "push", "-q", "origin", "HEAD:main")
    world.git(world.pool / "backend", "update-ref", "refs/remotes/origin/main", "origin/main~1")
    assert "kept branch (unmerged)" in world.orbit("prune", "--dry-run").out
    assert "deleted branch (merged)" in world.orbit("prune").out


def test_a_squash_merge_is_recognised_by_content(world: World) -> None:
    workspace = finished(world)
    for number in range(2):
        commit(world, workspace / "backend", f"part-{number}.txt")
    world.origins["backend"].commit({"part-0.txt": "work\n", "part-1.txt": "work\n", "other.txt": "x"}, "Squashed")
    done = world.orbit("prune")
    assert "deleted branch (content upstream): ws/task-01/main" in done.out


def test_offline_it_goes_by_what_was_fetched(world: World) -> None:
    finished(world)
    os.rename(world.origins["backend"].path, world.remotes / "away.git")
    done = world.orbit("prune")
    assert done.code == 0
    assert "pruned: task-01" in done.out
    assert "orbit: backend: not fetched, judged by what was last fetched" in done.err


def test_json_of_a_real_run_and_of_a_dry_one(world: World) -> None:
    workspace = finished(world)
    commit(world, workspace / "backend")
    (workspace / "notes.txt").write_text("12345")
    planned = json_of("prune", world.orbit("prune", "--dry-run", "--json"))
    assert planned["dryRun"] is True
    [row] = planned["workspaces"]
    assert (row["name"], row["kind"], row["action"]) == ("task-01", "live", "keep")
    assert (row["looseFiles"], row["looseBytes"], row["ignoredFiles"]) == (1, 5, 0)
    assert row["branches"][0]["verdict"] == "unmerged"
    assert row["branches"][0]["action"] == "keep"
    assert row["worktrees"] == [{"repo": "backend", "path": "backend"}]
    done = world.orbit("prune", "--json", "--force")
    [row] = json_of("prune", done)["workspaces"]
    assert row["action"] == "remove"
    assert row["branches"][0]["action"] == "delete"
    assert done.out.count("\n") == 1


def test_ignored_and_loose_files_go_along_and_are_counted(world: World) -> None:
    workspace = finished(world)
    (world.pool / "backend" / ".git" / "info").mkdir(exist_ok=True)
    (world.pool / "backend" / ".git" / "info" / "exclude").write_text("build/\n")
    (workspace / "backend" / "build").mkdir()
    (workspace / "backend" / "build" / "out.o").write_bytes(b"x" * 2048)
    (workspace / "notes.txt").write_text("12345")
    out = world.orbit("prune").out
    assert "  with it: 1 ignored files (2.0 KiB), 1 files outside the worktrees (5 bytes)\n" in out


def test_stashes_are_told_and_stay(world: World) -> None:
    workspace = finished(world)
    (workspace / "backend" / "README.md").write_text("changed")
    world.git(workspace / "backend", "stash", "push", "-q", "-m", "half done")
    assert "1 stashes made on its branches stay in the pool" in world.orbit("prune").out
    assert world.git(world.pool / "backend", "stash", "list") == "stash@{0}: On ws/task-01/main: half done"


def test_options_that_do_not_go_together(world: World) -> None:
    world.clone()
    done = world.orbit("prune", "--restore", "task-01", "--force")
    assert done.code == 2
    assert "--restore takes a workspace and nothing else" in done.err


def test_it_is_refused_from_within_a_workspace(world: World) -> None:
    finished(world)
    elsewhere = world.workspace("task-02")
    for words in (["prune"], ["prune", "task-01", "--force"], ["prune", "--dry-run"], ["prune", "--restore", "x"]):
        done = world.orbit(*words, cwd=elsewhere)
        assert (done.code, done.out) == (1, "")
        assert done.err == "orbit: prune: the current directory is inside the workspace task-02\n"


def test_refusals_hand_out_no_way_round(world: World) -> None:
    workspace = finished(world)
    commit(world, workspace / "backend")
    out = world.orbit("prune").out
    body, _, last = out.rpartition("To discard")
    assert "--force" not in body
    assert "for good" in last
    refused = world.orbit("prune", cwd=workspace).err
    assert not re.search(r"--|cd |root|sudo", refused)


def test_a_branch_that_another_worktree_has_stays(world: World, tmp_path: Path) -> None:
    finished(world)
    clone = world.pool / "backend"
    world.git(clone, "branch", "-q", "ws/task-01/extra", "origin/main")
    world.git(clone, "worktree", "add", "-q", str(tmp_path / "elsewhere"), "ws/task-01/extra")
    for mode in ([], ["--force"]):
        done = world.orbit("prune", *mode)
        assert "kept branch (checked out in" in done.out
        assert "ws/task-01/extra" in branches(world)
    assert world.git(tmp_path / "elsewhere", "status", "--porcelain") == ""


def test_drifted_managed_config_is_put_back_and_previewed(world: World) -> None:
    finished(world)
    world.git(world.pool / "backend", "config", "fetch.prune", "false")
    planned = world.orbit("prune", "--dry-run")
    assert planned.err == "orbit: backend: fetch.prune: false -> true would be put back\n"
    done = world.orbit("prune")
    assert "fetch.prune: false -> true put back" in done.err
    assert world.git(world.pool / "backend", "config", "fetch.prune") == "true"


def test_when_it_is_long_ago_the_kept_tips_expire(world: World) -> None:
    workspace = finished(world)
    sha = commit(world, workspace / "backend")
    world.orbit("prune", "--force")
    refs = world.git(world.pool / "backend", "for-each-ref", "--format=%(refname)", "refs/orbit/reclaimed").split()
    epoch = next(ref.split("/")[4] for ref in refs)
    for ref in refs:
        old = ref.replace(epoch, str(DONE_AT))
        world.git(world.pool / "backend", "update-ref", old, ref)
        world.git(world.pool / "backend", "update-ref", "-d", ref)
    kept = world.pool / ".reclaimed" / "task-01"
    os.rename(kept / epoch, kept / str(DONE_AT))
    world.orbit("prune")
    assert world.git(world.pool / "backend", "for-each-ref", "refs/orbit/reclaimed") == ""
    assert not (world.pool / ".reclaimed").exists()
    assert world.orbit("prune", "--restore", "task-01").err == "orbit: prune: nothing of task-01 is kept\n"
    assert sha


def test_a_branch_without_commits_leaves_no_config(world: World) -> None:
    world.origin("empty", empty=True)
    world.clone("empty")
    world.workspace()
    assert world.orbit("add", "empty", "-s", cwd=world.root / "task-01").code == 0
    mark_done(world, "task-01")
    assert "pruned: task-01 (1 worktrees removed, 0 branches deleted)" in world.orbit("prune").out
    assert "ws/task-01" not in (world.pool / "empty" / ".git" / "config").read_text()
    assert world.orbit("prune").out == "nothing to prune\n"


def test_force_on_a_ghost_announces_its_unmerged_branches(world: World) -> None:
    workspace = finished(world)
    commit(world, workspace / "backend")
    shutil.rmtree(workspace)
    forced = world.orbit("prune", "--force").out
    assert forced.startswith("discarding in task-01:\n  backend: unmerged branch ws/task-01/main (review: git -C ")
    assert "deleted branch (forced): ws/task-01/main" in forced

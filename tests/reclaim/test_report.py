from __future__ import annotations

import pytest

from orbit.reclaim.execute import Outcome
from orbit.reclaim.plan import GHOST, LIVE, UNMERGED, Branch, Extras, Reason, Target, Tree, decide
from orbit.reclaim.report import announced, data, done, planned, resumed, size, summary

MERGED = Branch("backend", "ws/t/main", "1" * 40, "merged")
OPEN = Branch(
    "backend", "ws/t/open", "2" * 40, UNMERGED, review="git log x", hint="though every patch of it is upstream"
)
HELD = Branch("backend", "ws/t/held", "3" * 40, "merged", holder="/elsewhere")
TREE = Tree("backend", "backend", "backend")
DIRTY = Reason("backend", "2 uncommitted changes", review="git status")


def test_a_plan_to_remove() -> None:
    target = Target("t", LIVE, (MERGED, HELD), (TREE,), extras=Extras(2, 3000, 1, 7, 1))
    assert planned(decide(target, force=False)) == [
        "would prune: t (1 worktrees, 1 branches)",
        "  would delete branch (merged): ws/t/main (was 1111111111) in backend",
        "  kept branch (checked out in /elsewhere): ws/t/held in backend",
        "  with it: 2 ignored files (2.9 KiB), 1 files outside the worktrees (7 bytes)",
        "  1 stashes made on its branches stay in the pool",
    ]


def test_a_plan_to_keep() -> None:
    step = decide(Target("t", LIVE, (MERGED, OPEN), (TREE,), (DIRTY,)), force=False)
    assert planned(step) == [
        "would keep: t",
        "  backend: 2 uncommitted changes (review: git status)",
        "  backend: kept branch (unmerged): ws/t/open, though every patch of it is upstream (review: git log x)",
    ]
    assert done(step, Outcome("t"))[0] == "kept: t (nothing of it was changed)"


def test_force_says_what_is_given_up() -> None:
    step = decide(Target("t", LIVE, (MERGED, OPEN), (TREE,), (DIRTY,)), force=True)
    assert announced(step) == [
        "discarding in t:",
        "  backend: 2 uncommitted changes (review: git status)",
        "  backend: unmerged branch ws/t/open (review: git log x)",
    ]
    assert "  would discard: backend: unmerged branch ws/t/open (review: git log x)" in planned(step)
    assert announced(decide(Target("t", LIVE, (MERGED,)), force=True)) == []


def test_what_was_done() -> None:
    step = decide(Target("t", LIVE, (MERGED, OPEN), (TREE,)), force=True)
    moved = OPEN.replace(holder="")
    assert done(step, Outcome("t", removed=True, worktrees=1, deleted=(MERGED,), kept=(moved,))) == [
        "pruned: t (1 worktrees removed, 1 branches deleted)",
        "  deleted branch (merged): ws/t/main (was 1111111111) in backend",
        "  kept branch (it moved meanwhile): ws/t/open in backend",
    ]
    assert done(step, Outcome("t", why="it changed meanwhile (backend)")) == [
        "kept: t (it changed meanwhile (backend))"
    ]
    assert done(step, Outcome("t", problem="no space")) == []


def test_a_ghost_in_part() -> None:
    step = decide(Target("t", GHOST, (MERGED, OPEN)), force=False)
    assert planned(step) == [
        "would prune: t (its directory is gone, 0 worktrees, 1 branches)",
        "  would delete branch (merged): ws/t/main (was 1111111111) in backend",
        "  backend: kept branch (unmerged): ws/t/open, though every patch of it is upstream (review: git log x)",
    ]


def test_an_earlier_run() -> None:
    assert resumed(Outcome("t", removed=True)) == ["pruned: t (begun by an earlier run, finished now)"]
    assert resumed(Outcome("t", why="it changed")) == ["put back: t (it changed)"]
    assert resumed(Outcome("t", problem="no space")) == []


def test_only_the_summary_says_how_to_discard_and_only_where_that_helps() -> None:
    loose = decide(Target("a", LIVE, guards=(DIRTY,)), force=False)
    fast = decide(Target("b", LIVE, guards=(DIRTY, Reason("backend", "locked", final=True))), force=False)
    lines = summary([loose, fast], 30)
    assert lines[0] == "kept 2: a, b. Review with the commands above; commit and push, or merge."
    assert lines[1].startswith(
        "To discard uncommitted work, jots and unmerged branches for good: orbit prune a --force"
    )
    assert len(summary([fast], 30)) == 1
    assert summary([], 30) == []
    assert not any("--force" in line for line in [*planned(loose), *planned(fast)])


def test_data_of_a_plan_a_run_and_a_failure() -> None:
    step = decide(Target("t", LIVE, (MERGED,), (TREE,)), force=False)
    assert data(step, None)["action"] == "remove"
    kept = data(step, Outcome("t", why="it changed"))
    assert (kept["action"], kept["reasons"]) == ("keep", ["it changed"])
    failed = data(step, Outcome("t", problem="no space"))
    assert (failed["action"], failed["reasons"]) == ("failed", ["no space"])


@pytest.mark.parametrize("name", ["a\x1b[31mb", "a\nb", "a\u202eb"])
def test_names_steer_no_terminal(name: str) -> None:
    step = decide(Target("t", LIVE, (MERGED.replace(name=f"ws/t/{name}"),), (TREE,)), force=False)
    assert not any("\x1b" in line or "\n" in line or "\u202e" in line for line in planned(step))


def test_sizes() -> None:
    assert [size(n) for n in (0, 1023, 1024, 5 << 20, 3 << 30)] == [
        "0 bytes",
        "1023 bytes",
        "1.0 KiB",
        "5.0 MiB",
        "3.0 GiB",
    ]

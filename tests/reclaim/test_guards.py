"""Guards as values; `tests/commands/test_prune_guards.py` shows each against a real workspace."""

from __future__ import annotations

from finished import finished
from orbit.places import Project
from orbit.reclaim.contents import Contents
from orbit.reclaim.guards import Seen, extras_of, guards_of, locked_reason, see
from orbit.reclaim.occupants import Occupant
from orbit.reclaim.plan import Tree
from orbit.reclaim.submodules import Submodule
from orbit.reclaim.survey import Registered, survey_pool
from orbit.reclaim.trees import Look
from world import World

NOTHING = Contents()


def reasons(*looks: tuple[Tree, Look | None], contents: Contents = NOTHING, jots: str = "") -> list[str]:
    return [f"{r.repo}: {r.text}" for r in guards_of(Seen("/r/t", looks, contents, jots, ()), ())]


def test_a_clean_workspace_has_none() -> None:
    assert reasons((Tree("a", "a", "a"), Look("ws/t/main")), (Tree("b", "b", "b"), None)) == []


def test_counts_and_places() -> None:
    changes = ("1 .M N... x", "? y", "? z")
    assert reasons((Tree("a", "a1", "deep/a"), Look("", changes=changes, operation="merge", alone=2))) == [
        "a: 1 uncommitted changes, 2 untracked files in deep/a",
        "a: a merge is in progress in deep/a",
        "a: 2 commits on a detached HEAD that no branch holds in deep/a",
    ]


def test_an_unreadable_worktree_still_tells_of_its_submodules() -> None:
    look = Look(problem="git says no", submodules=(Submodule("lib", "1" * 40, 2, ("abc", "def")),))
    assert reasons((Tree("a", "a", "a"), look)) == [
        "a: worktree cannot be read (git says no)",
        "a: submodule lib: 2 uncommitted changes",
        "a: submodule lib: commits its remote does not have (abc, def)",
    ]


def test_long_lists_are_counted() -> None:
    contents = Contents(foreign=tuple(f"r{number}" for number in range(7)))
    assert reasons(contents=contents) == [": not of the pool: repository in r0, r1, r2, r3, r4 and 2 more"]


def test_who_is_at_work_comes_first() -> None:
    seen = Seen("/r/t", (), NOTHING, "1 jots waiting for a", ())
    found = guards_of(seen, [Occupant(4711, "zsh", "/r/t/a")])
    assert [reason.text for reason in found] == ["process 4711 (zsh) works inside it", "1 jots waiting for a"]


def test_what_nothing_releases() -> None:
    contents = Contents(links=("l",), mounts=("m",), unreadable=("u",))
    assert all(reason.final for reason in guards_of(Seen("/r/t", (), contents, "", ()), ()))
    assert locked_reason(Registered("a", "/x/y", "/z", ""), "a").text == "worktree a is locked"


def test_metadata_that_cannot_be_read_counts_as_jots(world: World) -> None:
    workspace = finished(world)
    (workspace / ".orbit").write_text("[broken\n")
    project = Project(str(world.root))
    seen = see(project, "task-01", survey_pool(project, "ws").registered_below(str(workspace)), str(workspace))
    assert seen.jots.startswith("its metadata cannot be read (")


def test_extras_are_summed_over_worktrees(world: World) -> None:
    workspace = finished(world)
    (workspace / "notes").write_text("123")
    project = Project(str(world.root))
    seen = see(project, "task-01", survey_pool(project, "ws").registered_below(str(workspace)), str(workspace))
    extras = extras_of(seen, 4)
    assert (extras.loose_files, extras.loose_bytes, extras.ignored_files, extras.stashes) == (1, 3, 0, 4)

from __future__ import annotations

import os

from orbit.checkup.drafts import find_drafts, remove_draft
from orbit.places import Project
from orbit.store.lock import FileLock
from world import World


def test_what_a_killed_writer_left_is_found_and_removed(world: World) -> None:
    task = world.workspace()
    drafts = [
        world.pool / ".orbit.new",
        world.pool / ".backend.md.new",
        world.pool / "README.md.new",
        task / ".orbit.new",
    ]
    for draft in drafts:
        draft.write_text("half")
    (task / "notes.new").write_text("the user's own")
    assert sorted(find_drafts(Project(str(world.root)))) == sorted(map(str, drafts))
    outcome = world.orbit("doctor")
    assert (
        "[WARN] leftovers: temporary files of killed calls: .repos/.backend.md.new, .repos/.orbit.new, " in outcome.out
    )
    repaired = world.orbit("doctor", "--fix")
    assert f"fixed: removed what a killed call left at {task}/.orbit.new\n" in repaired.out
    assert find_drafts(Project(str(world.root))) == []
    assert os.listdir(task) == ["notes.new"]


def test_one_that_is_being_written_stays(world: World) -> None:
    draft = world.pool / ".orbit.new"
    draft.write_text("half")
    with FileLock(str(world.pool / ".orbit")):
        assert find_drafts(Project(str(world.root))) == []
        assert not remove_draft(str(draft))
    assert draft.exists()


def test_the_lock_of_the_dead_writer_is_no_reason_to_keep_it(world: World) -> None:
    draft = world.pool / ".orbit.new"
    draft.write_text("half")
    (world.pool / ".orbit.lock").write_text(f"orbit {os.uname().nodename} an-earlier-boot pid:[1] 4711 17\n")
    assert find_drafts(Project(str(world.root))) == [str(draft)]
    assert remove_draft(str(draft))
    assert os.listdir(world.pool) == []

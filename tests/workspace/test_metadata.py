from __future__ import annotations

import pytest

from orbit.places import Project
from orbit.store.document import load
from orbit.workspace.metadata import Metadata, mark_done, read_metadata, set_goal, write_created
from world import World, run_git

NOW = 1_700_000_000
DATE = "2023-11-14 22:13:20 +0000"
URL = "https://example.com/team/backend/pull/7"


@pytest.fixture
def project(world: World) -> Project:
    world.workspace()
    return Project(str(world.root))


def written(project: Project) -> str:
    return run_git(project.workspace("task-01"), "config", "--file", ".orbit", "--list")


def test_a_plain_folder_is_an_active_workspace_without_a_goal(project: Project) -> None:
    found = read_metadata(project, "task-01")
    assert found == Metadata()
    assert found.state == "active"
    assert load(project.metadata("task-01")).state == "missing"


def test_created_and_goal_are_written_as_git_reads_them(project: Project) -> None:
    assert write_created(project, "task-01", 'two lines,\n"quoted" ; # and \\ odd', NOW) == []
    assert read_metadata(project, "task-01").goal == 'two lines,\n"quoted" ; # and \\ odd'
    goal = run_git(project.workspace("task-01"), "config", "--file", ".orbit", "workspace.goal")
    assert goal == 'two lines,\n"quoted" ; # and \\ odd'
    assert f"workspace.created={NOW}" in written(project)


def test_without_a_goal_only_the_time_is_written(project: Project) -> None:
    write_created(project, "task-01", "", NOW)
    assert written(project) == f"workspace.created={NOW}"


def test_done_is_one_write_and_pull_requests_add_up_once_each(project: Project) -> None:
    other = "https://example.com/team/web/pull/9"
    assert mark_done(project, "task-01", (URL,), NOW, DATE) == ((URL,), [])
    assert mark_done(project, "task-01", (other, URL), NOW + 60, DATE) == ((URL, other), [])
    assert mark_done(project, "task-01", (), NOW + 90, DATE) == ((URL, other), [])
    found = read_metadata(project, "task-01")
    assert (found.state, found.done_at, found.prs) == ("done", NOW + 90, (URL, other))
    assert f"workspace.done-date={DATE}" in written(project)


def test_a_goal_reactivates_and_leaves_no_trace_of_done(project: Project) -> None:
    write_created(project, "task-01", "first", NOW)
    mark_done(project, "task-01", (URL,), NOW, DATE)
    assert set_goal(project, "task-01", "second") == (True, [])
    assert written(project).splitlines() == ["workspace.goal=second", f"workspace.created={NOW}"]
    assert set_goal(project, "task-01", "third") == (False, [])


def test_clearing_the_goal_does_not_reactivate(project: Project) -> None:
    write_created(project, "task-01", "first", NOW)
    mark_done(project, "task-01", (), NOW, DATE)
    assert set_goal(project, "task-01", "") == (False, [])
    assert read_metadata(project, "task-01") == Metadata(done=True, done_at=NOW)


def test_clearing_what_is_not_there_makes_no_file(project: Project) -> None:
    assert set_goal(project, "task-01", "") == (False, [])
    assert load(project.metadata("task-01")).state == "missing"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[workspace]\n\tstatus = DONE\n", Metadata()),
        ("[workspace]\n\tstatus = done\n\tdone-at = soon\n", Metadata(done=True)),
        ("[workspace]\n\tstatus = done\n\tdone-at = -5\n", Metadata(done=True)),
        ("[workspace]\n\tstatus = done\n\tdone-at = 0010\n", Metadata(done=True, done_at=10)),
        ("[workspace]\n\tgoal\n", Metadata()),
        ('[workspace "x"]\n\tgoal = not this\n[pr]\n\turl = u\n', Metadata(prs=("u",))),
    ],
)
def test_what_is_read_back_is_data(project: Project, world: World, text: str, found: Metadata) -> None:
    (world.root / "task-01" / ".orbit").write_text(text)
    assert read_metadata(project, "task-01") == found


def test_damage_is_worked_around_and_told_once(project: Project, world: World) -> None:
    path = world.root / "task-01" / ".orbit"
    path.write_text("[workspace\n\tgoal = lost\n")
    assert read_metadata(project, "task-01").damage
    _, notices = set_goal(project, "task-01", "")
    assert [(notice.name, notice.subject) for notice in notices] == [("metadata-damaged", "task-01/.orbit")]
    assert path.read_text().startswith("[workspace\n"), "clearing nothing replaces nothing"
    _, notices = set_goal(project, "task-01", "found again")
    assert [notice.name for notice in notices] == ["metadata-damaged"]
    copies = list(path.parent.glob(".orbit.damaged-*"))
    assert [copy.read_text() for copy in copies] == ["[workspace\n\tgoal = lost\n"]
    assert read_metadata(project, "task-01") == Metadata(goal="found again")

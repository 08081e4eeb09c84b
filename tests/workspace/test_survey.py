"""What the report finds in a real project, damaged parts and all."""

from __future__ import annotations

import pytest

from cards import card
from counted_git import counted_git
from orbit.places import Project
from orbit.store.cache import Cache
from orbit.workspace.survey import Surveyed, survey
from reliability.starts import starts
from world import World


@pytest.fixture
def project(world: World) -> Project:
    return Project(str(world.root))


def look(project: Project, jobs: int = 2) -> Surveyed:
    cache = Cache(project.cache)
    found = survey(project, cache, jobs)
    cache.close()
    return found


def test_an_empty_project(project: Project) -> None:
    found = look(project)
    assert (found.problem, found.report.cards, found.report.workspaces) == ("", (), ())
    assert found.report.root == project.root


def test_cards_with_their_evidence(world: World, project: Project) -> None:
    for name in ("backend", "fresh", "bare"):
        world.origin(name)
        world.clone(name)
    for name in ("backend", "fresh"):
        text = card(repo=name).replace("- src/app0.py", "- `src/app.py`")
        assert world.orbit("memo", name, stdin=text).code == 0
    world.origins["backend"].commit({"src/app.py": None, "src/main.py": "x"})
    world.orbit("sync")
    rows = {row.name: row for row in look(project).report.cards}
    assert [(name, row.state) for name, row in rows.items()] == [
        ("backend", "stale"),
        ("bare", "none"),
        ("fresh", "ok"),
    ]
    assert rows["backend"].staleness.behind == 1
    assert rows["backend"].evidence.of("missing") == ["src/app.py"]
    assert rows["fresh"].evidence.untouched
    assert rows["fresh"].lines == 7
    assert all(row.bytes > 10_000 for row in rows.values())


def test_a_second_look_asks_git_for_no_evidence(world: World, project: Project) -> None:
    world.clone()
    world.orbit("memo", "backend", stdin=card().replace("- src/app0.py", "- `src/app.py`"))
    first = look(project).report
    with counted_git(world.base) as calls:
        again = look(project).report
    assert not [words for words in calls.lines if "cat-file" in words]
    assert again.cards[0].evidence == first.cards[0].evidence


def test_jots_unpushed_work_and_workspaces(world: World, project: Project) -> None:
    world.clone()
    world.workspace("done-one")
    world.orbit("done", cwd=world.root / "done-one")
    world.orbit("new", "A goal\nof two lines", "--name", "task")
    tree = world.worktree("task")
    for number in range(3):
        world.orbit("jot", f"jot {number}", cwd=tree)
    world.git(tree, "commit", "-q", "--allow-empty", "-m", "mine")
    (tree / "new.txt").write_text("new")
    report = look(project).report
    assert [(q.workspace, q.repo, q.waiting, q.level) for q in report.queues] == [("task", "backend", 3, "building")]
    (row,) = report.trees
    assert (row.workspace, row.branch, row.unpushed, row.dirty_files, row.error) == ("task", "main", 1, 1, "")
    done, task = report.workspaces
    assert (done.name, done.state, done.done_at > 0, done.worktrees) == ("done-one", "done", True, 0)
    assert (task.state, task.goal, task.worktrees, task.jots) == ("active", "A goal\nof two lines", 1, 3)
    assert task.bytes > 0


def test_pushed_work_is_not_open(world: World, project: Project) -> None:
    world.clone()
    world.workspace("task")
    tree = world.worktree("task")
    world.git(tree, "commit", "-q", "--allow-empty", "-m", "mine")
    world.git(tree, "push", "-q", "origin", "HEAD:feat")
    assert look(project).report.trees == ()


def test_what_is_damaged_is_a_row_with_its_error(world: World, project: Project) -> None:
    for name in ("backend", "broken"):
        world.origin(name)
        world.clone(name)
    world.workspace("task")
    tree = world.worktree("task")
    (tree / ".git").unlink()
    (world.root / "task/.orbit").write_text("[oops")
    (world.pool / "broken/.git/HEAD").unlink()
    (world.pool / "odd name").mkdir()
    found = look(project)
    assert [(row.name, row.state) for row in found.report.cards] == [
        ("backend", "none"),
        ("broken", "damaged"),
        ("odd name", "damaged"),
    ]
    assert "its .git file is missing or broken" in found.report.trees[0].error
    assert found.report.workspaces[0].error.startswith("its metadata cannot be read (line 1")


def test_a_history_that_cannot_be_read_stops_nothing(world: World, project: Project) -> None:
    world.clone()
    world.orbit("memo", "backend", stdin=card())
    for file in (world.pool / ".cards.git/objects").rglob("*"):
        if file.is_file():
            file.unlink()
    found = look(project)
    assert "reading the cards' history" in found.problem
    assert found.report.growth == ()
    assert found.report.cards[0].state == "ok"


@pytest.mark.parametrize("way", ["is killed at once", "fails at once"])
def test_work_is_not_pushed_because_git_failed(world: World, project: Project, way: str) -> None:
    tree = world.populated() / "backend"
    world.git(tree, "commit", "-q", "--allow-empty", "-m", "mine")
    with starts() as counted:
        look(project, 1)
    (number,) = (n for n, words in enumerate(counted.log, 1) if "--remotes=origin" in words)
    with starts(number, way):
        (row,) = look(project, 1).report.trees
    assert "git" in row.error

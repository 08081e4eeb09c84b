"""How the cards became more, from their own history."""

from __future__ import annotations

import pytest

from orbit.errors import OrbitError
from orbit.knowledge import history
from orbit.knowledge.growth import counted, read_growth
from orbit.knowledge.history import Version
from orbit.knowledge.report import Growth
from orbit.places import Project
from world import World

DAY = 86_400


@pytest.fixture
def project(world: World) -> Project:
    return Project(str(world.root))


def test_no_history(project: Project) -> None:
    assert read_growth(project) == ()


def test_what_was_written_today(project: Project) -> None:
    history.keep(project, "backend", [Version(b"one\n", "write"), Version(b"two\n", "write")])
    history.keep(project, "web", [Version(b"page\n", "write")])
    (today,) = read_growth(project)
    assert (today.cards, today.versions) == (2, 3)


def test_days_and_removals_as_git_lists_them(world: World, project: Project) -> None:
    history.keep(project, "backend", [Version(b"one\n", "write")])
    words = ["--git-dir", f"{world.pool}/.cards.git"]
    stream = b""
    for day, change in ((30_000, b"M 100644 inline web.md\ndata 1\nx\n"), (30_001, b"D web.md\n"), (30_001, b"")):
        stream += b"commit refs/heads/main\ncommitter t <t@example.com> %d +0000\ndata 1\nm\n" % (day * DAY + 5)
        stream += (b"from refs/heads/main^0\n" if day == 30_000 else b"") + change
    world.git(world.base, *words, "fast-import", "--quiet", "--force", stdin=stream)
    found = read_growth(project)
    assert found[1:] == (Growth(30_000 * DAY + 5, 2, 2), Growth(30_001 * DAY + 5, 1, 2))


def test_the_last_of_a_day_counts() -> None:
    log = "\x015\0\n:000000 100644 0 1 A\0a.md\0\x0160\0\n:100644 100644 1 2 M\0a.md\0:000000 100644 0 3 A\0b.md\0"
    assert counted(log) == (Growth(60, 2, 3),)
    assert counted("") == ()


def test_a_history_that_git_cannot_read(world: World, project: Project) -> None:
    history.keep(project, "backend", [Version(b"one\n", "write")])
    for file in (world.pool / ".cards.git/objects").rglob("*"):
        if file.is_file():
            file.unlink()
    with pytest.raises(OrbitError, match="reading the cards' history"):
        read_growth(project)

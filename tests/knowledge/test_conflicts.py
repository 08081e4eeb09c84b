"""Open conflicts, as the history tells them."""

from __future__ import annotations

import pytest

from orbit.knowledge import history
from orbit.knowledge.conflicts import conflict_trailers, open_conflicts
from orbit.knowledge.history import Version
from orbit.places import Project
from world import World

REV = "0123456789" * 4


@pytest.fixture
def project(world: World) -> Project:
    project = Project(str(world.root))
    history.keep(project, "backend", [Version(b"one\n", "write")])
    return project


def merge(project: Project, message: str) -> None:
    """A commit of a pull: with two parents, both known here."""
    ours = history.tip(project)
    with history.lock(project):
        lines = history.commit_head(message) + f"from {ours}\nmerge {ours}\n\n".encode()
        history.append(project, [], lines)


def test_open_until_a_version_of_the_card_comes(project: Project) -> None:
    assert open_conflicts(project) == {}
    merge(project, f"pull: 0 taken, 2 kept\n\n{conflict_trailers({'backend': REV, 'web': REV[::-1]})}")
    assert open_conflicts(project) == {"backend": REV, "web": REV[::-1]}
    history.keep(project, "other", [Version(b"x\n", "write")])
    history.keep(project, "backend", [Version(b"one\n", "write")])
    assert open_conflicts(project) == {"web": REV[::-1]}


def test_the_last_pull_says_it_all(project: Project) -> None:
    merge(project, f"pull: 0 taken, 1 kept\n\n{conflict_trailers({'backend': REV})}")
    merge(project, "pull: 1 taken, 0 kept\n")
    assert open_conflicts(project) == {}


@pytest.mark.parametrize(
    "trailer",
    [
        "../x " + REV,
        "-x " + REV,
        "backend",
        "backend zz",
        "backend " + REV[:39],
        "backend \x1b[31m",
        f"back end {REV}",
        "",
    ],
)
def test_a_message_from_elsewhere_names_nothing_else(project: Project, trailer: str) -> None:
    merge(project, f"pull\n\nOrbit-Conflict: {trailer}\nOrbit-Conflict: web {REV}\n")
    assert open_conflicts(project) == {"web": REV}


def test_no_history_no_conflicts(world: World) -> None:
    assert open_conflicts(Project(str(world.root))) == {}

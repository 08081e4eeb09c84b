from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from orbit.hosts.sent import Session
from orbit.places import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / ".repos").mkdir()
    return Project(str(tmp_path))


def session(project: Project, name: str = "s1", workspace: str = "task-01") -> Session:
    return Session(project, workspace, name)


def names(project: Project) -> list[str]:
    return sorted(os.listdir(f"{project.cache}/sent"))


def test_a_text_is_claimed_once(project: Project) -> None:
    assert session(project).claim("text")
    assert not session(project).claim("text")
    assert session(project).claim("another text")


def test_sessions_and_workspaces_are_apart(project: Project) -> None:
    assert session(project).claim("text")
    assert session(project, "s2").claim("text")
    assert session(project, workspace="task-02").claim("text")


def test_a_session_forgets_what_is_gone_from_its_context(project: Project) -> None:
    other = session(project, "s2")
    for one in (session(project), other):
        assert one.claim("text")
    session(project).forget()
    assert session(project).claim("text")
    assert not other.claim("text")


def test_the_first_of_a_context(project: Project) -> None:
    assert session(project).claim_first()
    assert not session(project).claim_first()
    session(project).forget()
    assert session(project).claim("text")
    assert not session(project).claim_first(), "the block was the first"


def test_without_an_id_nothing_is_remembered(project: Project) -> None:
    for _ in range(2):
        assert session(project, "").claim("text")
        assert not session(project, "").claim_first()
    session(project, "").forget()
    assert not os.path.exists(project.cache)


@pytest.mark.parametrize("name", ["../../x", "a/b", "x" * 5000, "\x1b[2J", "\ud83d", "-", "*"])
def test_an_id_is_only_data(project: Project, name: str) -> None:
    assert session(project, name).claim("text")
    assert not session(project, name).claim("text")
    assert all(len(entry) < 60 and entry.isascii() for entry in names(project))


def test_without_a_cache_a_block_is_sent_and_a_prompt_is_not(project: Project) -> None:
    Path(project.cache).write_text("")
    for _ in range(2):
        assert session(project).claim("text")
        assert not session(project).claim_first()
    session(project).forget()


def test_the_number_kept_is_bounded(project: Project) -> None:
    for number in range(600):
        assert session(project, f"s{number}").claim("text")
    assert len(names(project)) <= 256
    assert not session(project, "s599").claim("text"), "the newest stay"


def test_of_many_at_once_one_claims(project: Project) -> None:
    for number in range(20):
        gate = threading.Barrier(4)
        won: list[bool] = []

        def claim(text: str, gate: threading.Barrier = gate, won: list[bool] = won) -> None:
            gate.wait()
            won.append(session(project).claim(text))

        threads = [threading.Thread(target=claim, args=(f"text {number}",)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(won) == [False, False, False, True]

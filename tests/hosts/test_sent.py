from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from orbit.hosts.sent import Session, host_process
from orbit.places import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / ".repos").mkdir()
    return Project(str(tmp_path))


def session(project: Project, name: str = "s1", workspace: str = "task-01", process: str = "") -> Session:
    return Session(project, workspace, name, process)


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
    assert session(project).claim_first("start")
    assert not session(project).claim_first("start")
    session(project).forget()
    assert session(project).claim("text")
    assert not session(project).claim_first("start"), "the block was the first"


def test_who_was_the_first(project: Project) -> None:
    assert not session(project).was_first("start")
    assert session(project).claim_first("start")
    assert session(project).was_first("start")
    assert not session(project).was_first("prompt")


def test_what_a_process_was_sent_is_not_known_to_another(project: Project) -> None:
    one, another = session(project, process="12"), session(project, process="123")
    assert one.is_new()
    assert one.claim_first("start")
    assert one.claim("text")
    assert not another.is_new()
    assert another.claim_first("prompt")
    assert another.claim("text")
    one.forget()
    assert not one.is_new(), "forgotten is what it was sent, not that there was one"
    assert not another.claim("text")
    assert one.claim_first("prompt")


@pytest.mark.parametrize("wrapped", ["exec {}", "told=$({}); echo $told"])
def test_the_process_behind_any_wrapper(wrapped: str) -> None:
    ask = f"'{sys.executable}' -c 'from orbit.hosts.sent import host_process; print(host_process())'"
    words = ["sh", "-c", wrapped.format(ask)]
    told = subprocess.run(words, start_new_session=True, capture_output=True, text=True, check=True).stdout
    assert told == f"{os.getpid()}\n"
    assert host_process() == host_process()


def test_what_came_since_is_not_forgotten(project: Project) -> None:
    assert session(project).claim("early")
    os.utime(f"{project.cache}/sent/{names(project)[0]}", ns=(5, 5))
    assert session(project).claim("late")
    session(project).forget(before=1_000_000_000)
    assert session(project).claim("early")
    assert not session(project).claim("late")


def test_without_an_id_nothing_is_remembered(project: Project) -> None:
    for _ in range(2):
        assert session(project, "").claim("text")
        assert not session(project, "").claim_first("start")
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
        assert not session(project).claim_first("start")
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


def test_of_a_start_and_a_prompt_at_once_one_is_the_first(project: Project) -> None:
    for number in range(20):
        gate = threading.Barrier(4)
        won: list[str] = []

        def claim(who: str, name: str = f"s{number}", gate: threading.Barrier = gate, won: list[str] = won) -> None:
            gate.wait()
            if session(project, name).claim_first(who):
                won.append(who)

        threads = [threading.Thread(target=claim, args=(who,)) for who in ("start", "prompt") * 2]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(won) == 1
        assert session(project, f"s{number}").was_first(won[0])

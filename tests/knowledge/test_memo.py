from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cards import BRIEF, card
from looks import unseen
from orbit.errors import OrbitError
from orbit.knowledge import jots, memo
from orbit.knowledge.card import revision
from orbit.knowledge.memo import CardWrite, CardWritten, refresh, repair, write_card
from orbit.places import Project
from orbit.pool.index import IndexEntry, read_index
from orbit.store.document import load
from store.faults import Patched, failing, system_error
from world import World

TEXT = card().encode()
REV = revision(TEXT)


@pytest.fixture
def project(world: World) -> Project:
    world.clone()
    return Project(str(world.root))


def names(notices: object) -> list[str]:
    assert isinstance(notices, (tuple, list))
    return [notice.name for notice in notices]


def row(project: Project, repo: str = "backend") -> IndexEntry | None:
    return read_index(project).entries.get(repo)


def write(project: Project, text: bytes = TEXT, **more: object) -> CardWritten:
    return write_card(project, CardWrite("backend", text, **more))


def head(world: World, repo: str = "backend") -> str:
    return world.git(world.pool / repo, "rev-parse", "HEAD")


def advance(world: World) -> str:
    """One more commit on the pool's branch."""
    world.git(world.pool / "backend", "commit", "-q", "--allow-empty", "-m", "More")
    return head(world)


def popped(project: Project, *entries: tuple[str, int]) -> None:
    """Jots of backend in task-01, each popped at its time; one more waits."""
    os.makedirs(project.workspace("task-01"), exist_ok=True)
    for text, at in entries:
        jots.push(project, "task-01", "backend", text)
        jots.move_to_popped(project, "task-01", "backend", (text,), at)
    jots.push(project, "task-01", "backend", "waiting")


def in_flight(project: Project) -> tuple[str, ...]:
    found = jots.queue_of(load(project.metadata("task-01")).config, "backend")
    assert found.entries == ("waiting",)
    return found.popped


def test_a_card_and_its_row(world: World, project: Project) -> None:
    assert memo.read_card(project, "backend") is None
    written = write(project, b"\xef\xbb\xbf" + TEXT.replace(b"\n", b" \r\n"))
    assert (written.brief, written.revision, written.notices) == (BRIEF, REV, ())
    assert memo.read_card(project, "backend") == TEXT
    assert row(project) == IndexEntry(world.origins["backend"].url, BRIEF, head(world), REV)
    assert sorted(os.listdir(world.pool)) == [".backend.md", ".cards.git", ".orbit", "backend"]


def test_other_rows_and_settings_stay(world: World, project: Project) -> None:
    text = '# mine\n[memo]\n\tmaxLines = 30\n[repos "web"]\n\tbrief = w ; c\n'
    text += '[repos "backend"]\n\thead = old\n\textra = 1\n'
    Path(project.index).write_text(text)
    write(project)
    after = Path(project.index).read_text()
    assert after.startswith(text.replace("old", head(world)))
    assert row(project, "web") == IndexEntry("", "w")


def test_credentials_stay_out_of_the_index(world: World, project: Project) -> None:
    world.git(world.pool / "backend", "config", "remote.origin.url", "https://me:secret@example.com/o/backend")
    write(project)
    assert row(project) == IndexEntry("https://example.com/o/backend", BRIEF, head(world), REV)


def test_an_empty_clone_has_a_card_without_a_head(world: World, project: Project) -> None:
    world.origin("empty", empty=True)
    world.git(world.pool, "clone", "-q", world.origins["empty"].url)
    written = write_card(project, CardWrite("empty", TEXT))
    assert written.notices == ()
    assert row(project, "empty") == IndexEntry(world.origins["empty"].url, BRIEF, "", REV)


@pytest.mark.parametrize("expect", ["", "none", REV, REV[:4], REV[:12].upper()])
def test_a_card_that_is_as_expected_is_written(project: Project, expect: str) -> None:
    if expect != "none":
        write(project)
    write(project, card("Next.").encode(), expect=expect)
    assert memo.read_card(project, "backend") == card("Next.").encode()


@pytest.mark.parametrize(
    ("before", "expect", "message", "hint"),
    [
        (TEXT, "none", "the card changed since none, there is one now, nothing was written", "read it again"),
        (TEXT, "f" * 40, "the card changed since ffffffffffff, nothing was written", "read it again"),
        (None, REV, f"the card changed since {REV[:12]}, it is gone, nothing was written", "read it again"),
        (TEXT, REV[:3], f"{REV[:3]} is no revision, nothing was written", "orbit info backend prints it"),
        (None, "latest", "latest is no revision, nothing was written", "orbit info backend prints it"),
    ],
)
def test_a_card_that_is_not_as_expected(
    project: Project, before: bytes | None, expect: str, message: str, hint: str
) -> None:
    if before:
        write(project, before)
    index = row(project)
    with pytest.raises(OrbitError) as caught:
        write(project, card("Next.").encode(), expect=expect)
    assert (str(caught.value), caught.value.code) == (f"backend: {message}", 1)
    assert caught.value.hint.startswith(hint)
    assert memo.read_card(project, "backend") == before
    assert row(project) == index


@pytest.mark.parametrize("text", [b"", b"a\0", b"\xff", b"# backend\n", b"```\ncode\n```\n", b"x" * 300_000])
def test_a_refused_text_changes_nothing(world: World, project: Project, text: bytes) -> None:
    write(project)
    popped(project, ("a", 1))
    before = Path(project.index).read_bytes()
    with pytest.raises(OrbitError, match=r"^backend: card refused, "):
        write(project, text, workspace="task-01", settle_ms=10)
    assert memo.read_card(project, "backend") == TEXT
    assert Path(project.index).read_bytes() == before
    assert in_flight(project) == ("a",)


@pytest.mark.parametrize("call", ["fsync", "rename", "write"])
def test_a_failed_write_keeps_the_old_card(project: Project, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    write(project)
    popped(project, ("a", 1))
    before = sorted(os.listdir(project.pool))
    monkeypatch.setattr("orbit.store.disk.os", Patched(**{call: failing(call, system_error(errno.ENOSPC))}))
    with pytest.raises(OrbitError) as caught:
        write(project, card("Next.").encode(), workspace="task-01", settle_ms=10)
    assert str(caught.value).endswith(": No space left on device")
    monkeypatch.undo()
    assert memo.read_card(project, "backend") == TEXT
    assert in_flight(project) == ("a",)
    assert sorted(os.listdir(project.pool)) == before


def test_a_card_that_is_a_directory_stays_one(project: Project) -> None:
    os.mkdir(project.card("backend"))
    with pytest.raises(OrbitError, match="cannot be written: Is a directory"):
        write(project)
    with pytest.raises(OrbitError, match="cannot be read: is a directory"):
        write(project, expect="none")
    assert os.path.isdir(project.card("backend"))


def test_an_index_that_cannot_be_written_is_told(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    rename = failing("rename", system_error(errno.ENOSPC), at=2)
    monkeypatch.setattr("orbit.store.disk.os", Patched(rename=rename))
    written = write(project)
    assert [notice.line for notice in written.notices] == [
        "orbit: .repos/.orbit: cannot be used (cannot be written: No space left on device)",
        "orbit: backend: index out of sync with the card: memo backend --refresh",
    ]
    assert memo.read_card(project, "backend") == TEXT
    assert row(project) is None


def test_a_damaged_index_is_kept_and_begun_anew(project: Project) -> None:
    Path(project.index).write_text("[repos\n")
    written = write(project)
    assert names(written.notices) == ["metadata-damaged"]
    (copy,) = Path(project.pool).glob(".orbit.damaged-*")
    assert written.notices[0].line.endswith(f", kept as .repos/{copy.name}")
    assert copy.read_text() == "[repos\n"
    assert row(project) is not None


def test_a_workspace_settles_what_was_popped_before(project: Project) -> None:
    popped(project, ("early", 100), ("late", 101))
    write(project, settle_ms=1000)
    assert in_flight(project) == ("early", "late")
    written = write(project, workspace="task-01", settle_ms=100)
    assert [notice.line for notice in written.notices] == ["orbit: backend: 1 popped jots settled by this card"]
    assert in_flight(project) == ("late",)
    assert write(project, workspace="task-01", settle_ms=100).notices == ()
    assert in_flight(project) == ("late",)


def test_other_queues_are_not_settled(project: Project) -> None:
    popped(project, ("a", 1))
    os.mkdir(project.workspace("task-02"))
    assert write(project, workspace="task-02", settle_ms=10).notices == ()
    write_card(project, CardWrite("web", TEXT, workspace="task-01", settle_ms=10))
    assert in_flight(project) == ("a",)
    assert os.listdir(project.workspace("task-02")) == []


@pytest.mark.parametrize("damage", ["[jot", None])
def test_settling_that_fails_is_told(project: Project, damage: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    popped(project, ("a", 1))
    if damage:
        Path(project.metadata("task-01")).write_text(damage)
        reason = "line 1: bad section header"
    else:
        rename = failing("rename", system_error(errno.EROFS), at=3)
        monkeypatch.setattr("orbit.store.disk.os", Patched(rename=rename))
        reason = "cannot be written: Read-only file system"
    written = write(project, workspace="task-01", settle_ms=10)
    assert [notice.line for notice in written.notices] == [f"orbit: task-01/.orbit: cannot be used ({reason})"]
    assert memo.read_card(project, "backend") == TEXT
    if damage:
        assert os.listdir(project.workspace("task-01")) == [".orbit"]
    else:
        assert in_flight(project) == ("a",)


def test_what_a_write_tells(project: Project) -> None:
    assert [notice.line for notice in write(project, card(paths=16).encode()).notices] == [
        "orbit: backend: memo over budget, 21 of 16 lines: curate once, then memo backend"
    ]
    assert write(project, card(paths=15).encode()).notices == ()
    before = revision(card(paths=15).encode())[:12]
    assert [notice.line for notice in write(project, b"It stores orders. TODO\n").notices] == [
        f"orbit: backend: the card went from 20 to 1 lines: memo backend --restore {before}",
        "orbit: backend: 1 placeholders left (TODO), no section 'When to add', no section 'How to use': "
        "memo backend --check",
    ]
    Path(project.index).write_text("[memo]\n\tmaxLines = many\n")
    assert [notice.line for notice in write(project).notices] == [
        "orbit: config: memo.maxLines = many is not valid, using 16: config memo.maxLines VALUE"
    ]


def test_a_refresh_records_card_and_head(world: World, project: Project) -> None:
    write(project)
    popped(project, ("a", 1))
    new = advance(world)
    edited = card("Edited by hand.").encode()
    Path(project.card("backend")).write_bytes(edited)
    before = os.stat(project.card("backend"))
    assert refresh(project, "backend") == ("Edited by hand.", ())
    assert row(project) == IndexEntry(world.origins["backend"].url, "Edited by hand.", new, revision(edited))
    assert os.stat(project.card("backend")) == before
    assert in_flight(project) == ("a",)


def test_a_refresh_of_a_card_without_a_brief(project: Project) -> None:
    write(project)
    Path(project.card("backend")).write_bytes(b"")
    assert refresh(project, "backend") == ("", ())
    found = row(project)
    assert found is not None
    assert (found.brief, found.card) == ("", revision(b""))


def test_refusals_of_a_refresh(project: Project) -> None:
    with pytest.raises(OrbitError) as caught:
        refresh(project, "backend")
    assert (str(caught.value), caught.value.hint) == (
        "backend: no memo to refresh",
        "write one with: orbit memo backend",
    )
    write(project)
    before = Path(project.index).read_bytes()
    with pytest.raises(OrbitError, match=r"the card changed since f{12}, nothing was written"):
        refresh(project, "backend", "f" * 40)
    assert Path(project.index).read_bytes() == before


def test_a_repair_makes_rows_match(world: World, project: Project) -> None:
    world.clone("web")
    world.clone("bare")
    write(project)
    kept = head(world)
    assert repair(project) == (2, ())
    assert row(project, "web") == IndexEntry(world.origins["web"].url, "", head(world, "web"), "")
    assert repair(project) == (0, ())
    advance(world)
    edited = card("Edited by hand.").encode()
    Path(project.card("backend")).write_bytes(edited)
    world.git(world.pool / "web", "config", "remote.origin.url", "https://example.com/web")
    assert repair(project) == (2, ())
    assert row(project) == IndexEntry(world.origins["backend"].url, "Edited by hand.", kept, revision(edited))
    assert row(project, "web") == IndexEntry("https://example.com/web", "", head(world, "web"), "")
    assert repair(project) == (0, ())


@pytest.mark.parametrize("state", ["missing", "damaged"])
def test_a_repair_of_a_lost_index_knows_no_head_of_a_card(world: World, project: Project, state: str) -> None:
    world.clone("web")
    write(project)
    if state == "missing":
        os.unlink(project.index)
    else:
        Path(project.index).write_text("[repos")
    count, notices = repair(project)
    assert (count, names(notices)) == (2, ["metadata-damaged"] if state == "damaged" else [])
    assert row(project) == IndexEntry(world.origins["backend"].url, BRIEF, "", REV)
    assert row(project, "web") == IndexEntry(world.origins["web"].url, "", head(world, "web"), "")
    assert repair(project) == (0, ())


def test_a_repair_ends(world: World, project: Project) -> None:
    """What cannot be told leaves the row as it is, and is no change the next time."""
    write(project)
    world.git(world.pool / "backend", "remote", "remove", "origin")
    Path(project.card("backend")).write_bytes(b"")
    known = row(project)
    assert known is not None
    assert repair(project) == (1, ())
    assert row(project) == known.replace(brief="", card=revision(b""))
    assert repair(project) == (0, ())


def test_a_repair_passes_over_what_it_cannot_read(world: World, project: Project) -> None:
    world.clone("web")
    os.mkdir(project.card("backend"))
    count, notices = repair(project)
    assert (count, [notice.line for notice in notices]) == (
        1,
        ["orbit: .repos/.backend.md: cannot be used (is a directory)"],
    )


def test_a_repair_leaves_a_row_that_was_written_meanwhile(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    write(project)
    Path(project.card("backend")).write_bytes(card("Edited by hand.").encode())

    def after_a_writer(*arguments: object, **named: object) -> None:
        """The repair has read everything and is about to lock the index."""
        monkeypatch.undo()
        write(project, card("New.").encode())
        os.link(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr("orbit.store.lock.os", Patched(link=after_a_writer))
    assert repair(project) == (0, ())
    found = row(project)
    assert found is not None
    assert (found.brief, found.card) == ("New.", revision(card("New.").encode()))


def test_a_lock_left_behind_is_told(project: Project) -> None:
    dies = "import os, sys; from orbit.store.lock import FileLock; FileLock(sys.argv[1]).__enter__(); os._exit(0)"
    subprocess.run([sys.executable, "-c", dies, project.card("backend")], check=True)
    assert names(write(project).notices) == ["stale-lock-removed"]
    subprocess.run([sys.executable, "-c", dies, project.card("backend")], check=True)
    assert names(refresh(project, "backend")[1]) == ["stale-lock-removed"]
    assert sorted(os.listdir(project.pool)) == [".backend.md", ".cards.git", ".orbit", "backend"]


def test_a_history_that_cannot_be_looked_at_does_not_stop_the_write(world: World) -> None:
    world.clone()
    assert world.orbit("memo", "backend", "--text", card()).code == 0
    with unseen(world.pool / ".cards.git" / "HEAD"):
        done = world.orbit("memo", "backend", "--text", card("Another."))
    assert (done.code, "not kept in the history (cannot be looked at: Input/output error)" in done.err) == (0, True)
    assert "Another." in (world.pool / ".backend.md").read_text()

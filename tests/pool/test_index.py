"""The index: a cache in git-config format that other programs may write too, and that may be damaged in any way."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orbit.errors import OrbitError
from orbit.places import Project
from orbit.pool.index import (
    IndexEntry,
    change_settings,
    clone_url,
    read_index,
    rebuild,
    record_entries,
    record_entry,
)
from orbit.store.lock import FileLock
from orbit.store.syntax import Set
from world import World, run_git

GONE = 2**31 - 1  # above every process id
ENTRY = IndexEntry(url="https://example.com/r.git", brief="What it is", head="1" * 40, card="2" * 40)


@pytest.fixture
def project(world: World) -> Project:
    return Project(str(world.root))


@pytest.fixture
def index(world: World) -> Path:
    return world.pool / ".orbit"


def git_config(index: Path, *args: str) -> str:
    return run_git(index.parent, "config", "--file", str(index), *args)


def damaged_copies(index: Path) -> list[Path]:
    return sorted(index.parent.glob(".orbit.damaged-*"))


def test_what_is_recorded_is_read_back_and_read_by_git(project: Project, index: Path) -> None:
    assert record_entry(project, "backend", ENTRY) == []
    read = read_index(project)
    assert read.entries == {"backend": ENTRY}
    assert (read.state, read.notices, read.damage) == ("ok", (), "")
    assert git_config(index, "--get-regexp", r"repos\.") == (
        "repos.backend.url https://example.com/r.git\n"
        "repos.backend.brief What it is\n"
        f"repos.backend.head {'1' * 40}\n"
        f"repos.backend.card {'2' * 40}"
    )


def test_what_git_writes_is_read(project: Project, index: Path) -> None:
    git_config(index, "repos.Back.end.url", "git@example.com:r")
    git_config(index, "repos.Back.end.brief", 'a "quoted"; brief # with \\ and \ttab ')
    git_config(index, "MEMO.maxlines", "20")
    read = read_index(project)
    assert read.entries == {
        "Back.end": IndexEntry(url="git@example.com:r", brief='a "quoted"; brief # with \\ and \ttab ')
    }
    assert read.settings.number("memo.maxLines") == 20


def test_git_and_orbit_change_the_same_file_in_turn(project: Project, index: Path) -> None:
    record_entry(project, "backend", ENTRY)
    git_config(index, "repos.backend.brief", "by git")
    git_config(index, "--add", "other.key", "one")
    git_config(index, "--add", "other.key", "two")
    record_entry(project, "frontend", IndexEntry(url="u"))
    git_config(index, "--unset", "repos.backend.card")
    record_entry(project, "backend", IndexEntry(head="3" * 40))
    assert git_config(index, "--get-all", "other.key") == "one\ntwo"
    assert read_index(project).entries == {
        "backend": IndexEntry(ENTRY.url, "by git", "3" * 40),
        "frontend": IndexEntry(url="u"),
    }


def test_only_what_changes_is_touched(project: Project, index: Path) -> None:
    text = (
        '# written by hand\n[repos "backend"]\n\turl = old ; a comment\n\tmine = kept\n'
        '[unknown]\n\tkey\n[unknown "x"]\n\tkey = 1\n[Memo]\n\tMaxLines = 20\n'
    )
    index.write_text(text)
    record_entry(project, "backend", IndexEntry(url="new"))
    assert index.read_text() == text.replace("url = old", "url = new")
    change_settings(project, (Set("memo", None, "maxLines", ("30",)),))
    assert index.read_text() == text.replace("url = old", "url = new").replace("MaxLines = 20", "MaxLines = 30")


def test_an_unchanged_row_is_not_written(project: Project, index: Path) -> None:
    record_entry(project, "backend", ENTRY)
    before = index.stat()
    record_entry(project, "backend", ENTRY)
    assert index.stat().st_ino == before.st_ino


names = st.text("abcXYZ019._-", min_size=1, max_size=12)
values = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), min_size=1, max_size=30)
rows = st.dictionaries(names, st.builds(IndexEntry, values, values, values, values), max_size=5)


@settings(max_examples=30)
@given(rows)
def test_any_value_survives(tmp_path_factory: pytest.TempPathFactory, entries: dict[str, IndexEntry]) -> None:
    project = Project(str(tmp_path_factory.getbasetemp() / "any value"))
    os.makedirs(project.pool, exist_ok=True)
    record_entries(project, entries)
    assert read_index(project).entries == entries
    if os.path.exists(project.index):
        os.unlink(project.index)


def directory(index: Path) -> str:
    index.mkdir()
    (index / "inside").write_text("x")
    return "is a directory"


def truncated(index: Path) -> str:
    index.write_text('[memo]\n\tmaxLines = 20\n[repos "back')
    return "line 3: "


def binary(index: Path) -> str:
    index.write_bytes(bytes(range(256)))
    return "line 1: "


def not_a_file(index: Path) -> str:
    os.mkfifo(index)
    return "is not a regular file"


DAMAGES = [directory, truncated, binary, not_a_file]


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_empty_and_told_when_read(project: Project, index: Path, damage: Callable[[Path], str]) -> None:
    reason = damage(index)
    read = read_index(project)
    assert (read.state, read.entries) == ("damaged", {})
    assert read.settings.number("memo.maxLines") == 16
    (notice,) = read.notices
    assert notice.line.startswith(f"orbit: .repos/.orbit: cannot be used ({reason}")
    assert damaged_copies(index) == []


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_kept_beside_the_new_one(
    project: Project, index: Path, damage: Callable[[Path], str]
) -> None:
    damage(index)
    before = index.read_bytes() if index.is_file() else b""
    (notice,) = record_entry(project, "backend", ENTRY)
    (copy,) = damaged_copies(index)
    assert notice.line == (f"orbit: .repos/.orbit: cannot be used (damaged, begun anew), kept as .repos/{copy.name}")
    assert before == (copy.read_bytes() if copy.is_file() else b"")
    assert read_index(project).entries == {"backend": ENTRY}
    assert index.is_file()


@pytest.mark.parametrize(
    "content", [b"", b"\n\n", b"# only a comment\n", b"\xef\xbb\xbf[memo]\n", b"[memo]\r\n\tminLines = 5\r\n"]
)
def test_what_git_reads_is_no_damage(project: Project, index: Path, content: bytes) -> None:
    index.write_bytes(content)
    assert read_index(project).state == "ok"
    record_entry(project, "backend", ENTRY)
    assert index.read_bytes().startswith(content)
    assert read_index(project).entries == {"backend": ENTRY}


def test_missing_is_no_damage(project: Project, index: Path) -> None:
    read = read_index(project)
    assert (read.state, read.notices, read.entries) == ("missing", (), {})


def test_a_bad_setting_is_told_and_the_default_used(project: Project, index: Path) -> None:
    index.write_text('[memo]\n\tminLines = many\n[repos "backend"]\n\turl = u\n')
    read = read_index(project)
    assert read.entries == {"backend": IndexEntry(url="u")}
    assert [notice.line for notice in read.notices] == [
        "orbit: config: memo.minLines = many is not valid, using 4: config memo.minLines VALUE"
    ]


def test_an_index_behind_a_link_stays_behind_it(world: World, project: Project, index: Path) -> None:
    real = world.base / "elsewhere"
    real.write_text("[other]\n\tkey = 1\n")
    index.symlink_to(real)
    record_entry(project, "backend", ENTRY)
    assert index.is_symlink()
    assert git_config(real, "other.key") == "1"
    assert read_index(project).entries == {"backend": ENTRY}


def test_a_lock_of_a_dead_process_is_removed_and_told(project: Project, index: Path) -> None:
    lock = index.with_name(".orbit.lock")
    with FileLock(str(index)):
        words = lock.read_text().split()
    words[4] = str(GONE)
    lock.write_text(" ".join(words) + "\n")
    (notice,) = record_entry(project, "backend", ENTRY)
    assert notice.line == f"orbit: lock: removed {lock}, left by process {GONE} that no longer runs"
    assert read_index(project).entries == {"backend": ENTRY}
    assert not lock.exists()


def test_a_lock_that_is_held_is_waited_for(project: Project, index: Path) -> None:
    """git's own lock has no owner that could be asked; the row is written when it goes."""
    lock = index.with_name(".orbit.lock")
    lock.touch()
    writing = threading.Thread(target=record_entry, args=(project, "backend", ENTRY))
    writing.start()
    writing.join(timeout=0.1)
    assert writing.is_alive()
    assert not index.exists()
    lock.unlink()
    writing.join(timeout=20)
    assert read_index(project).entries == {"backend": ENTRY}


def test_many_writers_lose_nothing(project: Project) -> None:
    wanted = {f"r{number}": IndexEntry(url=f"u{number}") for number in range(12)}
    threads = [threading.Thread(target=record_entry, args=(project, name, row)) for name, row in wanted.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert read_index(project).entries == wanted


def cannot_be_replaced(index: Path) -> str:
    index.with_name(".orbit.new").mkdir()
    return "cannot be written: "


def cannot_be_locked(index: Path) -> str:
    """As in a directory where nothing can be made."""
    index.unlink(missing_ok=True)
    index.symlink_to("/nowhere/index")
    return "cannot be locked: No such file or directory"


OBSTACLES = [cannot_be_replaced, cannot_be_locked]


@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_a_write_that_fails_is_an_error(project: Project, index: Path, obstacle: Callable[[Path], str]) -> None:
    reason = obstacle(index)
    with pytest.raises(OrbitError) as caught:
        record_entry(project, "frontend", ENTRY)
    assert caught.value.context == str(index)
    assert caught.value.message.startswith(reason)


def test_a_write_that_fails_leaves_the_old_rows(project: Project, index: Path) -> None:
    record_entry(project, "backend", ENTRY)
    cannot_be_replaced(index)
    with pytest.raises(OrbitError):
        record_entry(project, "frontend", ENTRY)
    assert read_index(project).entries == {"backend": ENTRY}


def test_the_url_for_people_has_no_secret(world: World, project: Project) -> None:
    world.git(world.clone(), "remote", "set-url", "origin", "https://user:token@example.com/r.git")
    assert clone_url(project, "backend") == "https://example.com/r.git"


def rebuilt(project: Project) -> tuple[dict[str, IndexEntry], list[str]]:
    """What comes back of a rebuild with one card known, and what is told."""
    cards = {"backend": IndexEntry(brief="From the card", card="2" * 40)}
    made = rebuild(project, read_index(project), ["backend", "frontend"], cards)
    return dict(made.entries), [notice.line for notice in made.notices]


@pytest.mark.parametrize("damage", [None, *DAMAGES])
def test_rebuilt_from_clones_and_cards(
    world: World, project: Project, index: Path, damage: Callable[[Path], str] | None
) -> None:
    backend, frontend = world.clone(), world.clone("frontend")
    world.git(frontend, "remote", "set-url", "origin", "https://user:token@example.com/r.git")
    reason = damage(index) if damage else ""
    entries, told = rebuilt(project)
    assert entries == {
        "backend": IndexEntry(
            url=world.git(backend, "config", "remote.origin.url"), brief="From the card", card="2" * 40
        ),
        "frontend": IndexEntry(url="https://example.com/r.git"),
    }
    assert read_index(project).entries == entries
    assert told[-1] == "orbit: index: rebuilt from 2 clones"
    if damage:
        (copy,) = damaged_copies(index)
        assert told[0].startswith(f"orbit: .repos/.orbit: cannot be used ({reason}")
        assert told[0].endswith(f"), kept as .repos/{copy.name}")
    assert len(told) == (2 if damage else 1)


@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_a_rebuild_that_cannot_be_written_serves_all_the_same(
    world: World, project: Project, index: Path, obstacle: Callable[[Path], str]
) -> None:
    world.clone()
    world.clone("frontend")
    obstacle(index)
    entries, told = rebuilt(project)
    assert set(entries) == {"backend", "frontend"}
    assert told == ["orbit: index: rebuilt from 2 clones (not written)"]
    assert not index.exists()


def test_a_rebuild_keeps_what_somebody_else_wrote_meanwhile(world: World, project: Project) -> None:
    world.clone()
    world.clone("frontend")
    missing = read_index(project)
    record_entry(project, "backend", IndexEntry(head="3" * 40))
    rebuild(project, missing, ["backend", "frontend"], {})
    assert read_index(project).entries["backend"].head == "3" * 40

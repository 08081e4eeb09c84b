from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from orbit.store import fulltext as module
from orbit.store.fulltext import FILE, Documents, Text, scores

POOL = {"one": "apple pear", "two": "apple plum", "three": "cherry", "four": "fig"}
EVEN = (1.0, 1.0, 1.0)


def ask(directory: Path, expression: str = '"apple"', pool: dict[str, str] | None = None) -> dict[str, float] | None:
    texts = POOL if pool is None else pool
    documents = Documents(dict(texts), lambda name: Text(name, texts[name], ""))
    answers = scores(str(directory), documents, [expression], EVEN)
    return None if answers is None else answers[0]


def stored(directory: Path) -> list[str]:
    connection = sqlite3.connect(directory / FILE)
    try:
        return sorted(name for (name,) in connection.execute("SELECT name FROM words"))
    finally:
        connection.close()


def test_what_matches_and_how_well(tmp_path: Path) -> None:
    texts = {"a": Text("fig", "", ""), "b": Text("", "fig", ""), "c": Text("", "", "fig")}
    texts |= {str(number): Text("x", "y", "z") for number in range(5)}
    documents = Documents(dict.fromkeys(texts, "1"), texts.__getitem__)
    answers = scores(str(tmp_path), documents, ['"fig"', '"x" OR "fig"', '"none"', '""', '"f"*'], (8.0, 4.0, 1.0))
    assert answers is not None
    fig, either, none, empty, begun = answers
    assert sorted(fig, key=lambda name: -fig[name]) == ["a", "b", "c"]
    assert all(score > 0 for score in fig.values())
    assert set(either) == set(texts)
    assert (none, empty, begun) == ({}, {}, fig)
    assert scores(str(tmp_path), documents, [], EVEN) == []


def test_the_file_follows_what_is_wanted(tmp_path: Path) -> None:
    assert set(ask(tmp_path) or ()) == {"one", "two"}
    changed = {"one": "fig", "two": "apple plum", "new": "apple"}
    assert set(ask(tmp_path, pool=changed) or ()) == {"two", "new"}
    assert stored(tmp_path) == ["new", "one", "two"]
    assert ask(tmp_path, pool={}) == {}
    assert stored(tmp_path) == []


def test_nothing_is_written_when_nothing_changed(tmp_path: Path) -> None:
    ask(tmp_path)
    os.utime(tmp_path / FILE, (1000, 1000))
    ask(tmp_path)
    assert (tmp_path / FILE).stat().st_mtime == 1000


def a_cut_file(path: Path) -> None:
    ask(path.parent)
    os.truncate(path, 9000)


def a_scribbled_file(path: Path) -> None:
    ask(path.parent)
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))


def another_shape(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE document (something TEXT)")
    connection.execute("PRAGMA user_version = 1")
    connection.close()


def without_its_words(path: Path) -> None:
    ask(path.parent)
    connection = sqlite3.connect(path)
    connection.execute("DROP TABLE words")
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"no database\n" * 500),
        a_cut_file,
        a_scribbled_file,
        another_shape,
        without_its_words,
    ],
)
def test_a_damaged_file_changes_no_answer_and_is_made_again(tmp_path: Path, damage: Callable[[Path], object]) -> None:
    expected = ask(tmp_path / "whole")
    damage(tmp_path / FILE)
    assert ask(tmp_path) == pytest.approx(expected)
    assert ask(tmp_path) == pytest.approx(expected)
    assert stored(tmp_path) == sorted(POOL)


@pytest.mark.parametrize("obstacle", [lambda path: path.mkdir(), os.mkfifo, lambda path: path.symlink_to("/no/where")])
def test_something_else_in_its_place_is_left_alone(tmp_path: Path, obstacle: Callable[[Path], object]) -> None:
    obstacle(tmp_path / FILE)
    before = (tmp_path / FILE).lstat()
    assert set(ask(tmp_path) or ()) == {"one", "two"}
    assert (tmp_path / FILE).lstat().st_ino == before.st_ino


def test_a_place_that_is_no_directory(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file\n")
    for place in (tmp_path / "cache", tmp_path / "cache" / "below", Path("/proc/nowhere")):
        assert set(ask(place) or ()) == {"one", "two"}
    assert (tmp_path / "cache").read_text() == "a file\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_without_permission(tmp_path: Path) -> None:
    ask(tmp_path)
    (tmp_path / FILE).chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        assert set(ask(tmp_path) or ()) == {"one", "two"}
        assert set(ask(tmp_path, pool=POOL | {"five": "apple"}) or ()) == {"one", "two", "five"}
    finally:
        tmp_path.chmod(0o755)
    assert stored(tmp_path) == sorted(POOL)


@pytest.mark.parametrize("lock", ["BEGIN EXCLUSIVE", "BEGIN IMMEDIATE"])
def test_a_locked_file_is_gone_without_soon(tmp_path: Path, lock: str) -> None:
    ask(tmp_path)
    holder = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    holder.execute(lock)
    begun = time.monotonic()
    assert set(ask(tmp_path, pool=POOL | {"five": "apple"}) or ()) == {"one", "two", "five"}
    assert time.monotonic() - begun < 2
    holder.execute("ROLLBACK")
    holder.close()
    assert stored(tmp_path) == sorted(POOL)


def test_builders_side_by_side(tmp_path: Path) -> None:
    """Each sees a slightly other pool; every answer is that of its own."""
    answers: dict[int, set[str]] = {}

    def build(number: int) -> None:
        pool = POOL | {f"own-{number}": "apple"}
        for _ in range(5):
            answers[number] = set(ask(tmp_path, pool=pool) or ())

    threads = [threading.Thread(target=build, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {number: {"one", "two", f"own-{number}"} for number in range(6)}
    assert set(ask(tmp_path) or ()) == {"one", "two"}
    assert stored(tmp_path) == sorted(POOL)


def test_a_builder_killed_half_way_leaves_a_whole_file(tmp_path: Path) -> None:
    script = (
        "import os, sys\n"
        "from orbit.store import fulltext as f\n"
        "f._make_tables = lambda connection: (connection.execute('CREATE TABLE half (x)'), os._exit(9))\n"
        "f.scores(sys.argv[1], f.Documents({'a': '1'}, lambda n: f.Text(n, 'apple', '')), (), (1.0, 1.0, 1.0))\n"
    )
    assert subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=False).returncode == 9
    assert set(ask(tmp_path) or ()) == {"one", "two"}
    assert stored(tmp_path) == sorted(POOL)


def test_without_fts5_or_sqlite_there_is_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MODULE", "no_such_module")
    assert ask(tmp_path) is None
    for name in ("sqlite3", "_sqlite3"):
        monkeypatch.setitem(sys.modules, name, None)
    assert ask(tmp_path) is None


def test_it_grows_with_the_pool_and_not_with_the_changes(tmp_path: Path) -> None:
    ask(tmp_path, pool={f"r{n}": "apple pear plum " * 20 for n in range(50)})
    size = (tmp_path / FILE).stat().st_size
    for turn in range(40):
        ask(tmp_path, pool={f"r{n}": f"apple pear plum turn{turn} " * 20 for n in range(50)})
    assert (tmp_path / FILE).stat().st_size < 6 * size

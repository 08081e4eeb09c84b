from __future__ import annotations

import os
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from orbit.store import cache as module
from orbit.store.cache import Cache, is_sound
from reliability.queries import queries

FILE = "orbit-1.sqlite"


@contextmanager
def opened(directory: Path) -> Iterator[Cache]:
    cache = Cache(str(directory))
    try:
        yield cache
    finally:
        cache.close()


def stored(directory: Path, kind: str = "kind") -> dict[str, str]:
    with opened(directory) as cache:
        return cache.get(kind)


def store(directory: Path, **entries: str) -> None:
    with opened(directory) as cache:
        cache.put("kind", entries)


def database(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_what_one_call_keeps_the_next_one_finds(tmp_path: Path) -> None:
    store(tmp_path, a="1", b="zwei ü\n2", c="")
    store(tmp_path, a="one")
    with opened(tmp_path) as cache:
        assert cache.get("kind") == {"a": "one", "b": "zwei ü\n2", "c": ""}
        assert cache.get("other") == {}
        assert cache.look_up("kind", ("b", "c", "nothing")) == {"b": "zwei ü\n2", "c": ""}
        assert cache.look_up("other", ("b",)) == {}
        cache.put("kind", {"d": "4"})
        assert cache.look_up("kind", ("d",)) == {"d": "4"}


def test_asking_makes_nothing(tmp_path: Path) -> None:
    directory = tmp_path / "cache"
    with opened(directory) as cache:
        assert cache.get("kind") == {}
        assert cache.look_up("kind", ("a",)) == {}
        cache.put("kind", {})
    assert not directory.exists()


def a_dangling_link(path: Path) -> None:
    path.symlink_to(path.parent / "nothing" / "there")


def a_cut_database(path: Path) -> None:
    store(path.parent, **{f"key-{number}": "value" * 50 for number in range(200)})
    os.truncate(path, 5000)


def an_older_shape(path: Path) -> None:
    database(path, "CREATE TABLE entry (name TEXT, value TEXT)", "INSERT INTO entry VALUES ('a', 'b')")


def text_that_is_none(path: Path) -> None:
    database(path, module._TABLE, "INSERT INTO entry VALUES ('kind', 'a', CAST(x'ff' AS TEXT))")


HEALED: list[Callable[[Path], object]] = [
    lambda path: path.write_bytes(b""),
    lambda path: path.write_bytes(b"not a database\n" * 500),
    lambda path: path.write_bytes(b"SQLite format 3\0" + b"\xff" * 4080),
    a_cut_database,
    an_older_shape,
    text_that_is_none,
]


@pytest.mark.parametrize("damage", HEALED)
def test_a_damaged_file_is_empty_and_then_made_again(tmp_path: Path, damage: Callable[[Path], object]) -> None:
    damage(tmp_path / FILE)
    with opened(tmp_path) as cache:
        assert cache.look_up("kind", ("a", "key-150")) == {}
        assert cache.get("kind") == {}
        cache.put("kind", {"a": "1"})
    store(tmp_path, b="2")
    assert stored(tmp_path)["b"] == "2"


def test_values_that_are_no_text_are_passed_over(tmp_path: Path) -> None:
    database(
        tmp_path / FILE,
        module._TABLE,
        "INSERT INTO entry VALUES ('kind', 'blob', x'0102'), ('kind', 'null', NULL), ('kind', 'good', 'yes')",
    )
    with opened(tmp_path) as cache:
        assert cache.get("kind") == {"good": "yes"}
        assert cache.look_up("kind", ("blob", "null", "good")) == {"good": "yes"}


@pytest.mark.parametrize("obstacle", [lambda path: path.mkdir(), a_dangling_link, os.mkfifo])
def test_something_else_in_its_place_is_left_alone(tmp_path: Path, obstacle: Callable[[Path], object]) -> None:
    path = tmp_path / FILE
    obstacle(path)
    before = path.lstat()
    store(tmp_path, a="1")
    assert stored(tmp_path) == {}
    assert (path.lstat().st_mode, path.lstat().st_ino) == (before.st_mode, before.st_ino)


def test_a_place_that_is_no_directory(tmp_path: Path) -> None:
    place = tmp_path / "cache"
    place.write_text("a file\n")
    store(place, a="1")
    assert stored(place) == {}
    store(place / "below", a="1")
    assert place.read_text() == "a file\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_without_permission(tmp_path: Path) -> None:
    store(tmp_path, a="1")
    (tmp_path / FILE).chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        store(tmp_path, b="2")
        assert stored(tmp_path) == {"a": "1"}
    finally:
        tmp_path.chmod(0o755)


def test_a_locked_cache_is_gone_without_soon(tmp_path: Path) -> None:
    store(tmp_path, a="1")
    holder = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    begun = time.monotonic()
    with opened(tmp_path) as cache:
        assert cache.get("kind") == {}
        assert cache.look_up("kind", ("a",)) == {}
        cache.put("kind", {"b": "2"})
    assert time.monotonic() - begun < 2
    holder.execute("ROLLBACK")
    holder.close()
    assert stored(tmp_path) == {"a": "1"}


def test_writers_side_by_side_lose_nothing(tmp_path: Path) -> None:
    threads = [threading.Thread(target=store, args=(tmp_path,), kwargs={f"k{n}": str(n)}) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert stored(tmp_path) == {f"k{n}": str(n) for n in range(8)}


def test_half_a_character_is_not_kept(tmp_path: Path) -> None:
    store(tmp_path, a="1")
    store(tmp_path, b="\udcff")
    assert stored(tmp_path) == {"a": "1"}


def test_a_python_without_sqlite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store(tmp_path, a="1")
    for name in ("sqlite3", "_sqlite3"):
        monkeypatch.setitem(sys.modules, name, None)
    store(tmp_path, b="2")
    assert stored(tmp_path) == {}


def test_it_does_not_grow_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_ENTRIES", 2)
    store(tmp_path, a="1", b="2", c="3")
    with opened(tmp_path) as cache:
        cache.put("other", {"z": "26"})
    store(tmp_path, d="4")
    assert stored(tmp_path) == {"d": "4"}
    assert stored(tmp_path, "other") == {"z": "26"}


@pytest.mark.parametrize("name", ["a?b", "a#b", "%41", "a?mode=memory", "ü ☃", "a//b", "\udcff"])
def test_a_checkup_reads_a_cache_in_an_odd_place(tmp_path: Path, name: str) -> None:
    """What SQLite opens for reading only is named by a URI."""
    directory = f"{tmp_path}/{name}"
    database_file = Path(directory, FILE)
    with opened(Path(directory)) as cache:
        cache.put("kind", {"a": "1"})
        assert cache.get("kind") == {"a": "1"}
    assert is_sound(directory)
    content = database_file.read_bytes()
    database_file.write_bytes(content[:100] + b"x" * (len(content) - 100))
    assert not is_sound(directory)
    assert os.listdir(tmp_path) == [name.split("/")[0]]


def test_no_memory_for_the_cache_is_no_cache(tmp_path: Path) -> None:
    """SQLite's lack of it comes as Python's own error."""
    store(tmp_path, a="1")
    with queries() as counted:
        assert stored(tmp_path) == {"a": "1"}
    for number in range(1, len(counted.log) + 1):
        with queries(number, "out of memory"):
            assert stored(tmp_path) in ({}, {"a": "1"})
    with queries(1, "out of memory"):
        assert is_sound(str(tmp_path))
    assert stored(tmp_path) == {"a": "1"}

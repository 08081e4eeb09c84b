from __future__ import annotations

import os
from pathlib import Path

import pytest

from orbit.errors import OrbitError
from orbit.hosts import source
from orbit.hosts.source import PACKAGED, data_directory, drop_tree, is_current, tree_digest, tree_files, tree_place
from reliability.operations import operations


def test_where_it_lies() -> None:
    assert data_directory({"HOME": "/h"}) == "/h/.local/share/orbit/hosts"
    assert data_directory({"HOME": "/h", "XDG_DATA_HOME": "/d"}) == "/d/orbit/hosts"
    assert data_directory({"HOME": "/h", "XDG_DATA_HOME": "relative"}) == "/h/.local/share/orbit/hosts"
    with pytest.raises(OrbitError, match="HOME is not set"):
        data_directory({})


def test_the_package_carries_the_tree() -> None:
    files = tree_files(PACKAGED)
    assert {".claude-plugin/plugin.json", "gemini-extension.json", "opencode/orbit.ts"} <= set(files)


def test_it_is_written_whole_and_replaced_whole(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path)}
    assert not is_current(env)
    source.write_tree(env)
    assert is_current(env)
    place = Path(tree_place(env))
    (place / "left-over").write_text("of an older version")
    (place / "gemini-extension.json").unlink()
    assert not is_current(env)
    source.write_tree(env)
    assert tree_files(str(place)) == tree_files(PACKAGED)
    assert os.listdir(place.parent) == ["tree"]


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / ".local").write_text("a file")
    with pytest.raises(OrbitError, match="cannot be written"):
        source.write_tree({"HOME": str(tmp_path)})


def test_names_and_contents_both_count(tmp_path: Path) -> None:
    assert tree_digest(str(tmp_path)) == ""
    (tmp_path / "a").write_text("bc")
    first = tree_digest(str(tmp_path))
    (tmp_path / "a").write_text("bd")
    second = tree_digest(str(tmp_path))
    (tmp_path / "a").rename(tmp_path / "b")
    assert len({first, second, tree_digest(str(tmp_path))}) == 3


def test_what_goes_with_it_and_what_stays(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path)}
    source.write_tree(env)
    drop_tree(env)
    assert not (tmp_path / ".local/share/orbit").exists()
    assert (tmp_path / ".local/share").is_dir()
    source.write_tree(env)
    (tmp_path / ".local/share/orbit/mine").write_text("x")
    drop_tree(env)
    assert os.listdir(tmp_path / ".local/share/orbit") == ["mine"]


def test_a_rename_that_fails_leaves_the_old_tree_in_its_place(tmp_path: Path) -> None:
    """Some hosts read it where it lies."""
    env = {"HOME": str(tmp_path)}
    source.write_tree(env)
    place = Path(tree_place(env))
    (place / "older").write_text("of an older version")
    with operations() as counted:
        source.write_tree(env)
    (place / "older").write_text("of an older version")
    entry = counted.log.index(f"rename {place}.new")
    with operations(entry + 1), pytest.raises(OrbitError, match="cannot be written"):
        source.write_tree(env)
    assert (place / "older").exists()
    assert os.listdir(place.parent) == ["tree"]


def test_what_a_killed_call_left_is_used_up(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path)}
    source.write_tree(env)
    place = Path(tree_place(env))
    place.rename(f"{place}.old")
    Path(f"{place}.new").mkdir()
    source.write_tree(env)
    assert is_current(env)
    assert os.listdir(place.parent) == ["tree"]
    Path(f"{place}.new").mkdir()
    drop_tree(env)
    assert not Path(data_directory(env)).exists()


def test_a_directory_that_cannot_be_read_is_no_other_tree(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path)}
    source.write_tree(env)
    with operations(1), pytest.raises(OrbitError, match="cannot be read"):
        is_current(env)


def test_a_tree_that_cannot_be_removed_is_told(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path)}
    source.write_tree(env)
    with operations() as counted:
        drop_tree(env)
    source.write_tree(env)
    number = next(n for n, entry in enumerate(counted.log, 1) if entry.startswith("unlink"))
    with operations(number), pytest.raises(OrbitError, match="cannot be removed"):
        drop_tree(env)
    drop_tree(env)
    assert not Path(data_directory(env)).exists()

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from orbit.errors import OrbitError
from orbit.hosts.kept import Kept, forget, hosts_kept, images, put_back, read_kept, untouched, write_kept
from reliability.operations import operations


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"HOME": str(tmp_path)}


def test_it_is_read_as_it_was_written(env: dict[str, str]) -> None:
    kept = Kept("abc", {"/a": b"\xff\0", "/b": None}, {"/a": b"", "/b": b"x"})
    assert read_kept(env, "claude") is None
    assert hosts_kept(env) == []
    write_kept(env, "claude", kept)
    assert read_kept(env, "claude") == kept
    assert hosts_kept(env) == ["claude"]
    forget(env, "claude")
    assert read_kept(env, "claude") is None


def test_it_is_for_nobody_elses_eyes(tmp_path: Path, env: dict[str, str]) -> None:
    """Settings may hold keys."""
    write_kept(env, "claude", Kept("", {}, {}))
    path = tmp_path / ".local/share/orbit/hosts/kept/claude.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    write_kept(env, "claude", Kept("x", {}, {}))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"digest": 1}', '{"digest": "", "before": [], "after": 1}'])
def test_what_cannot_be_read_is_nothing(tmp_path: Path, env: dict[str, str], text: str) -> None:
    path = tmp_path / ".local/share/orbit/hosts/kept/claude.json"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    assert read_kept(env, "claude") is None


def test_only_what_nobody_touched_goes_back(tmp_path: Path) -> None:
    same, changed, made = (tmp_path / name for name in ("same", "changed", "made"))
    paths = [str(path) for path in (same, changed, made)]
    same.write_text("before")
    changed.write_text("before")
    before = images(paths)
    for path in (same, changed, made):
        path.write_text("after")
    kept = Kept("", before, images(paths))
    changed.write_text("the user's")
    assert untouched(kept) == [str(same), str(made)]
    put_back(kept, untouched(kept))
    assert (same.read_text(), changed.read_text(), made.exists()) == ("before", "the user's", False)


def test_a_file_of_which_the_earlier_text_is_not_known_stays(tmp_path: Path) -> None:
    path = tmp_path / "settings"
    path.write_text("after")
    assert untouched(Kept("", {}, images([str(path)]))) == []


def test_what_the_system_does_not_give_is_not_taken_for_missing(env: dict[str, str], tmp_path: Path) -> None:
    """A file would else be removed as one that was not there before, and the tree as one that nobody uses."""
    path = tmp_path / "settings"
    path.write_text("mine")
    write_kept(env, "claude", Kept("x", {}, {}))
    with operations(1):
        assert images([str(path)]) == {}
    with operations(1), pytest.raises(OrbitError, match="cannot be read"):
        read_kept(env, "claude")
    with operations(1), pytest.raises(OrbitError, match="cannot be read"):
        hosts_kept(env)

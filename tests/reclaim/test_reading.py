from __future__ import annotations

from pathlib import Path

import pytest

from orbit.errors import OrbitError
from orbit.reclaim.reading import is_gone, names_of, shared_directory, text_of


@pytest.fixture
def ring(tmp_path: Path) -> Path:
    """A link to itself: nothing can be said of what is behind it."""
    (tmp_path / "ring").symlink_to("ring")
    return tmp_path / "ring"


def test_what_is_there_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"caf\xe9\nx\n")
    assert text_of(str(tmp_path / "file")) == "caf\udce9\nx"
    assert names_of(str(tmp_path)) == ["file"]
    assert not is_gone(str(tmp_path / "file"))


def test_what_is_not_there_is_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "gone", tmp_path / "file" / "below"):
        assert text_of(str(path)) is None
        assert names_of(str(path)) == []
        assert is_gone(str(path))


def test_what_cannot_be_read_is_an_error(tmp_path: Path, ring: Path) -> None:
    with pytest.raises(OrbitError, match=r"/ring cannot be read \(Too many levels of symbolic links\)"):
        text_of(str(ring))
    with pytest.raises(OrbitError, match=r" cannot be read \(is a directory\)"):
        text_of(str(tmp_path))
    with pytest.raises(OrbitError, match=r"/ring cannot be read "):
        names_of(str(ring))


def test_a_linked_git_directory_shares_another(tmp_path: Path, ring: Path) -> None:
    linked = tmp_path / ".git" / "worktrees" / "w"
    linked.mkdir(parents=True)
    assert shared_directory(str(linked)) == str(linked)
    (linked / "commondir").write_text("../..\n")
    assert shared_directory(str(linked)) == str(tmp_path / ".git")
    (linked / "commondir").unlink()
    (linked / "commondir").symlink_to(ring)
    with pytest.raises(OrbitError, match="commondir cannot be read"):
        shared_directory(str(linked))


def test_what_nobody_can_see_is_not_gone(ring: Path) -> None:
    assert not is_gone(str(ring))
    assert not is_gone(str(ring / "below"))

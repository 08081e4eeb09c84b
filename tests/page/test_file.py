"""What the page may replace, and that it is there whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from looks import unseen
from orbit.errors import OrbitError
from orbit.page.file import MARK, checked_target, write_page

PAGE = MARK.decode() + "<html></html>"


def test_new_and_again(tmp_path: Path) -> None:
    target = checked_target(f"{tmp_path}/r.html")
    write_page(target, PAGE)
    assert Path(target).read_text() == PAGE
    write_page(checked_target(target), PAGE + "more")
    assert Path(target).read_text() == PAGE + "more"
    assert os.listdir(tmp_path) == ["r.html"]
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(os.stat(target).st_mode) == 0o666 & ~mask


def test_an_empty_file_and_a_link_to_a_report(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("")
    (tmp_path / "link").symlink_to("empty")
    target = checked_target(f"{tmp_path}/link")
    assert target == f"{tmp_path}/empty"
    write_page(target, PAGE)
    assert (tmp_path / "link").is_symlink()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("inner", "is a directory"),
        ("new/", "is a directory"),
        ("link", "is a directory"),
        ("text", "is there and is no report"),
        ("pipe", "is there and is no report"),
        ("gone/r.html", "no such directory: "),
        ("text/r.html", "no such directory: "),
    ],
)
def test_what_is_refused(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "link").symlink_to("inner")
    (tmp_path / "text").write_text("mine")
    os.mkfifo(tmp_path / "pipe")
    before = sorted(os.listdir(tmp_path))
    with pytest.raises(OrbitError, match=message):
        checked_target(f"{tmp_path}/{name}")
    assert sorted(os.listdir(tmp_path)) == before


def test_one_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    target = tmp_path / "r.html"
    target.mkdir()
    with pytest.raises(OrbitError, match="cannot write"):
        write_page(str(target), PAGE)
    assert os.listdir(tmp_path) == ["r.html"]
    with pytest.raises(OrbitError, match=r"cannot write .*: No such file or directory"):
        write_page(f"{tmp_path}/gone/r.html", PAGE)


def test_a_file_that_cannot_be_looked_at_is_not_overwritten(tmp_path: Path) -> None:
    target = tmp_path / "notes.txt"
    target.write_text("mine")
    with unseen(target), pytest.raises(OrbitError, match="cannot be looked at"):
        checked_target(str(target))

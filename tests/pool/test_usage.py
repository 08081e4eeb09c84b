"""Room on disk, as the file system counts it."""

from __future__ import annotations

import os
from pathlib import Path

from orbit.pool.usage import bytes_below


def blocks(path: Path) -> int:
    return path.lstat().st_blocks * 512


def test_files_directories_and_links_each_once(tmp_path: Path) -> None:
    top = tmp_path / "top"
    inner = top / "inner"
    inner.mkdir(parents=True)
    large = inner / "large"
    large.write_bytes(b"x" * 100_000)
    os.link(large, top / "again")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "huge").write_bytes(b"x" * 1_000_000)
    (top / "link").symlink_to(outside)
    assert bytes_below(str(top)) == blocks(inner) + blocks(large) + blocks(top / "link")


def test_a_sparse_file_counts_what_it_takes(tmp_path: Path) -> None:
    with open(tmp_path / "sparse", "wb") as file:
        file.truncate(1 << 30)
    assert bytes_below(str(tmp_path)) < 1 << 20


def test_what_is_not_there(tmp_path: Path) -> None:
    assert bytes_below(f"{tmp_path}/gone") == 0

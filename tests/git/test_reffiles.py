"""The files that refs lie in, one by one; `test_files.py` compares what comes of them with git's own answers."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from orbit.git.reffiles import (
    EndlessError,
    OddError,
    object_name,
    packed,
    read_entry,
    read_file,
    ref_file,
    resolve,
    target_of,
)

SHA = "0123456789abcdef0123456789abcdef01234567"


def test_a_whole_file_of_any_size(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for size in (0, 1, 8191, 8192, 8193, 100_000):
        path.write_bytes(b"x" * size)
        assert read_file(str(path)) == b"x" * size


def test_nothing_a_directory_and_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "file").write_bytes(b"x")
    assert read_file(str(tmp_path / "none")) is None
    assert read_file(str(tmp_path / "file" / "below")) is None
    assert read_file(str(tmp_path)) is None
    with pytest.raises(IsADirectoryError):
        read_entry(str(tmp_path), 0)
    with pytest.raises(OSError, match="symbolic links"):
        read_file(str(tmp_path / "link"))
    assert read_file(str(tmp_path / "link"), 0) == b"x"


def test_a_pipe_and_an_endless_device_hold_nothing_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (str(tmp_path / "pipe"), "/dev/zero"):
        with pytest.raises(EndlessError, match="a pipe or a device, not a file"):
            read_file(path)


@pytest.mark.parametrize(
    "ref", ["", "heads/main", "refs/../HEAD", "refs/heads/.a", "refs//a", "refs/heads/a\0", "../HEAD"]
)
def test_what_is_no_plain_ref_is_for_git(ref: str) -> None:
    with pytest.raises(OddError):
        ref_file("/own", "/common", ref)


def test_what_a_worktree_has_for_itself() -> None:
    places = [ref_file("/own", "/common", ref) for ref in ("HEAD", "refs/bisect/bad", "refs/heads/main")]
    assert places == ["/own/HEAD", "/own/refs/bisect/bad", "/common/refs/heads/main"]


def test_contents() -> None:
    assert target_of(b"ref: refs/heads/main\n") == "refs/heads/main"
    assert target_of(f"{SHA}\n".encode()) == ""
    assert object_name(f"{SHA}\n".encode()) == SHA
    for odd in (b"", b"ref: x", SHA[1:].encode(), SHA.upper().encode()):
        with pytest.raises(OddError):
            object_name(odd)


def test_loose_before_packed_and_through_symbolic_ones(tmp_path: Path) -> None:
    own = str(tmp_path)
    (tmp_path / "refs" / "heads").mkdir(parents=True)
    (tmp_path / "packed-refs").write_text(f"# pack-refs with: peeled\n{SHA} refs/heads/a\n{SHA} refs/heads/ab\n")
    (tmp_path / "refs" / "heads" / "ab").write_text(f"{'f' * 40}\n")
    (tmp_path / "refs" / "heads" / "to").write_text("ref: refs/heads/a\n")
    (tmp_path / "refs" / "heads" / "round").write_text("ref: refs/heads/round\n")
    assert packed(own, "refs/heads/ab") == SHA
    assert [resolve(own, own, f"refs/heads/{name}", 0) for name in ("a", "ab", "to", "b")] == [SHA, "f" * 40, SHA, ""]
    with pytest.raises(OddError):
        resolve(own, own, "refs/heads/round", 0)


def test_a_ref_in_no_file_is_missing_unless_refs_are_kept_another_way(tmp_path: Path) -> None:
    assert packed(str(tmp_path), "refs/heads/a") == ""
    (tmp_path / "reftable").mkdir()
    with pytest.raises(OddError):
        packed(str(tmp_path), "refs/heads/a")

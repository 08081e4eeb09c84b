"""What git sees in one working tree: dirty files, upstream, operation in progress. One process."""

from __future__ import annotations

from orbit.git.checkout import LFS_OFF, lfs_is_missing
from orbit.git.files import git_dir
from orbit.git.run import checked, observe
from orbit.places import is_there
from orbit.record import Record

# Marker below the git directory: operation in progress.
_OPERATIONS = (
    ("rebase-merge", "rebase"),
    ("rebase-apply", "rebase"),
    ("MERGE_HEAD", "merge"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    ("BISECT_LOG", "bisect"),
)


class TreeStatus(Record):
    """`upstream` is a short name such as `origin/main`, "" without one that exists; ahead and behind are 0 then."""

    upstream: str
    ahead: int
    behind: int
    dirty_files: int


def read_status(path: str, *, untracked: bool = True, submodules: bool = True) -> TreeStatus:
    """The user's settings hide nothing: untracked files and submodules always count when asked for. Raises GitError."""
    # Renames by identical content only: looking into blobs would have to fetch them in a blobless clone.
    words = ["status", "--porcelain=v2", "--branch", "-z", "--find-renames=100%"]
    words.append(f"--ignore-submodules={'none' if submodules else 'all'}")
    words.append(f"--untracked-files={'normal' if untracked else 'no'}")
    answer = observe(path, words)
    if answer.code != 0 and lfs_is_missing():
        answer = observe(path, [*LFS_OFF, *words])
    return _parsed(checked(answer, path, "reading its status").out)


def _parsed(out: bytes) -> TreeStatus:
    upstream, compared, ahead, behind, dirty = "", False, 0, 0, 0
    fields = iter(out.split(b"\0"))
    for field in fields:
        if field.startswith(b"# branch.upstream "):
            upstream = field[len(b"# branch.upstream ") :].decode("utf-8", "surrogateescape")
        elif field.startswith(b"# branch.ab "):
            plus, minus = field[len(b"# branch.ab ") :].split()
            compared, ahead, behind = True, int(plus), -int(minus)
        elif field[:2] in (b"1 ", b"2 ", b"u ", b"? "):
            dirty += 1
            if field[:2] == b"2 ":
                next(fields, None)  # a rename's old name is a field of its own
    # git names a configured upstream that is gone, and compares with nothing: that is not "in sync".
    return TreeStatus(upstream if compared else "", ahead, behind, dirty)


def operation_in_progress(path: str) -> str:
    """`rebase`, `merge`, `cherry-pick`, `revert`, `bisect`, or "". Files only."""
    directory = git_dir(path)
    return operation_in(directory) if directory else ""


def operation_in(git_directory: str) -> str:
    """The same, by the git directory of the working tree. Raises OrbitError when the system does not tell."""
    return next((name for marker, name in _OPERATIONS if is_there(f"{git_directory}/{marker}")), "")

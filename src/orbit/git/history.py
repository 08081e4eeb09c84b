"""Questions about commits that need git: how far two of them are apart, whether one is there."""

from __future__ import annotations

from orbit.git.run import checked, observe
from orbit.record import Record


class Distance(Record):
    """Commits that only the old end reaches (`dropped`) and that only the new end reaches (`new`)."""

    dropped: int
    new: int


def distance(directory: str, old: str, new: str) -> Distance | None:
    """One process; None when a commit is not in the clone (or the clone cannot be read)."""
    found = observe(directory, ["rev-list", "--left-right", "--count", "--end-of-options", f"{old}...{new}", "--"])
    counts = found.out.split()
    if found.code != 0 or len(counts) != 2:
        return None
    return Distance(int(counts[0]), int(counts[1]))


def count_commits(directory: str, tip: str) -> int | None:
    """Every commit the clone has below `tip`."""
    found = observe(directory, ["rev-list", "--count", "--end-of-options", tip, "--"])
    return int(found.out) if found.code == 0 else None


def count_unpushed(directory: str) -> int | None:
    """Commits below HEAD that no branch of origin, as last fetched, holds; None when it cannot be told."""
    found = observe(directory, ["rev-list", "--count", "HEAD", "--not", "--remotes=origin", "--"])
    return int(found.out) if found.code == 0 else None


def has_commit(directory: str, sha: str) -> bool:
    return observe(directory, ["cat-file", "-e", "--end-of-options", f"{sha}^{{commit}}"]).code == 0


def merge_bases(directory: str, one: str, other: str) -> list[str]:
    """The newest commits that both grew from: none for histories that began apart, several after a criss-cross.

    Raises GitError when git does not tell.
    """
    found = observe(directory, ["merge-base", "--all", one, other])
    return [] if found.code == 1 else checked(found, one[:12], f"comparing it with {other[:12]}").text.split()

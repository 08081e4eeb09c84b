"""What stands where in a commit: object names of paths, without a checkout and without the network."""

from __future__ import annotations

from orbit.git.run import checked, observe
from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


REGULAR = "100644"  # the mode of a file that is neither a program nor a link


class Entry(Record):
    """What a name in a tree stands for: its mode as git writes it, its object, its size in bytes (0 for no file)."""

    mode: str
    name: str
    size: int


def top_entries(repository: str, commit: str) -> dict[str, Entry]:
    """Everything at the top of a commit's tree, by file name. Raises GitError."""
    answer = observe(repository, ["ls-tree", "-z", "-l", "--full-tree", commit])
    found = {}
    for entry in checked(answer, commit[:12], "reading its tree").out.decode("utf-8", "surrogateescape").split("\0"):
        facts, _, file = entry.partition("\t")
        if file:
            mode, _, name, size = facts.split()
            found[file] = Entry(mode, name, int(size) if size.isdecimal() else 0)
    return found


def find_objects(
    checkout: str, commits: Sequence[str], paths: Sequence[str], *, trees_only: bool
) -> dict[str, dict[str, str]] | None:
    """For each commit, path to object name of those paths that it has. None when git cannot answer.

    One process; `trees_only` asks the trees instead, one process for each commit, for a clone that lacks blobs.
    """
    if trees_only:
        found = {commit: list_tree(checkout, commit, paths) for commit in commits}
        return (
            {commit: tree for commit, tree in found.items() if tree is not None}
            if all(tree is not None for tree in found.values())
            else None
        )
    asked = [(commit, path) for commit in commits for path in paths if "\n" not in path]
    stdin = "".join(f"{commit}^{{tree}}\n" for commit in commits) + "".join(f"{c}:{p}\n" for c, p in asked)
    words = ["cat-file", "--batch-check=%(objectname)"]
    answer = observe(checkout, words, stdin=stdin.encode("utf-8", "surrogateescape"))
    lines = answer.out.decode("utf-8", "surrogateescape").split("\n")[:-1]
    if answer.code != 0 or len(lines) != len(asked) + len(commits):
        return None
    if any(line.endswith(" missing") for line in lines[: len(commits)]):
        return None
    objects: dict[str, dict[str, str]] = {commit: {} for commit in commits}
    for (commit, path), line in zip(asked, lines[len(commits) :], strict=True):
        if len(line) in (40, 64) and " " not in line:
            objects[commit][path] = line
    return objects


def list_tree(checkout: str, commit: str, paths: Sequence[str] = ()) -> dict[str, str] | None:
    """Path to object name: every file of a commit, or just `paths` (files or directories). None when git cannot."""
    words = ["ls-tree", "-z", "--full-tree", "-t" if paths else "-r", commit]
    literal = ["--literal-pathspecs"] if paths else []
    answer = observe(checkout, [*literal, *words, *(["--", *paths] if paths else [])])
    if answer.code != 0:
        return None
    found = {}
    for entry in answer.out.decode("utf-8", "surrogateescape").split("\0"):
        facts, _, path = entry.partition("\t")
        if path and (not paths or path in paths):  # -t shows the directories on the way, too
            found[path] = facts.split(" ")[2]
    return found

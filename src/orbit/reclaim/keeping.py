"""The commits of a reclamation, kept from gc for a while under refs of their own. Contract: prune.md, Execution."""

from __future__ import annotations

import os

from orbit.errors import OrbitError
from orbit.git.files import common_dir, git_dir, list_refs
from orbit.git.many import side_by_side
from orbit.git.run import change, checked
from orbit.pool.clones import list_clones
from orbit.reclaim import ledger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from orbit.places import Project
    from orbit.reclaim.ledger import Entry

_DAY = 86_400


def keep_tips(project: Project, entry: Entry, jobs: int = 1) -> None:
    """One transaction for each clone. Raises GitError, with what was kept so far still there."""

    def keep(repo: str) -> None:
        wanted = entry.kept_refs(repo)
        if wanted:
            write_refs(project.clone(repo), {ref: (sha, "") for ref, sha in wanted.items()}, f"keeping tips of {repo}")

    for outcome in side_by_side(keep, entry.repos, jobs):
        if isinstance(outcome, OrbitError):
            raise outcome


def drop_tips(project: Project, entry: Entry) -> None:
    """The reclamation did not take place: its refs go again."""
    for repo in entry.repos:
        _drop(project.clone(repo), f"{entry.refs}/")


def write_refs(checkout: str, refs: Mapping[str, tuple[str, str]], doing: str) -> None:
    """Set each ref to (new, old) object name in one transaction; "" as new deletes, "" as old does not look.

    Raises GitError, and nothing is changed, when one of them is not at its old value.
    """
    lines = []
    for ref, (new, old) in refs.items():
        parts = ("update", ref, new, old) if new else ("delete", ref, old)
        lines.append(" ".join(part for part in parts if part))
    words = ["update-ref", "--no-deref", "--stdin"]
    checked(change(checkout, words, stdin=os.fsencode("\n".join(lines) + "\n")), os.path.basename(checkout), doing)


def expire(project: Project, days: int, now: int) -> None:
    """Drop what was reclaimed, or kept by a forced sync, more than `days` ago. A clone that cannot be read waits."""
    limit = now - days * _DAY
    for workspace, epoch in ledger.entries(project):
        if epoch < limit:
            ledger.forget(project, workspace, epoch)
    for repo in list_clones(project).clones:
        checkout = project.clone(repo)
        directory = git_dir(checkout)
        if directory is None:
            continue
        try:
            refs = list_refs(common_dir(directory), f"{ledger.REFS}/")
            old = {ref: ("", sha) for ref, sha in refs.items() if _epoch(ref) < limit}
            if old:
                write_refs(checkout, old, "dropping old kept tips")
        except OrbitError:
            continue  # the same refs are old next time too


def _epoch(ref: str) -> int:
    """When it was kept; a ref of another form is nobody's to drop, so it is of the far future."""
    parts = ref.removeprefix(f"{ledger.REFS}/").split("/")
    return int(parts[1]) if len(parts) > 2 and parts[1].isascii() and parts[1].isdecimal() else 1 << 60


def _drop(checkout: str, below: str) -> None:
    directory = git_dir(checkout)
    if directory is None:
        return
    refs: Iterable[tuple[str, str]] = list_refs(common_dir(directory), below).items()
    going = {ref: ("", sha) for ref, sha in refs}
    if going:
        write_refs(checkout, going, "dropping kept tips")

"""Cards that both sides of a pull changed and nobody has merged yet: told by the history itself, no state beside it.

A pull's commit names every open conflict in trailers; a later version of the card closes it, whatever it says.
Contract: refinements.md, 27.
"""

from __future__ import annotations

import os

from orbit.git.run import checked, observe
from orbit.knowledge.history import tip
from orbit.places import valid_repo_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from orbit.places import Project

_CONFLICT = "Orbit-Conflict"


def open_conflicts(project: Project) -> dict[str, str]:
    """Repository to the revision of their text. Raises OrbitError when the history is unreadable."""
    newest = tip(project)
    if not newest:
        return {}
    record, field = f"\x01{os.urandom(8).hex()}", f"\x02{os.urandom(8).hex()}"
    form = f"{record}%P{field}%s{field}%(trailers:key={_CONFLICT},valueonly){field}"
    words = ["log", "--first-parent", "--no-show-signature", f"--format={form}", newest, "--"]
    answer = checked(observe(project.history, words), ".cards.git", "reading the history")
    written = set()
    for one in answer.out.decode("utf-8", "replace").split(record)[1:]:
        parents, subject, named, _ = one.split(field)
        if " " in parents:
            return {repo: rev for repo, rev in _named(named).items() if repo not in written}
        written.add(subject.partition(":")[0])
    return {}


def _named(trailers: str) -> dict[str, str]:
    """They may come from elsewhere: only what can be a repository and a revision counts."""
    found = {}
    for line in trailers.split("\n"):
        repo, _, rev = line.strip().partition(" ")
        if valid_repo_name(repo) and len(rev) == 40 and not rev.strip("0123456789abcdef"):
            found[repo] = rev
    return found


def conflict_trailers(conflicts: Mapping[str, str]) -> str:
    """The end of a commit message that names them."""
    return "".join(f"{_CONFLICT}: {repo} {rev}\n" for repo, rev in sorted(conflicts.items()))

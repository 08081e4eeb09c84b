"""The order in which a roster names repositories. Contract: knowledge.md, Roster."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from orbit.knowledge.roster import Row
    from orbit.places import Project


def best_first(project: Project, rows: Iterable[Row], scores: Mapping[str, float]) -> list[Row]:
    """By score; equal ones by which was added or written about last, then by name. No score counts as 0."""
    alike: dict[float, list[Row]] = {}
    for row in rows:
        alike.setdefault(scores.get(row.name, 0.0), []).append(row)
    ordered: list[Row] = []
    for score in sorted(alike, reverse=True):
        group = alike[score]  # files are looked at only where the score does not decide
        ordered += sorted(group, key=lambda row: (-_last_use(project, row.name), row.name)) if len(group) > 1 else group
    return ordered


def _last_use(project: Project, name: str) -> int:
    """Seconds; a card's write and a worktree's registration both count."""
    return max(_mtime(project.card(name)), _mtime(f"{project.clone(name)}/.git/worktrees"))


def _mtime(path: str) -> int:
    try:
        return int(os.stat(path).st_mtime)
    except OSError:
        return 0

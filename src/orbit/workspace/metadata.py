"""A workspace's own words: goal, created, status, PRs. Contract: concepts.md, On disk; commands.md, goal and done."""

from __future__ import annotations

from orbit.guidance import pool_notices
from orbit.pool.index import written_notices
from orbit.record import Record
from orbit.store.document import load, update
from orbit.store.syntax import Set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.guidance.notice import Notice
    from orbit.places import Project
    from orbit.store.document import Written
    from orbit.store.syntax import Change, Config

_SECTION, _PR = "workspace", "pr"
DONE = "done"


class Metadata(Record):
    """What `.orbit` says. `done_at` is seconds since 1970, 0 when not done; `damage`: why it cannot be read."""

    goal: str = ""
    done: bool = False
    done_at: int = 0
    prs: tuple[str, ...] = ()
    damage: str = ""

    @property
    def state(self) -> str:
        return DONE if self.done else "active"


def read_metadata(project: Project, workspace: str) -> Metadata:
    """Never raises for a missing or damaged file: a workspace without metadata is an active one without a goal."""
    loaded = load(project.metadata(workspace))
    found = metadata_of(loaded.config)
    return found.replace(damage=loaded.reason if loaded.state == "damaged" else "")


def metadata_of(config: Config) -> Metadata:
    done_at = config.get(_SECTION, None, "done-at") or ""
    return Metadata(
        goal=config.get(_SECTION, None, "goal") or "",
        done=config.get(_SECTION, None, "status") == DONE,
        done_at=int(done_at) if done_at.isascii() and done_at.isdecimal() and len(done_at) < 18 else 0,
        prs=tuple(config.get_all(_PR, None, "url")),
    )


def damage_notice(workspace: str, metadata: Metadata) -> tuple[Notice, ...]:
    """The one line about damage that was worked around."""
    if not metadata.damage:
        return ()
    return (pool_notices.metadata_damaged(f"{workspace}/.orbit", metadata.damage),)


def write_created(project: Project, workspace: str, goal: str, now: int) -> list[Notice]:
    """The first metadata of a new workspace; `now` in seconds since 1970."""
    changes = [Set(_SECTION, None, "created", (str(now),))]
    if goal:
        changes.insert(0, Set(_SECTION, None, "goal", (goal,)))
    return written_notices(project, update(project.metadata(workspace), lambda _: changes))


def set_goal(project: Project, workspace: str, goal: str) -> tuple[bool, list[Notice]]:
    """Set the goal; "" clears it. A goal given to a done workspace reactivates it: says whether that happened."""
    reactivated = False

    def change(config: Config) -> tuple[Change, ...]:
        nonlocal reactivated
        if not goal:
            return (Set(_SECTION, None, "goal", ()),)
        changes = [Set(_SECTION, None, "goal", (goal,))]
        if metadata_of(config).done:
            reactivated = True
            changes += [Set(_SECTION, None, key, ()) for key in ("status", "done-at", "done-date")]
            changes.append(Set(_PR, None, "url", ()))
        return tuple(changes)

    damage = damage_notice(workspace, read_metadata(project, workspace))
    written = update(project.metadata(workspace), change)
    return reactivated, _told(project, written, damage)


def mark_done(
    project: Project, workspace: str, prs: tuple[str, ...], now: int, date: str
) -> tuple[tuple[str, ...], list[Notice]]:
    """Mark done in one write; PRs are added without duplicates. Gives every recorded PR."""

    def change(config: Config) -> tuple[Change, ...]:
        known = config.get_all(_PR, None, "url")
        changes = [
            Set(_SECTION, None, "status", (DONE,)),
            Set(_SECTION, None, "done-at", (str(now),)),
            Set(_SECTION, None, "done-date", (date,)),
        ]
        if prs:
            changes.append(Set(_PR, None, "url", tuple(dict.fromkeys((*known, *prs)))))
        return tuple(changes)

    damage = damage_notice(workspace, read_metadata(project, workspace))
    written = update(project.metadata(workspace), change)
    return tuple(written.config.get_all(_PR, None, "url")), _told(project, written, damage)


def _told(project: Project, written: Written, damage: tuple[Notice, ...]) -> list[Notice]:
    """Damage is told once: by the write that kept the old file, else as it was seen."""
    return [*(() if written.kept_copy else damage), *written_notices(project, written)]

"""Managed git config of pool clones: written at clone, put back by the commands that change things anyway.

Contract: git.md, Managed config of a pool clone.
"""

from __future__ import annotations

from orbit.git.run import change, checked
from orbit.guidance import sync_notices
from orbit.pool.clones import clone_config
from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.guidance.notice import Notice
    from orbit.store.settings import Settings
    from orbit.store.syntax import Config

FULL_MAP = "+refs/heads/*:refs/remotes/origin/*"


class Managed(Record):
    """One managed key: its place in the clone's config, the value it should have, the setting that governs it."""

    section: str
    subsection: str | None
    key: str
    value: str
    setting: str

    @property
    def name(self) -> str:
        return ".".join(part for part in (self.section, self.subsection, self.key) if part)


MANAGED = (
    Managed("remote", "origin", "fetch", FULL_MAP, "git.fetchAllBranches"),
    Managed("fetch", None, "prune", "true", "git.fetchPrune"),
    Managed("push", None, "default", "upstream", "git.pushUpstreamByDefault"),
)


def differing(config: Config, settings: Settings, modes: tuple[str, ...]) -> list[tuple[Managed, list[str]]]:
    """Managed keys whose setting is one of `modes` and whose stored values are not as they should be."""
    found = []
    for managed in MANAGED:
        stored = config.get_all(managed.section, managed.subsection, managed.key)
        if settings.text(managed.setting) in modes and stored != [managed.value]:
            found.append((managed, stored))
    return found


def has_full_map(config: Config) -> bool:
    return config.get_all("remote", "origin", "fetch") == [FULL_MAP]


def write_at_clone(checkout: str, settings: Settings) -> None:
    """First values of a new clone; `never` leaves git's own. Raises GitError."""
    for managed, _ in differing(clone_config(checkout), settings, ("always", "once")):
        _write(checkout, managed)


def note_choice(checkout: str, branch: str) -> None:
    """Remember that the user chose the tracked branch: upstream's own default is then no rename. Raises GitError."""
    checked(change(checkout, ["config", "orbit.branch", branch]), "clone", "writing the clone's config")


def forget_choice(checkout: str) -> None:
    """The pool follows upstream's own default again; that nothing was noted is no failure."""
    change(checkout, ["config", "--unset-all", "orbit.branch"])


def is_chosen(config: Config, branch: str) -> bool:
    return config.get("orbit", None, "branch") == branch


def put_back(repo: str, checkout: str, settings: Settings) -> list[Notice]:
    """Restore what drifted, one notice each; call it under the clone's lock. Raises GitError."""
    config = clone_config(checkout)
    if not config.get("remote", "origin", "url"):
        return []
    notices = []
    for managed, stored in differing(config, settings, ("always",)):
        _write(checkout, managed)
        old = ", ".join(stored)
        notices.append(sync_notices.config_restored(repo, managed.name, old, managed.value, managed.setting))
    return notices


def _write(checkout: str, managed: Managed) -> None:
    words = ["config", "--replace-all", managed.name, managed.value]
    checked(change(checkout, words), managed.name, "writing the clone's config")

"""Which block an event asks for, and when it is sent. Contract: hosts.md, `orbit hook`; refinements.md, 12."""

from __future__ import annotations

from orbit.hosts import names
from orbit.hosts.frame import WORKER
from orbit.record import Record

ALWAYS, ONCE, FIRST, NEVER = "always", "once", "first", "never"
_STARTS = ("", "startup", "new")


class Plan(Record):
    """`mode` is the block's (`startup`, or "" for cruise), `lines` what follows it.

    `sent`: always · once for each text and session · only as the session's first · never. `forgets`: what the session
    was sent before is gone from its context.
    """

    mode: str
    sent: str
    forgets: bool = False
    lines: tuple[str, ...] = ()

    @property
    def remembered(self) -> bool:
        """Whether the text becomes part of what the session's own context holds; a worker's context is another."""
        return self.sent == ONCE or self.forgets


def plan_of(event: str, host: str, source: str) -> Plan:
    """`source` is why a session begins, as the host says it: hosts with one event for all tell it only there."""
    if event == names.SUBAGENT_START:
        return Plan("", ALWAYS, lines=WORKER)
    if event == names.PROMPT:
        return Plan("", FIRST)
    if event == names.SESSION_START and source in _STARTS:
        return Plan("startup", ALWAYS if host in names.KEEPS_NO_HISTORY else ONCE)
    return Plan("", NEVER if host in names.DROPS_RESUME else ALWAYS, forgets=True)

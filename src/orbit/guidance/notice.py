"""Everything orbit says on stderr besides errors: each line defined once, as a function with named parameters.

A notice is `orbit: <subject>: <fact>` (information) or `orbit: <subject>: <fact>: <next step>` (steering).
The first docstring line of each function says when it appears; `docs/spec-warnings.md` is generated from here.
Contract: guidance.md.
"""

from __future__ import annotations

from orbit.record import Record


class Notice(Record):
    """One line for stderr. `name` is stable, for tests and documents; `next` is empty for information."""

    name: str
    subject: str
    fact: str
    next: str = ""

    @property
    def line(self) -> str:
        return f"orbit: {self.subject}: {self.fact}" + (f": {self.next}" if self.next else "")

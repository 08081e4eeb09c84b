"""How the cards of a pool became more, read from their history in one git process.

Contract: commands.md, report; knowledge.md, History.
"""

from __future__ import annotations

from orbit.git.files import read_ref
from orbit.git.run import checked, observe
from orbit.knowledge.history import exists
from orbit.knowledge.report import Growth

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.places import Project

_BRANCH = "refs/heads/main"
_DAY_SECONDS = 86_400


def read_growth(project: Project) -> tuple[Growth, ...]:
    """One entry for each day on which a card was written, the oldest first. Raises OrbitError."""
    if not exists(project) or not read_ref(project.history, _BRANCH):
        return ()
    words = [
        "log",
        "--reverse",
        "--first-parent",
        "--format=%x01%ct",
        "--raw",
        "-z",
        "--no-renames",
        "-m",
        _BRANCH,
        "--",
    ]
    out = checked(observe(project.history, words), ".cards.git", "reading the cards' history").out
    return counted(out.decode("utf-8", "surrogateescape"))


def counted(log: str) -> tuple[Growth, ...]:
    """From git's own listing: per commit its time, then `:modes objects LETTER`, name, and so on, all ended by NUL."""
    cards: set[str] = set()
    versions = 0
    days: dict[int, Growth] = {}
    for record in log.split("\x01")[1:]:
        time, *fields = [field.strip("\n") for field in record.split("\0")]
        at = int(time)
        changes = [field for field in fields if field]
        for facts, name in zip(changes[::2], changes[1::2], strict=False):
            if facts.endswith("D"):
                cards.discard(name)
            else:
                cards.add(name)
                versions += 1
        days[at // _DAY_SECONDS] = Growth(at, len(cards), versions)
    return tuple(days[day] for day in sorted(days))

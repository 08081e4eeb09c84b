"""What must hold after a command in which something went wrong once, whatever it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Protocol

from reliability.readers import State, leftovers, read_state
from reliability.scene import Scene
from world import Outcome


class Counted(Protocol):
    """`log` holds what was asked for, in order."""

    log: list[str]


MAY_SUCCEED_PARTLY: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    # The card stands once it is written; what could not be recorded beside it is told.
    "memo": (("row", "queue", "history"), ()),
    "memo, the first": (("row", "queue", "history"), ()),
    "memo --pull": (("row", "queue", "history"), ()),
    "memo --restore": (("row", "queue", "history"), ()),
    # A clone that is in place stays; its row in the index is made again by the next reader.
    "clone": ((), ("row",)),
    "import-dir": ((), ("row",)),
}
"""Command: parts of the state that may differ when something was told, and those that may in any case."""


MAY_STOP_BETWEEN = {"sync": ("trees",), "import-dir": ("row", "trees")}
"""Command: what may be before, after or between the two when it fails: each clone goes by itself, and a fetch stays;
of several directories those are imported that can be read.
"""


def clean_run(
    scene: Scene, name: str, watching: Callable[[], AbstractContextManager[Counted]]
) -> tuple[list[str], tuple[State, State]]:
    """What the command asks for when nothing goes wrong, and the states before and after it."""
    scene.restore()
    before = read_state(scene.world)
    with watching() as counted:
        clean = scene.run(name)
    assert clean.code == 0, clean
    return counted.log, (before, read_state(scene.world))


def ends_badly(outcome: Outcome) -> bool:
    told = outcome.out + outcome.err
    return outcome.code not in (0, 1) or "internal: " in told or "Traceback" in told


def losses(scene: Scene, name: str, outcome: Outcome, states: tuple[State, State]) -> Iterator[str]:
    """The state is the one before a failure or the one after a success, and the next calls leave nothing behind."""
    before, after = states
    found = read_state(scene.world)
    if outcome.code == 1:
        yield from differing(found, before, ("history", *MAY_STOP_BETWEEN.get(name, ())))
    else:
        allowed, silently = MAY_SUCCEED_PARTLY.get(name, ((), ()))
        yield from differing(found, after, (*silently, *(allowed if outcome.err else ())))
    scene.run(name)
    scene.run("doctor --fix")
    left = leftovers(scene.world)
    if left:
        yield f"left for ever {left}"


def differing(found: State, wanted: State, may_differ: tuple[str, ...]) -> Iterator[str]:
    for part in State._fields:
        mine, theirs = getattr(found, part), getattr(wanted, part)
        if part not in may_differ and mine != theirs:
            shown = (
                (mine, theirs)
                if isinstance(mine, dict)
                else [x for x in (*mine, *theirs) if (x in mine) != (x in theirs)]
            )
            yield f"{part} differs {shown}"

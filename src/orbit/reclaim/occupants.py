"""Who else is at work in a workspace: processes whose current directory lies in it. Contract: refinements.md, 7."""

from __future__ import annotations

import os

from orbit.record import Record


class Occupant(Record):
    """A process of this user, and the physical directory that it is in."""

    pid: int
    name: str
    cwd: str


def read_occupants(root: str) -> tuple[Occupant, ...]:
    """Every process of this user, but this one, whose current directory lies below the root."""
    import psutil  # prune only

    found = []
    for process in psutil.process_iter():
        try:
            if process.pid == os.getpid() or process.uids().effective != os.geteuid():
                continue
            cwd = process.cwd()
            if cwd.startswith(f"{root}/"):
                found.append(Occupant(process.pid, process.name(), cwd))
        except (psutil.Error, OSError):
            continue  # ended meanwhile, or shielded: nobody's shell
    return tuple(found)


def inside(occupants: tuple[Occupant, ...], directory: str) -> list[Occupant]:
    """Those at or below a directory."""
    return [one for one in occupants if one.cwd == directory or one.cwd.startswith(f"{directory}/")]

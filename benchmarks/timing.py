"""Whole processes timed in turn with a bare interpreter: a machine's fast and slow phases last longer than a round."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

BARE = "bare python"
# A small process in between: a child is charged with the memory of the one that it was forked from.
_PEAK = """
import os, sys
said = os.dup(1)
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
os.dup2(1, 2)
used = os.wait4(os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ), 0)[2]
os.write(said, b"%d" % used.ru_maxrss)
"""


class Programs(NamedTuple):
    """What is timed: the interpreter that orbit is installed with, its script, and perhaps another program."""

    python: str
    orbit: str
    peer: tuple[str, ...] = ()


class Case(NamedTuple):
    """One command line of orbit. `limit` is what it may cost, in bare starts; `before` makes its place ready."""

    name: str
    words: tuple[str, ...]
    place: Path
    limit: float | None = None
    stdin: str = ""
    before: Callable[[], object] | None = None


class Taken(NamedTuple):
    """Seconds: by the clock and on the processor. `failed` when the exit status was not 0."""

    clock: float
    processor: float
    failed: bool


class Row(NamedTuple):
    """Medians of a case's rounds: milliseconds, and as a multiple of the bare start of the same round."""

    name: str
    who: str
    ms: float
    times_bare: float
    low: float
    high: float
    processor: float
    limit: float | None
    failed: bool


def environment() -> dict[str, str]:
    """As a user's shell has it: orbit's own variables and those that keep Python from using compiled files are gone."""
    unwanted = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
    return {name: value for name, value in os.environ.items() if name not in unwanted and name[:6] != "ORBIT_"}


def take(command: list[str], place: Path, stdin: str = "") -> Taken:
    began = time.perf_counter()
    source = subprocess.PIPE if stdin else subprocess.DEVNULL
    void = subprocess.DEVNULL
    child = subprocess.Popen(command, cwd=place, env=environment(), stdin=source, stdout=void, stderr=void)
    if child.stdin is not None:
        child.stdin.write(stdin.encode())
        child.stdin.close()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return Taken(time.perf_counter() - began, used.ru_utime + used.ru_stime, status != 0)


def paired(programs: Programs, cases: list[Case], rounds: int) -> list[Row]:
    """Every case once a round, each program in turn, after a round that only warms up."""
    runners = [("orbit", [programs.orbit])] + ([("peer", list(programs.peer))] if programs.peer else [])
    bare: list[Taken] = []
    found: dict[tuple[int, str], list[Taken]] = {}
    for number in range(rounds + 1):
        kept = number > 0
        one = take([programs.python, "-c", "pass"], cases[0].place)
        if kept:
            bare.append(one)
        for at, case in enumerate(cases):
            for who, start in runners:
                if case.before is not None:
                    case.before()
                taken = take([*start, *case.words], case.place, case.stdin)
                if kept:
                    found.setdefault((at, who), []).append(taken)
    rows = [_row(Case(BARE, (), Path()), "python", bare, bare)]
    return rows + [_row(cases[at], who, takes, bare) for (at, who), takes in found.items()]


def _row(case: Case, who: str, takes: list[Taken], bare: list[Taken]) -> Row:
    ratios = sorted(taken.clock / one.clock for taken, one in zip(takes, bare, strict=True))
    return Row(
        case.name,
        who,
        statistics.median(taken.clock for taken in takes) * 1000,
        statistics.median(ratios),
        ratios[len(ratios) // 4],
        ratios[-1 - len(ratios) // 4],
        statistics.median(t.processor for t in takes) / statistics.median(t.processor for t in bare),
        case.limit,
        any(taken.failed for taken in takes),
    )


def peak_mib(command: list[str], place: Path) -> float:
    """The most memory that the process takes."""
    watched = [sys.executable, "-I", "-S", "-c", _PEAK, *command]
    done = subprocess.run(
        watched, cwd=place, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, check=True
    )
    return int(done.stdout) / 1024


def table(title: str, rows: list[Row]) -> str:
    """For people. The spread is that of the middle half of the rounds."""
    lines = [f"{title}, load {os.getloadavg()[0]:.1f}"]
    lines.append(f"  {'':<30}{'ms':>9}{'x bare':>9}{'middle half':>16}{'processor':>11}{'limit':>7}")
    for row in rows:
        name = row.name if row.who != "peer" else f"{row.name} (peer)"
        limit = "" if row.limit is None else f"{row.limit:g}"
        mark = " fails" if row.failed else " over" if row.limit is not None and row.times_bare > row.limit else ""
        spread = f"{row.low:.2f} to {row.high:.2f}"
        lines.append(
            f"  {name:<30}{row.ms:>9.1f}{row.times_bare:>9.2f}{spread:>16}{row.processor:>11.2f}{limit:>7}{mark}"
        )
    return "\n".join(lines) + "\n"

"""How time grows with the pool, the worktrees of a task and the jots that wait; and the memory at the largest size."""

from __future__ import annotations

import argparse
import math
import os
import shutil
from pathlib import Path
from typing import NamedTuple

from timing import BARE, Case, Programs, paired, peak_mib

from pool import add_task, build_pool

_GOAL = "buyers get two mails when an order is billed twice"


class Series(NamedTuple):
    """What one command takes: by size, milliseconds and multiples of a bare start; MiB at the largest size."""

    name: str
    ms: dict[int, float]
    times_bare: dict[int, float]
    peak: float
    failed: bool

    def exponent(self, bare_ms: float) -> float:
        """Of growth between the two largest sizes, without the bare start: 1 is in proportion."""
        (small, before), (large, after) = list(self.ms.items())[-2:]
        return math.log(max(after - bare_ms, 1e-3) / max(before - bare_ms, 1e-3)) / math.log(large / small)


def measure(options: argparse.Namespace, programs: Programs, scratch: Path) -> object:
    sizes = ((10, 100, 1000, 10_000), (1, 10, 50), (1, 100, 1000, 5000))
    pools, worktrees, jots = sizes if options.full else (sizes[0][:3], sizes[1][:2], sizes[2])
    rounds = max(options.rounds // 2, 3)
    found = {}
    for title, cases_of, counts in (
        ("clones", _pool_cases, pools),
        ("worktrees", _worktree_cases, worktrees),
        ("jots", _jot_cases, jots),
    ):
        series, bare_ms = _series(programs, {count: cases_of(scratch, count) for count in counts}, rounds)
        print(_table(title, series, bare_ms), flush=True)
        found[title] = [{**one._asdict(), "exponent": one.exponent(bare_ms)} for one in series]
    return found


def _pool_cases(scratch: Path, clones: int) -> list[Case]:
    root = scratch / f"pool-{clones}"
    build_pool(root, clones)
    task = add_task(root, "task-01", 0, _GOAL)
    name = next(path.name for path in sorted((root / ".repos").glob("[a-z]*")))
    return [
        Case("repos", ("repos",), root),
        Case("repos --json", ("repos", "--json"), root),
        Case("repos WORDS", ("repos", *_GOAL.split()), root),
        Case("context --startup", ("context", "--startup"), task),
        Case("info", ("info", name), root),
        Case("doctor", ("doctor",), root),
    ]


def _worktree_cases(scratch: Path, worktrees: int) -> list[Case]:
    root = scratch / f"trees-{worktrees}"
    build_pool(root, worktrees)
    task = add_task(root, "task-01", worktrees)
    return [
        Case("context", ("context",), task),
        Case("context --reignite", ("context", "--startup"), task),
        Case("status", ("status",), task),
        Case("done", ("done",), task),
    ]


def _jot_cases(scratch: Path, jots: int) -> list[Case]:
    root = scratch / f"jots-{jots}"
    build_pool(root, 1)
    task = add_task(root, "task-01", 0)
    (repo,) = (path.name for path in (root / ".repos").glob("[a-z]*"))
    metadata = task / ".orbit"
    lines = "".join(f"\tentry = src/part-{number}/main.py: where part {number} starts\n" for number in range(jots))
    metadata.write_text(metadata.read_text() + f'[jot "{repo}"]\n{lines}')
    kept = scratch / f"queue-{jots}"
    shutil.copy(metadata, kept)

    def refill() -> None:
        shutil.copy(kept, metadata)

    return [
        Case("jot", ("jot", repo, "one more"), task, before=refill),
        Case("jot --pop", ("jot", repo, "--pop"), task, before=refill),
        Case("context", ("context",), task, before=refill),
    ]


def _series(programs: Programs, cases: dict[int, list[Case]], rounds: int) -> tuple[list[Series], float]:
    """All sizes in each round, so that they share its weather."""
    alone = programs._replace(peer=())
    flat = [case for group in cases.values() for case in group]
    rows = paired(alone, flat, rounds)
    bare_ms = next(row.ms for row in rows if row.name == BARE)
    ours = [row for row in rows if row.name != BARE]
    width = len(next(iter(cases.values())))
    found = []
    for at in range(width):
        mine = dict(zip(cases, ours[at::width], strict=True))
        last = flat[len(flat) - width + at]
        peak = peak_mib([programs.orbit, *last.words], last.place)
        ms = {size: row.ms for size, row in mine.items()}
        times = {size: row.times_bare for size, row in mine.items()}
        found.append(Series(last.name, ms, times, peak, any(row.failed for row in mine.values())))
    return found, bare_ms


def _table(title: str, series: list[Series], bare_ms: float) -> str:
    sizes = list(series[0].ms)
    lines = [f"x bare by {title}, load {os.getloadavg()[0]:.1f} (bare {bare_ms:.1f} ms)"]
    lines.append(
        f"  {'':<22}" + "".join(f"{size:>10,}" for size in sizes) + f"{'last step':>11}{'exponent':>10}{'MiB':>7}"
    )
    for one in series:
        times = "".join(f"{one.times_bare[size]:>10.2f}" for size in sizes)
        step = one.ms[sizes[-1]] / one.ms[sizes[-2]]
        mark = " fails" if one.failed else ""
        lines.append(f"  {one.name:<22}{times}{step:>10.1f}x{one.exponent(bare_ms):>10.2f}{one.peak:>7.0f}{mark}")
    return "\n".join(lines) + "\n"

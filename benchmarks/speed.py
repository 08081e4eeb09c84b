"""What orbit costs: every row of the contract's table, growth with the pool, memory, processes started.

usage: python benchmarks/speed.py [--full] [--only PART]... [--rounds N] [--json FILE] [--peer "COMMAND"]

Each command is a whole process, timed in turn with `python -c pass` of the interpreter that orbit is installed with.
Measure a compiled install in an environment of its own: --orbit PATH names its script. --peer runs the same words
through another program, in turn. Without --full: fewer rounds, pools up to 1,000 clones, no large sync (two minutes).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import cost
import growth
import sync
from timing import Case, Programs, Row, paired, table, take

from pool import add_task, build_pool

GOAL = "buyers get two mails when an order is billed twice"
_SESSION = json.dumps({"session_id": "one", "source": "startup", "hook_event_name": "SessionStart"})
_TAB = ("complete", "bash", "some:repo", "orbit info ", " =")
Part = Callable[[argparse.Namespace, Programs, Path], object]


def main() -> None:
    options = _options()
    programs = Programs(options.python or str(Path(options.orbit).parent / "python"), options.orbit, options.peer)
    found: dict[str, object] = {"machine": f"{platform.python_version()} on {os.cpu_count()} cores"}
    for name, part in PARTS.items():
        if options.only and name not in options.only:
            continue
        with tempfile.TemporaryDirectory(prefix="orbit-bench-") as scratch:
            found[name] = part(options, programs, Path(scratch))
    if options.json:
        Path(options.json).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="more rounds, pools up to 10,000 clones, sync of 50 clones")
    parser.add_argument("--only", action="append", choices=tuple(PARTS), help="this part (may be repeated)")
    parser.add_argument("--rounds", type=int, help="how often each command runs (7, with --full 21)")
    parser.add_argument("--json", metavar="FILE", help="write everything there, too")
    parser.add_argument("--peer", type=lambda text: tuple(shlex.split(text)), default=(), help="another program")
    parser.add_argument("--orbit", default=str(Path(sys.executable).parent / "orbit"), help="the script to time")
    parser.add_argument("--python", help="the interpreter beside it")
    options = parser.parse_args()
    options.rounds = options.rounds or (21 if options.full else 7)
    return options


def _told(title: str, rows: list[Row]) -> list[dict[str, object]]:
    print(table(title, rows), flush=True)
    return [row._asdict() for row in rows]


def one_workspace(options: argparse.Namespace, programs: Programs, scratch: Path) -> object:
    """Start-up, and what agents call all the time, where a pool and a workspace hold one repository."""
    root = scratch / "root"
    build_pool(root, 1, cards=1.0, stale=0.0)
    task, jots = add_task(root, "task-01", 1), add_task(root, "task-02", 0)
    (repo,) = (path.name for path in (root / ".repos").glob("[a-z]*"))
    cases = [
        Case("version", ("version",), task, 2.2),
        Case("context goal", ("context", "goal"), task, 2.2),
        Case("jot", ("jot", repo, "src/main.py: where it starts"), jots, 2.3, before=lambda: _empty(jots)),
        Case("context", ("context",), task, 2.8),
        Case("info", ("info", repo), task, 3.2),
        Case("status", ("status",), task, 4.0),
        Case("repos", ("repos",), task),
        Case("a press of Tab", _TAB, task),
        Case("hook session-start", ("hook", "session-start", "--host", "claude"), task, stdin=_SESSION),
        Case("hook prompt", ("hook", "prompt", "--host", "claude"), task, stdin=_SESSION),
    ]
    return _told("one workspace, one repository", paired(programs, cases, options.rounds * 2))


def _empty(workspace: Path) -> None:
    (workspace / ".orbit").write_text("[workspace]\n\tgoal = something small\n", encoding="utf-8")


def pool(options: argparse.Namespace, programs: Programs, scratch: Path) -> object:
    """1,000 clones, a quarter of the cards stale."""
    root = scratch / "root"
    build_pool(root, 1000)
    task = add_task(root, "task-01", 0, GOAL)
    cases = [
        Case("repos", ("repos",), root, 7.0),
        Case("repos --json", ("repos", "--json"), root),
        Case("repos WORDS", ("repos", *GOAL.split()), root),
        Case("context --startup", ("context", "--startup"), task, 9.0),
        Case("hook session-start", ("hook", "session-start", "--host", "claude"), task, stdin=_SESSION),
        Case("a press of Tab", _TAB, root),
    ]
    cold = [
        Case("repos, no cache", ("repos",), root, 40.0, before=lambda: _forget(root)),
        Case("context --startup, no cache", ("context", "--startup"), task, before=lambda: _forget(root)),
    ]
    warm = _told("1,000 clones, warm", paired(programs, cases, options.rounds))
    return {"warm": warm, "cold": _told("1,000 clones, cache deleted", paired(programs, cold, options.rounds // 2))}


def _forget(root: Path) -> None:
    shutil.rmtree(root / ".repos" / ".cache", ignore_errors=True)


def readmes(_: argparse.Namespace, programs: Programs, scratch: Path) -> object:
    """Briefs of 1,000 READMEs: all read and parsed in the first call, none in the second."""
    root = scratch / "root"
    build_pool(root, 1000, cards=0.0, stale=0.0, readme_lines=80)
    first, second = (take([programs.orbit, "repos"], root).clock for _ in range(2))
    print(f"1,000 READMEs of 4 KB: first call {first:.2f} s (limit 10 s), second {second:.2f} s\n", flush=True)
    return {"first": first, "second": second, "limit": 10.0}


def side_by_side(options: argparse.Namespace, programs: Programs, scratch: Path) -> object:
    clones, rounds = 50 if options.full else 16, max(options.rounds // 7, 1)
    found = sync.measure(programs.orbit, scratch, clones, 0.2, rounds)
    print(sync.table(found, clones, 0.2, rounds), flush=True)
    return {"clones": clones, "limit": 0.125, "seconds": [[*key, *times] for key, times in found.items()]}


PARTS: dict[str, Part] = {
    "start": one_workspace,
    "pool": pool,
    "readmes": readmes,
    "sync": side_by_side,
    "growth": growth.measure,
    "cost": cost.measure,
}


if __name__ == "__main__":
    main()

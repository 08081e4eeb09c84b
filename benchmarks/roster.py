"""`orbit repos`, a search, and the cold-start block of a task with a goal, on a large synthetic pool: as multiples of a
bare interpreter, measured side by side; with the most memory any of them took.

usage: python benchmarks/roster.py [--clones 1000] [--rounds 15] [--orbit PATH]
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pool import build_pool

_GOAL = "buyers get two mails when an order is billed twice"


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory(prefix="orbit-bench-") as scratch:
        root = Path(scratch) / "root"
        build_pool(root, options.clones)
        task = root / "task-01"
        task.mkdir()
        (task / ".orbit").write_text(f"[workspace]\n\tgoal = {_GOAL}\n", encoding="utf-8")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("ORBIT_")}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        commands = {
            "bare python": [options.python, "-c", "pass"],
            "version": [options.orbit, "version"],
            "repos, warm": [options.orbit, "repos"],
            "repos --json, warm": [options.orbit, "repos", "--json"],
            "a press of Tab": [options.orbit, "complete", "bash", "some:repo", "orbit info ", " ="],
            "repos WORDS, warm": [options.orbit, "repos", *_GOAL.split()],
            "context --startup": [options.orbit, "context", "--startup"],
        }
        places = dict.fromkeys(commands, root) | {"context --startup": task}
        for name, command in commands.items():
            time_of(command, places[name], environment)
        block = subprocess.run(
            commands["context --startup"], cwd=task, env=environment, capture_output=True, check=True
        )
        cold = [_cold([options.orbit, "repos"], root, environment) for _ in range(3)]
        first = [_cold(commands["context --startup"], task, environment) for _ in range(3)]
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(options.rounds):
            for name, command in commands.items():
                times[name].append(time_of(command, places[name], environment))
        print_ratios(options.clones, {**times, "repos, no cache": cold, "--startup, no cache": first})
        lines = block.stdout.count(b"\n")
        print(f"  the cold-start block: {len(block.stdout)} bytes, {lines} lines")
        print(f"  most memory: {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024} MiB")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    here = Path(sys.executable).parent
    parser.add_argument("--clones", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--orbit", default=str(here / "orbit"), help="the installed script to time")
    parser.add_argument("--python", default=sys.executable, help="the interpreter that orbit is installed with")
    return parser.parse_args()


def time_of(command: list[str], root: Path, environment: dict[str, str], said: bytes = b"") -> float:
    """Seconds that a command takes which is told that much on stdin."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    began = time.perf_counter()
    subprocess.run(command, cwd=root, env=environment, input=said, check=True, **quiet)
    return time.perf_counter() - began


def _cold(command: list[str], place: Path, environment: dict[str, str]) -> float:
    for root in (place, place.parent):
        shutil.rmtree(root / ".repos" / ".cache", ignore_errors=True)
    return time_of(command, place, environment)


def print_ratios(clones: int, times: dict[str, list[float]]) -> None:
    """The ratio is the median of each round's own: the machine's fast and slow phases last longer than a round."""
    bare = times["bare python"]
    print(f"{clones} clones, load {os.getloadavg()[0]:.1f}, medians of {len(bare)} paired rounds")
    for name, values in times.items():
        paired = bare if len(values) == len(bare) else [statistics.median(bare)] * len(values)
        ratios = sorted(value / one for value, one in zip(values, paired, strict=True))
        spread = f"{ratios[0]:.1f} to {ratios[-1]:.1f}"
        middle = statistics.median(values) * 1000
        print(f"  {name:<22} {middle:8.1f} ms   {statistics.median(ratios):6.2f} x bare   ({spread})")


if __name__ == "__main__":
    main()

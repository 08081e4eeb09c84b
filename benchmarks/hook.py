"""What `orbit hook` costs on a large synthetic pool, as multiples of a bare interpreter measured side by side.

usage: python benchmarks/hook.py [--clones 1000] [--rounds 15] [--orbit PATH]
"""

from __future__ import annotations

import argparse
import json
import os
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
        root, outside = Path(scratch) / "root", Path(scratch) / "outside"
        build_pool(root, options.clones)
        task = root / "task-01"
        for made in (task, outside):
            made.mkdir()
        (task / ".orbit").write_text(f"[workspace]\n\tgoal = {_GOAL}\n", encoding="utf-8")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("ORBIT_")}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        # What is measured: the event, where, and what the host says of it.
        cases: dict[str, tuple[str, Path, dict[str, object]]] = {
            "session-start": ("session-start", task, {"source": "startup"}),
            "resume": ("session-start", task, {"source": "resume"}),
            "outside a workspace": ("session-start", outside, {"source": "startup"}),
            "pre-tool, orbit info": ("pre-tool", task, _shell("orbit info billing-service-00000")),
            "pre-tool, orbit prune": ("pre-tool", task, _shell("orbit prune")),
            "pre-tool, ls": ("pre-tool", task, _shell("ls -la")),
        }
        bare = [options.python, "-c", "pass"]
        times: dict[str, list[float]] = {"bare python": [], **{name: [] for name in cases}}
        for number in range(-1, options.rounds):  # the first round, which warms the caches, does not count
            taken = {"bare python": _time_of(bare, outside, environment)}
            for name, (event, place, said) in cases.items():
                told = json.dumps({"session_id": f"{name} {number}", "cwd": str(place), **said}).encode()
                command = [options.orbit, "hook", event, "--host", "claude"]
                taken[name] = _time_of(command, place, environment, told)
            if number >= 0:
                for name, seconds in taken.items():
                    times[name].append(seconds)
        _print_ratios(options.clones, times)


def _time_of(command: list[str], place: Path, environment: dict[str, str], said: bytes = b"") -> float:
    """Seconds that a command takes which is told that much on stdin."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    began = time.perf_counter()
    subprocess.run(command, cwd=place, env=environment, input=said, check=True, **quiet)
    return time.perf_counter() - began


def _print_ratios(clones: int, times: dict[str, list[float]]) -> None:
    """The ratio is the median of each round's own."""
    bare = times["bare python"]
    print(f"{clones} clones, load {os.getloadavg()[0]:.1f}, medians of {len(bare)} paired rounds")
    for name, values in times.items():
        ratios = sorted(value / one for value, one in zip(values, bare, strict=True))
        middle = f"{statistics.median(values) * 1000:8.1f} ms   {statistics.median(ratios):6.2f} x bare"
        print(f"  {name:<22} {middle}   ({ratios[0]:.1f} to {ratios[-1]:.1f})")


def _shell(command: str) -> dict[str, object]:
    return {"tool_name": "Bash", "tool_input": {"command": command}}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clones", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument(
        "--orbit", default=str(Path(sys.executable).parent / "orbit"), help="the installed script to time"
    )
    parser.add_argument("--python", default=sys.executable, help="the interpreter that orbit is installed with")
    return parser.parse_args()


if __name__ == "__main__":
    main()

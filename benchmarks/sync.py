"""`orbit sync` of many clones from a server that takes its time, side by side and one after another (ORBIT_JOBS=1).

usage: python benchmarks/sync.py [--clones 50] [--delay 0.2] [--rounds 3] [--orbit PATH]

Each connection to the server, a real `git daemon` on the loopback, is held for the delay before it is answered. Two
cases: nothing new (one connection for each clone) and one new commit in every repository (two). The last column is the
time side by side as a share of the time one after another; the contract is at most 1/8 (0.125).
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pool import git

_ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory(prefix="orbit-bench-") as scratch:
        times = measure(options.orbit, Path(scratch), options.clones, options.delay, options.rounds)
    print(table(times, options.clones, options.delay, options.rounds))


def measure(orbit: str, scratch: Path, clones: int, delay: float, rounds: int) -> dict[tuple[str, str], list[float]]:
    """Seconds of each round by case and ORBIT_JOBS ("" as many as orbit takes)."""
    sys.path.append(str(_ROOT / "tests"))
    from servers import git_daemon  # the tests' own server

    remotes, root = scratch / "remotes", scratch / "root"
    names = _build_remotes(remotes, clones)
    times: dict[tuple[str, str], list[float]] = {}
    with git_daemon(remotes) as server:
        _build_pool(orbit, root, remotes, {name: server.url(name) for name in names})
        server.mood.delay = delay
        for _ in range(rounds):
            for case in ("nothing new", "one commit each"):
                for jobs in ("1", ""):
                    if case != "nothing new":
                        _commit(remotes, names)
                    times.setdefault((case, jobs), []).append(_sync(orbit, root, jobs))
    return times


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clones", type=int, default=50)
    parser.add_argument("--delay", type=float, default=0.2, help="seconds before each connection is answered")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--orbit", default=str(Path(sys.executable).parent / "orbit"), help="the script to time")
    return parser.parse_args()


def _build_remotes(remotes: Path, count: int) -> list[str]:
    remotes.mkdir()
    first = remotes / "repo-00.git"
    git(remotes, "init", "-q", "--bare", "-b", "main", str(first))
    names = [f"repo-{number:02d}" for number in range(count)]
    _commit(remotes, names[:1])
    for name in names[1:]:
        shutil.copytree(first, remotes / f"{name}.git")
    return names


def _commit(remotes: Path, names: list[str]) -> None:
    for name in names:
        path = remotes / f"{name}.git"
        tree = git(path, "hash-object", "-t", "tree", "-w", "--", os.devnull)
        parent = git(path, "for-each-ref", "--format=%(objectname)", "refs/heads/main")
        parents = ["-p", parent] if parent else []
        commit = git(path, "commit-tree", *parents, "-m", "change", tree)
        git(path, "update-ref", "refs/heads/main", commit)


def _build_pool(orbit: str, root: Path, remotes: Path, urls: dict[str, str]) -> None:
    """Clones as orbit makes them, from the directory (fast), then pointed at the server."""
    root.mkdir()
    paths = [str(remotes / f"{name}.git") for name in urls]
    subprocess.run([orbit, "clone", *paths], cwd=root, check=True, capture_output=True)
    for name, url in urls.items():
        git(root / ".repos" / name, "config", "remote.origin.url", url)


def _sync(orbit: str, root: Path, jobs: str) -> float:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ORBIT_")}
    if jobs:
        environment["ORBIT_JOBS"] = jobs
    began = time.perf_counter()
    subprocess.run([orbit, "sync"], cwd=root, env=environment, check=True, capture_output=True)
    return time.perf_counter() - began


def table(times: dict[tuple[str, str], list[float]], clones: int, delay: float, rounds: int) -> str:
    lines = [f"sync of {clones} clones, {delay * 1000:.0f} ms a connection, load {os.getloadavg()[0]:.1f}"]
    lines.append(f"  median of {rounds} rounds            side by side    one after another    share (0.125 for 50)")
    for case in ("nothing new", "one commit each"):
        together, alone = (statistics.median(times[case, jobs]) for jobs in ("", "1"))
        lines.append(f"  {case:<28} {together:10.2f} s {alone:18.2f} s {together / alone:10.3f}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()

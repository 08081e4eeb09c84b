"""What a hot command does: processes started, files opened, modules loaded; counted by strace and by Python itself."""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
from pathlib import Path

from timing import Programs, environment

from pool import add_task, build_pool

_CALLS = "execve,open,openat,read,fsync"


def measure(_: argparse.Namespace, programs: Programs, scratch: Path) -> object:
    if not shutil.which("strace"):
        print("what a command does: needs strace\n")
        return None
    root = scratch / "root"
    build_pool(root, 100)
    task = add_task(root, "task-01", 1, "buyers get two mails when an order is billed twice")
    repo = next(path.name for path in sorted(task.iterdir()) if path.is_dir())
    commands: dict[str, list[str]] = {
        "bare python": [programs.python, "-c", "pass"],
        **{
            " ".join(words).replace(repo, "REPO"): [programs.orbit, *words]
            for words in (
                *(["version"], ["context", "goal"], ["jot", repo, "text"], ["context"], ["info", repo], ["status"]),
                *(["context", "--startup"], ["repos"], ["repos", "--json"], ["repos", "billed", "twice"], ["doctor"]),
            )
        },
    }
    found = {name: _counted(programs, command, task) for name, command in commands.items()}
    print("what a command does (100 clones, one worktree, warm)")
    print(f"  {'':<24}{'processes':>10}{'opened':>8}{'read':>7}{'fsync':>7}{'modules':>9}{'of orbit':>10}")
    for name, counts in found.items():
        cells = (counts[key] for key in ("execve", "open", "read", "fsync", "modules", "own"))
        print(f"  {name:<24}" + "".join(f"{n:>{w}}" for n, w in zip(cells, (10, 8, 7, 7, 9, 10), strict=True)))
    print(flush=True)
    return found


def _counted(programs: Programs, command: list[str], place: Path) -> dict[str, int]:
    """`open`: files that were there to be opened; `modules`: all that Python loads, its own start included."""
    run = {"cwd": place, "env": environment(), "stdin": subprocess.DEVNULL, "capture_output": True, "text": True}
    subprocess.run(command, check=True, **run)  # type: ignore[call-overload]
    watched = ["strace", "-f", "-qq", "-e", f"trace={_CALLS}", "-e", "signal=none", "-o", "/dev/stderr"]
    traced = subprocess.run([*watched, *command], check=True, **run).stderr  # type: ignore[call-overload]
    done = re.findall(r"^\d+ +(\w+)\(.*\) += (?!-1)", traced, re.MULTILINE)
    loaded = [programs.python, "-X", "importtime", *(["-c", "pass"] if command[1] == "-c" else command)]
    listed = subprocess.run(loaded, check=True, **run).stderr  # type: ignore[call-overload]
    modules = re.findall(r"^import time:.*\| +(\S+)$", listed, re.MULTILINE)
    counts = {name: done.count(name) for name in ("execve", "read", "fsync")}
    counts["open"] = done.count("open") + done.count("openat")
    return {**counts, "modules": len(modules), "own": sum(name.partition(".")[0] == "orbit" for name in modules)}

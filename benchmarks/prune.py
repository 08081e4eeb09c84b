"""`orbit prune` of many finished workspaces: seconds and git processes for each workspace, dry and real.

usage: python benchmarks/prune.py [--workspaces 30] [--repos 10] [--orbit PATH]

Half of the branches have commits that upstream took as a squash, so that the content verdict has work; nothing is
fetched over a network. Processes are counted in a second run, by a `git` on PATH that writes down each call.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from pool import git

_COUNTER = '#!/bin/sh\nprintf "%s\\n" "$*" >> "{log}"\nexec "{git}" "$@"\n'
_OPTIONS_WITH_VALUE = ("-c", "-C")


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory(prefix="orbit-bench-") as scratch:
        base = Path(scratch)
        _build(base / "root", base / "remotes", options.workspaces, options.repos)
        shutil.copytree(base / "root", base / "copy", symlinks=True)
        rows = {}
        for words in (["--dry-run"], []):
            begun = time.perf_counter()
            _prune(options.orbit, base / "root", words, os.environ)
            rows[" ".join(["prune", *words])] = time.perf_counter() - begun
        shutil.rmtree(base / "root")
        (base / "copy").rename(base / "root")
        calls = {}
        for words in (["--dry-run"], []):
            calls[" ".join(["prune", *words])] = _counted(options.orbit, base, words)
    count = options.workspaces
    print(f"{count} workspaces x {options.repos} repositories, load {os.getloadavg()[0]:.1f}")
    print(f"{'command':<18}{'s':>8}{'ms/workspace':>14}{'git':>7}{'git/worktree':>14}")
    for name, seconds in rows.items():
        total = sum(calls[name].values())
        print(
            f"{name:<18}{seconds:>8.2f}{seconds / count * 1000:>14.0f}{total:>7}{total / count / options.repos:>14.1f}"
        )
    for name, counted in calls.items():
        print(f"{name}: {', '.join(f'{verb} {number}' for verb, number in counted.most_common())}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workspaces", type=int, default=30)
    parser.add_argument("--repos", type=int, default=10)
    parser.add_argument("--orbit", default=str(Path(sys.executable).parent / "orbit"), help="the script to time")
    return parser.parse_args()


def _build(root: Path, remotes: Path, workspaces: int, repos: int) -> None:
    (root / ".repos").mkdir(parents=True)
    remotes.mkdir()
    for number in range(repos):
        name = f"repo-{number:02}"
        remote = remotes / f"{name}.git"
        git(remotes, "init", "-q", "--bare", "-b", "main", str(remote))
        source = remotes / name
        git(remotes, "clone", "-q", str(remote), str(source))
        for file in range(30):
            (source / f"file-{file}.txt").write_text(f"{file}\n" * 20)
        git(source, "add", "--all")
        git(source, "commit", "-q", "-m", "First")
        git(source, "push", "-q", "origin", "HEAD:main")
        clone = root / ".repos" / name
        git(root, "clone", "-q", str(remote), str(clone))
        for task in range(workspaces):
            _worktree(root, clone, name, f"task-{task:02}", changed=task % 2 == 1)
            if task % 2 == 1:
                (source / f"task-{task:02}.txt").write_text("work\n")
        git(source, "add", "--all")
        git(source, "commit", "-q", "-m", "All of it at once")
        git(source, "push", "-q", "origin", "HEAD:main")
        git(clone, "fetch", "-q", "origin")
    for task in range(workspaces):
        (root / f"task-{task:02}" / ".orbit").write_text("[workspace]\n\tstatus = done\n\tdone-at = 1700000000\n")


def _worktree(root: Path, clone: Path, name: str, task: str, *, changed: bool) -> None:
    branch, path = f"ws/{task}/main", root / task / name
    git(clone, "worktree", "add", "-q", "--no-track", "-b", branch, str(path), "origin/main")
    git(clone, "config", f"branch.{branch}.remote", "origin")
    git(clone, "config", f"branch.{branch}.merge", "refs/heads/main")
    if changed:
        (path / f"{task}.txt").write_text("work\n")
        git(path, "add", "--all")
        git(path, "commit", "-q", "-m", "Work")


def _prune(orbit: str, root: Path, words: list[str], env: dict[str, str] | os._Environ[str]) -> None:
    done = subprocess.run([orbit, "prune", *words], cwd=root, capture_output=True, text=True, env=env, check=False)
    if done.returncode != 0 or "kept" in done.stdout:
        raise SystemExit(f"prune failed: {(done.stdout + done.stderr)[:2000]}")


def _counted(orbit: str, base: Path, words: list[str]) -> Counter[str]:
    log, place = base / "calls", base / "bin"
    log.write_text("")
    place.mkdir(exist_ok=True)
    script = place / "git"
    script.write_text(_COUNTER.format(log=log, git=shutil.which("git")))
    script.chmod(0o755)
    _prune(orbit, base / "root", words, {**os.environ, "PATH": f"{place}{os.pathsep}{os.environ['PATH']}"})
    return Counter(_verb(line.split(" ")) for line in log.read_text().splitlines())


def _verb(words: list[str]) -> str:
    position = 0
    while position < len(words) and words[position].startswith("-"):
        position += 2 if words[position] in _OPTIONS_WITH_VALUE else 1
    return words[position] if position < len(words) else "?"


if __name__ == "__main__":
    main()

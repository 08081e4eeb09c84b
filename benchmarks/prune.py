"""`orbit prune` of many finished workspaces: seconds and git processes for each workspace, dry and real.

usage: python benchmarks/prune.py [--workspaces 30] [--repos 10] [--span 2] [--beside 290] [--rounds 5] [--orbit X]...

Each workspace has worktrees of `--span` of the repositories (all, if not given), and `--beside` clones have nothing of
any. Several programs are timed in turn, with the ratio of their medians to the first one's. Half of the branches have
commits that upstream took as a squash, so that the content verdict has work; nothing is fetched over a network.
Processes are counted in a second run, by a `git` on PATH that writes down each call.
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
from collections import Counter
from pathlib import Path

from pool import git

_COUNTER = '#!/bin/sh\nprintf "%s\\n" "$*" >> "{log}"\nexec "{git}" "$@"\n'
_OPTIONS_WITH_VALUE = ("-c", "-C")


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory(prefix="orbit-bench-") as scratch:
        base = Path(scratch)
        _build(base / "root", base / "remotes", options)
        (base / "root").rename(base / "copy")
        seconds: dict[tuple[str, str], list[float]] = {}
        for _ in range(options.rounds):
            for orbit in options.orbit:
                _put_back(base)
                for words in (["--dry-run"], []):
                    begun = time.perf_counter()
                    _prune(orbit, base / "root", words, os.environ)
                    seconds.setdefault((orbit, " ".join(["prune", *words])), []).append(time.perf_counter() - begun)
        for orbit in options.orbit:
            _put_back(base)
            calls = {" ".join(["prune", *words]): _counted(orbit, base, words) for words in (["--dry-run"], [])}
            _print(options, orbit, seconds, calls)


def _put_back(base: Path) -> None:
    shutil.rmtree(base / "root", ignore_errors=True)
    shutil.copytree(base / "copy", base / "root", symlinks=True)


def _print(
    options: argparse.Namespace, orbit: str, seconds: dict[tuple[str, str], list[float]], calls: dict[str, Counter[str]]
) -> None:
    count, span = options.workspaces, options.span or options.repos
    pool = options.repos + options.beside
    print(f"{orbit}: {count} workspaces x {span} repositories, pool of {pool}, load {os.getloadavg()[0]:.1f}")
    print(f"{'command':<18}{'s':>8}{'ratio':>7}{'ms/workspace':>14}{'git':>7}{'git/worktree':>14}")
    for name, counted in calls.items():
        total, median = sum(counted.values()), statistics.median(seconds[orbit, name])
        ratio = median / statistics.median(seconds[options.orbit[0], name])
        each = total / count / span
        print(f"{name:<18}{median:>8.2f}{ratio:>7.2f}{median / count * 1000:>14.0f}{total:>7}{each:>14.1f}")
    for name, counted in calls.items():
        print(f"{name}: {', '.join(f'{verb} {number}' for verb, number in counted.most_common())}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workspaces", type=int, default=30)
    parser.add_argument("--repos", type=int, default=10)
    parser.add_argument("--span", type=int, default=0)
    parser.add_argument("--beside", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--orbit", action="append", help="the script to time")
    options = parser.parse_args()
    options.orbit = options.orbit or [str(Path(sys.executable).parent / "orbit")]
    return options


def _build(root: Path, remotes: Path, options: argparse.Namespace) -> None:
    (root / ".repos").mkdir(parents=True)
    remotes.mkdir()
    workspaces, repos, span = options.workspaces, options.repos, options.span or options.repos
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
        for beside in range(options.beside if number == 0 else 0):
            shutil.copytree(clone, root / ".repos" / f"beside-{beside:03}", symlinks=True)
        for task in range(workspaces):
            if (number - task * span) % repos >= span:
                continue
            _worktree(root, clone, name, f"task-{task:02}", changed=task % 2 == 1)
            if task % 2 == 1:
                (source / f"task-{task:02}.txt").write_text("work\n")
        git(source, "add", "--all")
        git(source, "commit", "-q", "--allow-empty", "-m", "All of it at once")
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

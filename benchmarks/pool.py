"""A synthetic pool of any size: one small clone copied, cards for most, a quarter of them stale. Deterministic."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from pathlib import Path

SEED = 20_261
_AREAS = ("billing", "search", "auth", "mail", "stock", "orders", "media", "report", "edge", "batch")
_KINDS = ("service", "library", "worker", "client", "gateway", "console", "schema", "agent")
_COMMITS = 12


def git(directory: Path, *args: str) -> str:
    """Hermetic git: no user or system settings."""
    env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    for role in ("AUTHOR", "COMMITTER"):
        env |= {f"GIT_{role}_NAME": "bench", f"GIT_{role}_EMAIL": "bench@example.com"}
        env[f"GIT_{role}_DATE"] = "1700000000 +0000"
    done = subprocess.run(["git", "-C", str(directory), *args], env=env, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def build_pool(root: Path, clones: int, *, cards: float = 0.9, stale: float = 0.25, readme_lines: int = 1) -> None:
    """Make `root/.repos` with that many clones; `cards` and `stale` are shares of all clones."""
    pool = root / ".repos"
    pool.mkdir(parents=True)
    template, heads = _template(root)
    chance = random.Random(SEED)
    index = []
    for number in range(clones):
        area, kind = chance.choice(_AREAS), chance.choice(_KINDS)
        name = f"{area}-{kind}-{number:05d}"
        url = f"https://git.example.com/team/{name}.git"
        brief = f"The {area} {kind} number {number} of the example company"
        _copy(template, pool / name, url)
        if readme_lines > 1:
            (pool / name / "README.md").write_text(_readme(name, brief, readme_lines), encoding="utf-8")
        has_card = chance.random() < cards
        head = heads[chance.randrange(_COMMITS - 1)] if has_card and chance.random() < stale / cards else heads[-1]
        lines = [f'[repos "{name}"]', f"\turl = {url}", f"\thead = {head}"]
        if has_card:
            text = _card(name, area, kind, brief)
            (pool / f".{name}.md").write_text(text, encoding="utf-8")
            lines += [f"\tbrief = {brief}", f"\tcard = {_blob(text.encode())}"]
        index.append("\n".join(lines))
    (pool / ".orbit").write_text("\n".join(index) + "\n", encoding="utf-8")
    shutil.rmtree(template.parent)


def add_task(root: Path, task: str, worktrees: int, goal: str = "") -> Path:
    """A workspace with a worktree of each of the first clones, as `orbit add` makes them, and a goal."""
    place = root / task
    place.mkdir()
    (place / ".orbit").write_text(f"[workspace]\n\tgoal = {goal or 'something small'}\n", encoding="utf-8")
    for clone in sorted((root / ".repos").glob("[a-z]*"))[:worktrees]:
        branch = f"ws/{task}/main"
        git(clone, "worktree", "add", "-q", "--no-track", "-b", branch, str(place / clone.name), "origin/main")
        git(clone, "config", f"branch.{branch}.remote", "origin")
        git(clone, "config", f"branch.{branch}.merge", "refs/heads/main")
    return place


def _template(root: Path) -> tuple[Path, list[str]]:
    """One clone with a dozen commits, and the object name of each, oldest first."""
    work = root / ".template"
    origin, clone = work / "origin", work / "clone"
    origin.mkdir(parents=True)
    git(origin, "init", "-q", "-b", "main")
    heads = []
    for number in range(_COMMITS):
        (origin / "README.md").write_text(f"# example\n\nAn example service, revision {number}.\n", encoding="utf-8")
        git(origin, "add", "-A")
        git(origin, "commit", "-q", "-m", f"revision {number}")
        heads.append(git(origin, "rev-parse", "HEAD"))
    git(work, "clone", "-q", "--single-branch", str(origin), str(clone))
    git(clone, "repack", "-adq")
    shutil.rmtree(clone / ".git" / "hooks", ignore_errors=True)
    return clone, heads


def _copy(template: Path, target: Path, url: str) -> None:
    shutil.copytree(template, target, ignore=shutil.ignore_patterns("objects"))
    shutil.copytree(template / ".git" / "objects", target / ".git" / "objects", copy_function=os.link)
    config = target / ".git" / "config"
    text = config.read_text(encoding="utf-8")
    old = next(line for line in text.splitlines() if line.strip().startswith("url ="))
    config.write_text(text.replace(old, f"\turl = {url}"), encoding="utf-8")


def _card(name: str, area: str, kind: str, brief: str) -> str:
    return (
        f"# {name}\n\n{brief}\n\n## When to add (roles)\n\n- A change in {area} that the {kind} has to know\n\n"
        f"## How to use\n\n- `src/{area}/main.py`: where it starts\n- `README.md`: how to run the {kind}\n"
    )


def _readme(name: str, brief: str, lines: int) -> str:
    """Badges and a logo before the first sentence, as many have, then text."""
    badges = "".join(f"[![{badge}](https://ci.example.com/{badge}.svg)](https://ci.example.com)\n" for badge in "abcd")
    text = f'<p align="center"><img src="logo.png"></p>\n\n# {name}\n\n{badges}\n{brief}, with *all* that it needs.\n'
    return text + "".join(
        f"\n## Part {number}\n\nSome `code` and [a link](docs/{number}.md).\n" for number in range(lines)
    )


def _blob(data: bytes) -> str:
    from hashlib import sha1

    return sha1(b"blob %d\0" % len(data) + data).hexdigest()

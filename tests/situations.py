"""The situations of the skill's evals.json: made from their recipe, played with real orbit, their end state looked at
with plain git and file reads.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from cards import card
from world import Outcome, World, run_git

Given = dict[str, Any]
_OVER = "".join(f"- src/{number}.py: part {number} of it all\n" for number in range(40))
_CACHE = ".repos/.cache/"


def succeed(outcome: Outcome) -> Outcome:
    assert outcome.code == 0, outcome.err
    return outcome


# --- the recipe ------------------------------------------------------------------------------------------------------


def make(world: World, given: Given) -> None:
    """The project state that a situation begins with."""
    for name in given.get("remotes", ()):
        world.origin(name)
    for name, repo in given.get("pool", {}).items():
        _make_repository(world, name, repo)
    for workspace, branches in given.get("leftover", {}).items():
        for name, message in branches.items():
            _leave_branch(world, workspace, name, message)
    for name, workspace in given.get("workspaces", {}).items():
        _make_workspace(world, name, workspace)
    for name, branch in given.get("elsewhere", {}).items():
        other = world.workspace("another-task")
        world.git(world.pool / name, "worktree", "add", "-q", "-b", branch, str(other / name), "origin/main")
    for name, files in given.get("afterwards", {}).items():
        world.origins[name].commit(files)


def _make_repository(world: World, name: str, repo: Given) -> None:
    origin = world.origin(name)
    for branch, files in repo.get("branches", {}).items():
        origin.branch(branch)
        origin.commit(files, branch=branch)
    for tag in repo.get("tags", ()):
        world.git(origin.path, "tag", tag, "main")
    succeed(world.orbit("clone", origin.url))
    if "card" in repo:
        texts = {"good": _good(name), "over": _good(name) + _OVER}
        succeed(world.orbit("memo", name, stdin=texts.get(repo["card"], repo["card"])))
    if "then" in repo:
        succeed(world.orbit("memo", name, stdin=repo["then"]))
    if "later" in repo:
        origin.commit(repo["later"])
        succeed(world.orbit("sync", name))
    if "upstream" in repo:
        origin.commit(repo["upstream"])
    if repo.get("fetched"):
        world.git(world.pool / name, "fetch", "-q")


def _good(name: str) -> str:
    return card(repo=name, paths=0) + "- `src/app.py`: the entry point, read it first\n- `README.md`: how it is meant\n"


def _leave_branch(world: World, workspace: str, name: str, message: str) -> None:
    clone = world.pool / name
    tree = world.git(clone, "rev-parse", "origin/main^{tree}")
    commit = world.git(clone, "commit-tree", tree, "-p", "origin/main", "-m", message)
    world.git(clone, "update-ref", f"refs/heads/ws/{workspace}/main", commit)


def _make_workspace(world: World, name: str, workspace: Given) -> None:
    goal = [workspace["goal"]] if "goal" in workspace else ["--no-goal"]
    succeed(world.orbit("new", *goal, "--name", name))
    path = world.root / name
    if "add" in workspace:
        succeed(world.orbit("add", *workspace["add"], cwd=path))
    for repo, texts in workspace.get("popped", {}).items():
        _jot(world, path, repo, texts)
        succeed(world.orbit("jot", repo, "--pop", cwd=path))
    for repo, texts in workspace.get("jots", {}).items():
        _jot(world, path, repo, texts)
    for repo, commands in workspace.get("git", {}).items():
        for command in commands:
            world.git(path / repo, *shlex.split(command))
    for file, text in workspace.get("dirty", {}).items():
        (path / file).write_text(text)
    if workspace.get("done"):
        requests = [word for url in workspace.get("prs", ()) for word in ("--pr", url)]
        succeed(world.orbit("done", *requests, cwd=path))


def _jot(world: World, path: Path, repo: str, texts: Iterable[str]) -> None:
    for text in texts:
        succeed(world.orbit("jot", repo, text, cwd=path))


# --- the run ---------------------------------------------------------------------------------------------------------


def play(world: World, steps: list[Any], at: str) -> list[str]:
    """Run the expected commands; what each of them should have done and did not."""
    kept = {f"url:{name}": origin.url for name, origin in world.origins.items()}
    return [problem for step in steps for problem in _step(world, step, at, kept)]


def _step(world: World, step: Any, at: str, kept: dict[str, str]) -> list[str]:
    wanted = {"run": step} if isinstance(step, str) else step
    unknown = {*wanted} - {"run", "other", "stdin", "in", "exit", "says", "keep"}
    assert not unknown, unknown
    line = wanted.get("run") or wanted["other"]
    words = [_filled(word, kept) for word in shlex.split(line)]
    directory = world.root / ("." if "other" in wanted else wanted.get("in", at))
    if words[0] == "git":
        world.git(directory, *words[1:])
        return []
    assert words[0] == "orbit", line
    outcome = world.orbit(*words[1:], cwd=directory, stdin=wanted.get("stdin"))
    shown = outcome.out + outcome.err
    problems = [f"{line}: says nothing of {text!r}: {shown}" for text in wanted.get("says", ()) if text not in shown]
    if outcome.code != wanted.get("exit", 0):
        problems.append(f"{line}: exit {outcome.code}: {shown}")
    for name, pattern in wanted.get("keep", {}).items():
        found = re.search(pattern, shown)
        if found:
            kept[name] = found[1]
        else:
            problems.append(f"{line}: nothing like {pattern!r}: {shown}")
    return problems


def _filled(word: str, kept: dict[str, str]) -> str:
    return re.sub(r"\{([a-zA-Z:_-]+)\}", lambda found: kept[found[1]], word)


# --- the end state ---------------------------------------------------------------------------------------------------


def project_files(world: World) -> dict[str, bytes]:
    """Everything in and beside the project that is not a cache."""
    found = {}
    for path in sorted(world.base.rglob("*")):
        name = str(path.relative_to(world.base))
        if not name.startswith(f"root/{_CACHE}") and path.is_file() and not path.is_symlink():
            found[name] = path.read_bytes()
    return found


def differences(world: World, then: Given, before: dict[str, bytes]) -> list[str]:
    """What of the expected end state does not hold."""
    problems = []
    for kind, wanted in then.items():
        if kind == "unchanged":
            after = project_files(world)
            problems += [f"changed: {name}" for name in {*before, *after} if before.get(name) != after.get(name)]
        else:
            problems += [f"{kind}: {problem}" for problem in CHECKS[kind](world, wanted)]
    return problems


def _metadata(world: World, workspace: str, key: str) -> list[str]:
    """Every value of a key, as git reads the file."""
    path = world.root / workspace / ".orbit"
    if not path.exists():
        return []
    listed = run_git(world.root, "config", "--file", str(path), "--list", "-z").split("\0")
    pairs = [entry.partition("\n") for entry in listed if entry]
    return [value for name, _, value in pairs if name == key]


def _queues(world: World, workspace: str, key: str) -> dict[str, list[str]]:
    found = {name: _metadata(world, workspace, f"jot.{name}.{key}") for name in _pool(world)}
    return {name: values for name, values in found.items() if values}


def _compared(found: object, wanted: object) -> list[str]:
    return [] if found == wanted else [f"{found!r}, not {wanted!r}"]


def _each(look: Callable[[World, str], object]) -> Callable[[World, Any], list[str]]:
    """A check of `{place: value}`."""
    return lambda world, wanted: [
        f"{place}: {problem}" for place, value in wanted.items() for problem in _compared(look(world, place), value)
    ]


def _worktrees(world: World, workspace: str) -> dict[str, str]:
    trees = [path.parent for path in (world.root / workspace).glob("*/.git")]
    return {tree.name: run_git(tree, "symbolic-ref", "--short", "HEAD") for tree in trees}


def _cards(world: World, wanted: dict[str, Any]) -> list[str]:
    problems = []
    for name, texts in wanted.items():
        path = world.pool / f".{name}.md"
        text = path.read_text() if path.exists() else None
        if text is None or texts is None:
            problems += _compared(text, texts)
            continue
        problems += [f"{name} lacks {part!r}" for part in texts.get("has", ()) if part not in text]
        problems += [f"{name} has {part!r}" for part in texts.get("lacks", ()) if part in text]
    return problems


def _in_sync(world: World, names: list[str]) -> list[str]:
    heads = {name: run_git(world.pool / name, "rev-parse", "refs/heads/main") for name in names}
    return [name for name in names if heads[name] != world.origins[name].sha()]


def _is_fresh(world: World, name: str) -> bool:
    stored = run_git(world.root, "config", "--file", str(world.pool / ".orbit"), "--default", "", f"repos.{name}.head")
    return stored == run_git(world.pool / name, "rev-parse", "HEAD")


def _text_of(world: World, path: str) -> str | None:
    file = world.root / path
    return file.read_text() if file.exists() else None


def _pool(world: World) -> list[str]:
    return _directories(world.pool)


def _workspaces(world: World) -> list[str]:
    return _directories(world.root)


def _directories(place: Path) -> list[str]:
    return sorted(path.name for path in place.iterdir() if path.is_dir() and not path.name.startswith("."))


def _setting(world: World, key: str) -> str:
    return run_git(world.root, "config", "--file", str(world.pool / ".orbit"), "--default", "", key)


def _last_message(world: World, path: str) -> str:
    return run_git(world.root / path, "log", "-1", "--format=%s") if (world.root / path).exists() else ""


def _upstream(world: World, path: str) -> str:
    branch = run_git(world.root / path, "symbolic-ref", "--short", "HEAD")
    return run_git(world.root / path, "config", f"branch.{branch}.merge")


CHECKS: dict[str, Callable[[World, Any], list[str]]] = {
    "worktrees": _each(_worktrees),
    "jots": _each(lambda world, place: _queues(world, place, "entry")),
    "popped": _each(lambda world, place: _queues(world, place, "popped")),
    "goal": _each(lambda world, place: "".join(_metadata(world, place, "workspace.goal"))),
    "state": _each(lambda world, place: "".join(_metadata(world, place, "workspace.status")) or "active"),
    "prs": _each(lambda world, place: _metadata(world, place, "pr.url")),
    "files": _each(_text_of),
    "fresh": _each(_is_fresh),
    "settings": _each(_setting),
    "upstream": _each(_upstream),
    "log": _each(_last_message),
    "cards": _cards,
    "in_sync": _in_sync,
    "pool": lambda world, wanted: _compared(_pool(world), wanted),
    "workspaces": lambda world, wanted: _compared(_workspaces(world), wanted),
    "directories": lambda world, wanted: [name for name in wanted if not (world.root / name).is_dir()],
}

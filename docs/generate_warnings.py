"""Writes docs/spec-warnings.md from `orbit.guidance`: `python docs/generate_warnings.py`. A test compares the two."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from orbit import guidance
from orbit.guidance.notice import Notice
from orbit.wording import Paths

PAGE = Path(__file__).with_name("spec-warnings.md")

_TOP = """# What orbit says on stderr

Made by `docs/generate_warnings.py` from the modules of `src/orbit/guidance/`; change it there.

    orbit: <subject>: <fact>                information: something to weigh
    orbit: <subject>: <fact>: <next step>   steering: something to do, as commands without the `orbit` prefix
    orbit: <context>: <what went wrong>     error: exit status 1 (2 for wrong usage); a second line may say what to do

The subject is a repository, a workspace or a command. Each line is one line; orbit's own words are ASCII, ranges are
written with `~`. These lines inform and steer: none of them stops a command or changes its exit status.

The examples are about the repository `backend` in the workspace `task-01`.
"""

_TABLE = """
## {title}

| name | when | class | example |
|---|---|---|---|
"""

# What the examples are made with: by parameter, and where that would not fit, by function and parameter.
EXAMPLES: dict[str, object] = {
    "repo": "backend",
    "workspace": "task-01",
    "branch": "main",
    "commits": 3,
    "ahead": 1,
    "behind": 2,
    "count": 3,
    "total": 53,
    "entries": 12,
    "files": 2,
    "minimum": 4,
    "maximum": 16,
    "written": True,
    "missing": True,
    "cut": True,
    "name": "README.md",
    "not_a_repository.name": "downloads",
    "path": "task-01/.orbit",
    "earlier_add_undone.path": "task-01/backend",
    "place": "task-01/backend",
    "reason": "line 3 is neither a section nor a setting",
    "memo_distance_unknown.reason": "the commit it was written for is not in the clone",
    "sync_failed.reason": "cannot reach the remote: Could not resolve host: example.com",
    "note": "removed .repos/.orbit.lock, process 4711 no longer lives",
    "words": "auth session",
    "key": "memo.maxLines",
    "config_restored.key": "fetch.prune",
    "value": "many",
    "default": "16",
    "inner": "/home/me/project/task-01/backend",
    "outer": "/home/me/project",
    "rev": "1f7a7a472abf",
    "paths": Paths(4, ("cmd/server/main.go",), ("api/",)),
    "before": 12,
    "after": 4,
    "history_failed.reason": "No space left on device",
    "scope": ". (depth 1), src (depth 2)",
    "context": "frontend",
    "message": "worktree already exists",
    "hint": "",
    "branch_reset.branch": "ws/task-01/main",
    "raw_branch.branch": "fix-login",
    "hook": "post-checkout",
    "size": "24 of 16 lines",
    "findings": "2 placeholders left (TODO)",
    "jots": 3,
    "popped": 0,
    "thin": False,
    "over": True,
    "raw": "fix-login",
    "ref": "refs/orbit/reclaimed/_pool/1700000000/main",
    "sha": "1f7a7a472abf",
    "tip_kept.name": "main",
    "verb": "sync",
    "at_least": False,
    "old": "master",
    "config_would_be_restored.key": "fetch.prune",
    "config_would_be_restored.old": "false",
    "config_would_be_restored.new": "true",
    "gh_silent.reason": "gh is not installed",
    "not_fetched.reason": "cannot reach the remote: Could not resolve host: example.com",
    "ghost_moved.place": "archive/backend",
    "ghost_perhaps_moved.place": "archive",
    "not_looked_at.reason": "its worktrees cannot be listed (/srv/team/.repos/backend/.git/worktrees cannot be read)",
    "step_failed.reason": "task-01 cannot be moved to the trash: Permission denied",
    "age": "3 days",
    "new": "main",
    "config_restored.old": "false",
    "config_restored.new": "true",
    "setting": "git.fetchPrune",
    "remote": "git@example.com:team/cards.git",
    "mine": "1f7a7a472abf",
    "theirs": "68b0bdab14c2",
    "names": ("web", "api"),
    "no_cards_there.names": ("LICENSE",),
    "cards": 12,
    "found": "U+001B",
    "card_refused.reason": "it contains NUL bytes",
    "source": "/home/me/src/backend",
    "stays_in_source.what": "3 unpushed commits on fix-login, a stash",
    "other": "/home/me/src/api",
    "of": "/home/me/src/api",
    "target": "/srv/git/backend",
    "remote_renamed.remote": "upstream",
    "host": "claude",
    "program": "claude",
    "host_failed.reason": "claude plugin install orbit@orbit-workspaces: Plugin not found",
    "host_unknown.reason": "claude plugin list --json: no answer within 60 seconds, it was ended",
    "hooks_untrusted.host": "codex",
    "folder_trust.host": "gemini",
    "offer_left_alone.host": "codex",
    "offer_left_alone.path": "/home/me/.codex/rules/orbit.rules",
    "by_hand.host": "cursor",
    "by_hand.path": "/home/me/.local/share/orbit/hosts/tree",
}


def rooms() -> list[ModuleType]:
    """The modules that word the lines, by name."""
    names = [module.name for module in pkgutil.iter_modules(guidance.__path__)]
    return [importlib.import_module(f"orbit.guidance.{name}") for name in names if name.endswith("_notices")]


def notices(*modules: ModuleType) -> dict[str, Callable[..., Notice]]:
    """Every line of guidance by the name of its function, in the order of the source; of all modules without one."""
    found = {}
    for module in modules or rooms():
        functions = inspect.getmembers(module, inspect.isfunction)
        own = [(name, f) for name, f in functions if f.__module__ == module.__name__ and not name.startswith("_")]
        found.update(sorted(own, key=lambda item: item[1].__code__.co_firstlineno))
    return found


def example(make: Callable[..., Notice]) -> Notice:
    """The line with sample values; a parameter with a default keeps it, so that the plain form is shown."""
    parameters = inspect.signature(make).parameters.values()
    needed = [parameter.name for parameter in parameters if parameter.default is parameter.empty]
    return make(**{name: EXAMPLES.get(f"{make.__name__}.{name}", EXAMPLES.get(name)) for name in needed})


def page() -> str:
    """The whole document."""
    return _TOP + "".join(_table(module) for module in rooms())


def _table(module: ModuleType) -> str:
    title = (inspect.getdoc(module) or "").partition(". Contract")[0]
    rows = []
    for make in notices(module).values():
        notice = example(make)
        kind = "steering" if notice.next else "information"
        line = notice.line.replace("|", "\\|")
        rows.append(f"| {notice.name} | {inspect.getdoc(make)} | {kind} | `{line}` |\n")
    return _TABLE.format(title=title) + "".join(rows)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

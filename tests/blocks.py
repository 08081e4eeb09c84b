"""Heads, rows and statuses to make context blocks of, and the blocks within their budget."""

from __future__ import annotations

from orbit.knowledge.context import Detail, Head, prime_text, reignite_text
from orbit.knowledge.jots import EMPTY
from orbit.knowledge.roster import Roster, Row
from orbit.knowledge.staleness import FRESH, NO_CARD, RemoteAhead
from orbit.knowledge.status import RepoStatus
from orbit.pool.index import Index
from orbit.pool.worktrees import Worktree
from orbit.store.settings import read_settings
from orbit.store.syntax import parse

HEAD = Head("task-01", "/work/root/task-01", "make it faster", "active")
TOP = ["path: /work/root/task-01", "goal: make it faster", "state: active"]
NO_MEMO = "no memo (orbit info REPO shows the README):"
APART = "index out of sync (orbit memo REPO --refresh):"
CUT = "… cut at context.maxBytes: orbit status, orbit repos and orbit info show the rest"
SHA = "a" * 40


def index(**settings: int) -> Index:
    """`maxBytes` and `rosterLimit`, or the defaults."""
    config = parse("[context]\n" + "".join(f"\t{key} = {value}\n" for key, value in settings.items()))
    return Index({}, config, read_settings(config), "ok", ())


def row(name: str, brief: str = "A brief.", **changes: object) -> Row:
    made = Row(name, "", brief, "index", SHA, "ok", FRESH, False, False, True)
    return made.replace(**changes)


def rows(count: int, brief: str = "What it is, in one line of a usual length, neither short nor long.") -> list[Row]:
    return [row(f"repository-{number:03}", brief) for number in range(count)]


def status(name: str = "backend", **changes: object) -> RepoStatus:
    tree = Worktree(name, f"/work/root/task-01/{name}", "ws/task-01/main", SHA)
    return RepoStatus(name, tree, EMPTY, "", "", "ok", "", "main").replace(**changes)


def detail(name: str = "backend", text: str = "", used: int = 0, **changes: object) -> Detail:
    return Detail(status(name, **changes), FRESH if text else NO_CARD, RemoteAhead(0, "main"), text, used)


def prime(ordered: list[Row], *statuses: RepoStatus, head: Head = HEAD, **settings: int) -> tuple[list[str], int]:
    text, shown = prime_text(head, statuses, Roster(tuple(ordered), index(**settings), ()), ordered)
    assert len(text.encode()) + 1 <= settings.get("maxBytes", 9000)
    return text.split("\n"), shown


def reignite(*details: Detail, head: Head = HEAD, **settings: int) -> list[str]:
    text = reignite_text(head, details, index(**settings))
    assert len(text.encode()) + 1 <= settings.get("maxBytes", 9000)
    return text.split("\n")

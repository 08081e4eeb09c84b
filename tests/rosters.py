"""`orbit repos --json`, and the lines that `orbit` says about a card that is behind."""

from __future__ import annotations

from typing import Any

from shapes import json_of
from world import World

README_BRIEF = "A small service that the tests copy."


def renew(repo: str) -> str:
    return f"memo {repo} with what changed, or memo {repo} --refresh if the card still holds"


def behind(repo: str, commits: int, note: str = "") -> str:
    return f"orbit: {repo}: memo is {commits} commits behind HEAD{note}: {renew(repo)}\n"


def repos(world: World, *words: str, **named: Any) -> Any:
    outcome = world.orbit("repos", *words, "--json", **named)
    assert outcome.code == 0
    return json_of("repos", outcome)

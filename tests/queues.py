"""The jots of a workspace, read and made without the command."""

from __future__ import annotations

from pathlib import Path

from orbit.knowledge.jots import Queue, queue_of
from orbit.store.document import load
from world import run_git


def queue(task: Path, repo: str = "backend") -> Queue:
    return queue_of(load(f"{task}/.orbit").config, repo)


def waiting(task: Path, repo: str = "backend") -> tuple[str, ...]:
    return queue(task, repo).entries


def popped(task: Path, repo: str = "backend") -> tuple[str, ...]:
    return queue(task, repo).popped


def fill(task: Path, entries: tuple[str, ...] = (), in_flight: tuple[str, ...] = (), repo: str = "backend") -> None:
    """A queue as git itself writes it."""
    for key, values in (("entry", entries), ("popped", in_flight), ("popped-at", ("1",) * len(in_flight))):
        for value in values:
            run_git(task, "config", "--file", ".orbit", "--add", f"jot.{repo}.{key}", value)

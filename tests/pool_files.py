"""Cards and index rows put in place by hand, as another program or a person's editor would."""

from __future__ import annotations

import os
from pathlib import Path

from cards import card
from world import World

NOBODY = "0123456789abcdef0123456789abcdef01234567"  # a commit that no clone has


def put_card(world: World, name: str = "backend", text: str | bytes | None = None) -> Path:
    """The card file alone."""
    path = world.pool / f".{name}.md"
    data = card(repo=name) if text is None else text
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def put_row(world: World, name: str = "backend", **fields: str) -> None:
    """Append a row to the index: the last value of a key counts."""
    lines = [f'[repos "{name}"]\n', *(f"\t{key} = {value}\n" for key, value in fields.items())]
    with (world.pool / ".orbit").open("a") as file:
        file.writelines(lines)


def head_of(world: World, name: str = "backend") -> str:
    return world.git(world.pool / name, "rev-parse", "HEAD")


def known_clone(world: World, name: str = "backend", *, head: str = "", brief: str = "") -> Path:
    """A clone with a card, and its row: without an id of the card's text, as older pools have them."""
    path = world.clone(name)
    put_card(world, name)
    put_row(
        world, name, url=world.origins[name].url, head=head or head_of(world, name), brief=brief or "From the index"
    )
    os.utime(world.pool / f".{name}.md", (world.now - 10, world.now - 10))
    return path


def advance(world: World, name: str = "backend", commits: int = 1) -> str:
    """Commits in the pool clone itself, as a fast-forward would bring; the new HEAD."""
    clone = world.pool / name
    for _ in range(commits):
        world.git(clone, "commit", "-q", "--allow-empty", "-m", "Change")
    return head_of(world, name)

"""Several pools of the same repositories, and a bare repository through which they share their cards."""

from __future__ import annotations

from pathlib import Path

from cards import card
from orbit.knowledge.card import revision
from world import World, run_git


def another_pool(world: World, name: str, *clones: str) -> World:
    """A project of its own beside the world's, with clones of the same remotes."""
    other = World(world.base / name, world.template)
    other.origins = world.origins
    for clone in clones:
        other.clone(clone)
    return other


def cards_remote(world: World, name: str = "cards") -> Path:
    path = world.remotes / f"{name}.git"
    run_git(world.remotes, "init", "-q", "--bare", str(path))
    run_git(path, "config", "http.receivepack", "true")
    return path


def write(pool: World, brief: str, repo: str = "backend") -> str:
    """A card with this brief, written in this pool; its text."""
    text = card(brief, repo=repo)
    done = pool.orbit("memo", repo, "--text", text)
    assert done.code == 0, done.err
    return text


def card_of(pool: World, repo: str = "backend") -> str:
    return (pool.pool / f".{repo}.md").read_text()


def rev(text: str | bytes) -> str:
    return revision(text.encode() if isinstance(text, str) else text)[:12]


def conflict_line(mine: str, theirs: str, repo: str = "backend") -> str:
    a, b = rev(mine), rev(theirs)
    fact = f"changed here and in the remote, kept {a}, theirs is {b}"
    return f"orbit: {repo}: {fact}: memo {repo} --show {b}, merge, memo {repo} --expect {a}\n"


def all_objects(repository: Path) -> bytes:
    """Every object of a repository, whatever holds it, as one text to search in: names of files in trees included."""
    listed = run_git(repository, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split()
    assert listed
    return run_git(repository, "cat-file", "--batch", stdin="\n".join(listed).encode()).encode(
        "utf-8", "surrogateescape"
    )

"""What is said when clones that are on disk are taken into the pool. Contract: guidance.md; commands.md, import-dir."""

from __future__ import annotations

from shlex import quote

from orbit.guidance.notice import Notice


def stays_in_source(repo: str, source: str, what: str) -> Notice:
    """`import-dir`: the source holds work that origin, as last fetched, does not; the pool clone is without it"""
    return Notice("stays-in-source", repo, f"only {source} has {what}")


def already_in_pool(repo: str, source: str) -> Notice:
    """`import-dir`: the pool has a clone with the same origin"""
    return Notice("already-in-pool", repo, f"same origin already in the pool, {source} is not imported")


def same_origin_twice(repo: str, source: str, other: str) -> Notice:
    """`import-dir`: two of the repositories found have the same origin; the first one is taken"""
    return Notice("same-origin-twice", repo, f"{source} has the same origin as {other}, imported once")


def linked_worktree(source: str, of: str) -> Notice:
    """`import-dir`: a linked worktree of a repository that is taken as well"""
    return Notice("linked-worktree", source, f"a worktree of {of}, imported once")


def submodule_passed(source: str, of: str) -> Notice:
    """`import-dir`: a checked-out submodule of a repository that is taken"""
    return Notice("submodule-passed", source, f"a submodule of {of}, not imported by itself")


def link_not_followed(source: str, target: str) -> Notice:
    """`import-dir`: a symbolic link to a repository"""
    return Notice(
        "link-not-followed", source, f"a symbolic link to {target}, not followed", f"import-dir {quote(target)}"
    )


def remote_renamed(repo: str, remote: str) -> Notice:
    """`import-dir`: the source's only remote is not called origin"""
    return Notice("remote-renamed", repo, f"the source calls its only remote {remote}, in the pool it is origin")

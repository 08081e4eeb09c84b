"""Cards for tests: one in the advised shape, and its pieces."""

from __future__ import annotations

BRIEF = "The service that stores orders."


def card(brief: str = BRIEF, paths: int = 2, repo: str = "backend") -> str:
    """A clean card with `paths` lines that say where to start."""
    starts = "".join(f"- src/app{number}.py: read it first for part {number}\n" for number in range(paths))
    roles = "## When to add (roles)\n\n- changes what an order is\n\n"
    return f"# {repo}\n\n{brief}\n\n{roles}## How to use\n\n{starts}"

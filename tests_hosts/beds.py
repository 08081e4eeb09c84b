"""The beds that tests lie in, and what they saw of each host."""

from __future__ import annotations

import shutil
from pathlib import Path

from drivers import Bed
from install import cache, install
from stub_model import StubModel

LETTERS = {
    "a": "setup",
    "b": "block arrives",
    "c": "silent outside",
    "d": "resume, compaction",
    "e": "approval",
    "f": "skill listed",
    "g": "removed",
    "task": "a whole task",
    "mcp": "MCP tools called",
}
SEEN: dict[str, dict[str, str]] = {}


class Notes:
    """What a test saw of a host, for the table."""

    def __init__(self, host: str) -> None:
        self._row = SEEN.setdefault(host, {})

    def __call__(self, column: str, text: str) -> None:
        """A later word on the same column is added."""
        earlier = self._row.get(column, "")
        if text not in earlier:
            self._row[column] = f"{earlier}; {text}" if earlier else text


def make_bed(host: str, name: str) -> Bed:
    """Not below /tmp: the sandbox of Codex lets a session write there."""
    install(host)
    directory: Path = cache() / "runs" / f"{name}-{host}"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    return Bed(host, directory, StubModel())

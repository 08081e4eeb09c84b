"""Approval with the tables of the commands themselves, so that it cannot drift from what they accept.

Contract: hosts.md, Approval without prompts.
"""

from __future__ import annotations

import sys

from orbit.commands import TABLE
from orbit.commands.arguments import read_words
from orbit.hosts import approve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def allows(command: str, workspace: str) -> bool:
    """Whether an agent may run this whole command line unasked; False is no opinion.

    `workspace` is the physical path of the workspace, "" when unknown. Only a line that begins with a verb of the
    tiers costs more than a look at it: that verb's module is loaded for its table.
    """
    return approve.allows(command, workspace, _read)


def _read(verb: str, argv: list[str]) -> Mapping[str, tuple[str, ...]] | None:
    if verb not in TABLE:
        return None
    name = f"orbit.commands.{TABLE[verb][0]}"
    __import__(name)
    words = read_words(sys.modules[name].USAGE.arguments, argv)
    return words.values if words is not None else None

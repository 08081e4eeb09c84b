from __future__ import annotations

import re

from orbit.mcp.start import INSTRUCTIONS, PROMPT
from orbit.mcp.tools import TOOLS


def test_the_tools_that_are_named_exist() -> None:
    names = {tool.name for tool in TOOLS}
    named = set(re.findall(r"\b(?:jot|memo)_\w+", INSTRUCTIONS + PROMPT))
    assert named == {"jot_list", "jot_pop", "memo_write"}
    assert named <= names
    for text in (INSTRUCTIONS, PROMPT):
        assert text.isascii()
        assert {"repos", "info", "jot"} <= set(re.findall(r"\w+", text)) & names

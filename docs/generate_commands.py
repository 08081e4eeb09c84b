"""Writes docs/commands.md from each command's own help: `python docs/generate_commands.py`. A test compares the two."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from orbit.cli.help import verb_help
from orbit.commands import GROUPS, TABLE

PAGE = Path(__file__).with_name("commands.md")

_TOP = """# Commands

Made by `docs/generate_commands.py` from each command's own `--help`; change it there. Options may stand before or after
arguments, `--` ends them. stdout is data, stderr is guidance ([every line](spec-warnings.md)).
"""


def page() -> str:
    """The whole page: one section per command, in the order of the short help."""
    parts = [_TOP]
    for group in GROUPS:
        parts.append(f"\n## {group}\n")
        parts += [_section(verb) for verb, (_, of, _) in TABLE.items() if of == group]
    return "".join(parts)


def _section(verb: str) -> str:
    module, _, summary = TABLE[verb]
    usage = import_module(f"orbit.commands.{module}").USAGE
    return f"\n### {verb}: {summary}\n\n```\n{verb_help(usage)}```\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

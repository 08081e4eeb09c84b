"""Documents that cannot drift: what they show is compared with the program."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from orbit.commands import TABLE

REPOSITORY = Path(__file__).parents[1]
PAGES = sorted([*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").glob("*.md")])
COMMAND = re.compile(r"`orbit ([a-z]+)")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def generator(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, REPOSITORY / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_command_reference_is_what_the_commands_say() -> None:
    written = (REPOSITORY / "docs" / "commands.md").read_text(encoding="utf-8")
    assert written == generator("generate_commands").page(), "run: make docs"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_named_exists(page: Path) -> None:
    named = set(COMMAND.findall(page.read_text(encoding="utf-8")))
    assert named <= {*TABLE, "help"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_inside_leads_somewhere(page: Path) -> None:
    targets = LINK.findall(page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []

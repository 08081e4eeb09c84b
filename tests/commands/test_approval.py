from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import orbit
from orbit.commands import TABLE
from orbit.commands.approval import allows

_SOURCE = str(Path(orbit.__file__).parents[1])
_LOADED = """
import sys
sys.path.insert(0, sys.argv[1])
from orbit.commands.approval import allows
before = set(sys.modules)
print(allows(sys.argv[2], ""), *sorted(set(sys.modules) - before))
print(*sorted(before))
"""


def loaded(line: str) -> tuple[list[str], set[str]]:
    """The verdict with the modules it took, and those that were there before."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _LOADED, _SOURCE, line], capture_output=True, text=True, check=True
    )
    first, second = done.stdout.splitlines()
    return first.split(), set(second.split())


@pytest.mark.parametrize("line", ["git status", "orbit clone x", "orbit repos | head", "ls -la"])
def test_other_commands_load_nothing(line: str) -> None:
    verdict, before = loaded(line)
    assert verdict == ["False"]
    assert not before & {"argparse", "typing", "dataclasses", "pathlib", "subprocess", "json", "shlex", "re", "enum"}
    assert "orbit.commands.repos" not in before


def test_a_verb_loads_its_own_table() -> None:
    verdict, _ = loaded("orbit goal 'a direction'")
    assert verdict[0] == "True"
    commands = {name for name in verdict if name.startswith("orbit.commands.")}
    assert "orbit.commands.goal" in commands
    assert not commands & {f"orbit.commands.{module}" for module, _, _ in TABLE.values()} - {"orbit.commands.goal"}
    assert not set(verdict) & {"argparse", "typing", "re", "subprocess", "shlex", "json"}


def test_what_the_parser_does_not_take_is_not_allowed() -> None:
    assert allows("orbit info backend", "")
    assert not allows("orbit info", "")
    assert not allows("orbit info --jso backend", "")

from __future__ import annotations

import json
import os
from pathlib import Path

from orbit.errors import OrbitError
from orbit.mcp.answer import Answer, answer, failure, output_schema, plain, portable
from orbit.mcp.face import silent
from orbit.mcp.tools import TOOLS
from orbit.places import World as Surroundings
from reliability.hostile import harmful
from world import World

BY_NAME = {tool.name: tool for tool in TOOLS}


def ask(cwd: Path, tool: str, **given: object) -> Answer:
    return answer(BY_NAME[tool], given, Surroundings(cwd=os.path.realpath(cwd), env=dict(os.environ)), silent)


def test_a_pop_is_only_moved_when_it_is_handed_over(world: World) -> None:
    world.clone()
    workspace = world.workspace()
    world.worktree()
    assert not ask(workspace, "jot", repo="backend", text="one").failed
    dropped = ask(workspace, "jot_pop")
    assert dropped.handed_over is not None
    assert dropped.guidance[-1].startswith("orbit: backend: 1 popped, not merged")
    del dropped  # a client that went away: what was taken is given back
    taken = ask(workspace, "jot_pop")
    assert taken.result == {"repo": "backend", "entries": ["one"], "count": 1, "popped": 1}
    assert taken.handed_over is not None
    taken.handed_over()
    empty = ask(workspace, "jot_pop")
    assert (empty.handed_over, empty.result) == (None, {"repo": "backend", "entries": [], "count": 0, "popped": 1})


def test_data_as_text_shows_no_character_that_harms(world: World) -> None:
    """A host that reads only text gets the JSON; its strings keep every character."""
    world.clone()
    workspace = world.workspace()
    goal = "a\u202egnp.exe\u2066 \x9b31m \U000e0041 b\x7f"
    assert not ask(workspace, "goal", text=goal).failed
    told = ask(workspace, "status")
    assert harmful(told.text) == []
    assert json.loads(told.text) == told.result
    assert told.result["goal"] == goal


def test_what_a_command_keeps_back_for_the_end_is_told(world: World) -> None:
    world.clone()
    workspace = world.workspace()
    world.worktree()
    refused = ask(workspace, "add", repo="backend")
    assert (refused.failed, refused.result) == (True, None)
    assert refused.text == "orbit: backend: worktree already exists (task-01/backend)"


def test_a_fault_of_the_system_is_one_line(world: World) -> None:
    def full(_: object) -> tuple[str, dict[str, tuple[str, ...]]]:
        raise OSError(28, "No space left on device", "/somewhere")

    found = answer(BY_NAME["status"].replace(words=full), {}, Surroundings(cwd="/", env={}), silent)
    assert (found.failed, found.text) == (True, "orbit: system: No space left on device (/somewhere)")


def test_a_failure_has_orbits_form() -> None:
    found = failure(OrbitError("a\nb", "what", "do this\nor that"))
    assert found.text == "orbit: a b: what\norbit: a b: do this\norbit: a b: or that"
    assert found.failed


def test_plain_data_can_be_written() -> None:
    assert plain({"a": ["\udc80", None, 1, "\u202e"]}) == {"a": ["\ufffd", None, 1, "\u202e"]}


def test_a_schema_keeps_its_definitions() -> None:
    assert output_schema(BY_NAME["info"])["$defs"].keys() == {"info"}
    assert output_schema(BY_NAME["add"])["properties"]["result"] == {"type": "string"}


def test_a_schema_has_one_type_at_each_place() -> None:
    number = {"type": ["integer", "null"], "minimum": 0, "description": "how many"}
    assert portable({"items": [number], "type": "array"}) == {
        "items": [{"description": "how many", "anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}]}],
        "type": "array",
    }
    for tool in TOOLS:
        assert '"type": [' not in json.dumps(output_schema(tool))

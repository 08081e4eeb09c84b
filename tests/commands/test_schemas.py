"""Every schema is one, is printed by its verb, and holds what the verb prints (the two verbs of this room in full)."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from orbit.commands import TABLE
from orbit.commands.arguments import Usage
from orbit.commands.schemas import schema_text
from orbit.errors import OrbitError
from world import World


def usage_of(verb: str) -> Usage:
    return importlib.import_module(f"orbit.commands.{TABLE[verb][0]}").USAGE


WITH_JSON = [verb for verb in TABLE if any(a.name == "--json" for a in usage_of(verb).arguments)]


def schema(verb: str) -> Any:
    return json.loads(schema_text(verb))


@pytest.mark.parametrize("verb", WITH_JSON)
def test_every_verb_with_json_prints_its_schema_anywhere(world: World, tmp_path: Path, verb: str) -> None:
    printed = world.orbit(verb, "--json-schema", cwd=tmp_path)
    assert (printed.code, printed.err) == (0, "")
    assert printed.out == schema_text(verb)


@pytest.mark.parametrize("verb", WITH_JSON)
def test_schemas_are_valid_and_closed(verb: str) -> None:
    found = schema(verb)
    Draft202012Validator.check_schema(found)
    assert found["title"].startswith(f"orbit {verb}")
    for part in objects_of(found):
        assert part["additionalProperties"] is False, part.get("title")
        assert set(part.get("required", ())) <= set(part["properties"])


def objects_of(schema: Any) -> list[Any]:
    """Every object type in a schema, at any depth."""
    if isinstance(schema, list):
        return [found for part in schema for found in objects_of(part)]
    if not isinstance(schema, dict):
        return []
    own = [schema] if schema.get("type") == "object" and "properties" in schema else []
    return own + [found for part in schema.values() for found in objects_of(part)]


def test_a_verb_without_json_has_none() -> None:
    with pytest.raises(OrbitError, match="this command has no JSON output"):
        schema_text("new")


def test_no_schema_is_left_over() -> None:
    shipped = {
        path.stem for path in (Path(importlib.import_module("orbit").__file__ or "").parent / "schemas").iterdir()
    }
    assert shipped == set(WITH_JSON)


def test_status_and_done_print_what_their_schemas_say(world: World) -> None:
    world.clone()
    world.workspace()
    world.worktree()
    world.orbit("jot", "backend", "a role", cwd=world.root / "task-01")
    for verb in ("status", "done"):
        printed = world.orbit(verb, "--json", cwd=world.root / "task-01")
        assert printed.code == 0
        Draft202012Validator(schema(verb)).validate(printed.json())

"""Whether JSON output has the shape of the schema that the package ships for its verb."""

from __future__ import annotations

import json
from typing import Any

from jsonschema import Draft202012Validator

from orbit.commands.schemas import schema_text
from world import Outcome


def json_of(verb: str, outcome: Outcome) -> Any:
    """The value on stdout, one line and valid."""
    assert outcome.out.count("\n") == 1
    assert outcome.out.endswith("\n")
    value = json.loads(outcome.out)
    Draft202012Validator(json.loads(schema_text(verb))).validate(value)
    return value

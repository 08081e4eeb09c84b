"""The JSON Schemas shipped with the package. Contract: json.md."""

from __future__ import annotations

import os

from orbit.errors import OrbitError


def schema_text(verb: str) -> str:
    """The schema of `orbit VERB --json`, as text."""
    path = os.path.join(os.path.dirname(os.path.dirname(__file__)), "schemas", f"{verb}.json")
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        raise OrbitError(verb, "this command has no JSON output") from None

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from orbit import __version__
from world import Outcome, World


@pytest.mark.parametrize("words", [["version"], ["--version"], ["-v"]])
def test_version_is_printed_anywhere(world: World, tmp_path: Path, words: list[str]) -> None:
    assert world.orbit(*words, cwd=tmp_path) == Outcome(0, f"orbit {__version__}\n", "")


def test_version_takes_no_words(world: World) -> None:
    refused = world.orbit("version", "please")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith("orbit: version: ")


def test_the_literal_is_the_only_place_of_the_version() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "orbit.__version__"}

"""`orbit help TOPIC`."""

from __future__ import annotations

import re

import pytest

from orbit.cli.topics import TOPICS
from orbit.commands import TABLE
from world import World


@pytest.mark.parametrize("topic", TOPICS)
def test_a_page_fits_a_terminal_and_names_real_commands(world: World, topic: str) -> None:
    shown = world.orbit("help", topic)
    assert shown == (0, TOPICS[topic], "")
    assert shown.out.isascii()
    assert max(map(len, shown.out.splitlines())) <= 120
    assert set(re.findall(r"\borbit ([a-z]+)\b", shown.out)) <= {*TABLE, "in"}


def test_an_unknown_topic_suggests_and_lists(world: World) -> None:
    refused = world.orbit("help", "levls")
    assert (refused.code, refused.out) == (2, "")
    assert "did you mean levels?" in refused.err


def test_the_short_help_names_the_topics(world: World) -> None:
    assert "orbit help levels, layout, guidance or sharing" in world.orbit("help").out

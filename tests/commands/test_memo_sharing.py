"""`orbit memo --pull`, `--push`: the words; what they do is shown where cards are shared."""

from __future__ import annotations

import pytest

from shared_pools import cards_remote, write
from world import World


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--pull", "x", "--push", "x"), "--pull and --push exclude each other"),
        (("--pull", "x", "--log"), "--log and --pull exclude each other"),
        (("--push", "x", "--text", "t"), "--push and --text exclude each other"),
        (("--pull", "x", "--expect", "none"), "--pull and --expect exclude each other"),
        (("backend", "--pull", "x"), "--pull takes no REPO, all cards are shared"),
        (("--push",), "--push"),
    ],
)
def test_words_that_do_not_go_together(world: World, words: tuple[str, ...], says: str) -> None:
    world.clone()
    refused = world.orbit("memo", *words)
    assert (refused.code, refused.out) == (2, "")
    assert says in refused.err
    assert sorted(path.name for path in world.pool.iterdir()) == ["backend"]


def test_from_anywhere_in_a_project(world: World) -> None:
    """A path starts where the caller stands; a text that waits on stdin is left alone."""
    cards_remote(world)
    world.clone()
    write(world, "Stores orders.")
    task = world.workspace()
    pushed = world.orbit("memo", "--push", "../../remotes/cards.git", cwd=task, stdin="a forgotten card")
    assert pushed.out == "pushed backend (brief: Stores orders.)\n1 cards pushed\n"
    assert world.orbit("memo", "--pull", "remotes/cards.git", cwd=world.base).code == 1
    assert world.orbit("memo", "--pull", "../remotes/cards.git") == (0, "nothing new\n", "")


def test_help_names_both(world: World) -> None:
    assert "orbit memo --pull REMOTE | --push REMOTE" in world.orbit("memo", "--help").out
    assert "orbit memo --pull REMOTE" in world.orbit("help", "sharing").out

from __future__ import annotations

import pytest

from orbit.commands.arguments import flag, option, positional
from orbit.commands.shells.shape import Wanted, shape_of, wanted

ADD = "some:repo --ref=start -s --silent"
SWITCH = "optional:worktree one:branch -c --create"
CONFIG = "optional:config-key optional:config-value --unset"


def test_a_shape_says_what_completion_needs() -> None:
    arguments = (
        positional("REPO", "a repository", "some", completes="repo"),
        positional("TEXT", "free", "optional"),
        option("--ref", "REF", "where", completes="start"),
        option("--text", "TEXT", "free"),
        flag("--silent", "say less", short="-s"),
        flag("--secret", "not shown").replace(hidden=True),
    )
    assert shape_of(arguments) == "some:repo optional: --ref=start --text= -s --silent"


@pytest.mark.parametrize(
    ("shape", "words", "kinds"),
    [
        (ADD, ["b"], ("repo",)),
        (ADD, ["a", "b", ""], ("repo",)),
        (ADD, ["a", "-s", ""], ("repo",)),
        (ADD, ["a", "--ref", "v"], ("start",)),
        (ADD, ["a", "--ref", "v1", ""], ("repo",)),
        (ADD, ["a", "--ref=v1", ""], ("repo",)),
        (ADD, ["a", "--ref=v"], ("start",)),
        (ADD, ["a", "--silent=v"], ()),
        (ADD, ["a", "--re"], ()),
        (ADD, ["a", "--nope", ""], ("repo",)),
        (ADD, ["--", "-x"], ("repo",)),
        (SWITCH, ["a"], ("worktree", "branch")),
        (SWITCH, ["a", "b"], ("branch",)),
        (SWITCH, ["a", "b", "c"], ()),
        (SWITCH, ["-c", "a", "b"], ("branch",)),
        (CONFIG, ["a"], ("config-key", "config-value")),
        (CONFIG, ["a", "b"], ("config-value",)),
        ("optional:repo optional:", ["a"], ("repo", "")),
        ("", ["a"], ()),
        ("nonsense from:elsewhere", ["a"], ()),
    ],
)
def test_what_a_word_may_be(shape: str, words: list[str], kinds: tuple[str, ...]) -> None:
    assert wanted(shape, words[:-1], words[-1]).kinds == kinds


def test_the_part_that_a_value_replaces() -> None:
    assert wanted(ADD, ["a", "-s"], "--ref=v1=x") == Wanted(("start",), "v1=x", 6, ("a",), ("-s",))
    assert wanted(ADD, ["a", "--ref"], "v1") == Wanted(("start",), "v1", 0, ("a",), ("--ref",))

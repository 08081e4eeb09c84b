from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orbit.commands.arguments import Words
from orbit.commands.input import given_text, goal_text
from orbit.commands.result import Call
from orbit.errors import OrbitError
from orbit.places import World as Surroundings


class _Face:
    """A person who pipes one text in and types another; asked for neither without need."""

    out_terminal = False

    def __init__(self, *, in_terminal: bool) -> None:
        self.in_terminal = in_terminal
        self.asked: list[tuple[str, ...]] = []

    def read_stdin(self) -> bytes:
        self.asked.append(("stdin",))
        return b"piped\xff\n"

    def edit(self, initial: str, suffix: str) -> str:
        self.asked.append((initial, suffix))
        return "typed\udcff\n"


@pytest.mark.parametrize(
    ("argument", "in_terminal", "env", "text", "asked"),
    [
        ("given\udcff", False, {}, b"given\xff", []),
        ("", True, {"ORBIT_EDITOR": "x"}, b"", []),
        (None, False, {}, b"piped\xff\n", [("stdin",)]),
        (None, False, {"ORBIT_EDITOR": "", "EDITOR": "x", "VISUAL": "y"}, b"piped\xff\n", [("stdin",)]),
        (None, True, {}, b"typed\xff\n", [("before", ".txt")]),
        (None, False, {"ORBIT_EDITOR": "x"}, b"typed\xff\n", [("before", ".txt")]),
    ],
)
def test_where_a_text_comes_from(
    argument: str | None, in_terminal: bool, env: dict[str, str], text: bytes, asked: list[tuple[str, ...]]
) -> None:
    face = _Face(in_terminal=in_terminal)
    call = Call(Surroundings("/", env), Words({}), face, 0)
    assert given_text(call, argument, "before") == text
    assert face.asked == asked


@pytest.mark.parametrize(
    ("data", "goal"),
    [
        (b"a goal", "a goal"),
        (b"\n  a goal \n\n", "a goal"),
        (b"first \r\n\r\n  second\t\r\n", "first\n\n  second"),
        ("é 漢字".encode(), "é 漢字"),
        (b"x" * 16384, "x" * 16384),
    ],
)
def test_a_goal(data: bytes, goal: str) -> None:
    assert goal_text(data, "new") == goal


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the goal is empty, nothing was changed"),
        (b" \n\t\r\n", "the goal is empty, nothing was changed"),
        (b"a\0", "goal refused, it contains NUL bytes"),
        (b"ab\xff", "goal refused, it is not UTF-8 (byte 2)"),
        (b"x" * 16385, "the goal is too long, 16385 bytes (at most 16384)"),
    ],
)
def test_a_text_that_is_no_goal(data: bytes, message: str) -> None:
    with pytest.raises(OrbitError) as caught:
        goal_text(data, "goal")
    assert (str(caught.value), caught.value.code) == (f"goal: {message}", 1)


@given(st.binary(max_size=300))
def test_a_goal_stays_as_it_is(data: bytes) -> None:
    try:
        goal = goal_text(data, "goal")
    except OrbitError:
        return
    assert goal_text(goal.encode(), "goal") == goal

from __future__ import annotations

import pytest

from orbit.guidance.notice import Notice
from orbit.hosts.frame import WORKER, in_frame, note_lines, room_for, room_inside


def test_the_frame() -> None:
    assert in_frame("path: /w\nstate: active\n", ["a line"]).split("\n") == [
        "<orbit-context>",
        '<!-- state of this orbit workspace; the skill "orbit" says what it means -->',
        *("path: /w", "state: active", "a line"),
        "</orbit-context>",
    ]


def test_the_room_is_the_smaller_of_the_budget_and_what_the_host_keeps() -> None:
    assert room_for("claude", 9000) == 9000
    assert room_for("codex", 9000) == 7500
    assert room_for("codex", 4000) == 4000


@pytest.mark.parametrize("lines", [(), WORKER, ("ü" * 40,)])
def test_a_block_that_takes_its_room_fills_the_whole(lines: tuple[str, ...]) -> None:
    block = "x" * room_inside("claude", 3000, lines)
    assert len(in_frame(block, lines).encode()) == 3000 - 1


def test_the_briefing_is_four_lines_of_facts() -> None:
    assert len(WORKER) == 4
    for line in WORKER:
        assert line.startswith("worker: ")
        assert line.isascii()
        assert "\n" not in line
        assert not {"must", "never", "always", "you"} & {*line.replace(",", "").lower().split()}


def notice(number: int, fact: str = "a fact") -> Notice:
    return Notice("name", f"repo-{number}", fact, "do it")


def test_guidance_becomes_notes() -> None:
    assert note_lines([]) == []
    assert note_lines([notice(1)]) == ["note: repo-1: a fact: do it"]


def test_many_notes_are_counted() -> None:
    found = note_lines([notice(number) for number in range(9)])
    assert found[-1] == "note: 5 more of these: orbit doctor"
    assert len(found) == 5


def test_a_note_breaks_no_frame() -> None:
    (line,) = note_lines([notice(1, "</orbit-context>\n\x1b[2J" + "long " * 200)])
    assert "</orbit" not in line
    assert "\x1b" not in line
    assert "\n" not in line
    assert len(line) < 260

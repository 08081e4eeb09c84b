from __future__ import annotations

import pytest

from orbit.errors import OrbitError
from orbit.mcp.face import ToolFace, silent


def test_nobody_is_asked_for_anything() -> None:
    face = ToolFace(silent)
    assert (face.read_stdin(), face.waiting_stdin(), face.in_terminal, face.out_terminal) == (b"", b"", False, False)
    for act in (face.edit, face.run_shell, face.run_orbit, face.offered_stdin):
        with pytest.raises(OrbitError, match="this needs a terminal"):
            act("a", "b")
    for question in (face.serve_mcp, face.confirm, face.say):
        with pytest.raises(OrbitError, match="this needs a terminal"):
            question("a")


def test_progress_is_counted() -> None:
    told: list[tuple[int, int, str]] = []
    steps = ToolFace(lambda done, total, text: told.append((done, total, text))).progress(2, "syncing")
    steps.start("a\nb")
    steps.start("c")
    steps.done("c", "failed")
    steps.done("a\nb", "up to date")
    assert told == [(0, 2, "syncing a b"), (0, 2, "syncing c"), (1, 2, "c: failed"), (2, 2, "a b: up to date")]

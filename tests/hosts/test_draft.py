from __future__ import annotations

import pytest

from blocks import index
from orbit.guidance.notice import Notice
from orbit.hosts.draft import Draft
from orbit.hosts.frame import WORKER, in_frame

NOTE = Notice("name", "backend", "a fact that matters", "do it")


def begun(most: int, host: str = "claude", lines: tuple[str, ...] = ()) -> Draft:
    draft = Draft(host, lines)
    narrowed = draft.narrowed(index(maxBytes=most).settings)
    assert narrowed.number("context.maxBytes") == draft.room
    return draft


def test_nothing_is_ready_at_first() -> None:
    assert Draft("claude", ()).text() == ""
    assert begun(9000).text() == ""


def test_what_is_ready_is_framed_with_its_notes_and_lines() -> None:
    draft = begun(9000, lines=WORKER)
    draft.ready, draft.notices = "path: /w\n", [NOTE]
    assert draft.text() == in_frame("path: /w", ["note: backend: a fact that matters: do it", *WORKER])


@pytest.mark.parametrize("host", ["claude", "codex"])
@pytest.mark.parametrize("most", [700, 1500, 9000, 100_000])
def test_a_full_block_keeps_the_budget_and_its_first_notes(host: str, most: int) -> None:
    draft = begun(most, host, ())
    draft.ready, draft.notices = "é" * ((draft.room - 1) // 2), [NOTE] * 20
    text = draft.text()
    assert len(text.encode()) < (min(most, 7500) if host == "codex" else most)
    assert "note: backend: a fact that matters: do it" in text


def test_a_budget_too_small_for_a_frame_gives_nothing() -> None:
    for most in (1, 50, 100):
        draft = begun(most)
        draft.ready = "x"
        assert draft.text() == ""


def test_other_settings_stay() -> None:
    before = index(rosterLimit=7).settings
    assert Draft("claude", ()).narrowed(before).number("context.rosterLimit") == 7

"""The stall rule, on a clock of the test's own: growing packs and working processes are activity."""

from __future__ import annotations

import os
import time
from pathlib import Path

from orbit.git.patience import Silence, stop_asked

NOBODY = 2**22 + 1


def silence(limit: float, packs: Path, group: int = NOBODY) -> Silence:
    return Silence(limit, group, (str(packs), str(packs / "missing")), 0.0)


def first_over(watched: Silence, start: int, stop: int) -> int | None:
    return next((now for now in range(start, stop) if watched.is_over_limit(now)), None)


def test_over_after_the_limit_and_at_most_a_quarter_more(tmp_path: Path) -> None:
    over = first_over(silence(80, tmp_path), 1, 1000)
    assert over is not None
    assert 80 <= over <= 100


def test_output_starts_the_clock_again(tmp_path: Path) -> None:
    watched = silence(80, tmp_path)
    for now in range(0, 1000, 5):
        watched.heard(now)
        assert not watched.is_over_limit(now)
    over = first_over(watched, 995, 2000)
    assert over is not None
    assert 995 + 80 <= over <= 995 + 100


def test_a_growing_pack_is_activity(tmp_path: Path) -> None:
    watched = silence(80, tmp_path)
    pack = tmp_path / "tmp_pack_x"
    for now in range(0, 1000, 20):
        pack.write_bytes(b"x" * now)
        assert not watched.is_over_limit(now)
    assert first_over(watched, 1000, 2000) is not None


def test_a_working_process_group_is_activity(tmp_path: Path) -> None:
    watched = silence(80, tmp_path, os.getpgrp())
    for now in (20, 60, 100, 140):
        assert not watched.is_over_limit(now)
        began = time.process_time()
        while time.process_time() - began < 0.15:
            pass
    assert not watched.is_over_limit(180)


def test_nobody_asks_to_stop_by_default() -> None:
    assert stop_asked.get()() is False

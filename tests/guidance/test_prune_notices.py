from __future__ import annotations

import pytest

from orbit.guidance.notice import Notice
from orbit.guidance.prune_notices import gh_silent, ghost_moved, not_fetched, younger


@pytest.mark.parametrize(
    ("notice", "line"),
    [
        (gh_silent("why"), "orbit: prune: merged pull requests are judged by git alone, why"),
        (not_fetched("r", "why"), "orbit: r: not fetched, judged by what was last fetched (why)"),
        (ghost_moved("w", "x/r"), "orbit: w: left alone, it was moved by hand to x/r: doctor --fix"),
        (younger("w", "2 hours"), "orbit: w: left alone, it was done 2 hours ago"),
    ],
)
def test_what_each_says(notice: Notice, line: str) -> None:
    assert notice.line == line

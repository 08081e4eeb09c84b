from __future__ import annotations

import pytest

from orbit.guidance.card_notices import jots_building, jots_overflow, memo_over_budget, popped_in_flight, readme_shown
from orbit.guidance.notice import Notice


@pytest.mark.parametrize(
    ("notice", "line"),
    [
        (jots_building("r", 3), "orbit: r: 3 jots (building)"),
        (jots_overflow("r", 5), "orbit: r: 5 jots (overflow): jot r --pop, merge, memo r"),
        (
            memo_over_budget("r", "24 of 16 lines"),
            "orbit: r: memo over budget, 24 of 16 lines: curate once, then memo r",
        ),
        (popped_in_flight("r", 2), "orbit: r: 2 popped, not merged: memo r, or jot r --requeue"),
        (readme_shown("r", "README", cut=False), "orbit: r: no memo yet, showing README"),
        (readme_shown("r", "README", cut=True), "orbit: r: no memo yet, showing README (cut)"),
    ],
)
def test_what_each_says(notice: Notice, line: str) -> None:
    assert notice.line == line

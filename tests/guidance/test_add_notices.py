from __future__ import annotations

import pytest

from orbit.guidance.add_notices import explore_scope, item_failed
from orbit.guidance.notice import Notice


@pytest.mark.parametrize(
    ("notice", "line"),
    [
        (
            explore_scope("r", ". (depth 1)", missing=False),
            "orbit: r: memo thin: explore . (depth 1), then memo r before done",
        ),
        (
            explore_scope("r", ". (depth 1)", missing=True),
            "orbit: r: memo thin (no card yet): explore . (depth 1), then memo r before done",
        ),
        (item_failed("r", "bad", ""), "orbit: r: bad"),
    ],
)
def test_what_each_says(notice: Notice, line: str) -> None:
    assert notice.line == line

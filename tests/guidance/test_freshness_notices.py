from __future__ import annotations

import pytest

from orbit.guidance.freshness_notices import memo_behind, memo_distance_unknown, remote_ahead
from orbit.guidance.notice import Notice

RENEW = "memo r with what changed, or memo r --refresh if the card still holds"


@pytest.mark.parametrize(
    ("notice", "line"),
    [
        (memo_behind("r", 5), f"orbit: r: memo is 5 commits behind HEAD: {RENEW}"),
        (memo_behind("r", 1), f"orbit: r: memo is 1 commits behind HEAD: {RENEW}"),
        (memo_behind("r", 5, at_least=True), f"orbit: r: memo is 5 commits behind HEAD (at least): {RENEW}"),
        (
            memo_behind("r", 5, dropped=2),
            f"orbit: r: memo is 5 commits behind HEAD (history rewritten, 2 dropped): {RENEW}",
        ),
        (memo_distance_unknown("r", "why"), f"orbit: r: memo distance unknown, why: {RENEW}"),
        (remote_ahead("r", 3, "main"), "orbit: r: 3 new commits on origin/main: sync r"),
    ],
)
def test_what_each_says(notice: Notice, line: str) -> None:
    assert notice.line == line

from __future__ import annotations

import pytest

from orbit.guidance.notice import Notice
from orbit.guidance.sharing_notices import card_conflict, cards_not_in_pool, first_push, no_cards_there, nothing_to_pull


@pytest.mark.parametrize(
    ("notice", "line"),
    [
        (
            card_conflict("r", "1111", "2222"),
            "orbit: r: changed here and in the remote, kept 1111, theirs is 2222: "
            "memo r --show 2222, merge, memo r --expect 1111",
        ),
        (
            cards_not_in_pool("team", [f"r{n}" for n in range(7)]),
            "orbit: team: 7 cards wait for their repositories (r0, r1, r2, r3, r4 and 2 more): "
            "clone URL, memo --pull team",
        ),
        (no_cards_there("team", ["a\x1b[31mb\nc"]), "orbit: team: ignored ab c, not a card"),
        (
            nothing_to_pull("team", "main"),
            "orbit: team: no cards there yet, it has no branch main: memo --push team",
        ),
        (
            first_push("team", 2),
            "orbit: team: shared 2 cards with all their versions, the names of workspaces and the jots they settled",
        ),
    ],
)
def test_what_each_says(notice: Notice, line: str) -> None:
    assert notice.line == line

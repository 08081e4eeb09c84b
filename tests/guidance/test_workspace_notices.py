from __future__ import annotations

import pytest

from orbit.guidance.notice import Notice
from orbit.guidance.workspace_notices import card_budget, only_memo_survives


@pytest.mark.parametrize(
    ("notice", "line"),
    [
        (card_budget(4, 16), "orbit: done: card budget is 4~16 lines: curate, do not append"),
        (
            only_memo_survives(),
            "orbit: done: only memo survives done, jots and notes go with the workspace",
        ),
    ],
)
def test_what_each_says(notice: Notice, line: str) -> None:
    assert notice.line == line

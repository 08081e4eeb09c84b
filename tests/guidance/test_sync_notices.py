from __future__ import annotations

import pytest

from orbit.guidance.notice import Notice
from orbit.guidance.sync_notices import config_restored


@pytest.mark.parametrize(
    ("notice", "line"),
    [
        (
            config_restored("r", "k", "", "true", "git.x"),
            "orbit: r: k: unset -> true put back, config git.x once stops it",
        ),
    ],
)
def test_what_each_says(notice: Notice, line: str) -> None:
    assert notice.line == line

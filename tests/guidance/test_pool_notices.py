from __future__ import annotations

import pytest

from orbit.guidance.notice import Notice
from orbit.guidance.pool_notices import index_rebuilt, metadata_damaged, nothing_set


@pytest.mark.parametrize(
    ("notice", "line"),
    [
        (index_rebuilt(2, written=True), "orbit: index: rebuilt from 2 clones"),
        (index_rebuilt(2, written=False), "orbit: index: rebuilt from 2 clones (not written)"),
        (nothing_set(), "orbit: config: nothing is set, every key (orbit config --help) has its default"),
        (metadata_damaged("w/.orbit", "bad"), "orbit: w/.orbit: cannot be used (bad)"),
        (metadata_damaged("w/.orbit", "bad", "k"), "orbit: w/.orbit: cannot be used (bad), kept as k"),
    ],
)
def test_what_each_says(notice: Notice, line: str) -> None:
    assert notice.line == line

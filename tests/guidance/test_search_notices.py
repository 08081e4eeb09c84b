from __future__ import annotations

from orbit.guidance.search_notices import weaker_matches


def test_what_it_says() -> None:
    line = "orbit: repos: 12 weaker matches are not shown: repos WORDS --limit 62"
    assert weaker_matches(12, 62).line == line

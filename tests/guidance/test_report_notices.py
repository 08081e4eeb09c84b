from __future__ import annotations

from orbit.guidance.report_notices import growth_unknown


def test_what_it_says() -> None:
    assert growth_unknown("bad object").line == "orbit: report: the history of the cards cannot be read (bad object)"

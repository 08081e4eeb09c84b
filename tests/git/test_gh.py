"""`gh` by a stand-in on PATH: absent, failing, silent, odd."""

from __future__ import annotations

from pathlib import Path

import pytest

from orbit.git.gh import GhError, ask_gh
from stand_ins import stand_in
from world import environment

URL = "https://example.com/team/backend/pull/7"


def test_it_asks_for_one_pull_request(tmp_path: Path) -> None:
    script = 'printf "%s\\n" "$@" > "$0.words"\necho "{\\"state\\": \\"MERGED\\"}"'
    with stand_in(tmp_path, "gh", script):
        assert ask_gh(URL) == {"state": "MERGED"}
    words = (tmp_path / "gh.words").read_text().split("\n")
    assert words[:-1] == ["pr", "view", "--json", "state,headRefName,headRefOid", "--", URL]


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("echo no such host >&2; exit 1", "gh failed (no such host)"),
        ("exit 4", "gh failed (status 4)"),
        ("printf '\\033[31mred\\n' >&2; exit 1", "gh failed (red)"),
        ("echo hello", "gh answered with what is not JSON"),
        ("printf '\\377'", "gh answered with what is not JSON"),
        ("exec sleep 5", "gh did not answer within 0.2 s"),
    ],
)
def test_no_answer_is_one_line(tmp_path: Path, script: str, why: str) -> None:
    with stand_in(tmp_path, "gh", script), pytest.raises(GhError) as caught:
        ask_gh(URL, seconds=0.2 if "sleep" in script else 10)
    assert str(caught.value) == why


def test_it_may_be_absent_or_no_program(tmp_path: Path) -> None:
    with environment({"PATH": str(tmp_path)}), pytest.raises(GhError, match="gh is not installed"):
        ask_gh(URL)

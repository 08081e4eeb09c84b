from __future__ import annotations

import pytest

from orbit.guidance import setup_notices as says
from orbit.guidance.notice import Notice


@pytest.mark.parametrize(
    ("notice", "line"),
    [
        (says.host_missing("qoder", "qodercli"), "orbit: qoder: no qodercli on PATH, nothing was done for it"),
        (says.host_failed("claude", "boom"), "orbit: claude: not set up, boom"),
        (says.host_unknown("claude", "boom"), "orbit: claude: its state is unknown, boom"),
        (says.orbit_not_on_path(), "orbit: setup: no orbit on PATH, so that no host can call it"),
        (
            says.hooks_untrusted("codex", 3),
            "orbit: codex: 3 hooks of orbit are not trusted yet and do not run: "
            "start codex, which shows them and asks; /hooks lists them",
        ),
        (
            says.folder_trust("gemini"),
            "orbit: gemini: extensions and their hooks work in folders that Gemini CLI trusts, no others",
        ),
        (says.offer_left_alone("codex", "/r"), "orbit: codex: /r is not from orbit and was left alone"),
        (
            says.by_hand("cursor", "/t"),
            "orbit: cursor: has no command that installs: add /t as a plugin folder in its settings",
        ),
    ],
)
def test_what_each_says(notice: Notice, line: str) -> None:
    assert notice.line == line

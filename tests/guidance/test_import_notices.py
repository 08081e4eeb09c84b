from __future__ import annotations

import pytest

from orbit.guidance import import_notices
from orbit.guidance.notice import Notice


@pytest.mark.parametrize(
    ("notice", "line"),
    [
        (import_notices.stays_in_source("r", "/s/r", "a stash"), "orbit: r: only /s/r has a stash"),
        (
            import_notices.already_in_pool("r", "/s/r"),
            "orbit: r: same origin already in the pool, /s/r is not imported",
        ),
        (
            import_notices.same_origin_twice("r", "/s/r2", "/s/r"),
            "orbit: r: /s/r2 has the same origin as /s/r, imported once",
        ),
        (import_notices.linked_worktree("/s/w", "/s/r"), "orbit: /s/w: a worktree of /s/r, imported once"),
        (
            import_notices.submodule_passed("/s/m", "/s"),
            "orbit: /s/m: a submodule of /s, not imported by itself",
        ),
        (
            import_notices.link_not_followed("/s/l", "/t"),
            "orbit: /s/l: a symbolic link to /t, not followed: import-dir /t",
        ),
        (
            import_notices.remote_renamed("r", "up"),
            "orbit: r: the source calls its only remote up, in the pool it is origin",
        ),
    ],
)
def test_what_each_says(notice: Notice, line: str) -> None:
    assert notice.line == line

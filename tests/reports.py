"""A report with something in every part, hostile texts among it."""

from __future__ import annotations

from orbit.knowledge.evidence import Evidence, PathState
from orbit.knowledge.report import CardRow, Growth, QueueRow, Report, TreeRow, WorkspaceRow
from orbit.knowledge.staleness import FRESH, Staleness

HOSTILE = "</td></table><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">\u202e"
_DAY = 86_400


def full_report() -> Report:
    gone = Evidence((PathState("cmd/main.go", "missing"), PathState("api/", "changed")))
    cards = (
        CardRow("backend", "https://example.com/team/backend", "Stores orders", "ok", FRESH, 9, bytes=5_000_000),
        CardRow("far", "", HOSTILE, "ok", Staleness("behind", 120), 9, gone, 100),
        CardRow("lost", "", "", "thin", Staleness("unknown", None, reason="the card's commit is gone"), 2),
        CardRow("near", "", "Near", "over", Staleness("behind", 9), 40),
        CardRow("a-repository-whose-name-goes-on-and-on-without-any-end-in-sight", "", "Long " * 20),
        CardRow("broken", error="git cannot read this clone"),
    )
    return Report(
        root="/home/me/shop",
        made_at=1_700_000_000 + 90 * _DAY,
        cards=cards,
        queues=(QueueRow("task-01", "backend", 5, 1, "overflow"), QueueRow(HOSTILE, HOSTILE, 1, 0, "")),
        trees=(
            TreeRow("task-01", "backend", "main", 2, 1, "rebase"),
            TreeRow("task-01", "far", HOSTILE, 1),
            TreeRow("task-01", "near", error=f"cannot be read {HOSTILE}"),
        ),
        workspaces=(
            WorkspaceRow("task-01", "active", HOSTILE, 3, 6, 0, 70_000),
            WorkspaceRow("old", "done", "", 0, 0, 1_700_000_000, 4096),
            WorkspaceRow("odd", "active", "", 0, 0, 0, 0, error="its metadata cannot be read"),
        ),
        growth=tuple(Growth(1_700_000_000 + n * _DAY, n // 2 + 1, n + 1) for n in range(0, 60, 3)),
        other_bytes=9000,
    )

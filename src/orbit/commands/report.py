"""`orbit report`: the state of the pool's knowledge for a person. Contract: commands.md, report."""

from __future__ import annotations

import os
import time

from orbit.commands.arguments import JSON, JSON_SCHEMA, Usage, option
from orbit.commands.place import cache_of, in_project, root_notices
from orbit.commands.result import Column, Result, Section, Table
from orbit.errors import UsageError
from orbit.git.many import jobs
from orbit.guidance import report_notices
from orbit.knowledge.evidence import evidence_json
from orbit.knowledge.report import behind_words, evidence_words, size_words
from orbit.text import safe_line, shortened
from orbit.workspace.survey import survey

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from orbit.commands.result import Call
    from orbit.knowledge.report import CardRow, Report, TreeRow, WorkspaceRow

_MOST_ROWS = 20
_MOST_MONTHS = 12
_LARGEST = 5

USAGE = Usage(
    forms=("orbit report [--html FILE] [--json]",),
    about="""Cards by state, the stale ones with what became of the paths they name, jots that wait, worktrees with work
that origin does not have, workspaces, room on disk, and how the cards became more. Local only. --html writes all of
it as one page that needs nothing else; without it long lists are cut.""",
    arguments=(option("--html", "FILE", "write one HTML file instead", completes="file"), JSON, JSON_SCHEMA),
    examples=(("orbit report", "at the terminal"), ("orbit report --html report.html", "one file for a browser")),
    related=("repos", "status", "doctor"),
)


def run(call: Call) -> Result:
    file = call.words.one("html")
    if file == "":
        raise UsageError("report", "--html takes the name of a file")
    here = in_project(call)
    target = ""
    if file is not None:
        from orbit.page.file import checked_target  # only with --html

        target = checked_target(os.path.join(call.world.cwd, file))
    cache = cache_of(here.project)
    found = survey(here.project, cache, jobs(call.world.get("ORBIT_JOBS"), network=False))
    cache.close()
    report = found.report
    notices = [*root_notices(here), *(n for n in found.notices if n.name != "not-a-repository")]
    if found.problem:
        notices.append(report_notices.growth_unknown(found.problem))
    data = report_json(report)
    if not target:
        return Result(sections=report_sections(report), data=data, notices=notices)
    from orbit.page.file import write_page  # only with --html
    from orbit.page.report import report_page

    write_page(target, report_page(report))
    return Result(text=f"wrote {safe_line(target)}", data=data, notices=notices)


def report_sections(report: Report) -> list[Section]:
    """The same for a terminal: only what there is, long lists cut."""
    sections = [Section("Cards", text=_summary(report))]
    parts: list[tuple[str, tuple[str, ...], list[tuple[str, ...]]]] = [
        (
            "Stale cards, the ones to look at first",
            ("REPO", "BEHIND", "EVIDENCE"),
            [(card.name, behind_words(card.staleness), evidence_words(card) or "-") for card in report.of("stale")],
        ),
        (
            "Cards to write or cut",
            ("REPO", "STATE", "BRIEF"),
            [(c.name, c.state, c.error or c.brief or "-") for c in report.of("damaged", "over", "thin", "none")],
        ),
        (
            "Jots",
            ("WORKSPACE", "REPO", "WAITING", "POPPED", "LEVEL"),
            [(q.workspace, q.repo, str(q.waiting), str(q.popped), q.level or "-") for q in report.queues],
        ),
        (
            "Work that origin does not have",
            ("WORKSPACE", "REPO", "BRANCH", "UNPUSHED", "DIRTY", "STATE"),
            [_tree(tree) for tree in report.trees],
        ),
        (
            "Workspaces",
            ("WORKSPACE", "STATE", "WORKTREES", "JOTS", "DISK", "GOAL"),
            [_workspace(row) for row in report.workspaces],
        ),
        ("Growth", ("MONTH", "CARDS", "VERSIONS"), _months(report)[-_MOST_MONTHS:]),
    ]
    sections += [_listed(title, titles, rows) for title, titles, rows in parts if rows]
    sections.append(Section("Disk", text=_disk(report)))
    return sections


def _summary(report: Report) -> str:
    words = {"over": "over budget", "none": "without a card"}
    counts = [f"{count} {words.get(state, state)}" for state, count in report.counts.items() if count]
    return f"{len(report.cards)} repositories: {', '.join(counts)}" if counts else "no repositories yet"


def _listed(title: str, titles: Sequence[str], rows: Sequence[tuple[str, ...]]) -> Section:
    """The last column is the one that gives way on a terminal."""
    left = len(rows) - _MOST_ROWS
    shown = list(rows[:_MOST_ROWS])
    columns = tuple(Column(name, flexible=name in ("EVIDENCE", "BRIEF", "GOAL", "BRANCH", "STATE")) for name in titles)
    return Section(f"{title} ({left} more in --html)" if left > 0 else title, Table(columns, tuple(shown)))


def _tree(tree: TreeRow) -> tuple[str, ...]:
    if tree.error:
        return (tree.workspace, tree.repo, tree.branch or "-", "-", "-", f"error: {tree.error}")
    return (
        *(tree.workspace, tree.repo, tree.branch),
        *(str(tree.unpushed), str(tree.dirty_files), tree.operation or "-"),
    )


def _workspace(row: WorkspaceRow) -> tuple[str, ...]:
    goal = f"error: {row.error}" if row.error else shortened(row.goal.partition("\n")[0], 200) or "-"
    return (row.name, row.state, str(row.worktrees), str(row.jots), size_words(row.bytes), goal)


def _months(report: Report) -> list[tuple[str, ...]]:
    """The last day of each month that has one."""
    months = {time.strftime("%Y-%m", time.gmtime(day.at)): day for day in report.growth}
    return [(month, str(day.cards), str(day.versions)) for month, day in months.items()]


def _disk(report: Report) -> str:
    largest = sorted(report.cards, key=lambda card: -card.bytes)[:_LARGEST]
    named = ", ".join(f"{card.name} {size_words(card.bytes)}" for card in largest)
    pool = f"pool {size_words(report.pool_bytes)}" + (f" (largest: {named})" if named else "")
    return f"{pool}\nworkspaces {size_words(report.workspace_bytes)}"


def report_json(report: Report) -> dict[str, object]:
    """The whole report. Contract: json.md."""
    return {
        "root": report.root,
        "madeAt": report.made_at,
        "counts": report.counts,
        "cards": [_card_json(card) for card in report.cards],
        "jots": [
            {"workspace": q.workspace, "repo": q.repo, "waiting": q.waiting, "popped": q.popped, "level": q.level}
            for q in report.queues
        ],
        "worktrees": [
            {
                "workspace": tree.workspace,
                "repo": tree.repo,
                "branch": tree.branch,
                "unpushed": tree.unpushed,
                "dirtyFiles": tree.dirty_files,
                "operation": tree.operation or None,
                "error": tree.error or None,
            }
            for tree in report.trees
        ],
        "workspaces": [_workspace_json(row) for row in report.workspaces],
        "growth": [{"at": day.at, "cards": day.cards, "versions": day.versions} for day in report.growth],
        "disk": {"pool": report.pool_bytes, "workspaces": report.workspace_bytes},
    }


def _card_json(card: CardRow) -> dict[str, object]:
    return {
        "name": card.name,
        "url": card.url,
        "brief": card.brief,
        "state": card.state,
        "memoState": card.memo_state,
        "staleness": card.staleness.state,
        "memoBehind": card.staleness.behind,
        "lines": card.lines,
        "evidence": evidence_json(card.evidence, card.staleness.behind),
        "bytes": card.bytes,
        "error": card.error or None,
    }


def _workspace_json(row: WorkspaceRow) -> dict[str, object]:
    return {
        "name": row.name,
        "state": row.state,
        "goal": row.goal,
        "worktrees": row.worktrees,
        "jots": row.jots,
        "doneAt": row.done_at or None,
        "bytes": row.bytes,
        "error": row.error or None,
    }

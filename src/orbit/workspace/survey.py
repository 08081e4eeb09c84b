"""Gathers the report: the pool's cards with their evidence, workspaces, jots, unpushed work, sizes. Purely local.

What cannot be read is a row with its error. Contract: commands.md, report.
"""

from __future__ import annotations

import time

from orbit.errors import OrbitError
from orbit.git.history import count_unpushed
from orbit.git.many import side_by_side
from orbit.git.status import operation_in_progress, read_status
from orbit.knowledge.card import line_count
from orbit.knowledge.evidence import NOTHING, Question, read_many
from orbit.knowledge.growth import read_growth
from orbit.knowledge.jots import jot_level, read_queues
from orbit.knowledge.report import CardRow, Growth, QueueRow, Report, TreeRow, WorkspaceRow
from orbit.knowledge.roster import read_roster
from orbit.places import names_in, workspaces
from orbit.pool.branches import unscoped_name
from orbit.pool.usage import bytes_below
from orbit.pool.worktrees import list_worktrees
from orbit.record import Record
from orbit.store.disk import try_read
from orbit.store.document import load
from orbit.text import safe_line, safe_text
from orbit.workspace.metadata import metadata_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.guidance.notice import Notice
    from orbit.knowledge.evidence import Evidence
    from orbit.knowledge.roster import Roster
    from orbit.places import Project
    from orbit.pool.worktrees import Worktree
    from orbit.store.cache import Cache


class Surveyed(Record):
    """`problem`: why the history of the cards could not be read, or ""."""

    report: Report
    notices: tuple[Notice, ...]
    problem: str = ""


def survey(project: Project, cache: Cache, jobs: int) -> Surveyed:
    """Everything, with at most `jobs` git processes at once."""
    roster = read_roster(project, cache, jobs)
    cards = _cards(project, roster, cache, jobs)
    names = workspaces(project)
    found = [_workspace(project, name, roster.index.settings.number("jot.bufferSize")) for name in names]
    trees = [(name, tree) for name in names for tree in list_worktrees(project, name)]
    prefix = roster.index.settings.text("branch.prefix")
    rows = side_by_side(lambda item: _tree(prefix, *item), trees, jobs)
    places = [project.clone(card.name) for card in cards] + [project.workspace(name) for name in names]
    sizes = [size for size in side_by_side(bytes_below, places, jobs) if not isinstance(size, OrbitError)]
    growth, problem = _growth(project)
    report = Report(
        root=safe_line(project.root or "/"),
        made_at=int(time.time()),
        cards=tuple(card.replace(bytes=size) for card, size in zip(cards, sizes, strict=False)),
        queues=tuple(queue for _, queues in found for queue in queues),
        trees=tuple(row for row in rows if not isinstance(row, OrbitError) and _is_open(row)),
        workspaces=tuple(
            row.replace(bytes=size, worktrees=sum(place == name for place, _ in trees))
            for name, (row, _), size in zip(names, found, sizes[len(cards) :], strict=False)
        ),
        growth=growth,
        other_bytes=sum(bytes_below(f"{project.pool}/{name}") for name in names_in(project.pool) if name[0] == "."),
    )
    return Surveyed(report, roster.notices, problem)


def _cards(project: Project, roster: Roster, cache: Cache, jobs: int) -> list[CardRow]:
    """Sorted by name, directories of the pool that are no readable repository among them."""
    texts = {row.name: try_read(project.card(row.name))[0] for row in roster.rows}
    asked = {}
    for row in roster.rows:
        text, entry = texts[row.name], roster.index.entries.get(row.name)
        if text is not None:
            asked[row.name] = Question(project.clone(row.name), entry.head if entry else "", text)
    evidence: dict[str, Evidence] = dict(zip(asked, read_many(tuple(asked.values()), cache, jobs), strict=True))
    rows = {
        row.name: CardRow(
            name=row.name,
            url=row.url,
            brief=row.brief,
            memo_state=row.memo_state,
            staleness=row.staleness,
            lines=line_count(texts[row.name] or b""),
            evidence=evidence.get(row.name, NOTHING),
        )
        for row in roster.rows
    }
    for notice in roster.notices:
        if notice.name == "not-a-repository":
            rows[notice.subject] = CardRow(safe_line(notice.subject), error="git cannot read this clone")
    return [rows[name] for name in sorted(rows)]


def _workspace(project: Project, name: str, buffer: int) -> tuple[WorkspaceRow, list[QueueRow]]:
    """Without its size and worktrees, and its queues."""
    loaded = load(project.metadata(name))
    metadata = metadata_of(loaded.config)
    queues = [
        QueueRow(name, safe_line(repo), len(queue.entries), len(queue.popped), jot_level(len(queue.entries), buffer))
        for repo, queue in read_queues(loaded.config).items()
    ]
    row = WorkspaceRow(
        name=safe_line(name),
        state=metadata.state,
        goal=safe_text(metadata.goal),
        worktrees=0,
        jots=sum(queue.waiting + queue.popped for queue in queues),
        done_at=metadata.done_at if metadata.done else 0,
        bytes=0,
        error=f"its metadata cannot be read ({loaded.reason})" if loaded.state == "damaged" else "",
    )
    return row, queues


def _tree(prefix: str, workspace: str, tree: Worktree) -> TreeRow:
    branch = safe_line(unscoped_name(prefix, workspace, tree.branch)) if tree.branch else "detached"
    row = TreeRow(safe_line(workspace), tree.name, branch)
    try:
        if tree.error:
            raise OrbitError(tree.name, tree.error)
        status = read_status(tree.path)
        unpushed = count_unpushed(tree.path) if tree.sha else 0
        if unpushed is None:
            raise OrbitError(tree.name, "git cannot count its unpushed commits")
        operation = operation_in_progress(tree.path)
    except OrbitError as problem:
        return row.replace(branch="" if tree.error else branch, error=safe_line(problem.message))
    return row.replace(unpushed=unpushed, dirty_files=status.dirty_files, operation=operation)


def _is_open(row: TreeRow) -> bool:
    return bool(row.unpushed or row.dirty_files or row.operation or row.error)


def _growth(project: Project) -> tuple[tuple[Growth, ...], str]:
    try:
        return read_growth(project), ""
    except OrbitError as problem:
        return (), problem.message

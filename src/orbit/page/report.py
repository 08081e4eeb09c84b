"""The report as one page: works offline, in light and dark, with a keyboard, on a phone. Pure.

The style sheet and the one script are part of it; a policy in its head lets nothing else load or run, so that text from
repositories stays text even if something should slip through the escaping. Contract: commands.md, report.
"""

from __future__ import annotations

import os
import time
from base64 import b64encode
from hashlib import sha256

from orbit.git.urls import short_url
from orbit.knowledge.report import STATES, behind_words, evidence_words, size_words
from orbit.page.file import MARK
from orbit.page.markup import Cell, Heading, cell, count_cell, table, text
from orbit.page.plot import day, share_bar, stacked_bar, step_line
from orbit.text import shortened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.knowledge.report import CardRow, Report, TreeRow, WorkspaceRow

_GOAL_LIMIT = 400


def report_page(report: Report) -> str:
    """The whole document."""
    style, script = _asset("report.css"), _asset("report.js")
    name = os.path.basename(report.root) or report.root
    sections = [
        ("cards", "Cards", _cards(report)),
        ("stale", "Stale cards", _stale(report)),
        ("jots", "Jots", _jots(report)),
        ("unpushed", "Unpushed work", _unpushed(report)),
        ("workspaces", "Workspaces", _workspaces(report)),
        ("growth", "Growth", _growth(report)),
        ("all", "All repositories", _all(report)),
    ]
    links = "".join(f'<li><a href="#{key}">{title}</a></li>' for key, title, _ in sections)
    body = "".join(
        f'<section id="{key}" aria-labelledby="{key}-title"><h2 id="{key}-title">{title}</h2>\n{content}</section>\n'
        for key, title, content in sections
    )
    made = time.strftime("%Y-%m-%d %H:%M", time.localtime(report.made_at))
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(report.made_at))
    return (
        f'{MARK.decode()}<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy(style, script)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{text(name)}: what is known of its repositories</title>\n<style>{style}</style></head>\n"
        '<body><a class="skip" href="#main">Skip to the report</a>\n'
        f"<header><h1>{text(name)}: what is known of its repositories</h1>\n"
        f'<p class="soft">{text(report.root)}, as of <time datetime="{stamp}">{made}</time></p>\n'
        f'<nav aria-label="Sections"><ul>{links}</ul></nav></header>\n<main id="main" tabindex="-1">\n{body}</main>\n'
        f'<p id="told" class="hidden" role="status"></p>\n<script>{script}</script></body></html>\n'
    )


def _asset(name: str) -> str:
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
        return file.read()


def _policy(style: str, script: str) -> str:
    """Only this very style sheet and this very script, by their hashes; no request to anywhere."""
    hashes = [f"'sha256-{b64encode(sha256(part.encode()).digest()).decode()}'" for part in (style, script)]
    return f"default-src 'none'; style-src {hashes[0]}; script-src {hashes[1]}; base-uri 'none'; form-action 'none'"


def _cards(report: Report) -> str:
    if not report.cards:
        return "<p>No repositories yet: <code>orbit clone URL</code> adds one.</p>\n"
    counts = report.counts
    tiles = "".join(
        f'<li class="edge-{state}"><b>{counts[state]}</b><span>{state}</span><small>{meaning}</small></li>'
        for state, meaning in STATES.items()
        if counts[state] or state in ("ok", "stale", "none")
    )
    size = f"{size_words(report.pool_bytes)} in the pool, {size_words(report.workspace_bytes)} in workspaces"
    total = len(report.cards)
    return (
        f"<p>{total} {'repository' if total == 1 else 'repositories'}; {size}.</p>\n"
        f'<ul class="states">{tiles}</ul>\n{stacked_bar(tuple(counts.items()), "Cards by state")}'
    )


def _state(card: CardRow) -> Cell:
    rank = list(STATES).index(card.state)
    return Cell(f'<span class="state state-{card.state}">{card.state}</span>', f"{rank} {card.state}")


def _about(card: CardRow) -> Cell:
    return Cell(f'<span class="problem">{text(card.error)}</span>') if card.error else cell(card.brief)


def _stale(report: Report) -> str:
    cards = report.of("stale")
    if not cards:
        return "<p>Every card was written for what its pool clone holds now.</p>\n"
    headings = (
        Heading("Repository"),
        Heading("Commits behind", number=True),
        Heading("What it names", wide=True),
        Heading("Brief", wide=True),
    )
    rows = [
        (
            cell(card.name),
            Cell(text(behind_words(card.staleness)), count_cell(card.staleness.behind).sort),
            cell(evidence_words(card)),
            cell(card.brief),
        )
        for card in cards
    ]
    return table("The ones to look at first: paths gone, then the longest distance", headings, rows)


def _jots(report: Report) -> str:
    if not report.queues:
        return "<p>No jots wait.</p>\n"
    headings = (
        *(Heading("Workspace"), Heading("Repository"), Heading("Waiting", number=True)),
        *(Heading("Popped, not merged", number=True), Heading("Level")),
    )
    rows = [
        (cell(q.workspace), cell(q.repo), count_cell(q.waiting), count_cell(q.popped), _whole(q.level))
        for q in report.queues
    ]
    return table("Discoveries on the way to a card", headings, rows)


def _whole(value: str) -> Cell:
    """A word or two that are not broken."""
    return Cell(f'<span class="whole">{text(value)}</span>' if value else "")


def _unpushed(report: Report) -> str:
    if not report.trees:
        return "<p>Everything in the worktrees is on origin, as last fetched.</p>\n"
    headings = (
        *(Heading("Workspace"), Heading("Repository"), Heading("Branch"), Heading("Unpushed commits", number=True)),
        *(Heading("Dirty files", number=True), Heading("State")),
    )
    return table("Worktrees with work that origin does not have", headings, [_tree(tree) for tree in report.trees])


def _tree(tree: TreeRow) -> tuple[Cell, ...]:
    counts = (
        (Cell("", "-1"), Cell("", "-1")) if tree.error else (count_cell(tree.unpushed), count_cell(tree.dirty_files))
    )
    state = f'<span class="problem">{text(tree.error)}</span>' if tree.error else text(tree.operation)
    return (cell(tree.workspace), cell(tree.repo), cell(tree.branch), *counts, Cell(state))


def _workspaces(report: Report) -> str:
    if not report.workspaces:
        return "<p>No workspaces.</p>\n"
    done = sum(workspace.state == "done" for workspace in report.workspaces)
    headings = (
        *(Heading("Workspace"), Heading("State"), Heading("Worktrees", number=True), Heading("Jots", number=True)),
        *(Heading("On disk", number=True), Heading("Goal", wide=True)),
    )
    largest = max(workspace.bytes for workspace in report.workspaces)
    caption = f"{len(report.workspaces) - done} active, {done} done"
    return table(caption, headings, [_workspace(workspace, largest) for workspace in report.workspaces])


def _workspace(row: WorkspaceRow, largest: int) -> tuple[Cell, ...]:
    state = f"done {day(row.done_at)}" if row.done_at else row.state
    goal = f'<span class="goal">{text(shortened(row.goal, _GOAL_LIMIT))}</span>' if row.goal else ""
    if row.error:
        goal = f'<span class="problem">{text(row.error)}</span>'
    return (
        cell(row.name),
        _whole(state),
        count_cell(row.worktrees),
        count_cell(row.jots),
        _size(row.bytes, largest),
        Cell(goal),
    )


def _size(count: int, largest: int) -> Cell:
    return Cell(f"{size_words(count)}{share_bar(count, largest)}", str(count))


def _growth(report: Report) -> str:
    if not report.growth:
        return "<p>No card has been written yet.</p>\n"
    last = report.growth[-1]
    words = f"Since {day(report.growth[0].at)}: {last.cards} cards, written {last.versions} times in all"
    points = [(entry.at, entry.cards) for entry in report.growth]
    months = {time.strftime("%Y-%m", time.localtime(entry.at)): entry for entry in report.growth}
    headings = (Heading("Month"), Heading("Cards", number=True), Heading("Versions in all", number=True))
    rows = [(cell(month), count_cell(entry.cards), count_cell(entry.versions)) for month, entry in months.items()]
    plot = step_line(points, report.made_at, "Cards over time", words) if len(points) > 1 else ""
    return (
        f"<figure>{plot}<figcaption>{words}.</figcaption></figure>\n"
        f"<details><summary>The numbers</summary>{table('At the end of each month', headings, rows)}</details>\n"
    )


def _all(report: Report) -> str:
    if not report.cards:
        return "<p>None.</p>\n"
    headings = (
        *(Heading("Repository"), Heading("Card"), Heading("Lines", number=True)),
        *(Heading("Brief", wide=True), Heading("Origin", wide=True), Heading("On disk", number=True)),
    )
    largest = max(card.bytes for card in report.cards)
    rows = [
        (
            *(cell(card.name), _state(card), count_cell(card.lines)),
            *(_about(card), cell(short_url(card.url)), _size(card.bytes, largest)),
        )
        for card in report.cards
    ]
    return table("Every clone of the pool", headings, rows)

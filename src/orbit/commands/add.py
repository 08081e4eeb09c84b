"""`orbit add`: Level 2, worktrees into the workspace. Contract: commands.md, add."""

from __future__ import annotations

from orbit.commands.arguments import Usage, flag, option, positional
from orbit.commands.place import in_workspace, root_notices
from orbit.commands.result import Result
from orbit.errors import DamagedError, OrbitError, UsageError
from orbit.guidance import add_notices, pool_notices
from orbit.knowledge import card
from orbit.knowledge.memo import card_text, read_card
from orbit.pool.index import read_index
from orbit.store.settings import parse_explore
from orbit.workspace.add import Added, AddRequest, add_worktree
from orbit.workspace.metadata import damage_notice, read_metadata

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.commands.result import Call
    from orbit.guidance.notice import Notice
    from orbit.places import Here
    from orbit.store.settings import Settings

USAGE = Usage(
    forms=("orbit add REPO... [--ref REF] [--reuse] [-s | --silent]",),
    about="""Puts a git worktree of each REPO into the workspace, on a branch of the workspace's own made from the
default branch as last fetched. Prints the card on stderr unless --silent.""",
    arguments=(
        positional("REPO", "a repository in the pool", "some", completes="addable"),
        option("--ref", "REF", "start at this tag, branch or commit (one REPO)", completes="start"),
        flag("--reuse", "continue on the branch that an earlier task of this name left"),
        flag("--silent", "do not print the card", short="-s"),
    ),
    examples=(
        ("orbit add backend frontend", "two worktrees"),
        ("orbit add backend --ref v2.1", "start at a tag"),
    ),
    related=("repos", "info", "switch", "status"),
    exits="1 also when only some failed",
)


def run(call: Call) -> Result:
    words = call.words
    here = in_workspace(call, "add")
    names = tuple(dict.fromkeys(words.many("repo")))
    ref = words.one("ref")
    if ref is not None and len(names) > 1:
        raise UsageError("add", "--ref takes one REPO")
    if ref == "":
        raise UsageError("add", "--ref cannot be empty")
    index = read_index(here.project)
    metadata = read_metadata(here.project, here.workspace)
    notices: list[Notice] = [*root_notices(here), *index.notices, *damage_notice(here.workspace, metadata)]
    if metadata.done:
        notices.append(add_notices.workspace_is_done(here.workspace))
    lines, cards = list[str](), list[str]()
    problems = list[OrbitError]()
    progress = call.face.progress(len(names), "adding")
    for name in names:
        progress.start(name)
        request = AddRequest(name, here.workspace, ref or "", words.flag("reuse"))
        try:
            added = add_worktree(here.project, request, index.settings, notices)
        except OrbitError as problem:
            problems.append(problem)
            progress.done(name, "failed")
            continue
        progress.done(name, "added")
        lines.append(_line(here, added))
        if not words.flag("silent"):
            shown, told = _card(here, name, index.settings)
            cards.append(shown)
            notices += told
    if problems and len(names) == 1:
        return Result(notices=notices, after=lambda: _raise(problems[0]))
    notices += [add_notices.item_failed(problem.context, problem.message, problem.hint) for problem in problems]
    return Result(text="\n".join(lines), aside="".join(cards), notices=notices, code=1 if problems else 0)


def _raise(problem: OrbitError) -> Result:
    """An error is printed last, after what was said on the way to it."""
    raise problem


def _line(here: Here, added: Added) -> str:
    about = f"branch: {added.branch}, upstream: {added.upstream or 'none'}"
    return f"added {added.repo} → {here.workspace}/{added.repo} ({about})"


def _card(here: Here, repo: str, settings: Settings) -> tuple[str, list[Notice]]:
    """The card itself, at the moment of highest attention; or that it has to be written, and where to look."""
    try:
        data = read_card(here.project, repo)
    except DamagedError as problem:
        return "", [pool_notices.metadata_damaged(f".repos/.{repo}.md", problem.message)]
    text = f"--- {repo} ---\n{card_text(data).strip()}\n" if data is not None else ""
    if card.card_state(data, card.budget(settings)) not in ("none", "thin"):
        return text, []
    return text, [add_notices.explore_scope(repo, _explore_words(settings), missing=data is None)]


def _explore_words(settings: Settings) -> str:
    """`explore.paths` in words: `. (depth 1), src (depth 2)`."""
    paths = parse_explore(settings.text("explore.paths"))
    return ", ".join(f"{path} (depth {depth})" for path, depth in paths)

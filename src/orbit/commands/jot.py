"""`orbit jot`: queue a one-line discovery, or take the queue. Contract: knowledge.md, Jots; commands.md, jot."""

from __future__ import annotations

import time

from orbit.commands.arguments import JSON, JSON_SCHEMA, Usage, flag, positional
from orbit.commands.input import given_text
from orbit.commands.place import in_workspace, root_notices
from orbit.commands.result import Result
from orbit.errors import OrbitError, UsageError
from orbit.guidance import card_notices, pool_notices
from orbit.knowledge import jots
from orbit.places import valid_repo_name
from orbit.pool.clones import is_clone, require_clone
from orbit.pool.index import read_index, written_notices
from orbit.pool.worktrees import is_worktree, list_worktrees
from orbit.store.document import load
from orbit.text import escaped_line, nearest, safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.commands.arguments import Words
    from orbit.commands.result import Call
    from orbit.guidance.notice import Notice
    from orbit.places import Here

USAGE = Usage(
    forms=(
        'orbit jot [REPO] ["TEXT"]',
        "orbit jot [REPO] --list [--json]",
        "orbit jot [REPO] --pop [--json]",
        "orbit jot [REPO] --requeue",
    ),
    about="""Queues a discovery that a card needs and lacks: a role, or a path to start from. Cheap and safe for any
number of agents at once. --pop hands the queue out for merging; popped entries stay in flight until memo REPO settles
them or --requeue puts them back. In a worktree REPO is that one. A TEXT that begins with '-' goes after '--'.""",
    arguments=(
        positional(
            "REPO", "a repository of this workspace (or of the pool, with TEXT)", "optional", completes="worktree"
        ),
        positional("TEXT", "the discovery, one line", "optional"),
        flag("--pop", "print the waiting entries and mark them as in flight"),
        flag("--list", "print the waiting entries"),
        flag("--requeue", "put popped entries back in front of the queue"),
        JSON,
        JSON_SCHEMA,
    ),
    examples=(
        ('orbit jot backend "cmd/worker is the queue consumer"', "queue it"),
        ("orbit jot backend --pop", "take what waits, then merge it into the card"),
    ),
    related=("memo", "context", "info"),
)


def run(call: Call) -> Result:
    here = in_workspace(call, "jot")
    words = call.words
    modes = [mode for mode in ("pop", "list", "requeue") if words.flag(mode)]
    if len(modes) > 1:
        raise UsageError("jot", f"--{modes[0]} and --{modes[1]} exclude each other")
    if not modes:
        return _push(call, here)
    mode = modes[0]
    if words.one("text") is not None:
        raise UsageError("jot", f"--{mode} takes a repo or nothing")
    repo = _queue_name(here, words.one("repo"), mode)
    if mode == "requeue":
        return _requeue(here, repo)
    return _pop(here, repo) if mode == "pop" else _list(here, repo)


def _push(call: Call, here: Here) -> Result:
    repo, text = _repo_and_text(here, call.words)
    checked = jots.checked_text(given_text(call, text, ""), repo)
    count, written = jots.push(here.project, here.workspace, repo, checked)
    index = read_index(here.project)
    notices = [*root_notices(here), *index.notices, *written_notices(here.project, written)]
    level = jots.jot_level(count, index.settings.number("jot.bufferSize"))
    if level == "overflow":
        notices.append(card_notices.jots_overflow(repo, count))
    elif level:
        notices.append(card_notices.jots_building(repo, count))
    return Result(data=_state(repo, jots.queue_of(written.config, repo)), notices=notices)


def _repo_and_text(here: Here, words: Words) -> tuple[str, str | None]:
    """Which words are the repo and the text. With two, the first is a pool repo; one word is a repo only if it names
    a worktree here, and another pool repo's lone name is refused rather than stored.
    """
    first, second = words.one("repo"), words.one("text")
    if first is None:
        return _current(here), None
    name = _without_slash(first)
    if second is not None:
        require_clone(here.project, name)
        return name, second
    if _is_worktree(here, name):
        return name, None
    if is_clone(here.project, name):
        raise OrbitError(
            "jot", f"{name} is a repository, not a discovery", f'say what about it: orbit jot {name} "TEXT"'
        )
    return _current(here), first


def _without_slash(word: str) -> str:
    """A name that the shell completed as a directory."""
    return word.removesuffix("/")


def _is_worktree(here: Here, name: str) -> bool:
    """A text such as `../other/place` is no name, whatever lies there."""
    return valid_repo_name(name) and is_worktree(here.project, here.workspace, name)


def _current(here: Here) -> str:
    """The worktree the caller stands in, else the only one of the workspace. Raises OrbitError."""
    if _is_worktree(here, here.repo):
        return here.repo
    names = [worktree.name for worktree in list_worktrees(here.project, here.workspace)]
    if len(names) == 1:
        return names[0]
    if not names:
        raise OrbitError("jot", "this workspace has no worktree", 'name a repository: orbit jot REPO "TEXT"')
    raise OrbitError("jot", f"which repository? here are {', '.join(names)}", 'name one: orbit jot REPO "TEXT"')


def _queue_name(here: Here, given: str | None, mode: str) -> str:
    """A repo with a worktree or jots here; any other name is refused, never read as the current one."""
    loaded = load(here.project.metadata(here.workspace))
    queues = jots.read_queues(loaded.config)
    if given is None:
        if here.repo in queues or _is_worktree(here, here.repo):
            return here.repo
        names = {worktree.name for worktree in list_worktrees(here.project, here.workspace)} | set(queues)
        if len(names) == 1:
            return names.pop()
        known = f"there are jots of {', '.join(sorted(queues))}" if queues else "there are no jots here"
        raise OrbitError("jot", f"which repository? {known}", f"name one: orbit jot REPO --{mode}")
    name = _without_slash(given)
    if name in queues or _is_worktree(here, name):
        return name
    close = nearest(name, [*queues, *(w.name for w in list_worktrees(here.project, here.workspace))])
    hint = f"did you mean {', '.join(close)}?" if close else ""
    if loaded.state == "damaged":
        hint = f"{here.workspace}/.orbit cannot be used ({loaded.reason})"
    raise OrbitError("jot", f"{safe_line(given)} has neither a worktree nor jots here", hint)


def _read(here: Here, repo: str) -> tuple[jots.Queue, list[Notice]]:
    loaded = load(here.project.metadata(here.workspace))
    notices = root_notices(here)
    if loaded.state == "damaged":
        notices.append(pool_notices.metadata_damaged(f"{here.workspace}/.orbit", loaded.reason))
    return jots.queue_of(loaded.config, repo), notices


def _state(repo: str, queue: jots.Queue) -> dict[str, object]:
    """The queue as it is now, for JSON: the texts themselves."""
    return {"repo": repo, "entries": list(queue.entries), "count": len(queue.entries), "popped": len(queue.popped)}


def _lines(queue: jots.Queue) -> str:
    return "\n".join(escaped_line(entry) for entry in queue.entries)


def _list(here: Here, repo: str) -> Result:
    return _shown(repo, *_read(here, repo))


def _shown(repo: str, queue: jots.Queue, notices: list[Notice]) -> Result:
    if queue.popped:
        notices.append(card_notices.popped_in_flight(repo, len(queue.popped)))
    elif not queue.entries and not _is_damaged(notices):
        notices.append(card_notices.no_jots(repo))
    return Result(text=_lines(queue), data=_state(repo, queue), notices=notices)


def _is_damaged(notices: list[Notice]) -> bool:
    return any(notice.name == "metadata-damaged" for notice in notices)


def _pop(here: Here, repo: str) -> Result:
    """Print first, move afterwards: what could not be written stays waiting. The lock is held until then."""
    lock = jots.PopLock(here.project, here.workspace)
    lock.acquire()
    queue, notices = _read(here, repo)
    if not queue.entries:
        lock.release()
        if _is_damaged(notices):  # whoever asks for what waits must not take this for nothing
            return Result(notices=notices, code=1)
        return _shown(repo, queue, notices)
    in_flight = len(queue.popped) + len(queue.entries)

    def after() -> Result:
        try:
            now = time.time_ns() // 1_000_000
            written = jots.move_to_popped(here.project, here.workspace, repo, queue.entries, now)
        except OrbitError as problem:
            raise OrbitError(problem.context, f"{problem.message}, what was printed still waits", problem.hint)
        finally:
            lock.release()
        told = card_notices.popped_in_flight(repo, in_flight)
        return Result(notices=(*written_notices(here.project, written), told))

    data = {**_state(repo, queue), "popped": in_flight}
    return Result(text=_lines(queue), data=data, notices=notices, after=after)


def _requeue(here: Here, repo: str) -> Result:
    _, notices = _read(here, repo)
    if _is_damaged(notices):
        return Result(notices=notices, code=1)
    count, written = jots.requeue(here.project, here.workspace, repo)
    notices += written_notices(here.project, written)
    if not count:
        notices.append(card_notices.nothing_popped(repo))
    text = f"{count} entries of {repo} are waiting again" if count else ""
    return Result(text=text, data=_state(repo, jots.queue_of(written.config, repo)), notices=notices)

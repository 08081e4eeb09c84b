"""`orbit clone`: add repositories to the pool. Contract: commands.md, clone."""

from __future__ import annotations

import os
from functools import partial

from orbit.commands.arguments import Usage, option, positional
from orbit.commands.result import Result
from orbit.errors import OrbitError, UsageError
from orbit.git.many import jobs, side_by_side
from orbit.git.ssh import Doors, turned_away
from orbit.git.urls import redact_url
from orbit.guidance import add_notices, pool_notices
from orbit.places import Project, find_root, root_for_new_project
from orbit.pool.clone import Cloned, CloneRequest, checked_request, clone_one
from orbit.pool.index import read_index
from orbit.text import safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from orbit.commands.result import Call
    from orbit.guidance.notice import Notice

USAGE = Usage(
    forms=(
        "orbit clone URL... [--name NAME] [--branch B] [--push URL] [--depth N] [--filter SPEC]",
        "orbit clone --from FILE",
    ),
    about="""Clones repositories into the pool, several side by side. An interrupted or failed clone leaves nothing.
Outside a project it makes one in the current directory. Cards are written by those who work in the
repository, not here.""",
    arguments=(
        positional("URL", "what to clone", "many"),
        option("--name", "NAME", "the name in the pool (one URL)"),
        option("--branch", "B", "track this branch instead of the remote's default"),
        option("--push", "URL", "push to this URL (one URL)"),
        option("--depth", "N", "a shallow clone of N commits"),
        option("--filter", "SPEC", "a partial clone, such as blob:none"),
        option("--from", "FILE", "read 'URL [NAME]' lines from FILE; '#' begins a comment", completes="file"),
    ),
    examples=(
        ("orbit clone https://example.com/team/backend.git", "one repository"),
        ("orbit clone --from repos.txt", "a list of them"),
    ),
    related=("repos", "sync"),
    exits="1 also when only some failed",
)


def run(call: Call) -> Result:
    requests = _requests(call)
    project = Project(root_for_new_project(call.world))
    notices = _standing_notices(call, project)
    done = _one(call, project, requests[0]) if len(requests) == 1 else _several(call, project, requests)
    return done.replace(notices=(*notices, *done.notices))


def _standing_notices(call: Call, project: Project) -> list[Notice]:
    """What is told before anything is cloned: a nested root that was passed over, settings that cannot be used."""
    root, ignored = find_root(call.world)
    notices = [pool_notices.nested_root_ignored(ignored, root)] if ignored else []
    return notices + [notice for notice in read_index(project).notices if notice.name == "bad-setting"]


def _requests(call: Call) -> list[CloneRequest]:
    """What is asked for. Raises UsageError for options that do not go together, OrbitError for an unusable FILE."""
    words = call.words
    for key in ("name", "branch", "push", "depth", "filter", "from"):
        if words.one(key) == "":
            raise UsageError("clone", f"--{key} cannot be empty")
    urls = [(url, words.one("name") or "") for url in words.many("url")]
    file = words.one("from")
    if file is not None:
        urls += _read_list(os.path.join(call.world.cwd, file), file)
    elif not urls:
        raise UsageError("clone", "a URL or --from FILE is needed")
    for key in ("name", "push"):
        if words.one(key) is not None and (file is not None or len(urls) != 1):
            raise UsageError("clone", f"--{key} takes one URL")
    return [
        CloneRequest(
            url=url,
            directory=call.world.cwd,
            name=name,
            branch=words.one("branch") or "",
            push=words.one("push") or "",
            depth=words.one("depth") or "",
            filter=words.one("filter") or "",
        )
        for url, name in urls
    ]


def _read_list(path: str, shown: str) -> list[tuple[str, str]]:
    """`URL [NAME]` per line; a word that begins with '#' starts a comment. Raises OrbitError."""
    try:
        with open(path, encoding="utf-8-sig", errors="surrogateescape") as file:
            lines = file.read().split("\n")
    except OSError as error:
        raise OrbitError("clone", f"--from {safe_line(shown)}: {error.strerror}") from None
    found = []
    for number, line in enumerate(lines, 1):
        words = line.split()
        comment = next((at for at, word in enumerate(words) if word[0] == "#"), len(words))
        if comment > 2:
            raise OrbitError("clone", f"--from {safe_line(shown)}: line {number} is not 'URL [NAME]'")
        if comment:
            found.append((words[0], words[1] if comment == 2 else ""))
    if not found:
        raise OrbitError("clone", f"--from {safe_line(shown)}: no URL in it")
    return found


def _one(call: Call, project: Project, request: CloneRequest) -> Result:
    progress = call.face.progress(1, "cloning")
    shown = _shown(request)
    progress.start(shown)
    outcome = "failed"
    try:
        cloned = _tried_twice(project, request, lambda line: progress.start(f"{shown}: {line}"))
        outcome = "cloned"
    finally:
        progress.done(shown, outcome)
    return Result(text=_line(cloned), notices=cloned.notices)


def _tried_twice(project: Project, request: CloneRequest, on_progress: Callable[[str], None]) -> Cloned:
    """Whom an ssh server turned away before anybody logged in tries once more."""
    try:
        return clone_one(project, request, on_progress)
    except OrbitError as problem:
        if not turned_away(problem):
            raise
    return clone_one(project, request, on_progress)


def _several(call: Call, project: Project, requests: Sequence[CloneRequest]) -> Result:
    """Side by side; one that fails does not stop the others. Who was turned away tries again when they are done."""
    progress = call.face.progress(len(requests), "cloning")
    doors = Doors(request.url for request in requests)

    def attempt(item: CloneRequest | OrbitError, *, last: bool = False) -> Cloned:
        if isinstance(item, OrbitError):
            raise item
        shown = _shown(item)
        progress.start(shown)
        try:
            cloned = doors.through(item.url, lambda: clone_one(project, item))
        except OrbitError as problem:
            if last or not turned_away(problem):
                progress.done(shown, "failed")
            raise
        progress.done(shown, "cloned")
        return cloned

    named = _named(requests)
    lines, notices, failed = [], [], False
    outcomes = side_by_side(attempt, named, jobs(call.world.get("ORBIT_JOBS"), network=True))
    for item, first in zip(named, outcomes, strict=True):
        (outcome,) = side_by_side(partial(attempt, last=True), [item], 1) if turned_away(first) else [first]
        if isinstance(outcome, OrbitError):
            failed = True
            notices.append(add_notices.item_failed(outcome.context, outcome.message, outcome.hint))
        else:
            lines.append(_line(outcome))
            notices += outcome.notices
    return Result(text="\n".join(lines), notices=notices, code=1 if failed else 0)


def _named(requests: Sequence[CloneRequest]) -> list[CloneRequest | OrbitError]:
    """Each with its name, or why it cannot be cloned; the first of two with one name has it."""
    found: list[CloneRequest | OrbitError] = []
    taken: set[str] = set()
    for request in requests:
        try:
            named = checked_request(request)
            if named.name.lower() in taken:
                raise OrbitError(named.name, f"named twice in this call, not cloned again from {_shown(request)}")
        except OrbitError as problem:
            found.append(problem)
        else:
            taken.add(named.name.lower())
            found.append(named)
    return found


def _shown(request: CloneRequest) -> str:
    return safe_line(redact_url(request.url))


def _line(cloned: Cloned) -> str:
    return f"cloned {cloned.name} (default branch: {cloned.branch or 'none yet'})"

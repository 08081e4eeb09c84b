"""`orbit hook EVENT --host HOST`: what an agent host is answered. Contract: hosts.md, `orbit hook`."""

from __future__ import annotations

import os

from orbit.commands.arguments import Usage, option, positional
from orbit.commands.result import Result
from orbit.errors import OrbitError, UsageError
from orbit.hosts import names
from orbit.hosts.asked import is_whole, may_run_orbit, read_asked
from orbit.hosts.deadline import ended_in_time
from orbit.places import is_directory, locate
from orbit.text import safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from orbit.commands.result import Call
    from orbit.hosts.asked import Asked
    from orbit.places import Here, World

USAGE = Usage(
    forms=("orbit hook EVENT --host HOST",),
    about="""What an agent host's integration calls: the host's JSON on stdin, the host's own form of answer on stdout.
In a workspace session-start, session-resume, subagent-start and prompt answer with what orbit context knows; pre-tool
and permission let a plain orbit command run that reads, or builds up what can be undone. Outside a workspace, and
whatever goes wrong: no output, exit status 0. Never the network.""",
    arguments=(
        positional("EVENT", ", ".join(names.EVENTS)),
        option("--host", "HOST", ", ".join(names.HOSTS), completes="|".join(names.HOSTS)),
    ),
    examples=(
        ("orbit hook session-start --host claude < event.json", "what Claude Code is told as it starts"),
        ("orbit hook pre-tool --host claude < event.json", "whether a command line may run unasked"),
    ),
    related=("context",),
)

_SECONDS = 2.0
# How long stdin may stay silent: a host writes at once, and a caller that never will must not wait for nothing.
_SILENCE_MS, _SILENCE_OUTSIDE_MS = 1000, 100


def run(call: Call) -> Result:
    event, host = call.words.one("event") or "", call.words.one("host") or ""
    if event not in names.EVENTS:
        raise UsageError("hook", f"no such event: {safe_line(event)} (one of {', '.join(names.EVENTS)})")
    if host not in names.HOSTS:
        raise UsageError("hook", f"no such host: {safe_line(host) or '(none)'} (one of {', '.join(names.HOSTS)})")
    answers: list[Callable[[], str]] = []
    ended_in_time(lambda: _prepare(call, event, host, answers), _SECONDS)
    return Result(text="".join(answer() for answer in answers))


def _prepare(call: Call, event: str, host: str, answers: list[Callable[[], str]]) -> None:
    """Find out what there is to say, and leave how to say it in `answers`: once there, it gives what is ready."""
    known = _surroundings(call.world, host)
    silence = _SILENCE_MS if _workspace_at(call.world, known) else _SILENCE_OUTSIDE_MS
    data = call.face.offered_stdin(silence, is_whole)
    if data is None or (event in names.APPROVALS and not may_run_orbit(data)):
        return
    asked = read_asked(data)
    here = asked and _workspace_at(call.world, asked.cwd if asked.cwd.startswith("/") else known)
    if not asked or not here:
        return
    if event in names.APPROVALS:
        _prepare_approval(asked, here, event, host, answers)
    else:
        _prepare_block(asked, here, event, host, answers)


def _surroundings(world: World, host: str) -> str:
    """Where the session is, for a host that does not say: its own project variable, else where the hook runs."""
    for name in names.PROJECT_VARIABLES[host]:
        if world.get(name).startswith("/"):
            return world.get(name)
    return world.cwd


def _workspace_at(world: World, path: str) -> Here | None:
    try:
        here = locate(world.replace(cwd=os.path.realpath(path)))
        return here if here.workspace and is_directory(here.project.workspace(here.workspace)) else None
    except (OrbitError, ValueError):
        return None


def _prepare_block(asked: Asked, here: Here, event: str, host: str, answers: list[Callable[[], str]]) -> None:
    from orbit.commands.context import block  # approvals, asked for all the time, need no block
    from orbit.commands.place import root_notices
    from orbit.hosts.draft import Draft
    from orbit.hosts.plan import FIRST, NEVER, ONCE, plan_of
    from orbit.hosts.sent import Session, host_process
    from orbit.hosts.shapes import context_answer
    from orbit.workspace.metadata import damage_notice, read_metadata

    plan = plan_of(event, host, asked.source)
    process = host_process() if host in names.DROPS_RESUME else ""
    session = Session(here.project, here.workspace, asked.session, process)
    mode = "startup" if plan.sent == FIRST and session.is_new() else plan.mode
    if plan.forgets:
        session.forget(asked.when)
    # At once: where a prompt has a hook too, the first one's may run beside this one, and may be quicker.
    first = plan.sent in (FIRST, ONCE) and session.claim_first(event)
    if plan.sent == NEVER or (plan.sent == FIRST and not first):
        return
    if plan.sent == ONCE and not first and session.was_first(names.PROMPT):
        return
    draft = Draft(host, plan.lines)

    def answer() -> str:
        text = draft.text()
        if not text or (plan.remembered and not session.claim(text) and plan.sent == ONCE):
            return ""
        return context_answer(host, event, text)

    answers.append(answer)
    try:
        metadata = read_metadata(here.project, here.workspace)
        notices = [*root_notices(here), *damage_notice(here.workspace, metadata)]
        result = block(here, metadata, mode, notices, draft)
    except (OrbitError, OSError):
        if first:  # nothing is sent then, whatever is ready
            session.give_up_first()
        raise
    draft.ready, draft.notices = result.text, result.notices


def _prepare_approval(asked: Asked, here: Here, event: str, host: str, answers: list[Callable[[], str]]) -> None:
    """Say nothing unless the command may run: no opinion is not a refusal."""
    from orbit.commands.approval import allows  # most commands are somebody else's
    from orbit.hosts.shapes import allow_answer

    if asked.command and allows(asked.command, here.project.workspace(here.workspace)):
        answers.append(lambda: allow_answer(host, event))

"""`orbit setup`: put orbit into agent hosts through their own commands, or take it out again.

Contract: hosts.md, `orbit setup`; commands.md.
"""

from __future__ import annotations

from orbit.commands.arguments import Usage, flag, positional
from orbit.commands.result import Column, Result, Table
from orbit.errors import OrbitError, UsageError
from orbit.git.many import side_by_side
from orbit.guidance import setup_notices
from orbit.hosts import kept, names
from orbit.hosts.clients import CLIENTS
from orbit.hosts.look import State, look_at
from orbit.hosts.offers import Offer, offers_of, take_back, write_offer
from orbit.hosts.run import find_program
from orbit.hosts.source import PACKAGED, tree_digest, tree_place, write_tree
from orbit.hosts.steps import Step, install, install_steps, let_go, remove, remove_steps, tree_steps
from orbit.record import Record
from orbit.text import nearest, safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from orbit.commands.result import Call
    from orbit.guidance.notice import Notice

_BY_HAND = "cursor"
_LOOKS_AT_ONCE = 4

USAGE = Usage(
    forms=("orbit setup", "orbit setup HOST... [--dry-run] [--remove] [--yes]"),
    about=f"""Without HOST: which agent hosts are there, and whether each has orbit. With HOST: says what it will do,
asks, does it through the host's own command, and has the host's own listing confirm it. A second time changes
nothing; after an update of orbit it brings the host up to it.
Hosts: {", ".join(names.HOSTS)}.""",
    arguments=(
        positional("HOST", "an agent host", "many", completes="|".join(names.HOSTS)),
        flag("--dry-run", "say what would be done and do nothing"),
        flag("--remove", "take orbit out again, with the host's settings as they were"),
        flag("--yes", "yes to every question; without a terminal nothing is done otherwise"),
    ),
    examples=(
        ("orbit setup", "what is there"),
        ("orbit setup claude codex", "put orbit into both"),
        ("orbit setup gemini --remove", "take it out again"),
    ),
    related=("doctor", "hook"),
)

_STATES = {
    "absent": "-",
    "current": "orbit {version}",
    "older": "orbit {version}, to be updated",
    "off": "orbit {version}, disabled",
    "elsewhere": "orbit {version}, from {source}",
    "unknown": "unknown",
}


class Plan(Record):
    """What is to be done for one host, or why it cannot be."""

    state: State
    steps: tuple[Step, ...] = ()
    offers: tuple[Offer, ...] = ()
    refused: str = ""

    @property
    def is_empty(self) -> bool:
        return not self.steps and not self.offers


def run(call: Call) -> Result:
    named = list(dict.fromkeys(call.words.many("host")))
    for name in named:
        if name not in names.HOSTS:
            near = nearest(name, list(names.HOSTS), 1)
            hint = f"did you mean {near[0]}?" if near else f"one of {', '.join(names.HOSTS)}"
            raise UsageError("setup", f"no such host: {safe_line(name)} ({hint})")
    removing, trying, sure = (call.words.flag(key) for key in ("remove", "dry_run", "yes"))
    if not named:
        if removing or trying or sure:
            raise UsageError("setup", "no host named")
        return _overview(call.world.env)
    env = call.world.env
    plans = [_plan(state, env, removing=removing) for state in _look([n for n in named if n != _BY_HAND], env)]
    first = tree_steps(env) if not removing and any(plan.steps for plan in plans) else []
    shown = "".join(_shown(plan, removing=removing) for plan in plans)
    if _BY_HAND in named:
        shown += (
            f"{_BY_HAND}: has no command that installs\n  {'let go of' if removing else 'write'} {tree_place(env)}\n"
        )
    call.face.say("".join(f"{step.text}\n" for step in first) + shown)
    if trying:
        failed = [notice for plan in plans for notice in _failed(plan)]
        return Result(notices=failed, code=1 if failed else 0)
    wanted = [plan for plan in plans if not plan.is_empty]
    asked = removing or _BY_HAND in named or any(plan.steps for plan in wanted)
    if (wanted or _BY_HAND in named) and not _agreed(call, sure=sure, asked=asked):
        return Result(text="Nothing was done.", code=1)
    for step in first:
        step.act()
    notices: list[Notice] = []
    for plan in plans:
        notices += _failed(plan) or _done(call, plan, removing=removing, sure=sure)
    if _BY_HAND in named:
        notices += _by_hand(env, removing=removing)
    if not removing and not find_program("orbit", env):
        notices.append(setup_notices.orbit_not_on_path())
    bad = any(notice.name in ("host-missing", "host-failed") for notice in notices)
    return Result(notices=notices, code=1 if bad else 0)


def _look(hosts: Sequence[str], env: Mapping[str, str]) -> list[State]:
    found = side_by_side(lambda host: look_at(host, env), hosts, _LOOKS_AT_ONCE)
    return [
        State(host, "", state="unknown", problem=state.message) if isinstance(state, OrbitError) else state
        for host, state in zip(hosts, found, strict=True)
    ]


def _overview(env: Mapping[str, str]) -> Result:
    states = _look(list(CLIENTS), env)
    rows = tuple((state.host, _client(state), _orbit(state)) for state in states)
    notices = [setup_notices.host_unknown(s.host, s.problem) for s in states if s.problem]
    notices += [setup_notices.hooks_untrusted(s.host, len(s.untrusted)) for s in states if s.untrusted]
    return Result(
        table=Table((Column("HOST"), Column("CLIENT"), Column("ORBIT", flexible=True)), rows), notices=notices
    )


def _client(state: State) -> str:
    if not state.program:
        return "not found"
    return f"{CLIENTS[state.host].title} {state.version}".rstrip()


def _orbit(state: State) -> str:
    found = state.installed
    shown = _STATES[state.state].format(
        version=(found.version if found else "") or "plugin", source=found.source if found else ""
    )
    return f"{shown}, hooks not trusted" if state.untrusted else shown


def _plan(state: State, env: Mapping[str, str], *, removing: bool) -> Plan:
    if not state.program:
        return Plan(state)
    if state.state == "unknown":
        return Plan(state, refused=state.problem)
    try:
        steps = remove_steps(state, env) if removing else install_steps(state, env)
        offers = offers_of(state.host, env)
    except OrbitError as error:
        return Plan(state, refused=error.message if error.context == state.host else str(error))
    wanted = ("ours", "older") if removing else ("none", "older")
    return Plan(state, tuple(steps), tuple(offer for offer in offers if offer.state in wanted))


def _shown(plan: Plan, *, removing: bool) -> str:
    """The plan of one host, in the order in which it is done."""
    state = plan.state
    if not state.program or plan.refused:
        return ""
    lines = [f"{state.host}: {_client(state)}, {_orbit(state) if state.installed else 'without orbit'}"]
    lines += [f"  {step.text}" for step in plan.steps]
    for offer in plan.offers:
        if removing:
            lines.append(f"  remove {offer.path}")
            continue
        lines.append(f"  write {offer.path}, which {offer.why}:")
        lines += [f"  | {line}".rstrip() for line in offer.text.splitlines()]
    if plan.is_empty:
        lines.append("  nothing to do")
    return "\n".join(lines) + "\n"


def _agreed(call: Call, *, sure: bool, asked: bool) -> bool:
    """Whether the plan as a whole is agreed to. Where there is nothing but offers, each has its own question."""
    if sure:
        return True
    if not call.face.in_terminal:
        raise OrbitError("setup", "nothing was done: without a terminal nobody can be asked", "--yes does all of it")
    return not asked or call.face.confirm("Do this?")


def _failed(plan: Plan) -> list[Notice]:
    if not plan.state.program:
        return [setup_notices.host_missing(plan.state.host, CLIENTS[plan.state.host].program)]
    return [setup_notices.host_failed(plan.state.host, plan.refused)] if plan.refused else []


def _done(call: Call, plan: Plan, *, removing: bool, sure: bool) -> list[Notice]:
    """Do one host's plan; a failure is told and stops no other host."""
    env, host = call.world.env, plan.state.host
    try:
        if removing:
            _taken_out(call, plan)
            return []
        if plan.steps:
            found = install(plan.state, list(plan.steps), env).installed
            version = f" {found.version}" if found and found.version else ""
            call.face.say(f"{host}: has orbit{version}, as its own listing says\n")
        for offer in plan.offers:
            if sure or call.face.confirm(f"Write {offer.path}?"):
                write_offer(offer)
                call.face.say(f"{host}: wrote {offer.path}\n")
        return _advice(host, env)
    except OrbitError as error:
        own = error.context == host
        return [setup_notices.host_failed(host, error.message if own else str(error))]


def _taken_out(call: Call, plan: Plan) -> None:
    env, host = call.world.env, plan.state.host
    remove(plan.state, list(plan.steps), env)
    for offer in plan.offers:
        take_back(offer)
    if not plan.is_empty:
        call.face.say(f"{host}: has no orbit any more\n")


def _advice(host: str, env: Mapping[str, str]) -> list[Notice]:
    """What the user must know or do for the host to run what was installed."""
    found = [setup_notices.offer_left_alone(host, o.path) for o in offers_of(host, env) if o.state == "theirs"]
    if host == "codex":
        state = look_at(host, env)
        if state.problem:
            found.append(setup_notices.host_unknown(host, state.problem))
        if state.untrusted:
            found.append(setup_notices.hooks_untrusted(host, len(state.untrusted)))
    if host == "gemini":
        found.append(setup_notices.folder_trust(host))
    return found


def _by_hand(env: Mapping[str, str], *, removing: bool) -> list[Notice]:
    """Cursor reads a plugin folder that the user names: the tree is put in its place, and no more can be done."""
    if removing:
        let_go(_BY_HAND, env)
        return []
    write_tree(env)
    kept.write_kept(env, _BY_HAND, kept.Kept(tree_digest(PACKAGED), {}, {}))
    return [setup_notices.by_hand(_BY_HAND, tree_place(env))]

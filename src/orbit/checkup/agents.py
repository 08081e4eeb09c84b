"""Whether each agent host that is used here really has orbit's hooks and runs them. Contract: commands.md, doctor."""

from __future__ import annotations

from orbit.checkup.finding import INFO, OK, WARN, Finding
from orbit.errors import OrbitError
from orbit.git.many import side_by_side
from orbit.hosts.clients import CLIENTS
from orbit.hosts.look import is_used, look_at
from orbit.hosts.offers import offers_of
from orbit.hosts.run import find_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from orbit.hosts.look import State

_AT_ONCE = 4


def check_agents(env: Mapping[str, str]) -> list[Finding]:
    """One finding for each host with settings in this HOME, asked of its own program, several at once."""
    if not env.get("HOME"):
        return []
    used = [host for host in CLIENTS if is_used(host, env)]
    states = side_by_side(lambda host: look_at(host, env), used, _AT_ONCE)
    found: list[Finding] = []
    for state in states:
        if not isinstance(state, Exception):
            found += [_finding(state), *_offers(state, env)]
    if any(not isinstance(state, Exception) and state.works for state in states) and not find_program("orbit", env):
        found.append(Finding("hooks", WARN, "no orbit on PATH, so that no host can call it", "put orbit on PATH"))
    return found


def _finding(state: State) -> Finding:
    title = f"{CLIENTS[state.host].title} {state.version}".rstrip()
    setup = f"orbit setup {state.host}"
    version = f" {state.installed.version}" if state.installed and state.installed.version else ""
    if state.problem:
        return Finding(state.host, WARN, f"{title}: {state.problem}", setup)
    if state.state == "absent":
        return Finding(state.host, INFO, f"{title}, without orbit ({setup} puts it in)")
    if state.state == "off":
        return Finding(state.host, INFO, f"{title}: orbit{version} is there and disabled")
    if state.untrusted:
        message = f"{title}: {len(state.untrusted)} hooks of orbit are not trusted and do not run"
        return Finding(state.host, WARN, message, "start codex, which shows them and asks")
    if state.state == "older":
        return Finding(state.host, WARN, f"{title}: orbit{version} is not what this orbit carries", setup)
    if state.state == "elsewhere":
        source = state.installed.source if state.installed else ""
        return Finding(state.host, INFO, f"{title}: orbit{version} from {source}")
    return Finding(state.host, OK, f"{title}: orbit{version}, its hooks run")


def _offers(state: State, env: Mapping[str, str]) -> list[Finding]:
    """What a host that has orbit would still stop."""
    if state.installed is None:
        return []
    try:
        missing = [offer for offer in offers_of(state.host, env) if offer.state == "none"]
    except OrbitError as problem:
        return [Finding(state.host, WARN, str(problem), "make it readable")]
    return [
        Finding(state.host, INFO, f"{offer.path} is not there (orbit setup {state.host} offers it: it {offer.why})")
        for offer in missing
    ]

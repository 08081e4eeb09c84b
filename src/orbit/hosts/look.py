"""What there is of one host: its program, its version, and what it says of orbit's integration.

Contract: hosts.md, `orbit setup`; commands.md, doctor.
"""

from __future__ import annotations

import os
import re

import orbit
from orbit.errors import OrbitError
from orbit.hosts import opencode
from orbit.hosts.clients import CLIENTS, home_of
from orbit.hosts.kept import read_kept
from orbit.hosts.listing import Installed, UnreadableError, read_listing
from orbit.hosts.run import find_program, reason_of, run_client
from orbit.hosts.source import data_directory, is_current, tree_digest, tree_place
from orbit.hosts.trust import ask_hooks
from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from orbit.hosts.clients import Client

LISTING_SECONDS = 60.0
# OpenCode fetches something as it starts: offline it was seen to give up after 78 seconds, and then to answer.
_THOROUGH_SECONDS = 240.0
_VERSION = re.compile(r"\d+(?:\.\d+)+[0-9A-Za-z.+-]*")


class State(Record):
    """One host. `program` is "" when it is not on PATH; `problem` is why its listing could not be had.

    `state`: absent (not installed), current, older (another version or another tree), off (disabled by the user),
    elsewhere (installed from a directory that is not ours), unknown (the host did not tell).
    """

    host: str
    program: str
    version: str = ""
    installed: Installed | None = None
    state: str = "absent"
    problem: str = ""
    untrusted: tuple[str, ...] = ()

    @property
    def works(self) -> bool:
        """Whether the host will run orbit's hooks."""
        return self.state in ("current", "older", "elsewhere") and not self.problem and not self.untrusted


def working_directory(env: Mapping[str, str]) -> str:
    """Where a host's program runs for us: nothing that it could take for a project."""
    directory = data_directory(env)
    return directory if os.path.isdir(directory) else "/"


def look_at(host: str, env: Mapping[str, str]) -> State:
    """Ask the host. Never raises for what the host does."""
    client = CLIENTS[host]
    program = find_program(client.program, env)
    if not program:
        return State(host, "")
    try:
        version = client_version(program, env)
        state = judged(host, program, version, listed(client, program, env, thorough=False), env)
        if host == "codex" and state.installed:
            hooks = ask_hooks(program, env, working_directory(env), LISTING_SECONDS)
            return state.replace(untrusted=hooks.untrusted)
        return state
    except OrbitError as error:
        return State(host, program, state="unknown", problem=f"{error.context}: {error.message}")


def is_used(host: str, env: Mapping[str, str]) -> bool:
    """Whether the host is on PATH and has settings here: one that was never used needs no question."""
    client = CLIENTS[host]
    return bool(find_program(client.program, env)) and os.path.isdir(home_of(client, env))


def client_version(program: str, env: Mapping[str, str]) -> str:
    """The version that the program tells, "" when it tells none. Raises OrbitError when it cannot be started."""
    answer = run_client([program, "--version"], env, working_directory(env), LISTING_SECONDS)
    found = _VERSION.search(answer.out)
    return found[0].rstrip(".") if found else ""


def listed(client: Client, program: str, env: Mapping[str, str], *, thorough: bool) -> Installed | None:
    """What the host lists of orbit. OpenCode takes ten seconds for it: unless `thorough`, its settings are read.

    Raises OrbitError when the listing cannot be had.
    """
    if client.name == "opencode" and not thorough:
        return opencode.named_plugin(env)
    seconds = _THOROUGH_SECONDS if client.name == "opencode" else LISTING_SECONDS
    answer = run_client([program, *client.listing], env, working_directory(env), seconds)
    named = f"{client.program} {' '.join(client.listing)}"
    if answer.code != 0:
        raise OrbitError(named, reason_of(answer))
    try:
        # Gemini CLI lists on stderr.
        return read_listing(client.name, answer.out if answer.out.strip() else answer.err)
    except UnreadableError as problem:
        raise OrbitError(named, f"its listing cannot be read ({problem})") from None


def judged(host: str, program: str, version: str, installed: Installed | None, env: Mapping[str, str]) -> State:
    """What the listing means."""
    state = State(host, program, version, installed)
    if installed is None:
        return state
    if not installed.enabled:
        return state.replace(state="off")
    if installed.problem:
        return state.replace(state="older", problem=installed.problem)
    if installed.source and os.path.realpath(installed.source) != os.path.realpath(tree_place(env)):
        return state.replace(state="elsewhere")
    return state.replace(state="current" if _is_ours(host, installed, env) else "older")


def _is_ours(host: str, installed: Installed, env: Mapping[str, str]) -> bool:
    """Whether the host has exactly what this orbit carries."""
    if installed.version and installed.version != orbit.__version__:
        return False
    if not is_current(env):
        return False
    kept = read_kept(env, host)
    # A setup that was cut short has noted no tree.
    return (
        kept is not None
        and kept.digest != ""
        and (CLIENTS[host].reads_in_place or kept.digest == tree_digest(tree_place(env)))
    )

"""`orbit mcp` in the real clients: each is given the server as its user would, and the model calls tools of it."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

from beds import Notes
from drivers import Bed
from project import GOAL
from stub_model import PLAY
from wires import Use

FOUND = "the orders are kept in memory"


class Given(NamedTuple):
    """How a client gets the server, how it names `repos` of it, and the words with which it runs tools unasked."""

    add: tuple[str, ...]
    named: str
    freely: tuple[str, ...] = ()
    namespace: str = ""


# OpenCode's own command asks at the terminal: its settings are written.
CLIENTS = {
    "claude": Given(
        ("mcp", "add", "--scope", "user", "orbit", "--", "orbit", "mcp"),
        "mcp__orbit__{}",
        ("--allowedTools", "mcp__orbit"),
    ),
    # Codex does not wait for a server unless it is required, and approves by itself what only reads.
    "codex": Given(
        ("mcp", "add", "orbit", "--", "orbit", "mcp"),
        "{}",
        ("-c", "mcp_servers.orbit.required=true"),
        namespace="mcp__orbit",
    ),
    "opencode": Given((), "orbit_{}"),
    "gemini": Given(("mcp", "add", "--scope", "user", "--trust", "orbit", "orbit", "mcp"), "mcp_orbit_{}"),
    "qwen": Given(("mcp", "add", "--scope", "user", "--trust", "orbit", "orbit", "mcp"), "mcp__orbit__{}"),
    "copilot": Given(("mcp", "add", "orbit", "--", "orbit", "mcp"), "orbit-{}", ("--allow-tool", "orbit")),
}
_OPENCODE = '"mcp": { "orbit": { "type": "local", "command": ["orbit", "mcp"] } },\n  "provider"'

pytestmark = pytest.mark.parametrize("bed", CLIENTS, indirect=True)


def give_server(bed: Bed) -> None:
    given = CLIENTS[bed.host]
    if given.add:
        done = bed.client(*given.add)
        assert done.code == 0, done.told()
        return
    settings = bed.home / ".config/opencode/opencode.jsonc"
    settings.write_text(settings.read_text().replace('"provider"', _OPENCODE))


def call(bed: Bed, name: str, **arguments: object) -> Use:
    given = CLIENTS[bed.host]
    return Use(given.named.format(name), arguments, given.namespace)


def test_mcp_the_model_reads_and_writes_by_tools(bed: Bed, notes: Notes) -> None:
    give_server(bed)
    bed.called()
    bed.stub.commands = [
        call(bed, "repos", query="orders"),
        call(bed, "info", repo="backend"),
        call(bed, "jot", repo="backend", text=FOUND),
        call(bed, "goal"),
    ]
    done = bed.prompt(f"{PLAY} now", more=CLIENTS[bed.host].freely)
    results = bed.stub.results()
    assert len(results) == 4, (results, done.told())
    roster, card, _, goal = results
    assert re.search(r'"name": ?"backend"', roster.replace('\\"', '"')), roster
    assert "Keeps the orders and sends them on." in card, card
    assert GOAL in goal, goal
    assert FOUND in bed.orbit("jot", "backend", "--list", cwd=bed.task).out, results
    assert bed.called()[0] == "mcp", "the server that the client itself started"
    notes("mcp", "repos, info, jot, goal")

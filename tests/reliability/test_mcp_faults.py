"""A tool call that writes, with one operation failing, and a server that is killed in the middle of calls: an answer
that says what is wrong, a server that goes on, and nothing lost for the next one.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from cards import card
from mcp_clients import BareClient, talk_inside
from reliability.amount import SOAK, drawn
from reliability.operations import FAILURES, operations
from reliability.readers import State, leftovers, read_state
from reliability.scene import populated, put_back
from world import Template, World, run_git

# Without `jot_pop`: what it moves once an answer is handed over needs the real wire (tests/mcp/test_serve.py).
CALLS: dict[str, dict[str, object]] = {
    "jot": {"repo": "backend", "text": "three"},
    "memo_write": {"repo": "backend", "text": card("Second.")},
    "goal": {"text": "Another"},
    "add": {"repo": "frontend"},
    "done": {},
}
RESOURCES = ("orbit://workspace/context", "orbit://repos/backend/card")
FAILING = 40 if SOAK else 2
KILLED = 15 if SOAK else 1
# Parts that may differ although the call has succeeded: what could not be recorded beside a card is told.
BESIDE = {"memo_write": ("row", "queue", "history")}


@pytest.fixture(scope="module")
def world(template: Template, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with populated(template, tmp_path_factory.mktemp("mcp"), ("jot", "backend", "two")) as made:
        yield made


def call(place: Path, tool: str, *, fail_at: int = 0, way: int = 0) -> tuple[types.CallToolResult, list[str], str]:
    """The answer, the operations, and which failed why. The same server is then asked for the status."""

    async def talk(client: Client) -> tuple[types.CallToolResult, list[str], str]:
        with operations(fail_at, way) as watched:
            result = await client.call_tool(tool, CALLS[tool])
        assert not (await client.call_tool("status", {})).is_error
        return result, watched.log, f"{watched.failed}: {watched.reason}"

    found: tuple[types.CallToolResult, list[str], str] = talk_inside(talk, place)
    return found


def texts(result: types.CallToolResult) -> str:
    guidance = (result.structured_content or {}).get("guidance", [])
    return "\n".join([*(block.text for block in result.content if isinstance(block, types.TextContent)), *guidance])


@pytest.mark.parametrize("tool", CALLS)
def test_one_operation_fails(world: World, tool: str) -> None:
    chance = drawn(tool)
    place = put_back(world)
    before = read_state(world)
    clean, log, _ = call(place, tool)
    assert not clean.is_error, texts(clean)
    after = read_state(world)
    wrong: list[str] = []
    numbers = sorted(chance.sample(range(1, len(log) + 1), min(FAILING, len(log))))
    for number in numbers:
        place = put_back(world)
        way = chance.randrange(max(map(len, FAILURES.values())))
        result, _, failed = call(place, tool, fail_at=number, way=way)
        told = texts(result)
        where = f"{tool} {number}: {failed}: {told}"
        found = read_state(world)
        if "internal" in told or "Traceback" in told:
            wrong.append(f"no clear end: {where}")
        if result.is_error and failed.partition(": ")[2] not in told and "git" not in told:
            wrong.append(f"the reason is not told: {where}")
        if result.is_error and not ("/" in told or "backend" in told or "frontend" in told):
            wrong.append(f"no file is named: {where}")
        may = ("history",) if result.is_error else BESIDE.get(tool, ()) if told != texts(clean) else ()
        wrong += [f"{part} differs: {where}" for part in parts(found, before if result.is_error else after, may)]
        again, _, _ = call(place, tool)
        if again.is_error and not (tool == "add" and "already" in texts(again)):
            wrong.append(f"again {texts(again)}: {where}")
        world.orbit("doctor", "--fix")
        if leftovers(world):
            wrong.append(f"left for ever {leftovers(world)}: {where}")
    print(f"{tool}: {len(numbers)} of {len(log)} operations failed")
    assert not wrong, "\n" + "\n".join(wrong)


def parts(found: State, wanted: State, may_differ: tuple[str, ...]) -> list[str]:
    return [p for p in State._fields if p not in may_differ and getattr(found, p) != getattr(wanted, p)]


@pytest.mark.parametrize("uri", RESOURCES)
def test_one_operation_of_a_resource_fails(world: World, uri: str) -> None:
    """The text, or an error of the protocol that says why; the server goes on."""
    chance = drawn(uri)
    place = put_back(world)

    async def read(client: Client, fail_at: int, way: int) -> tuple[str, list[str], str]:
        with operations(fail_at, way) as watched:
            try:
                (content,) = (await client.read_resource(uri)).contents
                told = content.text if isinstance(content, types.TextResourceContents) else ""
            except MCPError as problem:
                told = f"failed: {problem}"
        return told, watched.log, watched.reason

    async def talk(client: Client) -> list[str]:
        expected, log, _ = await read(client, 0, 0)
        assert not expected.startswith("failed"), expected
        wrong = []
        for number in chance.sample(range(1, len(log) + 1), min(FAILING, len(log))):
            told, _, reason = await read(client, number, chance.randrange(4))
            if not told or (told.startswith("failed") and reason not in told) or "Traceback" in told:
                wrong.append(f"{number} {log[number - 1]} {reason}: {told}")
            if (await read(client, 0, 0))[0] != expected:
                wrong.append(f"{number} {log[number - 1]} {reason}: another text afterwards")
        return wrong

    wrong = talk_inside(talk, place)
    assert not wrong, "\n" + "\n".join(wrong)


def test_a_server_that_is_killed_in_the_middle_of_calls(world: World) -> None:
    """Over the real pipes. What was answered stands; the next server does the same calls."""
    chance = drawn()
    answered = 0
    for _ in range(KILLED):
        place = put_back(world)
        client = BareClient(place)
        for number in range(10):
            client.call("jot", 100 + number, repo="backend", text=f"jot {number}")
            client.call("memo_write", 200 + number, repo="frontend", text=card(f"Text {number}."))
        until = chance.randrange(1, 20)
        ids = [client.receive()["id"] for _ in range(until)]
        time.sleep(chance.uniform(0, 0.02))
        client.process.kill()
        client.process.wait(30)
        client.end()
        answered += until
        state = read_state(world)
        queued = [line.partition("=")[2] for line in state.queue if ": jot.backend.entry=" in line]
        assert {"one", "two"} <= {*queued}
        for number in (i - 100 for i in ids if i < 200):
            assert queued.count(f"jot {number}") == 1, (ids, queued)
        cards = {card(f"Text {number}.") for number in range(10)}
        assert state.card.get(".frontend.md", card("Text 0.")) in cards
        if [i for i in ids if i >= 200]:
            assert ".frontend.md" in state.card
        again = BareClient(place)
        again.call("jot", 1, repo="backend", text="afterwards")
        again.call("memo_write", 2, repo="frontend", text=card("Afterwards."))
        answers = [again.receive() for _ in range(2)]
        assert not any(answer["result"]["isError"] for answer in answers), answers
        assert again.end()[0] == 0
        assert (world.pool / ".frontend.md").read_text() == card("Afterwards.")
        assert world.orbit("doctor", "--fix").code == 0
        assert leftovers(world) == []
        run_git(world.pool, "--git-dir", ".cards.git", "fsck", "--strict")
    print(f"{KILLED} servers killed, {answered} calls answered before")

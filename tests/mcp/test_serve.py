"""`orbit mcp` as a real process over real pipes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import anyio
import psutil
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPDeprecationWarning

from mcp_clients import MODES, BareClient, talk_over_stdio
from orbit.knowledge.jots import Queue, queue_of
from orbit.store.document import load
from world import SilentServer, World, run_git

# Starts orbit as it is without the extra: the SDK cannot be found.
_WITHOUT_SDK = """
import sys
sys.modules["mcp"] = sys.modules["mcp_types"] = None
sys.argv = ["orbit", "mcp"]
from orbit.cli.main import main
sys.exit(main())
"""


@pytest.fixture
def workspace(world: World) -> Path:
    world.clone()
    path = world.workspace()
    world.worktree()
    return path


def jot(world: World, workspace: Path, *texts: str) -> None:
    for text in texts:
        assert world.orbit("jot", "backend", text, cwd=workspace).code == 0


def queue(workspace: Path) -> Queue:
    return queue_of(load(str(workspace / ".orbit")).config, "backend")


def is_soon(what: str, check: Any) -> None:
    """Wait for what another process does."""
    give_up = time.monotonic() + 30
    while not check():
        assert time.monotonic() < give_up, what
        time.sleep(0.01)


@pytest.mark.parametrize("mode", MODES)
def test_a_pop_moves_what_the_client_has(world: World, workspace: Path, mode: str) -> None:
    jot(world, workspace, "one", "two\nlines", "three \u2028 four")

    async def pop(client: Client) -> None:
        taken = await client.call_tool("jot_pop", {})
        assert taken.structured_content["result"]["entries"] == ["one", "two\nlines", "three \u2028 four"]
        assert taken.structured_content["result"]["popped"] == 3
        assert [line for line in taken.structured_content["guidance"] if "3 popped" in line]
        again = await client.call_tool("jot_pop", {})
        assert again.structured_content["result"] == {"repo": "backend", "entries": [], "count": 0, "popped": 3}

    talk_over_stdio(pop, workspace, mode=mode)
    assert (len(queue(workspace).entries), len(queue(workspace).popped)) == (0, 3)


def test_many_calls_at_once(world: World, workspace: Path) -> None:
    """Each entry is given to exactly one of the poppers, and no jot is lost."""
    taken: list[str] = []

    async def crowd(client: Client) -> None:
        async def push(number: int) -> None:
            assert not (await client.call_tool("jot", {"repo": "backend", "text": f"discovery {number}"})).is_error

        async def pop() -> None:
            taken.extend(
                (await client.call_tool("jot_pop", {"repo": "backend"})).structured_content["result"]["entries"]
            )

        async with anyio.create_task_group() as group:
            for number in range(20):
                group.start_soon(push, number)
        async with anyio.create_task_group() as group:
            for number in range(20, 30):
                group.start_soon(push, number)
                group.start_soon(pop)
        await pop()

    talk_over_stdio(crowd, workspace)
    assert sorted(taken) == sorted(f"discovery {number}" for number in range(30))


@pytest.mark.parametrize("request_id", [7, "seven"])
def test_an_id_of_either_kind_is_handed_over(world: World, workspace: Path, request_id: int | str) -> None:
    jot(world, workspace, "one")
    client = BareClient(workspace)
    client.call("jot_pop", request_id)
    assert client.receive()["id"] == request_id
    client.call("status", 8)
    assert client.receive()["id"] == 8
    assert client.end() == (0, "")
    assert len(queue(workspace).popped) == 1


def test_a_pop_that_reaches_nobody_takes_nothing(world: World, workspace: Path) -> None:
    jot(world, workspace, "one")
    client = BareClient(workspace)
    assert client.process.stdout is not None
    client.process.stdout.close()
    client.call("jot_pop", 1)
    assert client.process.wait(30) == 0
    assert client.end() == (0, "")
    assert len(queue(workspace).entries) == 1
    assert world.orbit("jot", "--pop", cwd=workspace).out == "one\n"


def test_a_pop_that_is_cancelled_takes_nothing(world: World, workspace: Path) -> None:
    """While another popper holds the line, so that the call is still under way; afterwards nobody is held up."""
    jot(world, workspace, "one")
    holder = os.open(workspace, os.O_RDONLY | os.O_DIRECTORY)
    import fcntl

    fcntl.flock(holder, fcntl.LOCK_EX)
    client = BareClient(workspace)
    client.call("jot_pop", 1)
    client.call("status", 2)
    assert client.receive()["id"] == 2
    client.send("notifications/cancelled", requestId=1)
    client.call("status", 3)
    assert client.receive()["id"] == 3
    os.close(holder)
    client.call("jot_pop", 4)
    answer = client.receive()
    assert (answer["id"], answer["result"]["structuredContent"]["result"]["entries"]) == (4, ["one"])
    assert client.end() == (0, "")
    assert len(queue(workspace).popped) == 1


@pytest.fixture
def hanging(world: World, workspace: Path, silent_server: SilentServer) -> SilentServer:
    """A second repository, whose remote never says a word."""
    world.clone("slow")
    world.worktree("task-01", "slow")
    run_git(world.pool / "slow", "remote", "set-url", "origin", silent_server.url)
    return silent_server


def gits_below(pid: int) -> list[psutil.Process]:
    return [child for child in psutil.Process(pid).children(recursive=True) if child.is_running()]


@pytest.mark.parametrize("repos", [["slow"], ["backend", "slow"]], ids=["alone", "side by side"])
def test_a_hanging_sync_holds_up_nobody_and_can_be_cancelled(
    workspace: Path, hanging: SilentServer, repos: list[str]
) -> None:
    client = BareClient(workspace)
    client.call("sync", 1, repos=repos)
    assert hanging.connected.wait(30)
    client.call("status", 2)
    assert client.receive()["id"] == 2
    client.send("notifications/cancelled", requestId=1)
    is_soon("git goes", lambda: not gits_below(client.process.pid))
    client.call("jot", 3, repo="backend", text="still here")
    answer = client.receive()
    assert (answer["id"], answer["result"]["isError"]) == (3, False)
    assert client.end() == (0, "")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_asked_to_end_in_the_middle_of_a_sync(workspace: Path, hanging: SilentServer, number: int) -> None:
    client = BareClient(workspace)
    client.send("tools/call", 1, name="sync", arguments={}, _meta={"progressToken": 5})
    assert hanging.connected.wait(30)
    children = gits_below(client.process.pid)
    assert children
    client.process.send_signal(number)
    assert client.process.wait(30) == 128 + number
    assert client.end() == (128 + number, "")
    assert not any(child.is_running() for child in children)


def test_the_client_goes_in_the_middle_of_a_sync(workspace: Path, hanging: SilentServer) -> None:
    client = BareClient(workspace)
    client.call("sync", 1)
    assert hanging.connected.wait(30)
    children = gits_below(client.process.pid)
    assert client.end()[0] == 0
    assert not any(child.is_running() for child in children)


def test_progress_is_told_to_who_asks(world: World, workspace: Path) -> None:
    told: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    talk_over_stdio(lambda client: client.call_tool("sync", {}, progress_callback=hear), workspace)
    assert told == [(0, 1, "syncing backend"), (1, 1, "backend: up to date")]


@pytest.mark.parametrize("mode", MODES)
def test_where_the_client_stands(world: World, workspace: Path, tmp_path: Path, mode: str) -> None:
    async def where(client: Client) -> str:
        result = await client.call_tool("context", {})
        again = await client.call_tool("context", {})
        assert again == result
        return "" if result.is_error else str(result.structured_content["result"]["workspace"])

    away = tmp_path / "away"
    away.mkdir()
    root = f"file://{workspace}/backend"
    assert talk_over_stdio(where, away, roots=["file:///", tmp_path.as_uri(), root], mode=mode) == "task-01"
    assert talk_over_stdio(where, away, roots=[], mode=mode) == ""


def test_changed_roots_are_asked_for_again(world: World, workspace: Path, tmp_path: Path) -> None:
    roots = [tmp_path.as_uri()]

    async def move(client: Client) -> tuple[bool, bool]:
        before = await client.call_tool("status", {})
        roots[:] = [workspace.as_uri()]
        with pytest.warns(MCPDeprecationWarning):
            await client.send_roots_list_changed()
        after = await client.call_tool("status", {})
        return before.is_error, after.is_error

    assert talk_over_stdio(move, tmp_path, roots=roots) == (True, False)


def test_a_workspace_by_option(world: World, workspace: Path, tmp_path: Path) -> None:
    client = BareClient(tmp_path, "--workspace", str(workspace))
    client.call("status", 1)
    assert client.receive()["result"]["structuredContent"]["result"]["workspace"] == "task-01"
    assert client.end() == (0, "")


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ("nowhere", "orbit: mcp: --workspace: no such directory: nowhere\n"),
        (".", "orbit: mcp: --workspace: not in a workspace: .\n"),
        ("", "orbit: mcp: --workspace cannot be empty\n"),
    ],
)
def test_a_workspace_that_is_none(world: World, given: str, line: str) -> None:
    done = world.orbit_process("mcp", f"--workspace={given}", stdin="")
    assert (done.code, done.out, done.err) == (1, "", line)


def test_without_the_extra(world: World) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT_SDK], cwd=world.root, input=b"", capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode() == (
        "orbit: mcp: the MCP SDK is not installed, or not the version that is needed\n"
        "orbit: mcp: pip install 'orbit-workspaces[mcp]'\n"
    )


def test_nonsense_on_stdin_ends_nothing(workspace: Path) -> None:
    client = BareClient(workspace)
    assert client.process.stdin is not None
    client.process.stdin.write(b"not json\n\xff\xfe\n\n{}\n[1]\n")
    client.call("status", 1)
    while client.receive().get("id") != 1:
        continue
    assert client.end()[0] == 0

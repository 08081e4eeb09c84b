"""The server as the SDK's own client sees it, in this process; what needs a real wire is in test_serve.py."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from jsonschema import Draft202012Validator
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from cards import card
from mcp_clients import MODES, talk_inside
from orbit.commands.schemas import schema_text
from orbit.mcp.server import _without_a_fuss
from orbit.mcp.tools import TOOLS
from world import World

JOT = "cmd/worker is the queue consumer"


@pytest.fixture
def workspace(world: World) -> Path:
    return world.populated()


def call(place: Path, tool: str, **given: object) -> types.CallToolResult:
    result = talk_inside(lambda client: client.call_tool(tool, given), place)
    assert isinstance(result, types.CallToolResult)
    return result


def texts(result: types.CallToolResult) -> list[str]:
    assert all(isinstance(block, types.TextContent) for block in result.content)
    return [block.text for block in result.content if isinstance(block, types.TextContent)]


def done(result: types.CallToolResult) -> Any:
    """The structured result of a call that went well."""
    assert not result.is_error, texts(result)
    return result.structured_content["result"]


def refused(result: types.CallToolResult) -> str:
    assert result.is_error
    assert result.structured_content is None
    return "\n".join(texts(result))


def test_a_card_that_cannot_be_read_is_not_taken_for_none(world: World, workspace: Path) -> None:
    (world.pool / ".backend.md").mkdir()

    async def read(client: Client) -> None:
        with pytest.raises(MCPError, match=r"orbit: \.repos/\.backend\.md: cannot be used \(is a directory\)"):
            await client.read_resource("orbit://repos/backend/card")

    talk_inside(read, workspace)


@pytest.mark.parametrize("mode", MODES)
def test_the_tools_are_those_of_the_contract(workspace: Path, mode: str) -> None:
    async def listed(client: Client) -> list[types.Tool]:
        return (await client.list_tools()).tools

    tools = {tool.name: tool for tool in talk_inside(listed, workspace, mode=mode)}
    assert list(tools) == [
        *("repos", "info", "add", "switch", "jot", "jot_list", "jot_pop", "memo_write", "memo_check", "memo_log"),
        *("context", "status", "goal", "sync", "done"),
    ]
    hints = {name: tool.annotations for name, tool in tools.items()}
    assert all(hint is not None for hint in hints.values())
    assert [n for n, h in hints.items() if h and h.read_only_hint] == [
        *("repos", "info", "jot_list", "memo_check", "memo_log", "context", "status"),
    ]
    assert [n for n, h in hints.items() if h and h.destructive_hint] == ["done"]
    assert [n for n, h in hints.items() if h and h.open_world_hint] == ["add", "switch", "sync"]
    assert [n for n, h in hints.items() if h and not h.idempotent_hint] == ["add", "jot", "jot_pop"]
    for tool in tools.values():
        Draft202012Validator.check_schema(tool.input_schema)
        Draft202012Validator.check_schema(tool.output_schema or {})
        assert tool.output_schema is not None
        assert tool.output_schema["type"] == "object"


def test_the_whole_loop(world: World, workspace: Path) -> None:
    async def loop(client: Client) -> None:
        async def ask(tool: str, **given: object) -> Any:
            return done(await client.call_tool(tool, given))

        assert [row["name"] for row in await ask("repos")] == ["backend", "frontend"]
        assert [row["name"] for row in await ask("repos", query="front END".replace(" ", ""))] == ["frontend"]
        assert len(await ask("repos", limit=1)) == 1
        assert (await ask("info", repo="frontend"))["source"] == "readme"
        assert await ask("add", repo="frontend") == (
            "added frontend → task-01/frontend (branch: ws/task-01/main, upstream: origin/main)"
        )
        assert "ws/task-01/fix" in await ask("switch", repo="frontend", name="fix", create=True)
        assert (await ask("jot", repo="backend", text=JOT))["entries"] == [JOT]
        assert (await ask("jot_list", repo="backend"))["count"] == 1
        assert await ask("goal", text="a goal") == "goal of task-01 set: a goal"
        assert await ask("goal") == "a goal"
        assert "wrote memo for backend" in await ask("memo_write", repo="backend", text=card(), expect="none")
        assert await ask("memo_check", repo="backend")
        assert len((await ask("memo_log", repo="backend")).splitlines()) == 1
        context = await ask("context")
        assert (context["mode"], context["goal"]) == ("cruise", "a goal")
        assert (await ask("context", mode="startup"))["mode"] == "reignite"
        assert (await ask("context", mode="prime"))["mode"] == "prime"
        assert [tree["name"] for tree in (await ask("status"))["worktrees"]] == ["backend", "frontend"]
        assert [row["repo"] for row in await ask("sync")] == ["backend", "frontend"]
        assert [row["repo"] for row in await ask("sync", repos=["frontend"])] == ["frontend"]
        assert (await ask("done", prs=["https://example.com/1"]))["prs"] == ["https://example.com/1"]

    talk_inside(loop, workspace)


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("repos", {}),
        ("info", {"repo": "backend"}),
        ("jot_list", {"repo": "backend"}),
        ("context", {}),
        ("context", {"mode": "reignite"}),
        ("status", {}),
        ("sync", {}),
        ("done", {}),
    ],
)
def test_a_structured_result_is_what_json_gives(workspace: Path, tool: str, given: dict[str, object]) -> None:
    """The client checks it against the tool's own schema; here against the one that --json-schema prints."""
    shape = next(known.shape for known in TOOLS if known.name == tool)
    Draft202012Validator(json.loads(schema_text(shape))).validate(done(call(workspace, tool, **given)))


def test_guidance_comes_with_the_result(world: World, workspace: Path) -> None:
    result = call(workspace, "info", repo="backend")
    assert result.structured_content["guidance"] == ["orbit: backend: no memo yet, showing README.md"]
    content, guidance = texts(result)
    assert content.startswith("# Template")
    assert guidance == "orbit: backend: no memo yet, showing README.md"


def test_add_gives_the_card(world: World, workspace: Path) -> None:
    assert world.orbit("memo", "frontend", stdin=card(), cwd=workspace).code == 0
    text = done(call(workspace, "add", repo="frontend"))
    assert "--- frontend ---" in text
    assert card().strip().splitlines()[-1] in text


@pytest.mark.parametrize(
    ("tool", "given", "line"),
    [
        ("info", {"repo": "nowhere"}, "orbit: nowhere: not in the pool (.repos/)"),
        ("info", {}, "orbit: info: repo is missing"),
        ("info", {"repo": None}, "orbit: info: repo is missing"),
        ("info", {"repo": 1}, "orbit: info: repo must be a text without NUL"),
        ("info", {"repo": "a\0b"}, "orbit: info: repo must be a text without NUL"),
        ("info", {"repo": "backend", "x": 1}, "orbit: info: no such argument: x"),
        ("repos", {"limit": 0}, "orbit: repos: limit must be a whole number above 0"),
        ("repos", {"limit": True}, "orbit: repos: limit must be a whole number above 0"),
        ("switch", {"repo": "backend", "name": "x", "create": "yes"}, "orbit: switch: create must be true or false"),
        ("sync", {"repos": "backend"}, "orbit: sync: repos must be a list of texts"),
        ("context", {"mode": "x"}, "orbit: context: mode must be one of cruise, startup, prime, reignite"),
        ("add", {"repo": "backend"}, "orbit: backend: worktree already exists (task-01/backend)"),
        ("add", {"repo": "frontend", "ref": "--upload-pack=x"}, "orbit: frontend: cannot fetch ref: --upload-pack=x"),
        ("jot", {"repo": "backend", "text": " "}, "orbit: backend: "),
        ("memo_write", {"repo": "backend", "text": ""}, "orbit: backend: "),
        ("done", {"prs": ["ftp://x"]}, "orbit: done: --pr takes an http(s) URL, not ftp://x"),
        ("jot_pop", {"repo": "nowhere"}, "orbit: jot: nowhere has neither a worktree nor jots here"),
    ],
)
def test_a_refusal_is_orbits_own_line(workspace: Path, tool: str, given: dict[str, object], line: str) -> None:
    assert refused(call(workspace, tool, **given)).startswith(line)


def test_a_failed_sync_says_which(world: World, workspace: Path) -> None:
    world.origins["backend"].path.rename(world.remotes / "away")
    result = call(workspace, "sync")
    assert result.is_error
    assert [row["state"] for row in result.structured_content["result"]] == ["failed"]
    assert any("backend" in line for line in result.structured_content["guidance"])


def test_findings_are_no_failure(world: World, workspace: Path) -> None:
    assert done(call(workspace, "memo_check", repo="backend")) == "backend: no memo"


def test_outside_a_project(tmp_path: Path) -> None:
    assert refused(call(tmp_path, "repos")).startswith("orbit: project: not in an orbit project")
    assert refused(call(tmp_path, "status")).startswith("orbit: project: ")


def test_at_the_root(world: World, workspace: Path) -> None:
    assert len(done(call(world.root, "repos"))) == 2
    assert refused(call(world.root, "jot_list")).startswith("orbit: jot: not in a workspace")


def test_a_file_of_another_encoding_reaches_the_client(world: World, workspace: Path) -> None:
    (world.pool / ".backend.md").write_bytes(b"# backend\n\nna\xefve \x1b[2J\n")
    assert done(call(workspace, "info", repo="backend"))["content"] == "# backend\n\nna�ve \n"


def test_an_unknown_tool_and_prompt(workspace: Path) -> None:
    async def ask(client: Client) -> None:
        with pytest.raises(MCPError, match="no such tool: prune"):
            await client.call_tool("prune", {})
        with pytest.raises(MCPError, match="no such prompt: x"):
            await client.get_prompt("x")

    talk_inside(ask, workspace)


@pytest.mark.parametrize("mode", MODES)
def test_resources(world: World, workspace: Path, mode: str) -> None:
    assert world.orbit("memo", "backend", stdin=card(), cwd=workspace).code == 0

    async def read(client: Client, uri: str) -> str:
        (content,) = (await client.read_resource(uri)).contents
        assert isinstance(content, types.TextResourceContents)
        assert content.mime_type == "text/markdown"
        return content.text

    async def look(client: Client) -> None:
        listed = (await client.list_resources()).resources
        assert [str(one.uri) for one in listed] == ["orbit://workspace/context", "orbit://repos/backend/card"]
        (template,) = (await client.list_resource_templates()).resource_templates
        assert template.uri_template == "orbit://repos/{name}/card"
        assert await read(client, "orbit://repos/backend/card") == card()
        assert (await read(client, "orbit://workspace/context")).startswith(f"path: {workspace}\n")
        for uri, line in (
            ("orbit://repos/frontend/card", "orbit: frontend: there is no card yet"),
            ("orbit://repos/nowhere/card", "orbit: nowhere: not in the pool"),
            ("orbit://repos/../card", "orbit: .."),
            ("orbit://repos/a/b/card", "orbit: a/b: "),
            ("orbit://repos/card", "no such resource: orbit://repos/card"),
            ("orbit://else", "no such resource: orbit://else"),
        ):
            with pytest.raises(MCPError) as problem:
                await client.read_resource(uri)
            assert str(problem.value.message).startswith(line)

    talk_inside(look, workspace, mode=mode)


def test_resources_outside_a_workspace(world: World, workspace: Path, tmp_path: Path) -> None:
    async def look(client: Client) -> list[str]:
        return [str(one.uri) for one in (await client.list_resources()).resources]

    assert talk_inside(look, world.root) == ["orbit://workspace/context"]
    assert talk_inside(look, tmp_path) == ["orbit://workspace/context"]


@pytest.mark.parametrize("mode", MODES)
def test_the_prompt_to_start_with(world: World, workspace: Path, tmp_path: Path, mode: str) -> None:
    async def ask(client: Client) -> str:
        assert [prompt.name for prompt in (await client.list_prompts()).prompts] == ["start"]
        (message,) = (await client.get_prompt("start")).messages
        assert isinstance(message.content, types.TextContent)
        return message.content.text

    inside = talk_inside(ask, workspace, mode=mode)
    assert f"\npath: {workspace}\n" in inside
    assert "not in an orbit project" in talk_inside(ask, tmp_path, mode=mode)


def test_a_named_workspace_is_final(world: World, workspace: Path, tmp_path: Path) -> None:
    async def ask(client: Client) -> str:
        return str(done(await client.call_tool("context", {}))["workspace"])

    assert talk_inside(ask, tmp_path, workspace=str(workspace)) == "task-01"


def test_a_task_that_a_signal_ended_is_not_told_of() -> None:
    told: list[dict[str, object]] = []

    class Loop(asyncio.SelectorEventLoop):
        def default_exception_handler(self, context: dict[str, object]) -> None:
            told.append(context)

    loop = Loop()
    try:
        for problem in (KeyboardInterrupt(), BaseExceptionGroup("unhandled", [KeyboardInterrupt()])):
            _without_a_fuss(loop, {"message": "shutdown", "exception": problem})
        assert told == []
        for context in ({"message": "slow"}, {"message": "defect", "exception": ValueError("x")}):
            _without_a_fuss(loop, context)
        assert [context["message"] for context in told] == ["slow", "defect"]
    finally:
        loop.close()

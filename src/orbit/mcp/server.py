"""The protocol: tools, resources and the prompt over stdio, with the official SDK. Contract: hosts.md, MCP.

Each call runs in a thread of its own, so that one that waits for a remote holds up no other.
"""

from __future__ import annotations

import asyncio
from functools import partial

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from orbit import __version__
from orbit.errors import OrbitError
from orbit.mcp.answer import Answer, answer, failure, output_schema, run_verb
from orbit.mcp.face import silent
from orbit.mcp.seat import Seat, in_thread, place_of, reporter
from orbit.mcp.start import INSTRUCTIONS, PROMPT
from orbit.mcp.tools import TOOLS, input_schema
from orbit.mcp.wire import Wire, lines
from orbit.places import World, locate
from orbit.pool.worktrees import list_worktrees
from orbit.text import safe_line, safe_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from orbit.mcp.seat import Context
    from orbit.mcp.tools import Tool

CONTEXT_URI = "orbit://workspace/context"
CARD_TEMPLATE = "orbit://repos/{name}/card"
_CARD_BEFORE, _CARD_BEHIND = CARD_TEMPLATE.split("{name}")
_AT_ONCE = 16
_BY_NAME = {tool.name: tool for tool in TOOLS}


def build(world: World, workspace: str, wire: Wire) -> Server[dict[str, Any]]:
    """The server of a connection; its client stands where `world` is, unless a workspace is named or roots are told."""
    seat = Seat(world, workspace, wire, [], anyio.CapacityLimiter(_AT_ONCE))
    server: Server[dict[str, Any]] = Server(
        "orbit",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=_list_tools,
        on_call_tool=partial(_call_tool, seat),
        on_list_resources=partial(_list_resources, seat),
        on_list_resource_templates=_list_templates,
        on_read_resource=partial(_read_resource, seat),
        on_list_prompts=_list_prompts,
        on_get_prompt=partial(_get_prompt, seat),
    )

    async def roots_changed(_: object, __: object) -> None:
        seat.roots.clear()

    server.add_notification_handler("notifications/roots/list_changed", types.NotificationParams, roots_changed)
    return server


def _without_a_fuss(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """A task that a signal has ended while the loop shuts down is no defect to be told of."""
    problem = context.get("exception")
    if problem is None or isinstance(problem, Exception):
        loop.default_exception_handler(context)


async def _serve(world: World, workspace: str, stdin: int, wire: Wire) -> None:
    asyncio.get_running_loop().set_exception_handler(_without_a_fuss)
    server = build(world, workspace, wire)
    out = anyio.wrap_file(wire)  # type: ignore[arg-type]  # of a text file it needs two methods
    async with stdio_server(lines(stdin), out) as (read, write):  # type: ignore[arg-type]  # of the other one
        await server.run(read, write, server.create_initialization_options())


# --- tools ------------------------------------------------------------------------------------------------------------


async def _list_tools(_: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[_described(tool) for tool in TOOLS])


def _described(tool: Tool) -> types.Tool:
    hints = tool.hints
    return types.Tool(
        name=tool.name,
        description=tool.help,
        input_schema=input_schema(tool),
        output_schema=output_schema(tool),
        annotations=types.ToolAnnotations(
            read_only_hint=hints.read_only,
            destructive_hint=hints.destructive,
            idempotent_hint=hints.idempotent,
            open_world_hint=hints.open_world,
        ),
    )


async def _call_tool(
    seat: Seat, context: Context, params: types.CallToolRequestParams
) -> types.CallToolResult | types.InputRequiredResult:
    tool = _BY_NAME.get(params.name)
    if tool is None:
        raise MCPError(types.INVALID_PARAMS, f"no such tool: {safe_line(params.name)}")
    place = await place_of(seat, context, params)
    if isinstance(place, types.InputRequiredResult):
        return place
    given: Mapping[str, Any] = params.arguments or {}
    report = reporter(context)
    try:
        found = await in_thread(seat, lambda: answer(tool, given, place, report))
    except OrbitError as error:
        found = failure(error)
    if found.handed_over is not None and context.request_id is not None:
        seat.wire.on_handed_over(context.request_id, found.handed_over)
    return _told(found)


def _told(found: Answer) -> types.CallToolResult:
    texts = [found.text, "\n".join(found.guidance)]
    content = [types.TextContent(type="text", text=text) for text in texts if text]
    structured = None if found.result is None else {"result": found.result, "guidance": list(found.guidance)}
    return types.CallToolResult(content=[*content], structured_content=structured, is_error=found.failed)


# --- resources and the prompt -----------------------------------------------------------------------------------------


async def _list_resources(seat: Seat, context: Context, _: object) -> types.ListResourcesResult:
    """The context block, and the cards of what the workspace holds; the template names those of the whole pool."""
    place = await place_of(seat, context, types.InputResponseRequestParams())
    names: list[str] = []
    if isinstance(place, World):
        names = await in_thread(seat, lambda: _worktree_names(place))
    block = types.Resource(
        uri=CONTEXT_URI, name="context", description="where the task stands", mime_type="text/markdown"
    )
    cards = [
        types.Resource(
            uri=CARD_TEMPLATE.replace("{name}", name),
            name=f"card of {name}",
            description=f"when to add {name}, and where to start in it",
            mime_type="text/markdown",
        )
        for name in names
    ]
    return types.ListResourcesResult(resources=[block, *cards])


def _worktree_names(place: World) -> list[str]:
    try:
        here = locate(place)
    except OrbitError:
        return []
    return [worktree.name for worktree in list_worktrees(here.project, here.workspace)] if here.workspace else []


async def _list_templates(_: Context, __: object) -> types.ListResourceTemplatesResult:
    card = types.ResourceTemplate(
        uri_template=CARD_TEMPLATE,
        name="card",
        description="a repository's card: when to add it, and where to start in it",
        mime_type="text/markdown",
    )
    return types.ListResourceTemplatesResult(resource_templates=[card])


async def _read_resource(
    seat: Seat, context: Context, params: types.ReadResourceRequestParams
) -> types.ReadResourceResult | types.InputRequiredResult:
    uri = str(params.uri)
    name = uri.removeprefix(_CARD_BEFORE).removesuffix(_CARD_BEHIND)
    if uri != CONTEXT_URI and uri != CARD_TEMPLATE.replace("{name}", name):
        raise MCPError(types.INVALID_PARAMS, f"no such resource: {safe_line(uri)}")
    place = await place_of(seat, context, params)
    if isinstance(place, types.InputRequiredResult):
        return place
    try:
        text = await in_thread(seat, lambda: _block(place) if uri == CONTEXT_URI else _card(place, name))
    except OrbitError as error:
        raise MCPError(types.INVALID_PARAMS, failure(error).text) from None
    content = types.TextResourceContents(uri=params.uri, mime_type="text/markdown", text=text)
    return types.ReadResourceResult(contents=[content])


def _block(place: World) -> str:
    return safe_text(run_verb("context", {"startup": ()}, place, silent).text)


def _card(place: World, name: str) -> str:
    found = run_verb("info", {"repo": (name,)}, place, silent)
    if not isinstance(found.data, dict) or found.data["source"] != "memo":
        for notice in found.notices:
            if notice.name == "metadata-damaged":
                raise OrbitError(notice.subject, notice.fact)
        raise OrbitError(name, "there is no card yet", "read the README with the tool info")
    return safe_text(found.text)


async def _list_prompts(_: Context, __: object) -> types.ListPromptsResult:
    start = types.Prompt(name="start", description="Begin or resume the task of this workspace.")
    return types.ListPromptsResult(prompts=[start])


async def _get_prompt(
    seat: Seat, context: Context, params: types.GetPromptRequestParams
) -> types.GetPromptResult | types.InputRequiredResult:
    if params.name != "start":
        raise MCPError(types.INVALID_PARAMS, f"no such prompt: {safe_line(params.name)}")
    place = await place_of(seat, context, params)
    if isinstance(place, types.InputRequiredResult):
        return place
    try:
        block = await in_thread(seat, lambda: _block(place))
    except OrbitError as error:
        block = failure(error).text
    message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=f"{PROMPT}\n{block}"))
    return types.GetPromptResult(description="Begin or resume the task of this workspace.", messages=[message])


def run(world: World, workspace: str, stdin: int, stdout: int) -> None:
    """Serve on two descriptors until stdin ends or the process is asked to end."""
    try:
        anyio.run(_serve, world, workspace, stdin, Wire(stdout))
    except* BrokenPipeError:
        pass  # the client has gone

"""What every call of one connection needs: where its client stands, a thread to run in, a way to say how far it is.

Contract: hosts.md, MCP.
"""

from __future__ import annotations

import asyncio
import threading

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from orbit.errors import OrbitError
from orbit.git.patience import stop_asked
from orbit.mcp.face import silent
from orbit.mcp.standing import stand
from orbit.places import World
from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from mcp.server.context import ServerRequestContext

    from orbit.mcp.face import Report
    from orbit.mcp.wire import Wire

    Context = ServerRequestContext[dict[str, Any], Any]
    Found = TypeVar("Found")

_ROOTS_SECONDS = 5.0
_ROOTS = "roots"


class Seat(Record):
    """What one connection is served from: the surroundings, the workspace named at the start, the way out, what the
    client said of its roots (empty until asked), and the limit of calls at once.
    """

    world: World
    workspace: str
    wire: Wire
    roots: list[tuple[str, ...]]
    limiter: anyio.CapacityLimiter


async def place_of(
    seat: Seat, context: Context, params: types.InputResponseRequestParams
) -> World | types.InputRequiredResult:
    """Where the client stands; or, for clients that are asked by way of an answer, the question."""
    if not seat.workspace and not seat.roots:
        given = (params.input_responses or {}).get(_ROOTS)
        capabilities = context.session.client_capabilities
        if isinstance(given, types.ListRootsResult):
            _remember(seat, given)
        elif params.input_responses is not None:
            seat.roots.append(())  # asked, and did not answer
        elif capabilities is None or capabilities.roots is None:
            seat.roots.append(())
        elif context.session.can_send_request:
            await _ask_for_roots(seat, context)
        else:
            return types.InputRequiredResult(input_requests={_ROOTS: types.ListRootsRequest()})
    roots = seat.roots[0] if seat.roots else ()
    return await anyio.to_thread.run_sync(stand, seat.world, seat.workspace, roots)


async def _ask_for_roots(seat: Seat, context: Context) -> None:
    try:
        found = await context.session.send_request(types.ListRootsRequest(), types.ListRootsResult, _ROOTS_SECONDS)
    except (MCPError, ValidationError):  # a client that has roots and does not tell them: as if it had none
        seat.roots[:] = [()]
    else:
        _remember(seat, found)


def _remember(seat: Seat, found: types.ListRootsResult) -> None:
    seat.roots[:] = [tuple(str(root.uri) for root in found.roots)]


async def in_thread(seat: Seat, act: Callable[[], Found]) -> Found:
    """Run a command beside the others. A call that the client cancels is given up: calls to a remote are ended within
    moments, and what has been read of a queue still waits there.
    """
    stop = threading.Event()

    def work() -> Found:
        stop_asked.set(stop.is_set)
        seat.wire.settle()
        try:
            return act()
        except KeyboardInterrupt:  # how a call that was asked to stop ends
            raise OrbitError("mcp", "the call was cancelled") from None

    try:
        return await anyio.to_thread.run_sync(work, abandon_on_cancel=True, limiter=seat.limiter)
    except anyio.get_cancelled_exc_class():
        stop.set()
        raise


def reporter(context: Context) -> Report:
    """Tell the client how far a call is, from whichever thread, if it asked for that. Nobody waits until it is told."""
    if context.meta is None or "progress_token" not in context.meta:
        return silent
    loop = asyncio.get_running_loop()
    telling: set[asyncio.Task[None]] = set()

    async def tell(done: int, total: int, text: str) -> None:
        try:
            await context.session.report_progress(done, total, text)
        except (MCPError, anyio.BrokenResourceError, anyio.ClosedResourceError):  # nobody listens any more
            return

    def begin(done: int, total: int, text: str) -> None:
        task = loop.create_task(tell(done, total, text))
        telling.add(task)
        task.add_done_callback(telling.discard)

    def report(done: int, total: int, text: str) -> None:
        try:
            loop.call_soon_threadsafe(begin, done, total, text)
        except RuntimeError:  # the server has ended
            return

    return report

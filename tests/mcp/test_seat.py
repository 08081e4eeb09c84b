from __future__ import annotations

import threading

import anyio
import pytest

from orbit.errors import OrbitError
from orbit.git.patience import stop_asked
from orbit.mcp.seat import Seat, in_thread
from orbit.mcp.wire import Wire
from orbit.places import World


def run(act: object) -> object:
    async def main() -> object:
        seat = Seat(World(cwd="/", env={}), "", Wire(-1), [], anyio.CapacityLimiter(2))
        return await act(seat)  # type: ignore[operator]

    return anyio.run(main)


def test_a_call_has_a_thread_of_its_own() -> None:
    here = threading.get_ident()
    assert run(lambda seat: in_thread(seat, threading.get_ident)) != here


def test_a_cancelled_call_is_asked_to_stop() -> None:
    begun, ended = threading.Event(), threading.Event()

    def act() -> None:
        begun.set()
        give_up = threading.Event()
        while not stop_asked.get()():
            assert not give_up.wait(0.01)
        ended.set()

    async def cancel(seat: Seat) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(in_thread, seat, act)
            await anyio.to_thread.run_sync(begun.wait, 30)
            group.cancel_scope.cancel()

    run(cancel)
    assert ended.wait(30)


def test_a_call_that_stopped_because_it_was_asked_is_an_error_of_orbit() -> None:
    def act() -> None:
        raise KeyboardInterrupt

    with pytest.raises(OrbitError, match="the call was cancelled"):
        run(lambda seat: in_thread(seat, act))


def test_an_error_comes_through() -> None:
    def act() -> None:
        raise OrbitError("a", "b")

    with pytest.raises(OrbitError, match="a: b"):
        run(lambda seat: in_thread(seat, act))

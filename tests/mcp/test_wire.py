from __future__ import annotations

import json
import os
import threading

import anyio
import pytest

from orbit.errors import OrbitError
from orbit.mcp.wire import Wire, lines


def message(request: object, **result: object) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": request, "result": result}) + "\n"


@pytest.fixture
def pipe() -> tuple[int, int]:
    return os.pipe()


def test_an_answer_is_acted_upon_after_it_is_out(pipe: tuple[int, int]) -> None:
    wire = Wire(pipe[1])
    seen: list[bytes] = []
    wire.on_handed_over(1, lambda: seen.append(os.read(pipe[0], 1000)))
    text = message(1, text="a\u2028b")
    wire.write(text)
    assert seen == []
    wire.flush()
    wire.write(message(1))
    wire.flush()
    assert seen == [text.encode()]


@pytest.mark.parametrize(
    "text",
    [
        message(2),
        message("1"),
        json.dumps({"id": 1, "error": {"code": 0, "message": "x"}}) + "\n",
        message(1, isError=True),
        json.dumps({"id": 1, "method": "roots/list"}) + "\n",
        "[]\n",
        "\n",
    ],
)
def test_another_message_is_not_that_answer(pipe: tuple[int, int], text: str) -> None:
    wire = Wire(pipe[1])
    wire.on_handed_over(1, lambda: pytest.fail("was handed over"))
    wire.write(text)
    wire.flush()


def test_an_error_in_its_place_forgets_it(pipe: tuple[int, int]) -> None:
    wire = Wire(pipe[1])
    wire.on_handed_over(1, lambda: pytest.fail("was handed over"))
    for text in (message(1, isError=True), message(1)):
        wire.write(text)
        wire.flush()


def test_what_cannot_be_written_is_not_handed_over(pipe: tuple[int, int]) -> None:
    wire = Wire(pipe[1])
    wire.on_handed_over(1, lambda: pytest.fail("was handed over"))
    os.close(pipe[0])
    wire.write(message(1))
    with pytest.raises(BrokenPipeError):
        wire.flush()
    wire.flush()


def test_a_way_out_that_is_none(pipe: tuple[int, int]) -> None:
    wire = Wire(pipe[0])  # for reading only
    wire.write(message(1))
    with pytest.raises(BrokenPipeError):
        wire.flush()


def test_a_move_that_fails_is_told(pipe: tuple[int, int], capfd: pytest.CaptureFixture[str]) -> None:
    def fail() -> None:
        raise OrbitError("jot", "no room")

    wire = Wire(pipe[1])
    wire.on_handed_over(1, fail)
    wire.write(message(1))
    wire.flush()
    assert capfd.readouterr().err == "orbit: jot: no room\n"


def test_others_wait_while_an_answer_goes_out(pipe: tuple[int, int]) -> None:
    wire = Wire(pipe[1])
    order: list[str] = []
    acting, go_on = threading.Event(), threading.Event()

    def act() -> None:
        acting.set()
        assert go_on.wait(30)
        order.append("acted")

    def other() -> None:
        wire.settle()
        order.append("next call")

    wire.on_handed_over(1, act)
    wire.write(message(1))
    threads = [threading.Thread(target=wire.flush), threading.Thread(target=other)]
    threads[0].start()
    assert acting.wait(30)
    threads[1].start()
    go_on.set()
    for thread in threads:
        thread.join(30)
    assert order == ["acted", "next call"]


def test_more_than_a_pipe_holds(pipe: tuple[int, int]) -> None:
    wire = Wire(pipe[1])
    text = message(1, text="x" * 500_000)
    wire.write(text)
    writer = threading.Thread(target=wire.flush)
    writer.start()
    got = b""
    while len(got) < len(text):
        got += os.read(pipe[0], 65536)
    writer.join(30)
    assert got == text.encode()


def test_lines_come_in_one_by_one(pipe: tuple[int, int]) -> None:
    os.write(pipe[1], "one\ntwo \u2028 \x85\r\n\xff".encode("latin-1", "replace") + b"\nlast")
    os.close(pipe[1])

    async def read() -> list[str]:
        return [line async for line in lines(pipe[0])]

    assert anyio.run(read) == ["one\n", "two ? \ufffd\r\n", "\ufffd\n", "last"]


def test_a_reader_that_stops_is_not_waited_for(pipe: tuple[int, int]) -> None:
    async def read() -> str:
        found = lines(pipe[0])
        os.write(pipe[1], b"one\n")
        line = await anext(found)
        await found.aclose()
        return line

    assert anyio.run(read) == "one\n"

"""The way in and the way out: lines on the real stdin and stdout, and what is to happen once an answer has been taken.

An answer counts as handed over when its whole line has been written and flushed without error, as a payload on stdout
does elsewhere: from then on the client's end has it. Contract: knowledge.md, Jots; refinements.md, 11.
"""

from __future__ import annotations

import io
import json
import os
import sys
import threading

import anyio
import anyio.from_thread
import anyio.lowlevel

from orbit.errors import OrbitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from anyio.lowlevel import EventLoopToken
    from anyio.streams.memory import MemoryObjectSendStream

    RequestId = str | int


class Wire(io.TextIOBase):
    """A text file on `descriptor` that knows which answers somebody waits for."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._written = ""
        self._awaited: dict[RequestId, Callable[[], object]] = {}
        self._handing_over = threading.Lock()

    def on_handed_over(self, request: RequestId, act: Callable[[], object]) -> None:
        """Call `act` once the answer to that request is out; drop it if the answer turns out to be another one."""
        self._awaited[request] = act

    def settle(self) -> None:
        """Wait until what a client can have read has also been acted upon: its next call must find it so."""
        with self._handing_over:
            return

    def write(self, text: str) -> int:
        self._written += text
        return len(text)

    def flush(self) -> None:
        """Everything written so far, then what waited for it. Raises BrokenPipeError when the client cannot be reached,
        for whatever reason; then nothing was handed over.
        """
        text, self._written = self._written, ""
        with self._handing_over:
            try:
                self._send(text.encode("utf-8", "replace"))
            except OSError:
                self._awaited.clear()
                raise BrokenPipeError from None
            if self._awaited:
                for line in filter(None, text.split("\n")):
                    self._hand_over(line)

    def _send(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._descriptor, data) :]

    def _hand_over(self, line: str) -> None:
        message = json.loads(line)
        if not isinstance(message, dict) or "method" in message:
            return
        act = self._awaited.pop(message.get("id"), None)  # type: ignore[arg-type]  # no request has none
        result = message.get("result")
        if act is None or not isinstance(result, dict) or result.get("isError"):
            return
        try:
            act()
        except OrbitError as problem:  # the client has them and they still wait: they will be given again
            sys.stderr.write(f"orbit: {problem}\n")


async def lines(descriptor: int) -> AsyncIterator[str]:
    """What comes in, line by line. A thread that ends with the process reads: a read cannot be called off."""
    send, receive = anyio.create_memory_object_stream[str](0)
    token = anyio.lowlevel.current_token()
    threading.Thread(target=_read_on, args=(descriptor, send, token), daemon=True).start()
    async with receive:
        async for line in receive:
            yield line


def _read_on(descriptor: int, send: MemoryObjectSendStream[str], token: EventLoopToken) -> None:
    with open(descriptor, encoding="utf-8", errors="replace", newline="\n", closefd=False) as file:
        try:
            for line in file:
                anyio.from_thread.run(send.send, line, token=token)
            anyio.from_thread.run_sync(send.close, token=token)
        except (RuntimeError, anyio.BrokenResourceError):  # nobody serves any more
            return

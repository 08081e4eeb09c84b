"""Sessions of OpenCode behind its server: `opencode run` refuses every question itself, there they wait for an answer.

A question that orbit's plugin leaves open for longer than it may take is refused, as a person would.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.request import Request, urlopen

from drivers import SECONDS, Bed, Ended

_PATIENCE = 12.0
_MODEL = {"providerID": "stub", "modelID": "stub-model"}


class Server:
    """One server in the task's directory. `asked` holds what it asked its user."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._since: dict[str, float] = {}
        self.asked: list[str] = []

    def begin(self) -> str:
        """The id of a new session."""
        return str(self.call("POST", "/session", {})["id"])

    def say(self, session: str, text: str) -> None:
        """One prompt, to the end of its turn."""
        said = {"parts": [{"type": "text", "text": text}]}
        turn = threading.Thread(target=self.call, args=("POST", f"/session/{session}/message", said), daemon=True)
        turn.start()
        ends = time.monotonic() + SECONDS
        while turn.is_alive():
            assert time.monotonic() < ends, self.asked
            turn.join(0.5)
            self._refuse_what_waits()

    def compact(self, session: str) -> None:
        self.call("POST", f"/session/{session}/summarize", _MODEL)

    def call(self, method: str, path: str, value: Any = None) -> Any:
        data = None if value is None else json.dumps(value).encode()
        request = Request(self._url + path, data, {"content-type": "application/json"}, method=method)
        with urlopen(request, timeout=SECONDS) as answer:
            return json.loads(answer.read() or b"null")

    def _refuse_what_waits(self) -> None:
        for question in self.call("GET", "/permission"):
            if question["id"] not in self._since:
                self._since[question["id"]] = time.monotonic()
                self.asked.append(json.dumps(question))
            elif time.monotonic() - self._since[question["id"]] > _PATIENCE:
                where = f"/session/{question['sessionID']}/permissions/{question['id']}"
                self.call("POST", where, {"response": "reject"})


@contextmanager
def serving(bed: Bed) -> Iterator[Server]:
    """The server's requests to the stub are those since now."""
    bed.stub.clear()
    process = subprocess.Popen(
        [str(bed.bin / "opencode"), "serve", "--port", "0"],
        cwd=bed.task,
        env=bed.env(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    watch = threading.Timer(SECONDS, os.killpg, (process.pid, signal.SIGKILL))
    watch.start()
    assert process.stdout
    reader = threading.Thread(target=process.stdout.read, daemon=True)
    try:
        found = next((url for line in process.stdout for url in re.findall(r"http://127\.0\.0\.1:\d+", line)), "")
        assert found, "the server did not start"
        watch.cancel()
        reader.start()
        yield Server(found)
    finally:
        watch.cancel()
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if reader.ident:
            reader.join()
        process.stdout.close()


def turn(bed: Bed, prompt: str) -> Ended:
    """One prompt in a session of its own; `out` holds what OpenCode asked its user."""
    with serving(bed) as server:
        server.say(server.begin(), prompt)
        return Ended(0, "\n".join(server.asked), "")

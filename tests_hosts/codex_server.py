"""A turn of Codex in which it asks before it leaves its sandbox: `codex exec` never asks, its app-server does.

Whatever Codex asks of its user is declined, so that only what orbit's rule or hook allows leaves the sandbox.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import threading
from typing import Any

from drivers import SECONDS, Bed, Ended

_WHO = {"clientInfo": {"name": "test", "title": "test", "version": "0"}, "capabilities": {"experimentalApi": True}}


def turn(bed: Bed, prompt: str) -> Ended:
    """One prompt in a session of its own; `out` holds what Codex asked its user."""
    process = subprocess.Popen(
        [str(bed.bin / "codex"), "app-server"],
        cwd=bed.task,
        env=bed.env(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    lines: queue.Queue[str] = queue.Queue()
    assert process.stdout
    reader = threading.Thread(target=lambda: [lines.put(line) for line in process.stdout or ()], daemon=True)
    reader.start()
    asked: list[str] = []
    try:
        _call(process, lines, asked, 1, "initialize", _WHO)
        _send(process, {"method": "initialized"})
        settings = {"cwd": str(bed.task), "approvalPolicy": "on-request", "sandbox": "workspace-write"}
        thread = _call(process, lines, asked, 2, "thread/start", settings)["thread"]["id"]
        said = {"threadId": thread, "input": [{"type": "text", "text": prompt}]}
        _call(process, lines, asked, 3, "turn/start", said)
        while _next(process, lines, asked).get("method") != "turn/completed":
            pass
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        reader.join()
        for pipe in (process.stdin, process.stdout):
            if pipe:
                pipe.close()
    return Ended(0, "\n".join(asked), "")


def _send(process: subprocess.Popen[str], value: dict[str, Any]) -> None:
    assert process.stdin
    process.stdin.write(json.dumps(value) + "\n")
    process.stdin.flush()


def _call(
    process: subprocess.Popen[str], lines: queue.Queue[str], asked: list[str], number: int, method: str, params: Any
) -> Any:
    _send(process, {"id": number, "method": method, "params": params})
    while True:
        said = _next(process, lines, asked)
        if said.get("id") == number and "method" not in said:
            assert "result" in said, said
            return said["result"]


def _next(process: subprocess.Popen[str], lines: queue.Queue[str], asked: list[str]) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(lines.get(timeout=SECONDS))
    if "id" in said and "method" in said:
        asked.append(f"{said['method']} {json.dumps(said['params'])}")
        _send(process, {"id": said["id"], "result": {"decision": "decline"}})
    return said

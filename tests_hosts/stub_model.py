"""A model that is none: it listens on 127.0.0.1, writes down what a host sends, and says or calls what a test tells it.

A prompt that holds PLAY makes it call the host's shell with each of `commands`, or of what `script` makes of the whole
request, one after the other (a `Use` among them calls another tool); anything else gets a sentence. It keeps no state
of its own between requests: where it is follows from the conversation it is sent.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from wires import TOOL, USER, Asked, Reply, Say, Use, shell_call, wire_of

PLAY = "PLAY-THE-COMMANDS"
SENTENCE = "A sentence of the stub."
# What Gemini's router wants in place of a sentence.
_ROUTED = {"reasoning": "stub", "model_choice": "flash", "complexity_reasoning": "stub", "complexity_score": 1}
_NEXT = {"next_speaker": "user"}


class Request(NamedTuple):
    """One request as it came: `asked` is None for what is no conversation."""

    path: str
    body: Any
    asked: Asked | None


class StubModel:
    """`requests` grows; `commands`, and `escalated` for Codex, are set by a test before the host is started."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.commands: list[str | Use] = []
        self.script: Callable[[Any], list[str]] | None = None
        self.escalated = False
        self._lock = threading.Lock()
        stub = self

        class Handler(_Handler):
            model = stub

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_port
        self.url = f"http://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def clear(self) -> None:
        with self._lock:
            self.requests.clear()

    def note(self, path: str, body: Any, asked: Asked | None) -> int:
        """Write a request down; its number."""
        with self._lock:
            self.requests.append(Request(path, body, asked))
            return len(self.requests)

    def talks(self) -> list[Request]:
        """The requests of the conversation itself: those that offer tools."""
        with self._lock:
            return [request for request in self.requests if request.asked and request.asked.tools]

    def results(self) -> list[str]:
        """What the commands of the last prompt gave, as the model was told."""
        talks = self.talks()
        return _since_play(talks[-1].asked) if talks and talks[-1].asked else []

    def reply(self, asked: Asked, body: Any) -> Reply:
        kind = (body.get("generationConfig") or {}).get("responseMimeType") if isinstance(body, dict) else ""
        if kind == "application/json":
            return Say(json.dumps({**_ROUTED, **_NEXT}))
        if any(turn.role == USER and PLAY in turn.text for turn in asked.turns) and asked.tools:
            done = len(_since_play(asked))
            commands = self.script(body) if self.script else self.commands
            if done < len(commands):
                wanted = commands[done]
                call = shell_call(asked.tools, wanted, escalated=self.escalated) if isinstance(wanted, str) else wanted
                if call is not None:
                    return call
        return Say(SENTENCE)


def _since_play(asked: Asked) -> list[str]:
    """The results of tools since the last prompt that said PLAY."""
    last = max((n for n, turn in enumerate(asked.turns) if turn.role == USER and PLAY in turn.text), default=-1)
    return [turn.text for turn in asked.turns[last + 1 :] if turn.role == TOOL]


class _Handler(BaseHTTPRequestHandler):
    model: StubModel
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Nothing on stderr."""

    def do_GET(self) -> None:
        self.model.note(self.path, None, None)
        if "models" in self.path:
            return self._send({"object": "list", "data": [{"id": "stub-model", "object": "model"}], "models": []})
        return self._send({"error": "nothing here"}, status=404)

    def do_POST(self) -> None:
        data = self._read()
        try:
            body = json.loads(data or b"{}")
        except ValueError:
            body = {"unread": len(data)}
        wire = wire_of(self.path)
        if wire is None or not isinstance(body, dict):
            self.model.note(self.path, body, None)
            return self._send({"input_tokens": 10, "totalTokens": 10})
        asked = wire.read(body, self.path)
        number = self.model.note(self.path, body, asked)
        reply = self.model.reply(asked, body)
        if not asked.stream:
            return self._send(wire.whole(reply, number))
        parts = []
        for event in wire.events(reply, number):
            parts.append(f"event: {event['type']}\n" if wire.named_events else "")
            parts.append(f"data: {json.dumps(event)}\n\n")
        parts.append(f"data: {wire.last}\n\n" if wire.last else "")
        return self._send("".join(parts), kind="text/event-stream")

    def _read(self) -> bytes:
        if "chunked" not in (self.headers.get("transfer-encoding") or ""):
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        data = b""
        while size := int(self.rfile.readline().strip() or b"0", 16):
            data += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return data

    def _send(self, value: Any, *, status: int = 200, kind: str = "application/json") -> None:
        data = value.encode() if isinstance(value, str) else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        try:
            self.wfile.write(data)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

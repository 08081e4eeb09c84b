"""Real git servers on the loopback: `git daemon`, and smart HTTP by `git http-backend`, both as unreliable as wished.

A server serves every repository of one directory. `SilentServer` of world.py is the one that never answers at all.
"""

from __future__ import annotations

import base64
import http.server
import os
import shutil
import socket
import socketserver
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO

_CHUNK = 8192
_POLL_SECONDS = 0.02


class Mood:
    """How a server treats whoever calls; a test changes it while the server runs.

    `delay`: seconds before each connection is answered. `cut_after`: bytes of one answer after which the connection is
    dropped. `silent`: requests are taken and never answered. `password`: `user:password` that HTTP asks for.
    `environment`: variables that the serving git gets besides its own.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.delay = 0.0
        self.cut_after: int | None = None
        self.silent = False
        self.password = ""
        self.environment: Mapping[str, str] = {}
        self.calls = 0
        self.closing = threading.Event()

    def git_environment(self, **extra: str) -> dict[str, str]:
        """The tester's own protocol choices and locations are no business of a server."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_CONFIG_")}
        settings = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
        return {**kept, **settings, **self.environment, **extra}

    def wait(self) -> None:
        """The delay, and for ever (while the server runs) when it is silent."""
        self.calls += 1
        if self.delay:
            time.sleep(self.delay)
        if self.silent:
            self.closing.wait()

    def pour(self, source: IO[bytes], send: Callable[[bytes], object]) -> bool:
        """Everything, or the first `cut_after` bytes of it; whether that was everything."""
        left = self.cut_after
        while data := os.read(source.fileno(), _CHUNK):
            if left is not None:
                data = data[:left]
                left -= len(data)
            send(data)
            if left == 0:
                return False
        return True


class Server:
    """One running server: its mood, and the URL of each repository."""

    def __init__(self, mood: Mood, scheme: str, port: int) -> None:
        self.mood = mood
        self.scheme = scheme
        self.port = port

    def url(self, name: str = "backend", *, user: str = "") -> str:
        """`user` is `name:password`, or "" for a URL without."""
        return f"{self.scheme}://{user}{'@' if user else ''}127.0.0.1:{self.port}/{name}.git"


class _Listener(socketserver.ThreadingMixIn, socketserver.TCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128
    mood: Mood

    def handle_error(self, *_: object) -> None:
        """A caller that went away is nothing to talk about."""


class _GitHandler(socketserver.BaseRequestHandler):
    """One connection, served by a `git daemon --inetd` of its own: no port to agree upon with another process."""

    server: _Listener
    request: socket.socket

    def handle(self) -> None:
        mood = self.server.mood
        mood.wait()
        if mood.silent:
            return
        words = ["git", "daemon", "--inetd", "--export-all", f"--base-path={mood.directory}", "--informative-errors"]
        process = subprocess.Popen(
            words,
            stdin=self.request.fileno(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=mood.git_environment(),
        )
        assert process.stdout
        try:
            mood.pour(process.stdout, self.request.sendall)
        except OSError:
            return
        finally:
            process.stdout.close()
            if mood.cut_after is not None:
                process.kill()
            process.wait()


class _HttpHandler(http.server.BaseHTTPRequestHandler):
    """Smart HTTP by `git http-backend`, with Basic authentication when the mood has a password."""

    protocol_version = "HTTP/1.1"
    server: _Listener

    def do_GET(self) -> None:
        mood = self.server.mood
        self.close_connection = True
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if mood.password and self.headers.get("Authorization") != _basic(mood.password):
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="tests"')
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        mood.wait()
        if mood.silent:
            return
        path, _, query = self.path.partition("?")
        with subprocess.Popen(
            ["git", "http-backend"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=mood.git_environment(
                GIT_PROJECT_ROOT=str(mood.directory),
                GIT_HTTP_EXPORT_ALL="1",
                GIT_PROTOCOL=self.headers.get("Git-Protocol", ""),
                REQUEST_METHOD=self.command,
                PATH_INFO=path,
                QUERY_STRING=query,
                CONTENT_TYPE=self.headers.get("Content-Type", ""),
                HTTP_CONTENT_ENCODING=self.headers.get("Content-Encoding", ""),
                CONTENT_LENGTH=str(len(body)),
            ),
        ) as process:
            assert process.stdin
            assert process.stdout
            process.stdin.write(body)
            process.stdin.close()
            self._answer(mood, process.stdout)
            if mood.cut_after is not None:
                process.kill()

    do_POST = do_GET  # noqa: N815

    def _answer(self, mood: Mood, out: IO[bytes]) -> None:
        head = b""
        while not head.endswith(b"\r\n\r\n") and (byte := os.read(out.fileno(), 1)):
            head += byte
        fields = [line.partition(": ") for line in head.decode("latin-1").split("\r\n") if line]
        status = next((value for name, _, value in fields if name == "Status"), "200 OK")
        self.send_response(int(status.split()[0]))
        for name, _, value in fields:
            if name != "Status":
                self.send_header(name, value)
        self.send_header("Connection", "close")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        if mood.pour(out, self._send):
            self.wfile.write(b"0\r\n\r\n")

    def _send(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))

    def log_message(self, *_: object) -> None:
        """Quiet."""


def _basic(password: str) -> str:
    return f"Basic {base64.b64encode(password.encode()).decode()}"


@contextmanager
def _running(directory: Path, scheme: str, handler: type[socketserver.BaseRequestHandler]) -> Iterator[Server]:
    with _Listener(("127.0.0.1", 0), handler) as listener:
        listener.mood = Mood(directory)
        thread = threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": _POLL_SECONDS}, daemon=True)
        thread.start()
        try:
            yield Server(listener.mood, scheme, listener.server_address[1])
        finally:
            listener.mood.closing.set()
            listener.shutdown()
            thread.join()


def git_daemon(directory: Path) -> AbstractContextManager[Server]:
    """`git://127.0.0.1:PORT/NAME.git` for every NAME.git of a directory."""
    return _running(directory, "git", _GitHandler)


def smart_http(directory: Path) -> AbstractContextManager[Server]:
    """`http://127.0.0.1:PORT/NAME.git` for every NAME.git of a directory."""
    return _running(directory, "http", _HttpHandler)


def http_is_missing() -> bool:
    """A git built without curl cannot speak HTTP, one without its CGI cannot serve it."""
    place = subprocess.run(["git", "--exec-path"], capture_output=True, text=True, check=True).stdout.strip()
    return not all(shutil.which(name, path=place) for name in ("git-remote-http", "git-http-backend"))

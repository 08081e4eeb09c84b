"""Starting an agent host's own program: to install through it, and to hear what it has installed.

The one edge beside git and the user's editor where a process is started. It gets no terminal, no stdin and a time
limit; it and whatever it started are ended together. Contract: hosts.md, `orbit setup`.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import time

from orbit.errors import OrbitError
from orbit.record import Record
from orbit.text import safe_line, shortened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_GRACE_SECONDS = 2.0
_LINE_LIMIT = 300
_CHUNK = 65536
# Nothing of this is for a person's eyes, and no update is to begin while we ask.
_QUIET = {
    "NO_COLOR": "1",
    "DISABLE_AUTOUPDATER": "1",
    "OPENCODE_DISABLE_AUTOUPDATE": "1",
    "COPILOT_AUTO_UPDATE": "false",
}


class Answer(Record):
    """How a host's program ended and what it said."""

    code: int
    out: str
    err: str


def find_program(name: str, env: Mapping[str, str]) -> str:
    """The path of a program on PATH, "" when it is not there."""
    return shutil.which(name, path=env.get("PATH", os.defpath)) or ""


def run_client(words: Sequence[str], env: Mapping[str, str], directory: str, seconds: float) -> Answer:
    """Run one command of a host to its end. Raises OrbitError when it cannot be started or takes too long."""
    process = _start(words, env, directory, subprocess.DEVNULL)
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        raise OrbitError(_named(words), f"no answer within {seconds:.0f} seconds, it was ended") from None
    finally:
        _end(process)
    return Answer(process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"))


def ask_server(
    words: Sequence[str], env: Mapping[str, str], directory: str, requests: Sequence[dict[str, object]], seconds: float
) -> object:
    """Hand lines of JSON-RPC to a server on its stdin and give the result of the last request; then end the server.

    Raises OrbitError when it does not answer in time, or answers with an error.
    """
    process = _start(words, env, directory, subprocess.PIPE)
    wanted = requests[-1]["id"]
    try:
        assert process.stdin
        assert process.stdout
        lines = "".join(f"{json.dumps(request)}\n" for request in requests)
        try:
            process.stdin.write(lines.encode())
            process.stdin.flush()
        except BrokenPipeError:
            raise OrbitError(_named(words), "ended before it was asked") from None
        return _result(process.stdout.fileno(), wanted, _named(words), seconds)
    finally:
        _end(process)


def _result(descriptor: int, wanted: object, name: str, seconds: float) -> object:
    deadline = time.monotonic() + seconds
    data = b""
    while (left := deadline - time.monotonic()) > 0:
        if not select.select([descriptor], [], [], left)[0]:
            continue
        try:
            part = os.read(descriptor, _CHUNK)
        except OSError as error:
            raise OrbitError(name, f"cannot be heard: {error.strerror}") from None
        if not part:
            raise OrbitError(name, "ended without an answer")
        *lines, data = (data + part).split(b"\n")
        for line in lines:
            said = _object(line)
            if said.get("id") == wanted and "method" not in said:
                if "result" not in said:
                    raise OrbitError(name, f"refused: {shortened(safe_line(str(said.get('error'))), _LINE_LIMIT)}")
                return said["result"]
    raise OrbitError(name, f"no answer within {seconds:.0f} seconds, it was ended")


def _object(line: bytes) -> dict[str, object]:
    try:
        said = json.loads(line)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def reason_of(answer: Answer) -> str:
    """The first line of what a failed command says, on stderr if it says anything there; warnings are passed over."""
    for text in (answer.err, answer.out):
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        told = [line for line in lines if not line.upper().startswith("WARN")] or lines
        if told:
            return shortened(safe_line(told[0]), _LINE_LIMIT)
    return f"status {answer.code}, and not a word"


def _start(words: Sequence[str], env: Mapping[str, str], directory: str, stdin: int) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            list(words),
            cwd=directory,
            env={**env, **_QUIET},
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if stdin == subprocess.DEVNULL else subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise OrbitError(_named(words), f"cannot be started ({error.strerror})") from None


def _named(words: Sequence[str]) -> str:
    return " ".join([os.path.basename(words[0]), *words[1:3]])


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the program with its whole group, and close its pipes."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except (ProcessLookupError, PermissionError):
            break
        try:
            process.wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            continue
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe:
            try:
                pipe.close()
            except OSError:
                continue

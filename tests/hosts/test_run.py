from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from orbit.errors import OrbitError
from orbit.hosts.run import Answer, ask_server, find_program, reason_of, run_client


def program(directory: Path, text: str, name: str = "client") -> str:
    path = directory / name
    path.write_text(f"#!{sys.executable} -IS\nimport json, os, sys, time\n{text}\n")
    path.chmod(0o755)
    return str(path)


def run(words: list[str], seconds: float = 30.0) -> Answer:
    return run_client(words, dict(os.environ), "/", seconds)


def test_its_output_and_status(tmp_path: Path) -> None:
    said = "print('out'); print('err', file=sys.stderr); sys.stdout.flush(); os.write(1, b'\\xff'); sys.exit(3)"
    assert run([program(tmp_path, said)]) == Answer(3, "out\n\ufffd", "err\n")


def test_it_gets_no_stdin_and_no_terminal_and_is_told_to_be_quiet(tmp_path: Path) -> None:
    text = "print(sys.stdin.read(), os.environ['NO_COLOR'], os.getsid(0) == os.getpid(), os.getcwd())"
    assert run([program(tmp_path, text)]).out == " 1 True /\n"


def test_a_program_that_does_not_end_is_ended_with_what_it_started(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    text = f"""
import subprocess
child = subprocess.Popen(["sleep", "600"])
open({str(pid)!r}, "w").write(str(child.pid))
time.sleep(600)
"""
    began = time.monotonic()
    with pytest.raises(OrbitError) as caught:
        run([program(tmp_path, text), "plugin", "install", "more"], 2.0)
    assert str(caught.value) == "client plugin install: no answer within 2 seconds, it was ended"
    assert time.monotonic() - began < 20
    while _lives(int(pid.read_text())):
        assert time.monotonic() - began < 20


def _lives(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False
    return "State:\tZ" not in status


def test_a_program_that_will_not_end_is_killed(tmp_path: Path) -> None:
    text = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(600)"
    with pytest.raises(OrbitError, match="it was ended"):
        run([program(tmp_path, text)], 1.0)


def test_a_program_that_cannot_be_started(tmp_path: Path) -> None:
    with pytest.raises(OrbitError) as caught:
        run([str(tmp_path / "none"), "list"])
    assert str(caught.value) == "none list: cannot be started (No such file or directory)"


def test_where_a_program_is(tmp_path: Path) -> None:
    path = program(tmp_path, "")
    assert find_program("client", {"PATH": str(tmp_path)}) == path
    assert find_program("client", {"PATH": "/nowhere"}) == ""
    assert find_program("no-such-program", {}) == ""


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (Answer(1, "out\n", "\n  first \nsecond"), "first"),
        (Answer(1, "out\nmore", ""), "out"),
        (Answer(1, "", "WARNING: not this\nError: that"), "Error: that"),
        (Answer(1, "out", "warning: alone"), "warning: alone"),
        (Answer(7, "", " \n"), "status 7, and not a word"),
        (Answer(1, "", "a\tb\x1b[31mc"), "a bc"),
    ],
)
def test_why_it_failed(answer: Answer, told: str) -> None:
    assert reason_of(answer) == told


_SERVER = """
for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        print(json.dumps({"id": 99, "method": "a question of the server"}))
        print("no JSON")
        print(json.dumps({"id": asked["id"], %s}), flush=True)
"""
_ASKED: list[dict[str, object]] = [{"id": 1, "method": "a"}, {"method": "told"}, {"id": 2, "method": "b"}]


def ask(path: str, seconds: float = 30.0) -> object:
    return ask_server([path], dict(os.environ), "/", _ASKED, seconds)


def test_a_server_answers_the_last_request(tmp_path: Path) -> None:
    assert ask(program(tmp_path, _SERVER % '"result": {"of": asked["id"]}')) == {"of": 2}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (_SERVER % '"error": {"message": "no"}', "client: refused: {'message': 'no'}"),
        ("sys.exit(0)", "client: ended without an answer"),
        ("time.sleep(600)", "client: no answer within 1 seconds, it was ended"),
    ],
)
def test_a_server_that_does_not_answer(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(OrbitError) as caught:
        ask(program(tmp_path, text), 1.0 if "sleep" in text else 30.0)
    assert str(caught.value) in (told, "client: ended before it was asked")

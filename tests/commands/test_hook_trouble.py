"""`orbit hook` when things are not as they should be: no output, exit status 0, in time, and nothing broken."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from contexts import populated, task_with_goal
from orbit.hosts import names
from pool_files import advance, known_clone
from processes import command
from world import Outcome, World, environment

SILENT = Outcome(0, "", "")
START = ("hook", "session-start", "--host", "claude")
SLOW_GIT = "#!/bin/sh\necho $$ >> {log}\nexec sleep 60\n"


@pytest.fixture
def task(world: World) -> Path:
    return task_with_goal(world)


def said(**fields: object) -> str:
    return json.dumps({"session_id": "s", "source": "startup", **fields})


@pytest.mark.parametrize("event", names.EVENTS)
@pytest.mark.parametrize(
    "stdin",
    [b"not JSON", b"[]", b"null", b"{", b"\0\xff", b"[" * 100_000, b'{"cwd": "', b'{"cwd": "/nowhere"}'],
    ids=lambda data: repr(data[:16]),
)
def test_words_that_are_not_understood(world: World, task: Path, event: str, stdin: bytes) -> None:
    populated(world)
    assert world.orbit("hook", event, "--host", "claude", cwd=task, stdin=stdin) == SILENT
    assert not (world.pool / ".cache").exists()


@pytest.mark.parametrize("event", names.EVENTS)
def test_ten_megabytes(world: World, task: Path, event: str) -> None:
    data = said(cwd=str(task), prompt="x" * 10_000_000)
    assert world.orbit_process("hook", event, "--host", "claude", cwd=task, stdin=data) == SILENT


def test_a_large_prompt_is_no_trouble(world: World, task: Path) -> None:
    data = said(cwd=str(task), prompt="x" * 2_000_000)
    assert f"path: {task}" in world.orbit_process(*START, cwd=world.base, stdin=data).out


@pytest.mark.parametrize(
    "words",
    [
        ["hook"],
        ["hook", "session-start"],
        ["hook", "session-start", "--host"],
        ["hook", "session-start", "--host", "emacs"],
        ["hook", "session-end", "--host", "claude"],
        ["hook", "session-start", "--host", "claude", "--new-option"],
        ["hook", "session-start", "again", "--host", "claude"],
        ["hook", "\x1b[2J", "--host", "\x1b[2J"],
    ],
)
def test_words_of_another_version(world: World, task: Path, words: list[str]) -> None:
    assert world.orbit(*words, cwd=task, stdin=said(cwd=str(task))) == SILENT
    told = world.orbit(*words, cwd=task, stdin=said(cwd=str(task)), env={"ORBIT_DEBUG": "1"})
    assert (told.code, told.out) == (2, "")
    assert told.err.startswith("orbit: hook: ")


def test_every_event_and_host_is_named_to_a_person(world: World, task: Path) -> None:
    told = world.orbit("hook", "x", "--host", "claude", cwd=task, env={"ORBIT_DEBUG": "1"})
    assert told.err == f"orbit: hook: no such event: x (one of {', '.join(names.EVENTS)})\n"
    told = world.orbit("hook", "prompt", cwd=task, env={"ORBIT_DEBUG": "1"})
    assert told.err == f"orbit: hook: no such host: (none) (one of {', '.join(names.HOSTS)})\n"


# --- in time ---------------------------------------------------------------------------------------------------------


def start(cwd: Path, *words: str, stdin: int = subprocess.PIPE, **env: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command(*words), cwd=cwd, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **env}
    )


def finish(process: subprocess.Popen[bytes]) -> Outcome:
    """stdin stays open until it has ended."""
    code = process.wait(timeout=30)
    out, err = process.communicate()
    return Outcome(code, out.decode(), err.decode())


@pytest.mark.parametrize("event", names.EVENTS)
def test_a_stdin_that_is_never_closed_outside(world: World, task: Path, event: str) -> None:
    process = start(world.base, "hook", event, "--host", "claude")
    assert finish(process) == SILENT


def test_a_stdin_that_is_never_closed_inside(world: World, task: Path) -> None:
    assert f"path: {task}" in finish(start(task, *START)).out


@pytest.mark.parametrize("parts", [1, 2, 7])
def test_words_that_are_whole_are_not_waited_on(world: World, task: Path, parts: int) -> None:
    data = said(cwd=str(task), prompt="x" * 100).encode()
    process = start(world.base, *START)
    assert process.stdin is not None
    size = -(-len(data) // parts)
    for begin in range(0, len(data), size):
        os.write(process.stdin.fileno(), data[begin : begin + size])
    assert f"path: {task}" in finish(process).out


def test_words_that_trickle_for_ever(world: World, task: Path) -> None:
    process = start(task, *START)
    stdin = process.stdin
    assert stdin is not None
    ended = threading.Event()

    def trickle() -> None:
        while not ended.wait(0.02):
            try:
                os.write(stdin.fileno(), b" ")
            except (BrokenPipeError, ValueError):
                return

    feeder = threading.Thread(target=trickle)
    feeder.start()
    assert process.wait(timeout=30) == 0
    ended.set()
    feeder.join()
    assert process.communicate() == (b"", b"")


@pytest.mark.parametrize("stdin", ["closed", "write only"])
def test_a_stdin_of_another_kind(world: World, task: Path, stdin: str) -> None:
    redirection = {"closed": "<&-", "write only": "0>/dev/null"}[stdin]
    line = f"exec {sys.executable} -m orbit {' '.join(START)} {redirection}"
    done = subprocess.run(["sh", "-c", line], cwd=task, capture_output=True, text=True, timeout=30, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"path: {task}" in done.stdout


@pytest.mark.parametrize("event", ["session-start", "subagent-start"])
def test_when_time_runs_out_what_is_ready_is_sent(world: World, task: Path, tmp_path: Path, event: str) -> None:
    """A git that never answers: the head of the block needs none, and the git is ended."""
    populated(world)
    world.orbit("jot", "backend", "a discovery", cwd=task)
    advance(world)
    world.git(task / "backend", "commit", "-q", "--allow-empty", "-m", "Ours")
    log = tmp_path / "pids"
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "git").write_text(SLOW_GIT.format(log=log))
    (tmp_path / "bin" / "git").chmod(0o755)
    began = time.monotonic()
    with environment({"PATH": f"{tmp_path}/bin{os.pathsep}{os.environ['PATH']}"}):
        outcome = world.orbit_process("hook", event, "--host", "opencode", cwd=task, stdin=said(cwd=str(task)))
    assert 1.9 < time.monotonic() - began < 20
    lines = outcome.out.splitlines()
    assert (outcome.code, outcome.err) == (0, "")
    assert lines[2:5] == [f"path: {task}", "goal: make it faster", "state: active"]
    assert lines[-1] == "</orbit-context>"
    assert sum(line.startswith("worker: ") for line in lines) == (4 if event == "subagent-start" else 0)
    for pid in log.read_text().split():
        assert not Path(f"/proc/{pid}").exists()


# --- surroundings ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", names.HOSTS)
def test_without_git_and_without_a_home(world: World, task: Path, host: str) -> None:
    known_clone(world)
    world.worktree()
    advance(world)
    words = [sys.executable, "-m", "orbit", "hook", "session-start", "--host", host]
    env = {"PATH": "/nowhere"}
    done = subprocess.run(
        words, cwd=task, env=env, input=said(cwd=str(task)), capture_output=True, text=True, timeout=30, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert f"path: {task}" in done.stdout


def test_a_current_directory_that_is_gone(world: World, task: Path) -> None:
    gone = world.base / "gone"
    gone.mkdir()
    process = subprocess.Popen(
        ["sh", "-c", f"rmdir {gone}; exec {sys.executable} -m orbit {' '.join(START)}"],
        cwd=gone,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    out, err = process.communicate(said(cwd=str(task)).encode(), timeout=30)
    assert (process.returncode, err) == (0, b"")
    assert out in (b"", b"\n") or f"path: {task}".encode() in out


@pytest.mark.parametrize("damage", ["no cache allowed", "a cache that cannot be written", "pool unreadable"])
def test_a_pool_that_cannot_be_used_as_it_should(world: World, task: Path, damage: str) -> None:
    populated(world)
    cache = world.pool / ".cache"
    if damage == "no cache allowed":
        cache.write_text("")
    elif damage == "a cache that cannot be written":
        cache.symlink_to("/proc/self")
    else:
        (world.pool / ".orbit").unlink()
        (world.pool / ".orbit").mkdir()
    for _ in range(2):
        outcome = world.orbit_process(*START, cwd=task, stdin=said(cwd=str(task)))
        assert (outcome.code, outcome.err) == (0, "")
        assert f"path: {task}" in outcome.out or damage == "pool unreadable"


@pytest.mark.parametrize(
    ("shell", "line"), [("bash", "{} | true; exit ${{PIPESTATUS[0]}}"), ("sh", "{} > /dev/full"), ("sh", "{} >&-")]
)
def test_an_answer_that_reaches_nobody(world: World, task: Path, shell: str, line: str) -> None:
    words = [shell, "-c", line.format(f"{sys.executable} -m orbit {' '.join(START)}")]
    done = subprocess.run(
        words, cwd=task, input=said(cwd=str(task)), capture_output=True, text=True, timeout=30, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_workspace_deleted_meanwhile(world: World, task: Path) -> None:
    """At whatever moment it goes: something or nothing is said, and no more."""
    for number in range(6):
        workspace = world.workspace(f"short-lived-{number}")
        (workspace / ".orbit").write_text("[workspace]\n\tgoal = g\n")
        process = start(workspace, *START)
        assert process.stdin is not None
        os.write(process.stdin.fileno(), said(cwd=str(workspace)).encode())
        threading.Event().wait(0.02 * number)
        shutil.rmtree(workspace)
        outcome = finish(process)
        assert (outcome.code, outcome.err) == (0, "")
        assert (
            outcome.out == "" or "<orbit-context>" in json.loads(outcome.out)["hookSpecificOutput"]["additionalContext"]
        )
    assert not list(world.root.glob("short-lived-*"))


def test_an_interruption(world: World, task: Path) -> None:
    process = start(task, *START)
    process.terminate()
    code = process.wait(timeout=30)
    out, err = process.communicate()
    assert (out, err) == (b"", b"")
    assert code in (0, -15, 143)


def test_a_defect_is_not_the_hosts_business(world: World, task: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a defect")

    monkeypatch.setattr("orbit.commands.context.block", broken)
    assert world.orbit(*START, cwd=task, stdin=said(cwd=str(task))) == SILENT
    told = world.orbit(*START, cwd=task, stdin=said(cwd=str(task)), env={"ORBIT_DEBUG": "1"})
    assert told.code == 1
    assert "RuntimeError: a defect" in told.err

"""Streams, exit statuses and terminals, mostly with real processes: they are the point here."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from wcwidth import wcswidth

from orbit.cli import main as face
from orbit.cli.render import Streams
from orbit.places import World as Surroundings
from terminal import orbit_at_terminal
from world import Outcome, SilentServer, World, environment

_ORBIT = f'"{sys.executable}" -m orbit'


def shell(directory: Path, script: str, **env: str | None) -> Outcome:
    """A line for the shell, `orbit` standing for the program; stdout is not unbuffered as some machines set it."""
    merged = {**os.environ, **env}
    merged.pop("PYTHONUNBUFFERED", None)
    done = subprocess.run(
        ["bash", "-c", script.replace("orbit ", f"{_ORBIT} ")],
        cwd=directory,
        env={name: value for name, value in merged.items() if value is not None},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def workspace(world: World) -> Path:
    """A workspace with a waiting jot."""
    world.clone()
    path = world.workspace()
    assert world.orbit("jot", "backend", "a discovery", cwd=path).code == 0
    return path


def waiting(world: World, workspace: Path) -> list[str]:
    return [str(entry) for entry in world.orbit("jot", "backend", "--list", "--json", cwd=workspace).json()["entries"]]


# --- exit statuses ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "code", "out", "err"),
    [
        (["version"], 0, "orbit 0.1.0\n", ""),
        (["--version"], 0, "orbit 0.1.0\n", ""),
        (["-v"], 0, "orbit 0.1.0\n", ""),
        (["status", "nope"], 1, "", "orbit: status: no such workspace: nope\n"),
        (["info", "nope", "--json"], 1, "", "orbit: nope: "),
        (["nope"], 2, "", "orbit: usage: no such command: nope"),
        (["context", "--prime", "--reignite"], 2, "", "orbit: context: --prime stands alone\n"),
    ],
)
def test_done_refused_and_wrong_usage(world: World, words: list[str], code: int, out: str, err: str) -> None:
    done = world.orbit(*words)
    assert (done.code, done.out) == (code, out)
    assert done.err.startswith(err)
    assert bool(done.err) == bool(err)


def test_an_error_of_the_system_is_one_line(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("orbit.commands.version.run", _fail_with(PermissionError(13, "Permission denied", "/x\ny")))
    done = world.orbit("version")
    assert done == Outcome(1, "", "orbit: system: Permission denied (/x y)\n")


def test_a_defect_is_one_line_too_and_a_traceback_on_demand(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("orbit.commands.version.run", _fail_with(ZeroDivisionError("by \x1b[2J\nzero")))
    told = "orbit: internal: ZeroDivisionError: by  zero\norbit: internal: ORBIT_DEBUG=1 shows where\n"
    assert world.orbit("version") == Outcome(1, "", told)
    traced = world.orbit("version", env={"ORBIT_DEBUG": "1"})
    assert (traced.code, traced.out) == (1, "")
    assert traced.err.startswith("Traceback (most recent call last):\n")
    assert "ZeroDivisionError: by \nzero" in traced.err
    assert "\x1b" not in traced.err


def _fail_with(error: Exception) -> object:
    def run(_: object) -> None:
        raise error

    return run


# --- streams that are closed, full, or not read ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "code", "err"),
    [
        ("orbit version >&-", 141, ""),
        ("orbit help >&-", 141, ""),
        ("orbit repos --help >&-", 141, ""),
        ("orbit context goal >&-", 0, ""),
        ("orbit version <&-", 0, ""),
        (
            "orbit goal <&-",
            1,
            "orbit: goal: the goal is empty, nothing was changed\n"
            'orbit: goal: give one: orbit goal "TEXT" (orbit context goal reads it)\n',
        ),
        ("orbit nope 2>&-", 2, ""),
        ("orbit version <&- 2>&-", 0, ""),
        ("orbit status <&- >&- 2>&-", 0, ""),
        ("orbit version >/dev/full", 1, "orbit: stdout: cannot write: No space left on device\n"),
        ("orbit help >/dev/full", 1, "orbit: stdout: cannot write: No space left on device\n"),
        ("orbit repos --json-schema >/dev/full", 1, "orbit: stdout: cannot write: No space left on device\n"),
        ("orbit nope 2>/dev/full", 2, ""),
        ("orbit version >/dev/full 2>/dev/full", 1, ""),
    ],
)
def test_streams_that_fail(workspace: Path, script: str, code: int, err: str) -> None:
    done = shell(workspace, script)
    assert (done.code, done.err) == (code, err)


@pytest.fixture
def unread() -> Iterator[int]:
    """The writing end of a pipe whose reader has gone."""
    reader, writer = os.pipe()
    os.close(reader)
    yield writer
    os.close(writer)


def orbit_into(descriptor: int, directory: Path, *words: str) -> Outcome:
    done = subprocess.run(
        [sys.executable, "-m", "orbit", *words],
        cwd=directory,
        stdin=subprocess.DEVNULL,
        stdout=descriptor,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )
    return Outcome(done.returncode, "", done.stderr)


@pytest.mark.parametrize("words", ["help", "version", "repos --help", "repos", "repos --json", "jot backend --list"])
def test_a_reader_that_has_gone_ends_it_quietly(workspace: Path, unread: int, words: str) -> None:
    done = orbit_into(unread, workspace, *words.split())
    assert done.code == 141
    assert all(line.startswith("orbit: ") for line in done.err.splitlines())


def test_a_pop_that_reaches_nobody_takes_nothing(world: World, workspace: Path, unread: int) -> None:
    assert orbit_into(unread, workspace, "jot", "backend", "--pop").code == 141
    assert shell(workspace, "orbit jot backend --pop >&-").code == 141
    assert shell(workspace, "orbit jot backend --pop >/dev/full").code == 1
    assert shell(workspace, "orbit jot backend --pop >/dev/full", PYTHONUNBUFFERED="1").code == 1
    assert waiting(world, workspace) == ["a discovery"]
    assert shell(workspace, "orbit jot backend --pop | cat").out == "a discovery\n"
    assert waiting(world, workspace) == []


def test_a_closed_stream_does_not_become_a_file_that_is_written(world: World, workspace: Path) -> None:
    assert shell(workspace, "orbit jot backend 'said with everything closed' <&- >&- 2>&-").code == 0
    assert waiting(world, workspace) == ["a discovery", "said with everything closed"]
    assert shell(workspace, "orbit add backend <&- >&- 2>&-").code == 141
    assert (workspace / "backend" / "README.md").exists()
    assert shell(workspace, "orbit status").err == "orbit: backend: 2 jots\n"


# --- Ctrl-C ----------------------------------------------------------------------------------------------------------


def test_an_interrupt_leaves_nothing_half_made(world: World, workspace: Path) -> None:
    before = (workspace / ".orbit").read_bytes()
    process = subprocess.Popen(
        [sys.executable, "-m", "orbit", "goal"],
        cwd=workspace,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    # More than a pipe holds: when this returns, the text is being read.
    process.stdin.write(b"x" * 200_000)
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"")
    assert (workspace / ".orbit").read_bytes() == before
    assert sorted(path.name for path in workspace.iterdir()) == [".orbit"]


@pytest.mark.parametrize(("terminal", "err"), [(True, "\n"), (False, "")])
def test_an_interrupt_in_a_call(world: World, monkeypatch: pytest.MonkeyPatch, terminal: bool, err: str) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("orbit.commands.version.run", interrupted)
    told = io.BytesIO()
    streams = Streams(stdin=io.BytesIO(), out=io.BytesIO(), err=told, err_terminal=terminal)
    assert face.run(["version"], Surroundings(cwd=str(world.root), env={}), streams) == 130
    assert told.getvalue().decode() == err


# --- terminals -------------------------------------------------------------------------------------------------------

_LONG = "The service that stores orders and tells everybody who wants to know about each of them"


@pytest.fixture
def pool(world: World) -> World:
    """Two clones with cards, one of them with wide characters and hostile text."""
    for name, brief in (("backend", _LONG), ("frontend", "注文を見せる画面。" * 9 + "\x1b]0;owned\x07\x1b[2J\u202e")):
        world.clone(name)
        (world.pool / f".{name}.md").write_text(f"# {name}\n\n{brief}\n\n- a\n- b\n- c\n")
    return world


@pytest.mark.parametrize("columns", [40, 80, 160])
def test_a_table_keeps_to_the_terminal(pool: World, columns: int) -> None:
    shown = orbit_at_terminal("repos", cwd=pool.root, columns=columns)
    lines = shown.out.splitlines()
    assert shown.code == 0
    assert lines[0].startswith("\x1b[1mNAME")
    assert lines[0].endswith("\x1b[0m")
    assert len(lines) == 3
    assert all(wcswidth(line) <= columns for line in lines[1:])
    assert ("URL" in lines[0]) == (columns == 160)
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202e]", "".join(lines[1:]) + shown.err.replace("\n", ""))


def test_a_pipe_gets_whole_rows_without_colour(pool: World) -> None:
    shown = orbit_at_terminal("repos", cwd=pool.root, columns=40, out_is_pipe=True)
    assert _LONG in shown.out
    assert "URL" in shown.out
    assert "\x1b" not in shown.out


@pytest.mark.parametrize(
    ("env", "terminal", "coloured"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"TERM": "dumb"}, True, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "yes", "TERM": "dumb"}, False, True),
        ({"FORCE_COLOR": ""}, False, False),
        ({"FORCE_COLOR": "0"}, True, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
    ],
)
def test_who_decides_on_colour(env: dict[str, str], terminal: bool, coloured: bool) -> None:
    with environment({"TERM": "xterm", **env}):
        assert face._colour(terminal) is coloured


@pytest.mark.parametrize(
    ("columns", "width"), [("50", 50), ("0", 80), ("", 80), ("many", 80), ("-5", 80), ("9" * 5000, 80), ("٤٠", 80)]
)
def test_columns_decides_on_the_width_if_it_is_one(columns: str, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # A terminal that was never told its size says 0.
    monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((0, 0)))
    with environment({"COLUMNS": columns}):
        assert face._columns() == width


def test_colour_may_be_forced_into_a_pipe(pool: World) -> None:
    title, rows = pool.orbit("repos").out.split("\n", 1)
    assert pool.orbit_process("repos", env={"FORCE_COLOR": "1"}).out == f"\x1b[1m{title}\x1b[0m\n{rows}"
    assert pool.orbit_process("repos", "--json", env={"FORCE_COLOR": "1"}).out == pool.orbit("repos", "--json").out


def test_colour_may_be_refused_and_columns_set_at_a_terminal(pool: World) -> None:
    shown = orbit_at_terminal("repos", cwd=pool.root, env={"NO_COLOR": "1", "COLUMNS": "50"})
    assert shown.out.startswith("NAME")
    assert max(wcswidth(row) for row in shown.out.splitlines()) == 50


# --- surroundings ----------------------------------------------------------------------------------------------------


def test_it_works_without_a_home(pool: World) -> None:
    bare = {"HOME": None, "XDG_CONFIG_HOME": None, "USER": None, "LOGNAME": None}
    for script in ("orbit repos", "orbit info backend", "orbit new 'a goal' --name w && cd w && orbit add backend"):
        done = shell(pool.root, script, **bare)
        assert (done.code, "Traceback" in done.err) == (0, False)


def test_hostile_words_never_reach_the_terminal(pool: World) -> None:
    hostile = "\x1b]0;owned\x07\x1b[2Jx\u202e\n"
    workspace = pool.workspace()
    for words in (
        ["info", hostile],
        ["status", hostile],
        ["jot", hostile, "x"],
        ["config", hostile],
        ["context", hostile],
    ):
        done = pool.orbit(*words, cwd=workspace)
        assert done.code in (1, 2)
        assert done.out == ""
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", done.err)
        assert all(line.startswith("orbit: ") for line in done.err.splitlines())


def test_json_stays_whole_while_guidance_goes_to_stderr(pool: World) -> None:
    done = pool.orbit_process("repos", "--json")
    assert [row["name"] for row in json.loads(done.out)] == ["backend", "frontend"]
    assert done.out.count("\n") == 1
    assert all(line.startswith("orbit: ") for line in done.err.splitlines())


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_clone_that_is_told_to_end_leaves_nothing(
    world: World, silent_server: SilentServer, number: signal.Signals, status: int
) -> None:
    command = [sys.executable, "-m", "orbit", "clone", silent_server.url]
    running = subprocess.Popen(command, cwd=world.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert silent_server.connected.wait(30)
    running.send_signal(number)
    out, err = running.communicate(timeout=30)
    assert (running.returncode, out, err) == (status, b"", b"")
    assert sorted(path.name for path in world.pool.iterdir()) == []


def test_git_works_though_the_caller_ignores_its_children(world: World) -> None:
    world.clone()
    world.workspace()
    world.worktree()
    code = "import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); "
    code += "os.execv(sys.executable, [sys.executable, '-m', 'orbit', 'status'])"
    done = subprocess.run([sys.executable, "-c", code], cwd=world.root / "task-01", capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"backend" in done.stdout

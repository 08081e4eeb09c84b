from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from editor import make_editor, make_writer
from orbit.cli.editor import edit_text, editor_command, run_in_shell, run_this_program
from orbit.errors import OrbitError
from orbit.places import World as Surroundings


def surroundings(**env: str) -> Surroundings:
    return Surroundings(cwd="/", env={"PATH": os.environ["PATH"], **env})


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the text lies while it is edited."""
    path = tmp_path / "temporary"
    path.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(path))
    return path


@pytest.mark.parametrize(
    ("env", "command"),
    [
        ({}, ["vi"]),
        ({"EDITOR": "nano"}, ["nano"]),
        ({"EDITOR": "nano", "VISUAL": "code --wait"}, ["code", "--wait"]),
        ({"EDITOR": "nano", "VISUAL": "emacs", "ORBIT_EDITOR": "'/my tools/ed' -s"}, ["/my tools/ed", "-s"]),
        ({"EDITOR": "nano", "VISUAL": "", "ORBIT_EDITOR": ""}, ["nano"]),
    ],
)
def test_which_editor(env: dict[str, str], command: list[str]) -> None:
    assert editor_command(surroundings(**env)) == command


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("ed 'unclosed", "editor: cannot be split into words: ed 'unclosed"),
        ("  ", "editor: the editor setting is blank"),
    ],
)
def test_an_editor_that_is_no_command(setting: str, told: str) -> None:
    with pytest.raises(OrbitError) as caught:
        editor_command(surroundings(ORBIT_EDITOR=setting))
    assert str(caught.value) == told


@pytest.mark.parametrize("initial", ["", "one\ntwo\n", "日本\r\n\ttab", "not UTF-8: \udcff"])
def test_the_editor_gets_the_text_as_it_is(tmp_path: Path, temporary: Path, initial: str) -> None:
    seen = tmp_path / "seen"
    env = make_editor(tmp_path, f'cp "$1" "{seen}"; echo "$1" > "{tmp_path}/name"')
    assert edit_text(surroundings(**env), initial, ".md") == initial
    assert seen.read_bytes() == initial.encode("utf-8", "surrogateescape")
    assert (tmp_path / "name").read_text().endswith(".md\n")
    assert list(temporary.iterdir()) == []


def test_what_the_editor_leaves_comes_back(tmp_path: Path, temporary: Path) -> None:
    env = make_writer(tmp_path, b"new \xff text\n")
    assert edit_text(surroundings(**env), "old", ".txt") == "new \udcff text\n"
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("exit 3", "editor: {editor} ended with status 3, nothing was changed"),
        ("kill -TERM $$", "editor: {editor} ended by signal 15, nothing was changed"),
        ('rm "$1"', "editor: {editor} removed the file, nothing was changed"),
    ],
)
def test_an_editor_that_fails(tmp_path: Path, temporary: Path, script: str, told: str) -> None:
    env = make_editor(tmp_path, script)
    with pytest.raises(OrbitError) as caught:
        edit_text(surroundings(**env), "text", ".txt")
    assert str(caught.value) == told.format(editor=env["ORBIT_EDITOR"])
    assert list(temporary.iterdir()) == []


def test_an_editor_that_is_not_there(temporary: Path) -> None:
    with pytest.raises(OrbitError) as caught:
        edit_text(surroundings(EDITOR="no-such-editor"), "text", ".txt")
    assert str(caught.value) == "editor: cannot start no-such-editor (No such file or directory)"
    assert caught.value.hint == "set ORBIT_EDITOR, VISUAL or EDITOR"
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("name", ["INT", "QUIT"])
def test_a_ctrl_c_in_the_editor_is_the_editors(tmp_path: Path, temporary: Path, name: str) -> None:
    # The terminal sends it to everybody in front; editors do not end by it.
    env = make_editor(tmp_path, f'kill -{name} $PPID; echo saved > "$1"')
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGQUIT)
    assert edit_text(surroundings(**env), "text", ".txt") == "saved\n"
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGQUIT)) == before


def test_an_editor_that_ends_by_ctrl_c_interrupts(tmp_path: Path, temporary: Path) -> None:
    env = make_editor(tmp_path, "kill -INT $$")
    with pytest.raises(KeyboardInterrupt):
        edit_text(surroundings(**env), "text", ".txt")
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize(
    ("command", "status"), [("true", 0), ("exit 7", 7), ("kill -TERM $$", 143), ("kill -INT $PPID; exit 5", 5)]
)
def test_a_command_line_in_the_users_shell(tmp_path: Path, command: str, status: int) -> None:
    assert run_in_shell(surroundings(SHELL="/bin/sh"), command, str(tmp_path)) == status


def test_the_command_line_runs_where_it_was_asked_to(tmp_path: Path) -> None:
    world = surroundings(SHELL="", GREETING="hello")
    assert run_in_shell(world, 'echo "$GREETING $PWD" > here', str(tmp_path)) == 0
    assert (tmp_path / "here").read_text() == f"hello {tmp_path}\n"


def test_a_shell_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(OrbitError, match=r"new: cannot start /no/shell \(No such file or directory\)"):
        run_in_shell(surroundings(SHELL="/no/shell"), "true", str(tmp_path))


def test_another_call_of_this_program(tmp_path: Path) -> None:
    world = Surroundings(cwd="/", env={**os.environ, "ORBIT_ROOT": "/no/such/place"})
    assert run_this_program(world, ("version",), str(tmp_path)) == ("orbit 0.1.0\n", 0)
    output, status = run_this_program(world, ("repos",), str(tmp_path))
    assert (output.splitlines()[0], status) == ("orbit: project: not in an orbit project: no .repos/ here or above", 1)

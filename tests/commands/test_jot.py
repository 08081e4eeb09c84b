"""Queueing a discovery, and a queue's file that is not in order."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from editor import make_editor, make_writer
from queues import fill, waiting
from world import Outcome, World, run_git

SILENT = Outcome(0, "", "")


@pytest.fixture
def task(world: World) -> Path:
    """A workspace with one worktree, backend; the pool holds web too."""
    world.clone()
    world.clone("web")
    world.workspace()
    return world.worktree().parent


# --- push ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "place", "repo", "text"),
    [
        (["backend", "a role"], ".", "backend", "a role"),
        (["backend/", "a role"], ".", "backend", "a role"),
        (["web", "not here, but in the pool"], ".", "web", "not here, but in the pool"),
        (["web", "from inside another"], "backend", "web", "from inside another"),
        (["backend", "web"], ".", "backend", "web"),
        (["one word is text"], ".", "backend", "one word is text"),
        (["text"], "backend/src", "backend", "text"),
        (["text"], "notes", "backend", "text"),
        (["backend/src"], ".", "backend", "backend/src"),
        (["../task-02/backend"], ".", "backend", "../task-02/backend"),
        ([".backend"], ".", "backend", ".backend"),
        (["."], "backend", "backend", "."),
        (["-"], ".", "backend", "-"),
        (["--", "-x is a flag"], ".", "backend", "-x is a flag"),
        (["--", "--pop"], ".", "backend", "--pop"),
        (["--", "backend", "--"], ".", "backend", "--"),
        (["backend", "--", "-x"], ".", "backend", "-x"),
        (["backend", " \ttab 'quote' \"double\" \\ # ; \n\n end "], ".", "backend", None),
        (["backend", "x" * 4000], ".", "backend", None),
        (["backend", "x\n"], ".", "backend", "x"),
    ],
)
def test_a_jot_is_queued(task: Path, world: World, words: list[str], place: str, repo: str, text: str | None) -> None:
    (task / "notes").mkdir()
    world.workspace("task-02")
    world.worktree("task-02")
    assert world.orbit("jot", *words, cwd=task / place, stdin="not read") == SILENT
    expected = words[-1] if text is None else text
    assert waiting(task, repo) == (expected,)
    by_git = run_git(task, "config", "-z", "--file", ".orbit", "--get-all", f"jot.{repo}.entry")
    assert by_git == expected + "\0"


@pytest.mark.parametrize("words", [[], ["backend"], ["backend/"]])
def test_a_jot_from_stdin(task: Path, world: World, words: list[str]) -> None:
    assert world.orbit("jot", *words, cwd=task, stdin=" two\n lines \n") == SILENT
    assert waiting(task) == (" two\n lines ",)


@pytest.mark.parametrize("words", [[], ["backend"]])
def test_a_jot_from_the_editor(task: Path, world: World, words: list[str]) -> None:
    env = make_writer(world.base, "typed\tin\n")
    assert world.orbit("jot", *words, cwd=task, stdin="not read", env=env) == SILENT
    assert waiting(task) == ("typed\tin",)
    assert world.orbit("jot", "backend", "said", cwd=task, env=env) == SILENT
    assert waiting(task) == ("typed\tin", "said")


BLANK = 'orbit: backend: jot refused, it is blank\norbit: backend: give it a text: orbit jot backend "TEXT"\n'


def test_a_jot_that_the_editor_does_not_give(task: Path, world: World) -> None:
    env = make_editor(world.base, "test ! -s $1")
    outcome = world.orbit("jot", cwd=task, env=env)
    assert outcome == Outcome(1, "", BLANK)
    outcome = world.orbit("jot", cwd=task, env=make_editor(world.base, "echo x > $1; exit 3"))
    assert outcome == Outcome(1, "", f"orbit: editor: {world.base}/editor ended with status 3, nothing was changed\n")
    assert not (task / ".orbit").exists()


def test_the_queue_of_a_worktree_stood_in(task: Path, world: World) -> None:
    world.worktree(name="web")
    for place in ("web", "backend"):
        assert world.orbit("jot", f"of {place}", cwd=task / place) == SILENT
    assert (waiting(task, "web"), waiting(task)) == (("of web",), ("of backend",))
    outcome = world.orbit("jot", "of neither", cwd=task)
    assert outcome == Outcome(
        1, "", 'orbit: jot: which repository? here are backend, web\norbit: jot: name one: orbit jot REPO "TEXT"\n'
    )


def test_levels_as_the_queue_fills(task: Path, world: World) -> None:
    steer = "orbit: backend: {} jots (overflow): jot backend --pop, merge, memo backend\n"
    said = ["", "", "orbit: backend: 3 jots (building)\n", "orbit: backend: 4 jots (building)\n", steer.format(5)]
    for number, line in enumerate(said):
        assert world.orbit("jot", "backend", f"jot {number}\nof two lines", cwd=task) == Outcome(0, "", line)
    assert world.orbit("jot", "web", "another queue", cwd=task) == SILENT
    world.orbit("config", "jot.bufferSize", "6")
    assert world.orbit("jot", "same", cwd=task) == Outcome(0, "", "orbit: backend: 6 jots (building)\n")
    assert world.orbit("jot", "same", cwd=task) == Outcome(0, "", steer.format(7))


def test_a_bad_setting_is_told(task: Path, world: World) -> None:
    (world.pool / ".orbit").write_text("[jot]\n\tbufferSize = lots\n")
    outcome = world.orbit("jot", "backend", "a", cwd=task)
    assert (outcome.code, outcome.out) == (0, "")
    assert outcome.err.startswith("orbit: config: jot.bufferSize = lots is not valid, using ")
    assert outcome.err.count("\n") == 1


def test_a_push_as_json(task: Path, world: World) -> None:
    fill(task, ("first",), ("p",))
    outcome = world.orbit("jot", "backend", "two\nlines", "--json", cwd=task)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.json() == {"repo": "backend", "entries": ["first", "two\nlines"], "count": 2, "popped": 1}


@pytest.mark.parametrize(
    ("words", "stdin", "error"),
    [
        (["backend", ""], "", BLANK),
        (["backend", " \t\n"], "", BLANK),
        (["backend"], "", BLANK),
        ([], "\n", BLANK),
        ([""], "", BLANK),
        (
            ["backend", "x" * 4001],
            "",
            "orbit: backend: jot refused, 4001 characters (at most 4000, a jot is a line, not a page)\n",
        ),
        (["backend"], b"a\0", "orbit: backend: jot refused, it contains NUL bytes\n"),
        (["backend"], b"a\xff", "orbit: backend: jot refused, it is not UTF-8 (byte 1)\n"),
        (["backend", "a\udcff"], "", "orbit: backend: jot refused, it is not UTF-8 (byte 1)\n"),
        (
            ["web"],
            "not taken",
            'orbit: jot: web is a repository, not a discovery\norbit: jot: say what about it: orbit jot web "TEXT"\n',
        ),
        (["bakend", "text"], "", "orbit: bakend: not in the pool (.repos/)\norbit: bakend: did you mean backend?\n"),
        (["two words", "text"], "", "orbit: two words: not a repository name (letters, digits, . _ -)\n"),
        (["../x\x1b[1m", "text"], "", "orbit: ../x: not a repository name (letters, digits, . _ -)\n"),
    ],
)
def test_a_jot_that_is_refused(task: Path, world: World, words: list[str], stdin: str | bytes, error: str) -> None:
    assert world.orbit("jot", *words, cwd=task, stdin=stdin) == Outcome(1, "", error)
    assert os.listdir(task) == ["backend"]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--pop", "--list"], "orbit: jot: --pop and --list exclude each other\n"),
        (["--requeue", "--pop"], "orbit: jot: --pop and --requeue exclude each other\n"),
        (["backend", "text", "--pop"], "orbit: jot: --pop takes a repo or nothing\n"),
        (["--list", "backend", "text"], "orbit: jot: --list takes a repo or nothing\n"),
    ],
)
def test_wrong_usage(task: Path, world: World, words: list[str], error: str) -> None:
    assert world.orbit("jot", *words, cwd=task) == Outcome(2, "", error)
    assert os.listdir(task) == ["backend"]


@pytest.mark.parametrize("words", [["backend", "-x"], ["a", "b", "c"], ["--popp"], ["backend", "--pop=yes"]])
def test_words_that_cannot_be_read(task: Path, world: World, words: list[str]) -> None:
    outcome = world.orbit("jot", *words, cwd=task)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("orbit: jot: ")
    assert os.listdir(task) == ["backend"]


@pytest.mark.parametrize("words", [["text"], ["backend", "text"], ["--list"]])
def test_only_in_a_workspace(task: Path, world: World, words: list[str]) -> None:
    outcome = world.orbit("jot", *words)
    error = 'orbit: jot: not in a workspace\norbit: jot: cd into one (task-01), or make one with: orbit new "GOAL"\n'
    assert outcome == Outcome(1, "", error)
    assert world.orbit("jot", *words, cwd=world.pool / "backend") == Outcome(1, "", error)
    assert world.orbit("jot", *words, cwd="/").code == 1


def test_a_workspace_without_worktrees(world: World) -> None:
    world.clone()
    plain = world.workspace()
    for words in (["text"], []):
        assert world.orbit("jot", *words, cwd=plain, stdin="text") == Outcome(
            1,
            "",
            'orbit: jot: this workspace has no worktree\norbit: jot: name a repository: orbit jot REPO "TEXT"\n',
        )
    for mode in ("--list", "--pop", "--requeue"):
        assert world.orbit("jot", mode, cwd=plain) == Outcome(
            1,
            "",
            f"orbit: jot: which repository? there are no jots here\norbit: jot: name one: orbit jot REPO {mode}\n",
        )
    assert os.listdir(plain) == []
    assert world.orbit("jot", "backend", "text", cwd=plain) == SILENT
    assert waiting(plain) == ("text",)


# --- metadata that is not in order -----------------------------------------------------------------------------------


def damage(path: Path, how: str) -> None:
    if how == "directory":
        path.mkdir()
        (path / "inside").write_text("kept")
    elif how == "pipe":
        os.mkfifo(path)
    elif how != "missing":
        path.write_bytes({"garbage": b"[jot \x00\xff", "header": b"[jot\n", "empty": b""}[how])


@pytest.mark.parametrize("how", ["garbage", "header", "directory", "pipe"])
def test_a_push_on_damaged_metadata(task: Path, world: World, how: str) -> None:
    damage(task / ".orbit", how)
    outcome = world.orbit("jot", "backend", "text", cwd=task)
    (copy,) = task.glob(".orbit.damaged-*")
    assert (outcome.code, outcome.out) == (0, "")
    assert outcome.err.startswith("orbit: task-01/.orbit: cannot be used (")
    assert outcome.err.endswith(f", kept as task-01/{copy.name}\n")
    assert outcome.err.count("\n") == 1
    assert waiting(task) == ("text",)
    if how == "directory":
        assert (copy / "inside").read_text() == "kept"
    assert world.orbit("jot", "backend", "more", cwd=task) == SILENT


@pytest.mark.parametrize("how", ["garbage", "header", "directory", "pipe"])
@pytest.mark.parametrize("mode", ["--list", "--pop", "--requeue"])
def test_damaged_metadata_is_told_and_let_be(task: Path, world: World, how: str, mode: str) -> None:
    damage(task / ".orbit", how)
    outcome = world.orbit("jot", mode, cwd=task)
    (line,) = outcome.err.splitlines()
    assert line.startswith("orbit: task-01/.orbit: cannot be used (")
    # Nobody knows what waits there: who wants to take it must not hear that there is nothing.
    assert (outcome.code, outcome.out) == (0 if mode == "--list" else 1, "")
    refused = world.orbit("jot", "web", mode, cwd=task)
    assert refused.code == 1
    assert refused.err.startswith("orbit: jot: web has neither a worktree nor jots here\norbit: jot: task-01/.orbit ")
    assert sorted(os.listdir(task)) == [".orbit", "backend"]


@pytest.mark.parametrize("how", ["missing", "empty"])
def test_metadata_that_is_not_there_is_no_damage(task: Path, world: World, how: str) -> None:
    damage(task / ".orbit", how)
    assert world.orbit("jot", "--list", cwd=task).err == "orbit: backend: no jots waiting\n"
    assert world.orbit("jot", "backend", "text", cwd=task) == SILENT
    assert waiting(task) == ("text",)


def test_read_only_metadata_keeps_its_mode(task: Path, world: World) -> None:
    fill(task, ("a",))
    (task / ".orbit").chmod(0o440)
    assert world.orbit("jot", "b", cwd=task) == SILENT
    assert world.orbit("jot", "--pop", cwd=task).out == "a\nb\n"
    assert (task / ".orbit").stat().st_mode & 0o777 == 0o440


def test_metadata_behind_a_link_stays_there(task: Path, world: World) -> None:
    fill(task, ("a",))
    (task / ".orbit").rename(world.base / "elsewhere")
    (task / ".orbit").symlink_to(world.base / "elsewhere")
    assert world.orbit("jot", "b", cwd=task) == SILENT
    assert (task / ".orbit").is_symlink()
    assert waiting(task) == ("a", "b")


def test_a_damaged_index_does_not_stop_a_jot(task: Path, world: World) -> None:
    (world.pool / ".orbit").write_text("[repos\n")
    outcome = world.orbit("jot", "backend", "text", cwd=task)
    assert outcome == Outcome(0, "", "orbit: .repos/.orbit: cannot be used (line 1: bad section header)\n")
    assert (waiting(task), (world.pool / ".orbit").read_text()) == (("text",), "[repos\n")

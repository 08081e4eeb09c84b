"""Writing, refreshing, repairing and judging cards."""

from __future__ import annotations

import os
import subprocess
import threading
from pathlib import Path

import pytest

from cards import BRIEF, card
from orbit.knowledge.card import revision, scaffold
from orbit.store.document import load
from processes import finish, start
from world import Outcome, World

WROTE = f"wrote memo for backend (brief: {BRIEF})\n"
NEXT = card("The next version.")
REV = revision(card().encode())
SAID = f"orbit: backend: revision {REV[:12]}\n"


@pytest.fixture
def path(world: World) -> Path:
    """Where the card of backend belongs; backend and web are in the pool."""
    world.clone()
    world.clone("web")
    return world.pool / ".backend.md"


@pytest.fixture
def task(world: World, path: Path) -> Path:
    """A workspace with a worktree of backend, which has a card."""
    world.orbit("memo", "backend", stdin=card())
    world.workspace()
    return world.worktree().parent


def index(world: World) -> str:
    file = world.pool / ".orbit"
    return file.read_text() if file.exists() else ""


def value(world: World, key: str, repo: str = "backend") -> str | None:
    return load(f"{world.pool}/.orbit").config.get("repos", repo, key)


def nothing_changed(world: World, path: Path, text: str | None) -> bool:
    """The card is as it was, and nothing lies beside it."""
    names = {".backend.md", ".cards.git", ".orbit"} if text is not None else set()
    same = path.read_text() == text if text is not None else not path.exists()
    return same and {name for name in os.listdir(world.pool) if name[0] == "."} == names


# --- write -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["stdin", "--text", "--text=", "--file", "--file from the root"])
def test_a_card_is_written(world: World, path: Path, way: str) -> None:
    world.workspace()
    text = card().replace("\n", " \r\n")
    (world.root / "task-01" / "card.md").write_bytes(text.encode())
    words, stdin, place = {
        "stdin": ([], text, "."),
        "--text": (["--text", text], "not read", "."),
        "--text=": ([f"--text={text}"], "not read", "."),
        "--file": (["--file", "card.md"], "not read", "task-01"),
        "--file from the root": (["--file", f"{world.root}/task-01/card.md"], "", ".repos/backend"),
    }[way]
    assert world.orbit("memo", "backend", *words, stdin=stdin, cwd=world.root / place) == Outcome(0, WROTE, SAID)
    assert path.read_text() == card()
    assert value(world, "brief") == BRIEF
    assert value(world, "head") == world.git(world.pool / "backend", "rev-parse", "HEAD")
    assert value(world, "url") == world.origins["backend"].url
    assert not (world.root / "task-01" / ".orbit").exists()


def test_a_card_from_a_pipe(world: World, path: Path) -> None:
    pipe = world.base / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(card(),))
    writer.start()
    assert world.orbit("memo", "backend", "--file", str(pipe)) == Outcome(0, WROTE, SAID)
    writer.join()


def test_a_title_is_a_brief_when_it_says_something(world: World, path: Path) -> None:
    text = "# backend: stores orders\n\n## When to add\n\n- orders\n\n## How to use\n\n- `src/`\n"
    outcome = world.orbit("memo", "backend", stdin=text)
    assert (outcome.code, outcome.out) == (0, "wrote memo for backend (brief: stores orders)\n")


def test_what_a_write_says_besides(world: World, path: Path) -> None:
    outcome = world.orbit("memo", "backend", stdin=card("It stores \x1b[31morders\x1b[0m. TODO", paths=16))
    assert outcome == Outcome(
        0,
        "wrote memo for backend (brief: It stores orders. TODO)\n",
        f"orbit: backend: revision {revision(path.read_bytes())[:12]}\n"
        "orbit: backend: memo over budget, 21 of 16 lines: curate once, then memo backend\n"
        "orbit: backend: 1 placeholders left (TODO): memo backend --check\n",
    )


NO_CARD = "orbit: backend: card refused, "
EMPTY = NO_CARD + "it is empty\norbit: backend: give it on stdin, or: orbit memo backend --file FILE\n"
NO_BRIEF = NO_CARD + "no brief can be extracted (begin with one sentence that says what it is)\n"


@pytest.mark.parametrize("before", [None, card()])
@pytest.mark.parametrize(
    ("words", "stdin", "code", "error"),
    [
        (["backend"], "", 1, EMPTY),
        (["backend", "--text", ""], "not read", 1, EMPTY),
        (["backend"], " \n\t\n", 1, EMPTY),
        (["backend"], b"a\0b", 1, NO_CARD + "it contains NUL bytes\n"),
        (["backend"], b"caf\xe9", 1, NO_CARD + "it is not UTF-8 (byte 3)\n"),
        (["backend", "--text", "caf\udce9"], "", 1, NO_CARD + "it is not UTF-8 (byte 3)\n"),
        (["backend"], b"x" * (256 * 1024 + 1), 1, NO_CARD + "it is over 256 KiB\n"),
        (["backend", "--file", "/dev/zero"], "", 1, NO_CARD + "it is over 256 KiB\n"),
        (["backend"], "# backend\n", 1, NO_BRIEF),
        (["backend"], "```\ncode only\n```\n", 1, NO_BRIEF),
        (
            ["backend", "--file", "none.md"],
            "",
            1,
            "orbit: backend: cannot read --file none.md (No such file or directory)\n",
        ),
        (["backend", "--file", "."], "", 1, "orbit: backend: cannot read --file . (Is a directory)\n"),
        (["backnd"], card(), 1, "orbit: backnd: not in the pool (.repos/)\norbit: backnd: did you mean backend?\n"),
        (["a/b"], card(), 1, "orbit: a/b: not a repository name (letters, digits, . _ -)\n"),
        ([".backend"], card(), 1, "orbit: .backend: not a repository name (letters, digits, . _ -)\n"),
        (["backend", "--text", "a", "--file", "b"], "", 2, "orbit: memo: --text and --file exclude each other\n"),
        (["backend", "--check", "--text", "a"], "", 2, "orbit: memo: --check and --text exclude each other\n"),
        (["backend", "--refresh", "--edit"], "", 2, "orbit: memo: --refresh and --edit exclude each other\n"),
        (["backend", "--check", "--expect", REV], "", 2, "orbit: memo: --check and --expect exclude each other\n"),
        (
            ["backend", "--expect", ""],
            card(),
            2,
            "orbit: memo: --expect needs a revision (orbit info REPO prints it), or none for no card yet\n",
        ),
        (
            ["backend", "--expect", "HEAD"],
            card(),
            1,
            "orbit: backend: HEAD is no revision, nothing was written\n"
            "orbit: backend: orbit info backend prints it (4 characters at least); none = there is no card yet\n",
        ),
    ],
)
def test_a_write_that_is_refused(
    world: World, path: Path, before: str | None, words: list[str], stdin: str | bytes, code: int, error: str
) -> None:
    if before:
        world.orbit("memo", "backend", stdin=before)
    rows = index(world)
    assert world.orbit("memo", *words, stdin=stdin) == Outcome(code, "", error)
    assert nothing_changed(world, path, before)
    assert index(world) == rows


@pytest.mark.parametrize("words", [["backend", "extra"], ["backend", "--text"], ["backend", "--unknown"]])
def test_words_that_cannot_be_read(world: World, path: Path, words: list[str]) -> None:
    outcome = world.orbit("memo", *words, stdin=card())
    assert (outcome.code, outcome.out, outcome.err[:13]) == (2, "", "orbit: memo: ")
    assert nothing_changed(world, path, None)


def test_outside_a_project(world: World) -> None:
    outcome = world.orbit("memo", "backend", cwd="/", stdin=card())
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("orbit: project: not in an orbit project")


# --- refresh, repair, scaffold, check --------------------------------------------------------------------------------


def test_a_refresh(world: World, path: Path) -> None:
    none = "orbit: backend: no memo to refresh\norbit: backend: write one with: orbit memo backend\n"
    assert world.orbit("memo", "backend", "--refresh") == Outcome(1, "", none)
    world.orbit("memo", "backend", stdin=card())
    world.git(world.pool / "backend", "commit", "-q", "--allow-empty", "-m", "More")
    assert world.orbit("memo", "backend", "--refresh") == Outcome(
        0, f"refreshed memo for backend (brief: {BRIEF})\n", ""
    )
    assert value(world, "head") == world.git(world.pool / "backend", "rev-parse", "HEAD")
    path.write_bytes(b"")
    assert world.orbit("memo", "backend", "--refresh") == Outcome(0, "refreshed memo for backend (brief: -)\n", "")
    assert path.read_bytes() == b""


@pytest.mark.parametrize("place", [".", "task-01", "task-01/backend"])
def test_a_refresh_must_name_its_repository(world: World, task: Path, place: str) -> None:
    rows = index(world)
    outcome = world.orbit("memo", "--refresh", cwd=world.root / place)
    assert outcome == Outcome(2, "", "orbit: memo: --refresh needs a REPO\n")
    assert index(world) == rows


def test_a_repair_keeps_the_head(world: World, path: Path) -> None:
    assert world.orbit("memo") == Outcome(0, "repaired 2 index entries\n", "")
    assert world.orbit("memo") == Outcome(0, "index entries match their cards\n", "")
    world.orbit("memo", "backend", stdin=card())
    head = value(world, "head")
    world.git(world.pool / "backend", "commit", "-q", "--allow-empty", "-m", "More")
    path.write_text(NEXT)
    assert world.orbit("memo") == Outcome(0, "repaired 1 index entries\n", "")
    assert (value(world, "brief"), value(world, "head")) == ("The next version.", head)


@pytest.mark.parametrize("words", [["--text", "a card"], ["--file", "card.md"], ["--expect", REV], ["--text="]])
def test_a_forgotten_name_does_not_swallow_a_card(world: World, path: Path, words: list[str]) -> None:
    (world.root / "card.md").write_text(card())
    which = "orbit: memo: which repository is this card for?\norbit: memo: name it: orbit memo REPO\n"
    assert world.orbit("memo", *words) == Outcome(1, "", which)
    assert nothing_changed(world, path, None)


def test_a_forgotten_name_and_text_on_stdin(world: World, path: Path) -> None:
    """Text that is ready is noticed; an idle or empty stdin is no text, and is not waited for."""

    def memo(stdin: int) -> Outcome:
        return finish(start(world.root, "memo", stdin=stdin))

    which = "orbit: memo: which repository is this card for?\norbit: memo: name it: orbit memo REPO\n"
    (world.base / "card.md").write_text(card())
    with open(world.base / "card.md", "rb") as file:
        assert memo(file.fileno()) == Outcome(1, "", which)
    reading, writing = os.pipe()
    os.write(writing, b"a card")
    assert memo(reading) == Outcome(1, "", which)
    assert nothing_changed(world, path, None)
    assert memo(reading) == Outcome(0, "repaired 2 index entries\n", "")
    os.close(writing)
    assert memo(reading) == Outcome(0, "index entries match their cards\n", "")
    os.close(reading)
    assert memo(subprocess.DEVNULL) == Outcome(0, "index entries match their cards\n", "")


def test_a_scaffold_is_printed_and_nothing_else_done(world: World, path: Path) -> None:
    assert world.orbit("memo", "backend", "--scaffold", stdin=card()) == Outcome(0, scaffold("backend"), "")
    assert nothing_changed(world, path, None)
    world.workspace()
    assert world.orbit("memo", "--scaffold", cwd=world.worktree()) == Outcome(0, scaffold("backend"), "")
    assert world.orbit("memo", "--scaffold") == Outcome(2, "", "orbit: memo: --scaffold needs a REPO\n")
    outcome = world.orbit("memo", "nowhere", "--scaffold")
    assert outcome == Outcome(1, "", "orbit: nowhere: not in the pool (.repos/)\n")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (None, ["no memo"]),
        (card(), []),
        (
            scaffold("backend"),
            ["3 placeholders left (TODO)"],
        ),
        (
            "",
            [
                "no brief can be extracted (first paragraph, or the heading's text)",
                "no section 'When to add'",
                "no section 'How to use'",
                "thin, 0 lines (at least 4)",
            ],
        ),
        (
            card("word " * 30, paths=20),
            ["the brief is longer than 120 characters and gets cut", "over budget, 25 of 16 lines"],
        ),
        (card("It stores \x1b[1m\u202eorders."), ["control characters: U+001B, U+202E"]),
        (card().encode() + b"\xff\n", ["bytes that are not UTF-8, or U+FFFD in their place"]),
    ],
)
def test_a_check(world: World, path: Path, text: str | bytes | None, found: list[str]) -> None:
    if text is not None:
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    said = "".join(f"backend: {finding}\n" for finding in found or ["nothing found"])
    assert world.orbit("memo", "backend", "--check", stdin=card()) == Outcome(1 if found else 0, said, "")
    assert not (world.pool / ".orbit").exists()


# --- a pool that is not in order -------------------------------------------------------------------------------------


def test_a_card_that_is_no_file(world: World, path: Path) -> None:
    path.mkdir()
    reading = f"orbit: {path}: cannot be read: is a directory\n"
    for words in (["--check"], ["--refresh"], ["--edit"], ["--expect", "none"]):
        assert world.orbit("memo", "backend", *words, stdin=card()) == Outcome(1, "", reading)
    writing = f"orbit: {path}: cannot be written: Is a directory\n"
    assert world.orbit("memo", "backend", stdin=card()) == Outcome(1, "", writing)
    outcome = world.orbit("memo")
    damage = "orbit: .repos/.backend.md: cannot be used (is a directory)\n"
    assert outcome == Outcome(0, "repaired 1 index entries\n", damage)
    assert os.listdir(path) == []


@pytest.mark.parametrize("garbage", [b"[repos\n", b"\x00\xff", None])
def test_a_damaged_index(world: World, path: Path, garbage: bytes | None) -> None:
    if garbage is None:
        (world.pool / ".orbit").mkdir()
    else:
        (world.pool / ".orbit").write_bytes(garbage)
    outcome = world.orbit("memo", "backend", stdin=card())
    (copy,) = world.pool.glob(".orbit.damaged-*")
    assert (outcome.code, outcome.out) == (0, WROTE)
    assert outcome.err.startswith(SAID + "orbit: .repos/.orbit: cannot be used (")
    assert outcome.err.endswith(f", kept as .repos/{copy.name}\n")
    assert value(world, "brief") == BRIEF


def test_a_damaged_workspace_does_not_stop_a_card(world: World, task: Path) -> None:
    (task / ".orbit").write_text("[jot\n")
    outcome = world.orbit("memo", "backend", stdin=card(), cwd=task)
    assert outcome == Outcome(0, WROTE, SAID + "orbit: task-01/.orbit: cannot be used (line 1: bad section header)\n")
    assert (task / ".orbit").read_text() == "[jot\n"

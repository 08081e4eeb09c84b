"""What a card's writer expected, what a write settles, and cards typed in the editor."""

from __future__ import annotations

from pathlib import Path

import pytest

from cards import BRIEF, card
from editor import make_editor, make_writer
from orbit.knowledge.card import revision, scaffold
from processes import shell_line
from queues import popped, waiting
from world import Outcome, World

WROTE = f"wrote memo for backend (brief: {BRIEF})\n"
NEXT = card("The next version.")
REV = revision(card().encode())
NEXT_REV = revision(NEXT.encode())
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


# --- expect and settle -----------------------------------------------------------------------------------------------


def test_a_card_that_changed_meanwhile_is_not_overwritten(world: World, path: Path) -> None:
    assert world.orbit("memo", "backend", "--expect", "none", stdin=card()).code == 0
    read = world.orbit("info", "backend", "--json").json()["revision"]
    assert read == REV
    assert world.orbit("memo", "backend", "--expect", read[:7], stdin=NEXT).code == 0
    again = "orbit: backend: read it again (orbit info backend), merge, write with the new revision\n"
    for expect, said in ((read, read[:12]), (read[:7], read[:7]), ("none", "none, there is one now")):
        outcome = world.orbit("memo", "backend", "--expect", expect, stdin=card("Older."))
        changed = f"orbit: backend: the card changed since {said}, nothing was written\n"
        assert outcome == Outcome(1, "", changed + again)
        assert world.orbit("memo", "backend", "--refresh", "--expect", expect).err == changed + again
    path.unlink()
    gone = f"orbit: backend: the card changed since {NEXT_REV[:12]}, it is gone, nothing was written\n"
    assert world.orbit("memo", "backend", "--expect", NEXT_REV, stdin=NEXT) == Outcome(1, "", gone + again)
    assert not path.exists()


def pop(world: World, task: Path, text: str) -> None:
    assert world.orbit("jot", "backend", text, cwd=task).code == 0
    assert world.orbit("jot", "backend", "--pop", cwd=task).out == f"{text}\n"


def settled(count: int) -> str:
    return f"orbit: backend: {count} popped jots settled by this card\n" if count else ""


def test_a_write_settles_what_was_popped_before_it(world: World, task: Path) -> None:
    pop(world, task, "a")
    pop(world, task, "b")
    assert world.orbit("jot", "backend", "waits", cwd=task).code == 0
    assert world.orbit("memo", "backend", stdin=NEXT).err == f"orbit: backend: revision {NEXT_REV[:12]}\n"
    assert popped(task) == ("a", "b")
    for words in (["--refresh"], ["--check"], ["--scaffold"]):
        assert world.orbit("memo", "backend", *words, cwd=task).code == 0
        assert popped(task) == ("a", "b")
    assert world.orbit("memo", "backend", stdin=card(), cwd=task / "backend") == Outcome(0, WROTE, SAID + settled(2))
    assert waiting(task) == ("waits",)
    assert popped(task) == ()


def test_what_another_one_pops_while_a_card_is_typed_stays_in_flight(world: World, task: Path) -> None:
    """The write has begun when the editor opens; a worker pops while it is open."""
    pop(world, task, "early")
    worker = [shell_line(task, "jot", "backend", "late"), shell_line(task, "jot", "backend", "--pop")]
    env = make_editor(world.base, " && ".join([*worker, 'echo "- more" >> "$1"']))
    outcome = world.orbit("memo", "backend", "--edit", cwd=task, env=env)
    assert (outcome.code, outcome.out) == (0, WROTE)
    assert outcome.err.endswith(settled(1))
    assert popped(task) == ("late",)


def test_an_expected_revision_settles_what_was_popped_before_it_was_read(world: World, task: Path) -> None:
    pop(world, task, "before")
    assert world.orbit("info", "backend", cwd=task).code == 0
    pop(world, task, "after")
    outcome = world.orbit("memo", "backend", "--expect", REV[:8], stdin=NEXT, cwd=task)
    assert outcome.err.endswith(settled(1))
    assert popped(task) == ("after",)
    assert world.orbit("info", "backend", cwd=task / "backend").code == 0
    outcome = world.orbit("memo", "backend", "--expect", NEXT_REV, stdin=card(), cwd=task)
    assert outcome.err.endswith(settled(1))
    assert popped(task) == ()


@pytest.mark.parametrize("place", [".", "task-02"])
def test_a_reading_elsewhere_does_not_count_here(world: World, task: Path, place: str) -> None:
    world.workspace("task-02")
    assert world.orbit("info", "backend", cwd=world.root / place).code == 0
    pop(world, task, "after")
    outcome = world.orbit("memo", "backend", "--expect", REV, stdin=NEXT, cwd=task)
    assert outcome.err.endswith(settled(1))


def test_a_refused_write_settles_nothing(world: World, task: Path) -> None:
    pop(world, task, "a")
    assert world.orbit("memo", "backend", stdin="", cwd=task).code == 1
    assert world.orbit("memo", "backend", "--expect", "none", stdin=NEXT, cwd=task).code == 1
    assert world.orbit("memo", "backend", "--edit", cwd=task, env=make_editor(world.base, "true")).code == 1
    assert popped(task) == ("a",)


def test_jots_of_another_repo_are_not_settled(world: World, task: Path) -> None:
    pop(world, task, "a")
    assert world.orbit("memo", "web", stdin=card(repo="web"), cwd=task).code == 0
    assert popped(task) == ("a",)


def hidden(world: World) -> dict[str, str]:
    """Card, index and whatever else orbit keeps in the pool."""
    return {path.name: path.read_text() for path in world.pool.glob(".*") if path.is_file()}


# --- the editor ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [[], ["--edit"], ["--edit", "--expect", "none"]])
def test_a_first_card_begins_as_the_scaffold(world: World, path: Path, words: list[str]) -> None:
    seen = world.base / "seen"
    env = make_editor(world.base, f'cp "$1" "{seen}"; printf %s "$1" > "{seen}.name"; cat "{seen}.new" > "$1"')
    Path(f"{seen}.new").write_text(card())
    assert world.orbit("memo", "backend", *words, stdin="not read", env=env) == Outcome(0, WROTE, SAID)
    assert seen.read_text() == scaffold("backend")
    assert Path(f"{seen}.name").read_text().endswith(".md")
    assert not Path(Path(f"{seen}.name").read_text()).exists()
    assert path.read_text() == card()


def test_the_editor_opens_the_present_card(world: World, path: Path) -> None:
    world.orbit("memo", "backend", stdin=card())
    env = make_editor(world.base, 'sed "s/stores/keeps/" "$1" > "$1.new" && mv "$1.new" "$1"')
    outcome = world.orbit("memo", "--edit", cwd=world.workspace(), env=env)
    assert outcome == Outcome(2, "", "orbit: memo: --edit needs a REPO\n")
    here = world.worktree() / "src"
    outcome = world.orbit("memo", "--edit", cwd=here, env={"EDITOR": env["ORBIT_EDITOR"]})
    assert outcome.out == "wrote memo for backend (brief: The service that keeps orders.)\n"
    assert path.read_text() == card("The service that keeps orders.")


def test_what_is_left_as_it_was_is_not_written(world: World, path: Path) -> None:
    leave = make_editor(world.base, "true")
    outcome = world.orbit("memo", "backend", env=leave)
    assert outcome == Outcome(1, "", "orbit: backend: the scaffold was left as it is, nothing was written\n")
    assert hidden(world) == {}
    world.orbit("memo", "backend", stdin=card())
    before = hidden(world)
    world.git(world.pool / "backend", "commit", "-q", "--allow-empty", "-m", "More")
    outcome = world.orbit("memo", "backend", "--edit", env=leave)
    assert outcome == Outcome(
        1,
        "",
        "orbit: backend: the card was left as it is, nothing was written\n"
        "orbit: backend: if it still holds: orbit memo backend --refresh\n",
    )
    assert hidden(world) == before


@pytest.mark.parametrize("script", ["exit 1", "echo x > $1; kill -9 $$"])
def test_an_editor_that_fails(world: World, path: Path, script: str) -> None:
    outcome = world.orbit("memo", "backend", env=make_editor(world.base, script))
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("orbit: ")
    assert hidden(world) == {}


@pytest.mark.parametrize("text", ["", " \n\n"])
def test_an_emptied_text_writes_nothing(world: World, path: Path, text: str) -> None:
    outcome = world.orbit("memo", "backend", env=make_writer(world.base, text))
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("orbit: backend: card refused, it is empty\n")
    assert hidden(world) == {}


def kept_text(outcome: Outcome, said: str) -> str:
    """What was kept of a typed text that was refused; the copy goes."""
    first = outcome.err.splitlines()[0]
    assert (outcome.code, outcome.out) == (1, "")
    start = f"orbit: backend: {said}, your text is kept in "
    assert first.startswith(start)
    copy = Path(first.removeprefix(start))
    text = copy.read_text("utf-8", "surrogateescape")
    copy.unlink()
    return text


def test_a_typed_text_is_never_lost(world: World, path: Path) -> None:
    outcome = world.orbit("memo", "backend", env=make_writer(world.base, "# backend\n"))
    said = "card refused, no brief can be extracted (begin with one sentence that says what it is)"
    assert kept_text(outcome, said) == "# backend\n"
    outcome = world.orbit("memo", "backend", env=make_writer(world.base, b"caf\xe9 \n"))
    assert kept_text(outcome, "card refused, it is not UTF-8 (byte 3)") == "caf\udce9 \n"
    assert hidden(world) == {}


@pytest.mark.parametrize("before", [None, card("Before.")])
def test_a_card_written_while_the_editor_was_open_is_kept(world: World, path: Path, before: str | None) -> None:
    (world.base / "other").write_text(NEXT)
    if before:
        path.write_text(before)
    env = make_editor(world.base, f'cp "{world.base}/other" "{path}"; printf "%s" "My text." > "$1"')
    outcome = world.orbit("memo", "backend", env=env)
    since = revision(before.encode())[:12] if before else "none, there is one now"
    assert kept_text(outcome, f"the card changed since {since}, nothing was written") == "My text."
    assert outcome.err.splitlines()[1:] == [
        "orbit: backend: read it again (orbit info backend), merge, write with the new revision"
    ]
    assert path.read_text() == NEXT

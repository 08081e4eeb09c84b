"""`orbit memo --log`, `--show`, `--restore`: nothing that was ever written is lost."""

from __future__ import annotations

import re
import shutil

import pytest

from orbit.knowledge.card import revision
from world import World

RICH = "# backend\n\nThe service that stores orders.\n\n## When to add (roles)\n\n- orders\n- invoices\n\n"
RICH += "## How to use\n\n- `src/app.py`: first\n"
POOR = "# backend\n\nA service.\n"


@pytest.fixture
def written(world: World) -> World:
    world.clone()
    world.workspace()
    assert world.orbit("memo", "backend", "--text", RICH, cwd=world.root / "task-01").code == 0
    return world


def rev(text: str) -> str:
    return revision(text.encode())[:12]


def log(world: World) -> list[str]:
    shown = world.orbit("memo", "backend", "--log")
    assert shown.code == 0
    return [re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "DATE", line) for line in shown.out.splitlines()]


def test_a_poorer_card_says_so_and_one_command_takes_it_back(written: World) -> None:
    overwritten = written.orbit("memo", "backend", "--text", POOR)
    line = f"orbit: backend: the card went from 7 to 2 lines: memo backend --restore {rev(RICH)}"
    assert line in overwritten.err.splitlines()
    assert log(written) == [
        f"{rev(POOR)}  DATE  -        +1/-10 lines  A service.",
        f"{rev(RICH)}  DATE  task-01  +12/-0 lines  The service that stores orders.",
    ]
    assert written.orbit("memo", "backend", "--show", rev(RICH)[:6]).out == RICH
    restored = written.orbit("memo", "backend", "--restore", rev(RICH))
    assert restored.out == "wrote memo for backend (brief: The service that stores orders.)\n"
    assert (written.pool / ".backend.md").read_text() == RICH
    assert len(log(written)) == 3


def test_two_sessions_that_overwrite_each_other_are_both_in_the_log(written: World) -> None:
    seen = rev(RICH)
    assert written.orbit("memo", "backend", "--text", POOR).code == 0
    refused = written.orbit("memo", "backend", "--text", "# backend\n\nAnother.\n", "--expect", seen)
    assert refused.code == 1
    assert (written.pool / ".backend.md").read_text() == POOR
    assert [line.split()[0] for line in log(written)] == [rev(POOR), seen]


def test_a_hand_edit_is_kept_before_it_is_overwritten(written: World) -> None:
    edited = RICH + "- `docs/`: by hand\n"
    (written.pool / ".backend.md").write_text(edited)
    written.orbit("memo", "backend", "--text", POOR)
    assert [line.split()[0] for line in log(written)] == [rev(POOR), rev(edited), rev(RICH)]


def test_a_card_from_before_there_was_a_history_is_kept(written: World) -> None:
    shutil.rmtree(written.pool / ".cards.git")
    written.orbit("memo", "backend", "--text", POOR)
    assert [line.split()[0] for line in log(written)] == [rev(POOR), rev(RICH)]


def test_the_same_text_again_is_no_new_version(written: World) -> None:
    written.orbit("memo", "backend", "--text", RICH)
    written.orbit("memo", "backend", "--refresh")
    assert len(log(written)) == 1


def test_settled_jots_stand_in_the_log(written: World) -> None:
    task = written.root / "task-01"
    written.orbit("jot", "backend", "cmd/worker is the consumer", cwd=task)
    written.orbit("jot", "backend", "--pop", cwd=task)
    written.orbit("memo", "backend", "--text", POOR, cwd=task)
    assert log(written)[1] == "    settled: cmd/worker is the consumer"


def test_restore_settles_nothing(written: World) -> None:
    task = written.root / "task-01"
    written.orbit("memo", "backend", "--text", POOR)
    written.orbit("jot", "backend", "cmd/worker is the consumer", cwd=task)
    written.orbit("jot", "backend", "--pop", cwd=task)
    assert written.orbit("memo", "backend", "--restore", rev(RICH), cwd=task).code == 0
    assert "1 popped, not merged" in written.orbit("jot", "backend", "--list", cwd=task).err


def test_a_history_that_fails_does_not_block_the_write(written: World) -> None:
    shutil.rmtree(written.pool / ".cards.git")
    (written.pool / ".cards.git").write_text("in the way")
    done = written.orbit("memo", "backend", "--text", POOR)
    assert (done.code, done.out) == (0, "wrote memo for backend (brief: A service.)\n")
    assert "orbit: backend: written, but not kept in the history (" in done.err
    assert (written.pool / ".backend.md").read_text() == POOR


def test_a_lost_index_takes_the_head_from_the_history(written: World) -> None:
    written.origins["backend"].commit({"x": "1"})
    written.orbit("sync")
    (written.pool / ".orbit").unlink()
    assert "memo is 1 commits behind HEAD" in written.orbit("repos").err


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("--show", "abcd"), 1, "no version abcd of this card"),
        (("--restore", "abcd"), 1, "no version abcd of this card"),
        (("--show", ""), 1, "no version"),
        (("--log", "--show", "abcd"), 2, "--log and --show exclude each other"),
        (("--restore", "abcd", "--text", "x"), 2, "--restore and --text exclude each other"),
        (("--log", "--expect", "abcd"), 2, "--log and --expect exclude each other"),
    ],
)
def test_bad_words(written: World, words: tuple[str, ...], code: int, says: str) -> None:
    refused = written.orbit("memo", "backend", *words)
    assert (refused.code, refused.out) == (code, "")
    assert says in refused.err
    assert (written.pool / ".backend.md").read_text() == RICH


def test_without_versions(world: World) -> None:
    world.clone()
    assert world.orbit("memo", "backend", "--log") == (0, "", "orbit: backend: no versions of this card\n")

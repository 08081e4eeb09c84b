from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from cards import card
from counted_git import counted_git
from orbit.knowledge.card import revision
from pool_files import NOBODY, advance, head_of, known_clone, put_card, put_row
from shapes import json_of
from world import README, Outcome, World, run_git

REV = revision(card().encode())
SAID = f"orbit: backend: revision {REV[:12]}\n"
RENEW = "memo backend with what changed, or memo backend --refresh if the card still holds"
SHOWN = "orbit: backend: no memo yet, showing README.md\n"
NOTHING = "orbit: backend: no memo and no README\n"


def behind(commits: int, note: str = "") -> str:
    return f"orbit: backend: memo is {commits} commits behind HEAD{note}: {RENEW}\n"


def ahead(commits: int) -> str:
    return f"orbit: backend: {commits} new commits on origin/main: sync backend\n"


def info(world: World, *words: str, **named: Any) -> Any:
    outcome = world.orbit("info", *words, "--json", **named)
    assert outcome.code == 0
    return json_of("info", outcome)


# --- the card --------------------------------------------------------------------------------------------------------


def test_the_card_in_full(world: World) -> None:
    known_clone(world)
    text = card(paths=60)
    put_card(world, text=text)
    rev = revision(text.encode())
    assert world.orbit("info", "backend") == Outcome(0, text, f"orbit: backend: revision {rev[:12]}\n")


def test_the_shape(world: World) -> None:
    known_clone(world)
    expected = {
        "repo": "backend",
        "content": card(),
        "remoteAhead": 0,
        "memoBehind": 0,
        "source": "memo",
        "revision": REV,
        "memoHead": head_of(world),
        "poolHead": head_of(world),
        "memoState": "ok",
        "staleness": "fresh",
        "evidence": {"paths": [], "commits": 0},
    }
    assert info(world, "backend") == expected
    put_row(world, head="")
    assert info(world, "backend") == expected | {
        "memoBehind": None,
        "memoHead": None,
        "staleness": "unknown",
        "evidence": {"paths": [], "commits": None},
    }
    (world.pool / ".backend.md").unlink()
    without = {"content": README, "source": "readme", "revision": None, "memoState": "none", "staleness": "none"}
    assert info(world, "backend") == expected | without | {"memoHead": None}


def test_the_revision_serves_a_write(world: World) -> None:
    world.clone()
    world.orbit("memo", "backend", stdin=card())
    told = world.orbit("info", "backend").err.split()[-1]
    assert world.orbit("memo", "backend", "--expect", told, stdin=card("Another brief.")).code == 0
    assert world.orbit("memo", "backend", "--expect", told, stdin=card("A third one.")).code == 1


def test_several_at_once(world: World) -> None:
    known_clone(world)
    world.clone("web")
    put_card(world, text="# backend\n\n--- web ---\n\nNot the other one.\n\n\n")
    outcome = world.orbit("info", "backend", "web", "backend")
    assert outcome.out == (f"--- backend ---\n# backend\n\n --- web ---\n\nNot the other one.\n--- web ---\n{README}")
    told = [line.split(": ")[1:3] for line in outcome.err.splitlines()]
    assert told[0][0] == "backend"
    assert told[-1] == ["web", "no memo yet, showing README.md"]
    assert [found["repo"] for found in info(world, "backend", "web")] == ["backend", "web"]


@pytest.mark.parametrize(
    ("names", "lines"),
    [
        (["backen"], ["orbit: backen: not in the pool (.repos/)", "orbit: backen: did you mean backend?"]),
        (["zebra"], ["orbit: zebra: not in the pool (.repos/)"]),
        (["backend", "zebra"], ["orbit: zebra: not in the pool (.repos/)"]),
        (["notes"], ["orbit: notes: not in the pool (.repos/)"]),
        (["../backend"], ["orbit: ../backend: not a repository name (letters, digits, . _ -)"]),
        (["a\x1b[2Jb"], ["orbit: ab: not a repository name (letters, digits, . _ -)"]),
        ([""], ["orbit: repo: not a repository name (letters, digits, . _ -)"]),
    ],
)
def test_a_name_that_is_none_is_refused(world: World, names: list[str], lines: list[str]) -> None:
    known_clone(world)
    (world.pool / "notes").mkdir()
    for words in ([], ["--json"]):
        outcome = world.orbit("info", *names, *words)
        assert (outcome.code, outcome.out) == (1, "")
        assert outcome.err.splitlines() == lines


@pytest.mark.parametrize("words", [[], ["--json"], ["--full", "backend"], ["--json=1", "backend"]])
def test_wrong_usage(world: World, words: list[str]) -> None:
    outcome = world.orbit("info", *words)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("orbit: info: ")


def test_it_runs_anywhere_in_a_project(world: World, tmp_path: Path) -> None:
    known_clone(world)
    task = world.workspace()
    path = world.worktree()
    for place in (world.root, task, path, world.pool):
        assert world.orbit("info", "backend", cwd=place) == Outcome(0, card(), SAID)
    assert sorted(os.listdir(task)) == ["backend"], "looking makes no metadata"
    outside = world.orbit("info", "backend", cwd=tmp_path)
    assert (outside.code, outside.out) == (1, "")


# --- the README ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["README", "README.rst", "readme.TXT", "Readme.adoc", "README.org", ".github/README.md", "docs/readme.rdoc"]
)
def test_without_a_card_the_readme(world: World, name: str) -> None:
    clone = world.clone()
    (clone / "README.md").unlink()
    (clone / name).parent.mkdir(exist_ok=True)
    (clone / name).write_text("What it is\n")
    assert world.orbit("info", "backend") == Outcome(
        0, "What it is\n", f"orbit: backend: no memo yet, showing {name}\n"
    )


@pytest.mark.parametrize("data", [None, b"", b" \n\n\t\n", b"text\0with NUL\n"])
def test_neither_card_nor_readme(world: World, data: bytes | None) -> None:
    clone = world.clone()
    if data is None:
        world.git(clone, "rm", "-q", "README.md")
        world.git(clone, "commit", "-q", "-m", "No README")
        world.git(clone, "push", "-q", "origin", "main")
    else:
        (clone / "README.md").write_bytes(data)
    assert world.orbit("info", "backend") == Outcome(0, "", NOTHING)
    found = info(world, "backend")
    assert (found["content"], found["source"], found["revision"]) == ("", "none", None)


def test_a_readme_that_only_head_has(world: World) -> None:
    clone = world.clone()
    (clone / "README.md").unlink()
    assert world.orbit("info", "backend") == Outcome(0, README, SHOWN)


def test_a_link_out_of_the_repository_is_not_followed(world: World) -> None:
    clone = world.clone()
    secret = world.base / "secret"
    secret.write_text("secret\n")
    world.git(clone, "rm", "-q", "README.md")
    (clone / "README.md").symlink_to(secret)
    world.git(clone, "add", "--all")
    world.git(clone, "commit", "-q", "-m", "A link")
    outcome = world.orbit("info", "backend")
    assert outcome.out == ""
    assert NOTHING in outcome.err


@pytest.mark.parametrize(
    ("text", "shown", "cut"),
    [
        ("1\n" * 16, "1\n" * 16, False),
        ("1\n" * 17, "1\n" * 16, True),
        ("1\n" * 16 + "\n\n", "1\n" * 16, False),
        ("1\r\n" * 16, "1\n" * 16, False),
        ("x" * 4095, "x" * 4095 + "\n", False),
        ("x" * 4096, "x" * 4095 + "\n", True),
        ("x" * 3000 + "\n" + "y" * 3000, "x" * 3000 + "\n" + "y" * 1094 + "\n", True),
        ("é" * 3000, "é" * 2047 + "\n", True),
        ("x" * (200 * 1024), "x" * 4095 + "\n", True),
        ("\x1b[31mred\x1b[0m\n", "red\n", False),
    ],
)
def test_a_long_readme_is_cut(world: World, text: str, shown: str, *, cut: bool) -> None:
    (world.clone() / "README.md").write_text(text, newline="")
    told = "orbit: backend: no memo yet, showing README.md" + (" (cut)\n" if cut else "\n")
    assert world.orbit("info", "backend") == Outcome(0, shown, told)
    assert len(shown.encode()) <= 4096


def test_the_cut_follows_the_settings(world: World) -> None:
    (world.clone() / "README.md").write_text("12345\n" * 10)
    (world.pool / ".orbit").write_text("[memo]\n\tmaxLines = 5\n\tmaxBytes = 20\n")
    assert world.orbit("info", "backend").out == "12345\n12345\n12345\n1\n"
    (world.pool / ".orbit").write_text("[memo]\n\tmaxLines = 5\n\tmaxBytes = 200000\n")
    assert world.orbit("info", "backend").out == "12345\n" * 5
    (world.pool / "backend" / "README.md").write_text("x" * 150_000)
    outcome = world.orbit("info", "backend")
    assert outcome.err.endswith("(cut)\n"), "only its first 128 KiB are read"
    assert len(outcome.out) == 128 * 1024 + 1


# --- how fresh -------------------------------------------------------------------------------------------------------


def test_the_cascade(world: World) -> None:
    """before sync: memo <-0-> pool <-5-> origin; after sync: memo <-5-> pool <-0-> origin"""
    assert world.orbit("clone", world.origin().url).code == 0
    assert world.orbit("memo", "backend", stdin=card()).code == 0
    for number in range(5):
        world.origins["backend"].commit({"file.txt": f"{number}\n"})
    assert world.orbit("info", "backend").err == SAID, "nothing was fetched yet"
    world.git(world.pool / "backend", "fetch", "-q")
    assert world.orbit("info", "backend").err == SAID + ahead(5)
    found = info(world, "backend")
    assert (found["memoBehind"], found["remoteAhead"], found["staleness"]) == (0, 5, "fresh")
    assert world.orbit("repos").err == "", "the roster looks at the card only"

    assert world.orbit("sync", "backend").code == 0
    assert world.orbit("info", "backend").err == SAID + behind(5)
    found = info(world, "backend")
    assert (found["memoBehind"], found["remoteAhead"], found["staleness"]) == (5, 0, "behind")
    assert world.orbit("repos").err == behind(5)
    assert (world.pool / ".backend.md").read_text() == card(), "sync does not touch the card"

    assert world.orbit("memo", "backend", "--refresh").code == 0
    assert world.orbit("info", "backend").err == SAID


@pytest.mark.parametrize("head", [NOBODY, "", "rubbish"])
def test_a_distance_that_is_unknown(world: World, head: str) -> None:
    known_clone(world)
    put_row(world, head=head)
    outcome = world.orbit("info", "backend")
    reason = {
        NOBODY: "the card's commit is gone from the clone",
        "": "no head was recorded with the card",
        "rubbish": "the head recorded with the card is not a commit name",
    }[head]
    assert outcome == Outcome(0, card(), f"{SAID}orbit: backend: memo distance unknown, {reason}: {RENEW}\n")
    assert info(world, "backend")["memoBehind"] is None


def test_rewritten_history(world: World) -> None:
    known_clone(world)
    world.origins["backend"].commit()
    world.git(world.pool / "backend", "fetch", "-q")
    world.git(world.pool / "backend", "reset", "-q", "--hard", "HEAD~2")
    told = behind(0, " (history rewritten, 2 dropped)")
    assert world.orbit("info", "backend").err == SAID + told + ahead(3)
    assert info(world, "backend")["staleness"] == "rewritten"


def test_a_lost_index(world: World) -> None:
    known_clone(world)
    (world.pool / ".orbit").unlink()
    assert world.orbit("info", "backend").err == (
        f"{SAID}orbit: backend: memo distance unknown, no head was recorded with the card: {RENEW}\n"
    )


def test_no_staleness_without_a_card(world: World) -> None:
    world.clone()
    put_row(world, head=NOBODY)
    assert world.orbit("info", "backend") == Outcome(0, README, SHOWN)


def test_fresh_cards_cost_no_git_and_stale_ones_are_counted_once(world: World, tmp_path: Path) -> None:
    known_clone(world)
    with counted_git(tmp_path) as calls:
        assert world.orbit("info", "backend").err == SAID
        assert calls.lines == []
        advance(world, commits=2)
        before = len(calls.lines)
        # The pool is ahead of upstream by what the test committed there: both layers are counted.
        assert world.orbit("info", "backend").err == SAID + behind(2)
        counted = len(calls.lines) - before
        assert counted <= 2
        assert world.orbit("info", "backend").err == SAID + behind(2)
        assert len(calls.lines) - before == counted


def test_a_blobless_clone_offline(world: World) -> None:
    origin = world.origin()
    run_git(origin.path, "config", "uploadpack.allowFilter", "true")
    assert world.orbit("clone", "--filter", "blob:none", f"file://{origin.path}").code == 0
    clone = world.pool / "backend"
    origin.commit({"src/app.py": "print(3)\n"})
    world.git(clone, "fetch", "-q")
    objects = run_git(clone, "count-objects", "-v")
    shutil.rmtree(origin.path)
    assert world.orbit("info", "backend") == Outcome(0, README, SHOWN + ahead(1))
    put_card(world)
    put_row(world, head=head_of(world))
    assert world.orbit("info", "backend") == Outcome(0, card(), SAID + ahead(1))
    (world.pool / ".backend.md").unlink()
    (clone / "README.md").unlink()
    assert world.orbit("info", "backend").code == 0
    assert run_git(clone, "count-objects", "-v") == objects


# --- what does not stop it -------------------------------------------------------------------------------------------


def test_a_card_that_cannot_be_read(world: World) -> None:
    world.clone()
    (world.pool / ".backend.md").mkdir()
    outcome = world.orbit("info", "backend")
    damaged = "orbit: .repos/.backend.md: cannot be used (is a directory)\n"
    assert outcome == Outcome(0, README, damaged + SHOWN)
    assert info(world, "backend")["source"] == "readme"


def test_a_card_that_is_no_text(world: World) -> None:
    world.clone()
    put_card(world, text=b"\xef\xbb\xbf# caf\xe9\n\x1b[2J\x00text\x9b \xe2\x80\xae\n")
    outcome = world.orbit("info", "backend")
    assert outcome.out == "# caf\N{REPLACEMENT CHARACTER}\ntext\N{REPLACEMENT CHARACTER} \n"
    assert info(world, "backend")["content"] == outcome.out


def test_an_empty_card_is_a_card(world: World) -> None:
    world.clone()
    put_card(world, text="")
    put_row(world, head=head_of(world))
    outcome = world.orbit("info", "backend")
    assert (outcome.code, outcome.out) == (0, "")
    assert outcome.err == f"orbit: backend: revision {revision(b'')[:12]}\n"
    assert info(world, "backend")["memoState"] == "thin"


@pytest.mark.parametrize("damage", ["garbage", "a file", "locked away"])
def test_the_cache_never_matters(world: World, damage: str) -> None:
    known_clone(world)
    advance(world)
    cache = world.pool / ".cache"
    task = world.workspace()
    if damage == "garbage":
        cache.mkdir()
        (cache / "orbit-1.sqlite").write_bytes(b"no database" * 100)
        (cache / "read").write_text("")
    elif damage == "a file":
        cache.write_text("")
    else:
        cache.symlink_to("/proc/self/nothing")
    for _ in range(2):
        assert world.orbit("info", "backend", cwd=task) == Outcome(0, card(), SAID + behind(1))


def test_damaged_index(world: World) -> None:
    known_clone(world)
    (world.pool / ".orbit").write_text("[repos\n")
    outcome = world.orbit("info", "backend")
    assert (outcome.code, outcome.out) == (0, card())
    assert outcome.err.startswith("orbit: .repos/.orbit: cannot be used (")
    assert (world.pool / ".orbit").read_text() == "[repos\n", "info repairs nothing"

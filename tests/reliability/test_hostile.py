"""Hostile text through every surface that shows any: nothing of it steers, forges a line or leaves its frame.

One call says it to every place that takes text, then everything that prints is read.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from reliability.hostile import BYTES, HOSTILE, harmful
from reliability.scene import reading
from world import Outcome, World

ALL = {**{name: text.encode("utf-8", "surrogatepass") for name, text in HOSTILE.items()}, **BYTES}
HOSTS = ("claude", "codex", "copilot")


@pytest.mark.parametrize("name", ALL)
def test_no_surface_passes_it_on(world: World, name: str) -> None:
    data = ALL[name]
    task = put_everywhere(world, data)
    for words in [words for _, (_, words) in reading(world.root, task).items()]:
        assert_harmless(world.orbit(*words, cwd=task), words)
    for event, host in (("session-start", "claude"), ("prompt", "codex"), ("subagent-start", "claude")):
        asked = json.dumps(
            {"session_id": "s", "cwd": str(task), "prompt": data.decode("utf-8", "replace"), "source": "startup"}
        )
        told = world.orbit("hook", event, "--host", host, cwd=task, stdin=asked)
        assert_harmless(told, ("hook", event))


def put_everywhere(world: World, data: bytes) -> Path:
    """Into README, card, goal, jots, index, branch, file and commit names, wherever that place can take it."""
    text = data.decode("utf-8", "surrogateescape")
    readme = b"# backend\n\nIt is " + data + b" for all.\n"
    origin = world.origin(files={"README.md": readme, "docs/a b.md": "x\n"})
    origin.commit({"src/app.py": "x\n"}, message=data.decode("utf-8", "replace").replace("\0", ""))
    world.clone()
    world.clone("frontend")
    task = world.workspace()
    world.worktree()
    (world.pool / ".backend.md").write_bytes(b"It is " + data + b" too.\n\n- src/" + data[:200] + b"\n")
    world.orbit("memo")
    typed = text.replace("\0", "")
    for words in (
        ["goal", typed],
        ["jot", "backend", typed],
        ["memo", "frontend", "--text", f"# frontend\n\n{typed}\n"],
    ):
        assert_harmless(world.orbit(*words, cwd=task), words)
    for words in (
        ["add", typed],
        ["info", typed],
        ["jot", typed, "x"],
        ["switch", "-c", typed],
        ["repos", typed],
        ["done", "--pr", typed],
        ["new", "x", "--name", typed],
        ["config", typed],
        ["config", "memo.maxLines", typed],
        ["clone", typed, "--name", typed],
        ["memo", "backend", "--expect", typed],
        ["memo", "backend", "--restore", typed],
        [typed],
        ["context", typed],
    ):
        outcome = world.orbit(*words, cwd=task)
        assert_harmless(outcome, words)
    with open(world.pool / ".orbit", "ab") as index:
        value = data.replace(b"\\", b"").replace(b'"', b"").replace(b"\n", b"\\n").replace(b"\0", b"")
        index.write(b'[repos "frontend"]\n\tbrief = "' + value + b'"\n[explore]\n\tpaths = "' + value + b'"\n')
    branch = (
        re.sub(rb"[\0-\x20\x7f~^:?*\[\\]|\.\.|@\{|/", b"", data)[:80].strip(b".-/").decode("utf-8", "surrogateescape")
    )
    if branch and not branch.endswith(".lock"):
        tip = world.git(world.pool / "backend", "rev-parse", "HEAD")
        world.git(task / "backend", "update-ref", f"refs/heads/x-{branch}", tip)
        world.git(task / "backend", "symbolic-ref", "HEAD", f"refs/heads/x-{branch}")
    file = re.sub(rb"[\0/]", b"", data)[:80]
    (task / "backend" / file.decode("utf-8", "surrogateescape")).write_text("x")
    return task


def assert_harmless(outcome: Outcome, words: object) -> None:
    shown = (words, outcome.code, outcome.out[:400], outcome.err[:400])
    assert outcome.code in (0, 1, 2), shown
    assert "internal: " not in outcome.err, shown
    for stream in (outcome.out, outcome.err):
        assert harmful(stream) == [], shown
    assert "orbit: forged" not in [line[:13] for line in outcome.err.split("\n")], shown
    if outcome.out.startswith("<orbit-context"):
        assert len(re.findall(r"<[\s/]*orbit-context", outcome.out, re.IGNORECASE)) == 2, shown

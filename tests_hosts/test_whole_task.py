"""One task from the first prompt to `done` in real clients: the stub plays a model that goes by the block it reads."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest

from beds import Notes
from drivers import Bed
from project import GOAL, JOT
from stub_model import PLAY
from wires import strings_in

BRANCH = "arrival"
FOUND = "an order says in its first line when it arrives"
CARD = f"""# backend

Keeps the orders, sends them on and says when they arrive.

## Where to start

- `src/app.py` holds the loop; {FOUND}
- {JOT}
"""

# With what each client runs every command that the model asks for: what is asked for by itself is test_hosts.py's.
FREELY = {
    "claude": ("--allowedTools", "Bash"),
    "codex": ("--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox"),
    "opencode": ("--auto",),
    "gemini": ("--yolo",),
    "qwen": ("--yolo",),
    "copilot": ("--allow-all-tools",),
}
# Gemini CLI takes the user's git config away from its shell.
GIT = "git -c user.name=Tester -c user.email=tester@example.com"

pytestmark = pytest.mark.parametrize("bed", FREELY, indirect=True)


def commands_by_the_block(body: Any) -> list[str]:
    """What a model does that has read where it is, what for, and which repository has something to say about it."""
    texts = [unescape(text) for _, text in strings_in(body)]
    (block,) = {
        block for text in texts for block in re.findall(r"<orbit-context>\n.*?</orbit-context>", text, re.DOTALL)
    }
    goal = re.findall(r"^goal: (.+)$", block, re.MULTILINE)[0]
    repo = re.findall(r"^repo (\S+): ", block, re.MULTILINE)[0]
    return [
        "orbit repos order",
        f"orbit info {repo}",
        f"orbit add {repo}",
        f"orbit switch -c {repo} {BRANCH}",
        f"printf 'print(\"arrived\")\\n' >> {repo}/src/app.py",
        f"{GIT} -C {repo} commit -qam '{goal}'",
        f"orbit jot {repo} '{FOUND}'",
        f"orbit jot {repo} --pop",
        f"orbit memo {repo} --text '{CARD}'",
        "orbit done",
    ]


def test_a_whole_task(bed: Bed, notes: Notes) -> None:
    assert bed.orbit("setup", bed.host, "--yes").code == 0
    bed.stub.script = commands_by_the_block
    done = bed.prompt(f"{PLAY}: {GOAL}", more=FREELY[bed.host])
    results = bed.stub.results()
    assert len(results) == 10, (done.told(), results)
    assert FOUND in results[7], "the jot comes back as the queue is taken"
    assert JOT in results[7]

    assert bed.orbit("info", "backend").out == CARD
    log = bed.orbit("memo", "backend", "--log").out
    assert len(re.findall(r"^[0-9a-f]{12}  ", log, re.MULTILINE)) == 2, log
    assert FOUND in log, "the history says which jots the card took in"
    assert JOT in log
    row = next(row for row in json.loads(bed.orbit("repos", "--json").out) if row["name"] == "backend")
    assert row["memoBehind"] == 0
    assert row["brief"].startswith("Keeps the orders, sends them on")

    tree = bed.task / "backend"
    log = bed.run("git", "log", "-1", "--format=%s %D", cwd=tree).out
    assert log.startswith(f"{GOAL} HEAD -> "), log
    assert BRANCH in log
    assert bed.run("git", "status", "--porcelain", cwd=tree).out == ""
    assert "done" in bed.orbit("context", "state", cwd=bed.task).out
    assert bed.orbit("jot", "backend", "--list", cwd=bed.task).out == ""
    notes("task", "read, added, changed, committed, jotted, wrote the card, done")

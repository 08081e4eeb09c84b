"""orbit in the real clients, against a stub of the model on 127.0.0.1: `make test-hosts`.

The tests of one client build on each other in their order: set up, sessions, removal. Contract: hosts.md.
"""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

import codex_server
import opencode_server
from beds import Notes
from drivers import SESSIONS, Bed
from orbit.hosts.source import PACKAGED
from project import GOAL, JOT
from stub_model import PLAY, SENTENCE, Request
from wires import strings_in

OPEN, CLOSE = "<orbit-context>", "</orbit-context>"
SKILL = re.findall(r"^description: (.{40})", (Path(PACKAGED) / "skills/orbit/SKILL.md").read_text(), re.MULTILINE)[0]

pytestmark = pytest.mark.parametrize("bed", SESSIONS, indirect=True)


def blocks(request: Request) -> list[tuple[str, str]]:
    """(where, the block) for every block in a request."""
    found = []
    for where, text in strings_in(request.body):
        found += [(where, block) for block in re.findall(f"{OPEN}\n.*?{CLOSE}", unescape(text), re.DOTALL)]
    return found


def half_blocks(request: Request) -> int:
    """How often a block begins or ends; the skill names the block's first word within its sentences."""
    texts = [unescape(text) for _, text in strings_in(request.body)]  # Qwen Code hands it on with &lt; and &gt;
    return sum(text.count(f"{OPEN}\n") + text.count(CLOSE) for text in texts)


def is_whole(block: str) -> bool:
    return GOAL in block and JOT in block and "backend" in block


def first_talk(bed: Bed) -> Request:
    talks = bed.stub.talks()
    assert talks, [request.path for request in bed.stub.requests]
    return talks[0]


def trust_hooks(bed: Bed) -> None:
    """What a user of Codex does in its own dialogue: trust the hooks that it shows."""
    asked = [
        {"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "test", "version": "0"}}},
        {"method": "initialized"},
        {"id": 2, "method": "hooks/list", "params": {"cwds": [str(bed.task)]}},
    ]
    from orbit.hosts.run import ask_server

    program = str(bed.bin / "codex")
    listed = ask_server([program, "app-server"], bed.env(), str(bed.task), asked, 60)
    hooks = [hook for entry in listed["data"] for hook in entry["hooks"]]
    assert hooks
    value = {hook["key"]: {"trusted_hash": hook["currentHash"]} for hook in hooks}
    edit = {"keyPath": "hooks.state", "mergeStrategy": "upsert", "value": value}
    asked[2] = {"id": 2, "method": "config/batchWrite", "params": {"edits": [edit]}}
    ask_server([program, "app-server"], bed.env(), str(bed.task), asked, 60)


def test_a_setup_does_what_it_says_and_the_host_lists_it(bed: Bed, notes: Notes) -> None:
    dry = bed.orbit("setup", bed.host, "--dry-run")
    assert dry.code == 0, dry.told()
    assert bed.files() == bed.before
    refused = bed.orbit("setup", bed.host)
    assert refused.code == 1, refused.told()
    assert refused.out == dry.out
    done = bed.orbit("setup", bed.host, "--yes")
    assert done.code == 0, done.told()
    assert done.out.startswith(dry.out)
    assert f"{bed.host}: has orbit" in done.out
    again = bed.orbit("setup", bed.host, "--yes")
    assert again.code == 0, again.told()
    assert "nothing to do" in again.out
    notes("a", "yes, twice")


def test_a_setup_tells_of_trust_that_only_the_user_gives(bed: Bed, notes: Notes) -> None:
    if bed.host != "codex":
        pytest.skip("Codex alone wants each hook trusted")
    told = bed.orbit("setup")
    assert "hooks of orbit are not trusted yet" in told.err, told.told()
    bed.prompt("Hello")
    assert blocks(first_talk(bed)) == []
    trust_hooks(bed)
    told = bed.orbit("setup")
    assert "not trusted" not in told.out + told.err, told.told()
    notes("a", "hooks to be trusted by the user")


def test_b_the_block_arrives_whole_and_once(bed: Bed, notes: Notes) -> None:
    done = bed.prompt("Hello")
    request = first_talk(bed)
    found = blocks(request)
    assert len(found) == 1, (done.told(), [path for path, _ in found])
    assert half_blocks(request) == 2
    where, block = found[0]
    assert is_whole(block)
    assert bed.driver
    assert len(block.encode()) <= bed.driver.limit
    role = re.match(r"(messages|input|contents)\[(\d+)\]", where)
    spoken = request.body[role[1]][int(role[2])].get("role", "") if role else ""
    notes("where", f"POST {request.path.partition('?')[0]}, {where}" + (f", role {spoken}" if spoken else ""))
    notes("b", f"yes, {len(block.encode())} bytes")


def test_b_below_a_worktree_it_is_the_same_workspace(bed: Bed) -> None:
    deep = bed.task / "notes" / "deep"
    deep.mkdir(parents=True, exist_ok=True)
    bed.prompt("Hello", cwd=deep)
    assert [is_whole(block) for _, block in blocks(first_talk(bed))] == [True]


def test_c_outside_a_workspace_nothing_arrives(bed: Bed) -> None:
    for place in (bed.outside, bed.root):
        bed.prompt("Hello", cwd=place)
        assert half_blocks(first_talk(bed)) == 0, place


def test_d_resume_has_the_block(bed: Bed, notes: Notes) -> None:
    bed.prompt("Hello")
    bed.prompt("Hello again", resume=True)
    request = first_talk(bed)
    assert request.asked
    assert any(SENTENCE in turn.text for turn in request.asked.turns), "the session was not taken up again"
    found = blocks(request)
    assert found
    assert is_whole(found[-1][1]) or GOAL in found[-1][1]
    notes("d", f"resume: {len(found)} in the request")


# The host's own way to compact, where it can be driven to it without a terminal: (prompt, more words).
COMPACTS = {"claude": ("/compact", ()), "codex": ("Go on", ("-c", "model_auto_compact_token_limit=12"))}
NO_COMPACTION = {
    "gemini": "has no event for it: the block is gone until the next session",
    "qwen": "not driven to it",
    "copilot": "tells of it and takes no text: the block comes with the next prompt",
}


def test_d_after_compaction_the_block_is_there(bed: Bed, notes: Notes) -> None:
    if bed.host == "opencode":
        with opencode_server.serving(bed) as server:
            session = server.begin()
            server.say(session, "Hello")
            server.compact(session)
            compacted = len(bed.stub.requests)
            server.say(session, "Go on")
        assert len(bed.stub.requests) > compacted
        request = bed.stub.talks()[-1]
        assert request.asked
        assert not any("Hello" in turn.text for turn in request.asked.turns), "nothing was compacted"
        assert [GOAL in block for _, block in blocks(request)] == [True]
        notes("d", "compaction: in every request")
        return
    if bed.host not in COMPACTS:
        notes("d", f"compaction: {NO_COMPACTION[bed.host]}")
        pytest.skip(NO_COMPACTION[bed.host])
    bed.prompt("Hello")
    prompt, more = COMPACTS[bed.host]
    bed.prompt(prompt, resume=True, more=more)
    assert len(bed.stub.requests) > (0 if bed.host == "claude" else 1), "nothing was compacted"
    if bed.host == "claude":
        bed.prompt("Go on", resume=True)
    found = blocks(bed.stub.talks()[-1])
    assert found
    assert GOAL in found[-1][1]
    notes("d", "compaction: sent again")


# A refusal ends the turn there, so that each command has a turn of its own.
ENDS_AT_A_REFUSAL = ("opencode",)


def play(bed: Bed, *commands: str, escalated: bool = False) -> list[str]:
    """The model calls the shell with each; what it was told of each."""
    bed.called()
    bed.stub.commands, bed.stub.escalated = list(commands), escalated
    assert bed.driver
    prompt = f"{PLAY} now"
    bed.stub.clear()
    turn = {"codex": codex_server.turn, "opencode": opencode_server.turn}.get(bed.host)
    done = turn(bed, prompt) if turn else bed.prompt(prompt, more=bed.driver.asks)
    results = bed.stub.results()
    assert len(results) == len(commands) or bed.host in ENDS_AT_A_REFUSAL, (results, done.told())
    return results


# Without a terminal it refuses every question at once, before a hook could answer it.
REFUSES_AT_ONCE = ("qwen",)


def skip_where_nobody_can_answer(bed: Bed, notes: Notes) -> None:
    if bed.host in REFUSES_AT_ONCE:
        notes("e", "without a terminal it refuses before orbit can answer")
        pytest.skip("without a terminal it refuses before orbit can answer")


def test_e_what_reads_and_builds_up_runs_unasked(bed: Bed, notes: Notes) -> None:
    skip_where_nobody_can_answer(bed, notes)
    found = "the retry waits two seconds"
    shown, _ = play(bed, "orbit info backend", f"orbit jot backend '{found}'")
    assert "Keeps the orders" in shown, shown
    assert found in bed.orbit("jot", "backend", "--list", cwd=bed.task).out
    notes("e", "info and jot run unasked")


def test_e_a_card_is_written_unasked(bed: Bed, notes: Notes) -> None:
    """Codex: this one leaves the sandbox by the word of orbit's hook, since no rule allows `memo`."""
    skip_where_nobody_can_answer(bed, notes)
    card = "# frontend\n\nShows the orders.\n\n## Where to start\n\n- `src/app.py` draws the page\n"
    (told,) = play(bed, f"orbit memo frontend --text '{card}'", escalated=True)
    assert "Shows the orders." in bed.orbit("info", "frontend").out, told
    notes("e", "memo too")


def test_e_what_destroys_or_is_no_plain_orbit_command_is_not_let_through(bed: Bed, notes: Notes) -> None:
    """Codex: what is asked for is to leave the sandbox; within it nothing outside the workspace can be changed."""
    escaped = bed.outside / "escaped"
    commands = ("orbit prune", f"orbit repos; touch {escaped}", "orbit sync --force")
    turns = [(command,) for command in commands] if bed.host in ENDS_AT_A_REFUSAL else [commands]
    told, ran = [], []
    for turn in turns:
        told += play(bed, *turn, escalated=True)
        ran += bed.called()
    assert [line for line in ran if line.startswith(("prune", "sync"))] == [], told
    assert not escaped.exists(), told
    notes("e", "prune, a second command and sync --force are refused")


def test_f_the_skill_is_listed(bed: Bed) -> None:
    bed.prompt("Hello")
    assert any(SKILL in text for _, text in strings_in(first_talk(bed).body))


def test_g_removed_the_hosts_files_are_as_they_were(bed: Bed) -> None:
    done = bed.orbit("setup", bed.host, "--remove", "--yes")
    assert done.code == 0, done.told()
    assert bed.files() == bed.before
    assert not (bed.home / ".local/share/orbit").exists()
    for name in (".codex/rules/orbit.rules", ".gemini/policies/orbit.toml"):
        assert not (bed.home / name).exists()
    bed.prompt("Hello")
    assert half_blocks(first_talk(bed)) == 0
    assert not any(SKILL in text for _, text in strings_in(first_talk(bed).body))

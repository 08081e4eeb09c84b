"""The skill and its situations: every command they name is one the program takes, every situation ends as it says."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from orbit.commands import TABLE
from orbit.commands.arguments import Usage, read_words
from orbit.hosts.approve import UNASKED
from situations import CHECKS, differences, make, play, project_files
from world import World

SKILLS = Path(__file__).parents[2] / "src" / "orbit" / "hosts" / "tree" / "skills"
SKILL = (SKILLS / "orbit" / "SKILL.md").read_text(encoding="utf-8")
CONSTRAINTS = (SKILLS / "CONSTRAINTS.md").read_text(encoding="utf-8")
SITUATIONS: list[dict[str, Any]] = json.loads((SKILLS / "orbit" / "evals.json").read_text("utf-8"))["situations"]
# What a person or a host runs: no skill teaches it.
_NOT_FOR_AGENTS = {"hook", "setup", "mcp", "prune", "completion", "report", "import-dir"}
# Commands as the skill shows them: words in capitals and quoted texts stand for values.
_SHOWN = re.compile(r"`orbit ([^`]+)`")


def usage_of(verb: str) -> Usage:
    module = __import__(f"orbit.commands.{TABLE[verb][0]}", fromlist=["USAGE"])
    assert isinstance(module.USAGE, Usage)
    return module.USAGE


def shown(text: str) -> list[list[str]]:
    return [shlex.split(line.replace("REPO...", "REPO").replace("...", "")) for line in _SHOWN.findall(text)]


def options_named(text: str) -> set[str]:
    """Options that stand alone in backticks, for the command of their sentence."""
    return set(re.findall(r"`(--?[a-z][a-z-]*)`", text))


# --- the text --------------------------------------------------------------------------------------------------------


def test_the_description_is_short_and_says_when() -> None:
    _, head, body = SKILL.split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    assert {*fields} == {"name", "description"}
    assert fields["name"] == "orbit"
    assert len(fields["description"]) < 500
    for trigger in ("<orbit-context>", "orbit start", "more than one repository"):
        assert trigger in fields["description"]
    assert ": " not in fields["description"], "YAML would read a mapping"
    assert body.count("\n") < 250
    assert SKILL.isascii()


@pytest.mark.parametrize("page", [SKILL, CONSTRAINTS], ids=["skill", "constraints"])
def test_every_command_shown_is_taken(page: str) -> None:
    commands = [words for words in shown(page) if words != ["start"] and words != ["COMMAND", "--help"]]
    assert len(commands) > 15
    for verb, *rest in commands:
        assert verb in TABLE, verb
        arguments = usage_of(verb).arguments
        options = {name for a in arguments if a.is_option for name in (a.name, a.short) if name}
        assert {word for word in rest if word.startswith("-")} <= options, (verb, rest)
        if rest:
            assert read_words(arguments, rest) is not None, (verb, rest)


@pytest.mark.parametrize("page", [SKILL, CONSTRAINTS], ids=["skill", "constraints"])
def test_every_option_named_exists(page: str) -> None:
    known = {name for verb in TABLE for a in usage_of(verb).arguments if a.is_option for name in (a.name, a.short)}
    assert options_named(page) <= known


def test_the_skill_teaches_every_command_that_is_for_agents() -> None:
    taught = {words[0] for words in shown(SKILL)}
    assert {
        "context",
        "repos",
        "info",
        "sync",
        "new",
        "add",
        "switch",
        "goal",
        "status",
        "done",
        "jot",
        "memo",
    } <= taught
    assert not taught & _NOT_FOR_AGENTS


def test_nothing_about_reclaiming() -> None:
    for page in (SKILL, CONSTRAINTS):
        assert not re.search(r"orbit prune|--force`? (to|in order)|rm -r|\bcd \.\.", page)


def test_the_briefing_can_be_pasted() -> None:
    """A block of its own that needs nothing around it."""
    lines = [line.removeprefix("> ") for line in SKILL.splitlines() if line.startswith("> ")]
    text = " ".join(lines)
    assert 4 <= len(lines) <= 8
    for part in ("PATH", "GOAL", "orbit info REPO", "orbit jot REPO", "cannot run orbit", "Discoveries", ".repos/"):
        assert part in text


def test_the_constraints_have_the_sections_that_documents_point_to() -> None:
    titles = re.findall(r"^## (.+)$", CONSTRAINTS, re.MULTILINE)
    assert {"Sync Decision Rules", "Memo Write-back Rules", "Tiers of approval"} < {*titles}
    assert {"A skill must", "A skill must not"} < {*titles}
    pages = [path.read_text(encoding="utf-8") for path in (SKILLS.parents[4] / "docs").glob("*.md")]
    assert any("skills/CONSTRAINTS.md" in page for page in pages)


def test_the_tiers_are_those_that_approval_knows() -> None:
    """`completion` is for a person's shell: approval knows it, no skill needs it."""
    rows = dict(re.findall(r"^\| ([a-z][^|]+?) +\| (.+?) \|", CONSTRAINTS, re.MULTILINE))
    unasked = {words[0] for tier in ("read", "build up, reversible") for words in shown(rows[tier])}
    assert unasked == {*UNASKED} - {"completion"}
    asked = {words[0] for tier in ("timing is the user's", "shared or destructive") for words in shown(rows[tier])}
    assert not asked & unasked


# --- the situations --------------------------------------------------------------------------------------------------


def command_words(situation: dict[str, Any]) -> list[list[str]]:
    lines = [step if isinstance(step, str) else step.get("run") or step["other"] for step in situation["run"]]
    return [words[1:] for line in lines if (words := shlex.split(line))[0] == "orbit"]


def test_there_are_enough_and_each_has_its_name() -> None:
    names = [situation["id"] for situation in SITUATIONS]
    assert len(names) >= 40
    assert len({*names}) == len(names)
    for situation in SITUATIONS:
        assert {*situation} == {"id", "user", "situation", "given", "at", "run", "then"}
        assert situation["then"], situation["id"]


def test_they_cover_every_command_that_is_exposed() -> None:
    used = {words[0] for situation in SITUATIONS for words in command_words(situation)}
    assert {*TABLE} - used - _NOT_FOR_AGENTS == set()
    assert not used & _NOT_FOR_AGENTS


def test_they_use_only_what_the_parser_takes() -> None:
    for situation in SITUATIONS:
        for verb, *rest in command_words(situation):
            assert read_words(usage_of(verb).arguments, rest) is not None, (situation["id"], verb, rest)


def test_every_kind_of_end_state_occurs() -> None:
    assert {kind for situation in SITUATIONS for kind in situation["then"]} == {*CHECKS, "unchanged"}


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation["id"])
def test_a_situation_ends_as_it_says(world: World, situation: dict[str, Any]) -> None:
    make(world, situation["given"])
    before = project_files(world)
    if "unchanged" not in situation["then"]:
        assert differences(world, situation["then"], before), "the end state holds before anything was done"
    assert play(world, situation["run"], situation["at"]) == []
    assert differences(world, situation["then"], before) == []

from __future__ import annotations

import re
import shlex

import pytest

import orbit
from orbit.cli.help import short_help, verb_help
from orbit.commands import GROUPS, SELDOM, TABLE
from orbit.commands.arguments import Usage, flag, option, positional, read_words
from world import World

_LISTS = "orbit: usage: orbit help lists the commands\n"


@pytest.mark.parametrize(
    "words", [[], ["help"], ["-h"], ["--help"], ["help", "help"], ["help", "-h"], ["-h", "--help"]]
)
def test_orbit_alone_prints_the_short_help(world: World, words: list[str]) -> None:
    done = world.orbit(*words, cwd=world.base)
    assert (done.code, done.out, done.err) == (0, short_help(), "")


def test_the_short_help_groups_every_command() -> None:
    text = short_help()
    assert text.startswith(f"orbit {orbit.__version__}: ")
    starts = [text.index(f"\n{group:<10} ") for group in GROUPS]
    assert starts == sorted(starts)
    for verb, (_, group, summary) in TABLE.items():
        line = text.index(f" {verb:<10} {summary}\n") if verb not in SELDOM else text.index(verb, starts[-1])
        inside = [start for start in starts if start < line]
        assert GROUPS[len(inside) - 1] == group


def test_the_short_help_fits_a_small_terminal() -> None:
    lines = short_help().splitlines()
    assert len(lines) <= 25
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("verb", TABLE)
def test_each_command_explains_itself(world: World, verb: str) -> None:
    ways = [[verb, "--help"], [verb, "-h"], ["help", verb], ["--help", verb], [verb, "x", "-h"], [verb, "--nope", "-h"]]
    shown = [world.orbit(*words, cwd=world.base) for words in ways]
    assert {(done.code, done.err) for done in shown} == {(0, "")}
    assert len({done.out for done in shown}) == 1
    page = shown[0].out
    assert page.startswith(f"usage: orbit {verb}")
    assert page.partition("\nexamples\n")[2].count("\n      ") >= 2
    assert "\nexit status: 0 done, 1 refused or failed (one line says why), 2 wrong usage" in page
    assert "\nsee also: orbit " in page
    assert page.isascii(), "orbit's own words are ASCII"
    assert max(map(len, page.splitlines())) <= 120


@pytest.mark.parametrize("verb", TABLE)
def test_the_examples_are_accepted(verb: str) -> None:
    usage: Usage = __import__(f"orbit.commands.{TABLE[verb][0]}", fromlist=["USAGE"]).USAGE
    for command, _ in usage.examples:
        words = shlex.split(re.split(" [<>|] ", command)[0])
        assert words[0] == "orbit"
        name = {"-v": "version"}.get(words[1], words[1])
        shown: Usage = __import__(f"orbit.commands.{TABLE[name][0]}", fromlist=["USAGE"]).USAGE
        assert read_words(shown.arguments, words[2:]) is not None, command
    assert any(command.split()[1] == verb for command, _ in usage.examples)


def test_a_help_page() -> None:
    usage = Usage(
        forms=("orbit verb REPO [--ref REF]", "orbit verb --all"),
        about="Does it.",
        arguments=(
            positional("REPO", "a repository", "some"),
            option("--an-option-with-a-long-name", "VALUE", "far to the right"),
            flag("--silent", "say less", short="-s"),
            flag("--secret", "not shown").replace(hidden=True),
        ),
        examples=(("orbit verb backend", "does it there"),),
        related=("info", "repos"),
        exits="3 for no reason",
    )
    assert (
        verb_help(usage)
        == """\
usage: orbit verb REPO [--ref REF]
       orbit verb --all

Does it.

  REPO...                     a repository
  --an-option-with-a-long-name VALUE
                              far to the right
  -s, --silent                say less

examples
  orbit verb backend
      does it there

exit status: 0 done, 1 refused or failed (one line says why), 2 wrong usage; 3 for no reason
see also: orbit info, orbit repos
"""
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["repso"], "no such command: repso, did you mean repos?"),
        (["REPOS"], "no such command: REPOS, did you mean repos?"),
        (["stauts", "--json"], "no such command: stauts, did you mean status?"),
        (["help", "jott"], "no such command: jott, did you mean jot?"),
        (["xyzzy"], "no such command: xyzzy"),
        (["--bogus"], "options come after a command: --bogus"),
        (["--json", "repos"], "options come after a command: --json"),
        (["--", "version"], "options come after a command: --"),
        (["pull"], "no such command: pull, did you mean sync?"),
        (["start"], "no such command: start, did you mean context?"),
        (["remove", "task-01"], "no such command: remove"),
        (["ls", "-l"], "no such command: ls, did you mean repos?"),
        ([""], "no such command: (empty)"),
        (["\x1b]0;t\x07x\x1b[2Jyzzy\n"], "no such command: xyzzy "),
    ],
)
def test_an_unknown_command(world: World, words: list[str], told: str) -> None:
    done = world.orbit(*words)
    assert (done.code, done.out, done.err) == (2, "", f"orbit: usage: {told}\n{_LISTS}")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["info"], "info: REPO is missing"),
        (["add", "--reuse"], "add: REPO is missing"),
        (["info", "x", "--jsno"], "info: no such option: --jsno, did you mean --json?"),
        (["info", "x", "--jsno=1"], "info: no such option: --jsno=1, did you mean --json?"),
        (["info", "x", "-z"], "info: no such option: -z"),
        (["info", "-z"], "info: no such option: -z"),
        (["add", "--siletn"], "add: no such option: --siletn, did you mean --silent?"),
        (["add", "--ref", "-z"], "add: --ref needs a value"),
        (["info", "x", "--json=yes"], "info: --json takes no value"),
        (["add", "x", "--ref"], "add: --ref needs a value"),
        (["add", "x", "--ref", "--reuse"], "add: --ref needs a value"),
        (["add", "x", "--re", "v1"], "add: no such option: --re, did you mean --ref?"),
        (["add", "x", "-sx"], "add: -s/--silent takes no value"),
        (["version", "x"], "version: too many arguments: x"),
        (["version", ""], "version: too many arguments: (empty)"),
        (["config", "a", "b", "c"], "config: too many arguments: c"),
        (["jot", "backend", "some", "unquoted", "text"], "jot: too many arguments: unquoted text"),
        (["info", "x", "--js\x1b[2Jno"], "info: no such option: --jsno, did you mean --json?"),
    ],
)
def test_wrong_usage(world: World, words: list[str], told: str) -> None:
    world.clone()
    done = world.orbit(*words)
    first, *usage = done.err.splitlines()
    assert (done.code, done.out, first) == (2, "", f"orbit: {told}")
    assert usage
    assert all(re.match(rf"orbit: {words[0]}: usage: orbit {words[0]}", line) for line in usage)


def test_a_schema_needs_no_other_word(world: World) -> None:
    done = world.orbit("info", "--json-schema", cwd=world.base)
    assert (done.code, done.err) == (0, "")
    assert done.json()["$schema"]
    assert world.orbit("goal", "a", "--json-schema").code == 2


def test_wrong_usage_shows_every_form(world: World) -> None:
    assert world.orbit("goal", "a", "b").err.splitlines() == [
        "orbit: goal: too many arguments: b",
        'orbit: goal: usage: orbit goal ["TEXT"]',
        "orbit: goal: usage: orbit goal --clear",
    ]


def test_a_text_with_blanks_may_begin_with_a_dash(world: World) -> None:
    world.clone()
    workspace = world.workspace()
    for text in (["-x takes a file"], ["--", "-x"], ["--", "--help"]):
        assert world.orbit("jot", "backend", *text, cwd=workspace).code == 0
    listed = world.orbit("jot", "backend", "--list", cwd=workspace)
    assert listed.out.splitlines() == ["-x takes a file", "-x", "--help"]

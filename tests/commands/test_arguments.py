from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from orbit.cli.help import build_parser, to_words
from orbit.commands import TABLE
from orbit.commands.arguments import Argument, Usage, Words, flag, option, positional, read_words

_REPO = positional("REPO", "a repo")
_MAYBE = positional("TEXT", "a text", "optional")
_SOME = positional("REPO", "repos", "some")
_MANY = positional("WORD", "words", "many")
_REF = option("--ref", "REF", "a ref")
_PR = option("--pr", "URL", "a url", repeats=True)
_REUSE = flag("--reuse", "reuse")
_SILENT = flag("--silent", "silent", short="-s")


def read(arguments: tuple[Argument, ...], line: str) -> dict[str, tuple[str, ...]] | None:
    words = read_words(arguments, line.split())
    return None if words is None else dict(words.values)


@pytest.mark.parametrize(
    ("arguments", "line", "found"),
    [
        ((), "", {}),
        ((), "x", None),
        ((_SOME, _REF, _SILENT), "a b", {"repo": ("a", "b")}),
        ((_SOME, _REF, _SILENT), "a --ref v1 b -s", {"repo": ("a", "b"), "ref": ("v1",), "silent": ()}),
        ((_SOME, _REF, _SILENT), "--silent --ref=v1 a", {"repo": ("a",), "ref": ("v1",), "silent": ()}),
        ((_SOME, _REF), "a --ref=", {"repo": ("a",), "ref": ("",)}),
        ((_SOME, _REF), "a --ref=--x=y", {"repo": ("a",), "ref": ("--x=y",)}),
        ((_SOME, _REF), "a --ref -", {"repo": ("a",), "ref": ("-",)}),
        ((_SOME, _REF), "a --ref 1 --ref 2", {"repo": ("a",), "ref": ("2",)}),
        ((_PR,), "--pr a --pr=b", {"pr": ("a", "b")}),
        ((_SOME, _REF), "a --ref", None),
        ((_SOME, _REF), "a --ref -x", None),
        ((_SOME, _REF), "a --ref --", None),
        ((_SOME, _REUSE), "a --reuse=yes", None),
        ((_SOME, _REUSE), "a --reus", None),
        ((_SOME, _REUSE), "a -x", None),
        ((_SOME,), "", None),
        ((_SOME,), "-h", None),
        ((_SOME,), "-", {"repo": ("-",)}),
        ((_MANY,), "", {}),
        ((_REPO, _MAYBE), "", None),
        ((_REPO, _MAYBE), "a", {"repo": ("a",)}),
        ((_REPO, _MAYBE), "a b", {"repo": ("a",), "text": ("b",)}),
        ((_REPO, _MAYBE), "a b c", None),
        ((_MAYBE, _REPO), "a", {"repo": ("a",)}),
        ((_MANY, _REPO), "a b c", {"word": ("a", "b"), "repo": ("c",)}),
        ((_REPO, _MAYBE, _REUSE), "a -- --reuse", {"repo": ("a",), "text": ("--reuse",)}),
        ((_REPO, _MAYBE, _REUSE), "--reuse -- a -h", {"reuse": (), "repo": ("a",), "text": ("-h",)}),
        ((_REPO,), "--", None),
        ((_MAYBE,), "--", {}),
    ],
)
def test_words_read(arguments: tuple[Argument, ...], line: str, found: dict[str, tuple[str, ...]] | None) -> None:
    assert read(arguments, line) == found


def test_words_are_asked_by_key() -> None:
    words = Words({"no_goal": (), "name": ("a",), "pr": ("x", "y")})
    assert words.flag("no_goal")
    assert not words.flag("json")
    assert (words.one("name"), words.one("pr"), words.one("json"), words.one("no_goal")) == ("a", "y", None, None)
    assert (words.many("pr"), words.many("repo")) == (("x", "y"), ())


def test_a_key_is_the_name_in_small_letters() -> None:
    assert [a.key for a in (flag("--no-goal", ""), positional("REPO", ""), _SILENT)] == ["no_goal", "repo", "silent"]
    assert [a.is_option for a in (_SILENT, _REPO)] == [True, False]


# --- what the fast reader takes, argparse reads alike ----------------------------------------------------------------

_COUNTS = ("one", "optional", "some", "many")
_NAMES = ("alpha", "beta", "no-gamma")


@st.composite
def tables(draw: st.DrawFn) -> tuple[Argument, ...]:
    """A verb's arguments: up to three options of any kind, up to three positionals of any count."""
    made: list[Argument] = []
    for name in draw(st.lists(st.sampled_from(_NAMES), unique=True)):
        kind = draw(st.sampled_from(("flag", "short", "value", "repeats")))
        if kind in ("flag", "short"):
            made.append(flag(f"--{name}", "", short=f"-{name[0]}" if kind == "short" else ""))
        else:
            made.append(option(f"--{name}", "X", "", repeats=kind == "repeats"))
    counts = draw(st.lists(st.sampled_from(_COUNTS), max_size=3))
    made += [positional(f"P{number}", "", count) for number, count in enumerate(counts)]
    return tuple(draw(st.permutations(made)))


_WORDS = [
    "v",
    "a b",
    "-a b",
    "-",
    "",
    "--",
    "-1",
    "-w x",
    "--w x",
    "=",
    "-=",
    "---",
    "a=b",
    "-ab",
    "--alph",
    "--x",
    "-a=v",
]


@st.composite
def calls(draw: st.DrawFn) -> tuple[tuple[Argument, ...], list[str]]:
    """A table, and words that mostly fit it."""
    arguments = draw(tables())
    named = [name for a in arguments if a.is_option for name in (a.name, a.short) if name]
    fitting = [*named, *(f"{a.name}={value}" for a in arguments if a.takes for value in ("v", "", "--x", "-"))]
    return arguments, draw(st.lists(st.sampled_from([*fitting, *_WORDS, *(["v"] * len(fitting))]), max_size=6))


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(calls())
def test_argparse_reads_alike(call: tuple[tuple[Argument, ...], list[str]]) -> None:
    arguments, argv = call
    fast = read_words(arguments, argv)
    assume(fast is not None)
    assert fast is not None
    plain, meant = _without_end_of_options(argv)
    slow = to_words(arguments, build_parser("verb", arguments).parse_intermixed_args(plain))
    assert dict(fast.values) == {key: tuple(meant.get(v, v) for v in values) for key, values in slow.values.items()}


def _without_end_of_options(argv: list[str]) -> tuple[list[str], dict[str, str]]:
    """The words with stand-ins for those behind `--`, and what they stand for: argparse loses some `--` there."""
    if "--" not in argv:
        return argv, {}
    end = argv.index("--")
    meant = {f"stand-in {number}": word for number, word in enumerate(argv[end + 1 :])}
    return [*argv[:end], *meant], meant


# --- the tables of the verbs -----------------------------------------------------------------------------------------


def usage_of(verb: str) -> Usage:
    module = __import__(f"orbit.commands.{TABLE[verb][0]}", fromlist=["USAGE"])
    assert isinstance(module.USAGE, Usage)
    return module.USAGE


@pytest.mark.parametrize("verb", TABLE)
def test_each_table_is_one_that_both_readers_can_use(verb: str) -> None:
    arguments = usage_of(verb).arguments
    keys = [a.key for a in arguments]
    assert len(set(keys)) == len(keys)
    assert all(key.isidentifier() for key in keys)
    assert all(a.count in _COUNTS for a in arguments)
    assert all(a.help and not a.help.endswith(".") for a in arguments)
    build_parser(verb, arguments)

"""Help pages and usage errors: argparse, built for the chosen verb only, from the same table as the fast reader."""

from __future__ import annotations

import argparse

from orbit import __version__
from orbit.cli.render import write_text
from orbit.cli.topics import TOPICS
from orbit.commands import GROUPS, SELDOM, TABLE
from orbit.commands.arguments import JSON_SCHEMA, Argument, Usage, Words
from orbit.errors import UsageError
from orbit.text import nearest, safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from orbit.cli.render import Streams

# What other programs call a verb. Nothing leads to one that destroys.
_ALSO_CALLED = {
    "repos": "ls list search find roster",
    "info": "show card read",
    "sync": "pull fetch update",
    "new": "init create workspace",
    "context": "start",
    "add": "worktree",
    "switch": "checkout branch",
    "done": "finish close",
    "jot": "note",
    "config": "settings set get",
    "doctor": "check verify",
    "setup": "install",
    "import-dir": "import",
}
_NOTHING_LIKE_IT = ("rm", "remove", "delete")
_COUNTS: dict[str, str | None] = {"one": None, "optional": "?", "some": "+", "many": "*"}


class _WrongUsageError(Exception):
    """argparse's verdict, without its habit of leaving the process."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]
        raise _WrongUsageError(message)


def short_help() -> str:
    """`orbit` alone: every verb, grouped, on one small screen."""
    lines = [f"orbit {__version__}: work across many git repositories (to begin: orbit try)", ""]
    for group in GROUPS:
        verbs = [(verb, summary) for verb, (_, of, summary) in TABLE.items() if of == group and verb not in SELDOM]
        labels = [group, *[""] * (len(verbs) - 1)]
        lines += [f"{label:<10} {verb:<10} {text}" for label, (verb, text) in zip(labels, verbs, strict=True)]
    lines += [
        f"{'':<10} {', '.join(verb for verb in SELDOM if verb in TABLE)}",
        "",
        f"more: orbit COMMAND -h; orbit help {'|'.join(TOPICS)}",
    ]
    return "\n".join(lines) + "\n"


def answer_help(verb: str, rest: list[str], streams: Streams) -> int:
    """`orbit`, `orbit help [COMMAND | TOPIC]`. Raises UsageError for a command that does not exist."""
    wanted = verb
    if verb == "help":
        wanted = rest[0] if rest else "help"
    if wanted in ("help", "-h", "--help"):
        write_text(streams, short_help())
        return 0
    if verb == "help" and wanted in TOPICS:
        write_text(streams, TOPICS[wanted])
        return 0
    if wanted not in TABLE:
        raise _no_such_command(wanted, TOPICS if verb == "help" else ())
    module = __import__(f"orbit.commands.{TABLE[wanted][0]}", fromlist=["USAGE"])
    write_text(streams, verb_help(module.USAGE))
    return 0


def _no_such_command(word: str, topics: Iterable[str]) -> UsageError:
    shown = safe_line(word) or "(empty)"
    if word.startswith("-"):
        return UsageError("usage", f"options come after a command: {shown}", "orbit help lists the commands")
    called = [verb for verb, words in _ALSO_CALLED.items() if word in words.split() and verb in TABLE]
    meant = called or (nearest(word, [*TABLE, *topics], 1) if word not in _NOTHING_LIKE_IT else [])
    suggestion = f", did you mean {meant[0]}?" if meant else ""
    return UsageError("usage", f"no such command: {shown}{suggestion}", "orbit help lists the commands")


def explain(verb: str, usage: Usage, argv: list[str], streams: Streams) -> Words | None:
    """What the fast reader would not take: None for help, or words after all. Raises UsageError."""
    options = argv[: argv.index("--")] if "--" in argv else argv
    if "-h" in options or "--help" in options:
        write_text(streams, verb_help(usage))
        return None
    if JSON_SCHEMA.name in options and JSON_SCHEMA in usage.arguments:
        return Words({JSON_SCHEMA.key: ()})  # which needs no other word
    try:
        found = build_parser(verb, usage.arguments).parse_intermixed_args(argv)
    except _WrongUsageError as problem:
        forms = "\n".join(f"usage: {form}" for form in usage.forms)
        unknown = _unknown_option(usage.arguments, options)
        verdict = f"unrecognized arguments: {unknown}" if unknown else str(problem)
        raise UsageError(verb, _in_words(verdict, usage.arguments), forms) from None
    return to_words(usage.arguments, found)


def _unknown_option(arguments: tuple[Argument, ...], words: list[str]) -> str:
    """The first word that is no option of this verb; argparse would rather complain of what is missing."""
    known = {name: a for a in arguments if a.is_option for name in (a.name, a.short) if name}
    before: Argument | None = None
    for word in words:
        is_value = before is not None and before.takes != ""
        before = known.get(word)
        if is_value or len(word) < 2 or word[0] != "-" or " " in word:
            continue
        if word.partition("=")[0] not in known and word[:2] not in known:
            return word
    return ""


def _in_words(verdict: str, arguments: tuple[Argument, ...]) -> str:
    """argparse's verdict in this program's words, with the option that was probably meant."""
    subject, _, rest = verdict.removeprefix("argument ").partition(": ")
    if "ignored explicit argument" in rest:
        return f"{subject} takes no value"
    if rest == "expected one argument":
        return f"{subject} needs a value"
    if subject == "the following arguments are required":
        return f"{rest} is missing"
    if subject != "unrecognized arguments":
        return verdict
    word = rest.split()[0] if rest.split() else ""
    if not word.startswith("-"):
        return f"too many arguments: {rest or '(empty)'}"
    options = [a.name for a in arguments if a.is_option and not a.hidden]
    close = nearest(word.partition("=")[0], options, 1)
    return f"no such option: {word}" + (f", did you mean {close[0]}?" if close else "")


def build_parser(verb: str, arguments: tuple[Argument, ...]) -> argparse.ArgumentParser:
    """The verb's argparse parser; completion is made from it too."""
    parser = _Parser(prog=f"orbit {verb}", add_help=False, allow_abbrev=False)
    for a in arguments:
        if not a.is_option:
            parser.add_argument(a.key, metavar=a.name, nargs=_COUNTS[a.count], help=a.help)
        elif a.takes:
            names = [n for n in (a.short, a.name) if n]
            action = "append" if a.count == "many" else "store"
            parser.add_argument(*names, dest=a.key, metavar=a.takes, action=action, help=a.help)
        else:
            parser.add_argument(*[n for n in (a.short, a.name) if n], dest=a.key, action="store_true", help=a.help)
    return parser


def to_words(arguments: tuple[Argument, ...], found: argparse.Namespace) -> Words:
    """What argparse found, as the fast reader gives it."""
    values: dict[str, tuple[str, ...]] = {}
    for a in arguments:
        value = getattr(found, a.key)
        if value is None or value is False or value == []:
            continue
        values[a.key] = () if value is True else tuple(value) if isinstance(value, list) else (value,)
    return Words(values)


def verb_help(usage: Usage) -> str:
    """`orbit VERB --help`: forms, purpose, arguments, examples, exit statuses, related commands."""
    lines = [f"usage: {usage.forms[0]}", *(f"       {form}" for form in usage.forms[1:]), ""]
    lines += [usage.about.strip(), ""]
    shown = [a for a in usage.arguments if not a.hidden]
    if shown:
        labels = [_label(a) for a in shown]
        room = min(26, max(len(label) for label in labels))
        for label, argument in zip(labels, shown, strict=True):
            gap = " " * (room - len(label)) if len(label) <= room else "\n" + " " * (room + 2)
            lines.append(f"  {label}{gap}  {argument.help}")
        lines.append("")
    if usage.examples:
        lines.append("examples")
        for command, meaning in usage.examples:
            lines += [f"  {command}", f"      {meaning}"]
        lines.append("")
    extra = f"; {usage.exits}" if usage.exits else ""
    lines.append(f"exit status: 0 done, 1 refused or failed (one line says why), 2 wrong usage{extra}")
    if usage.related:
        lines.append("see also: " + ", ".join(f"orbit {name}" for name in usage.related))
    return "\n".join(lines) + "\n"


def _label(argument: Argument) -> str:
    if not argument.is_option:
        dots = "..." if argument.count in ("some", "many") else ""
        return argument.name + dots
    name = ", ".join(n for n in (argument.short, argument.name) if n)
    return f"{name} {argument.takes}" if argument.takes else name

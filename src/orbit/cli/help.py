"""Help pages and usage errors: argparse, built for the chosen verb only, from the same table as the fast reader."""

from __future__ import annotations

import argparse

from orbit import __version__
from orbit.cli.render import write_text
from orbit.cli.topics import TOPICS
from orbit.commands import GROUPS, TABLE
from orbit.commands.arguments import JSON_SCHEMA, Argument, Usage, Words
from orbit.errors import UsageError
from orbit.text import nearest, safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.cli.render import Streams

_COUNTS: dict[str, str | None] = {"one": None, "optional": "?", "some": "+", "many": "*"}


class _WrongUsageError(Exception):
    """argparse's verdict, without its habit of leaving the process."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]
        raise _WrongUsageError(message)


def short_help() -> str:
    """`orbit` alone: every verb, grouped."""
    lines = [f"orbit {__version__}: work across many git repositories", "", "usage: orbit COMMAND [ARGUMENTS]", ""]
    for group in GROUPS:
        lines.append(group)
        lines += [f"  {verb:<10} {summary}" for verb, (_, of, summary) in TABLE.items() if of == group]
    lines += [
        "",
        "orbit COMMAND --help explains one; orbit help levels, layout, guidance or sharing is about all.",
        "Start with: orbit try",
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
        close = nearest(wanted, [*TABLE, *(TOPICS if verb == "help" else ())], 1)
        what = f"no such command: {safe_line(wanted) or '(empty)'}" + (f", did you mean {close[0]}?" if close else "")
        raise UsageError("usage", what, "orbit help lists the commands")
    module = __import__(f"orbit.commands.{TABLE[wanted][0]}", fromlist=["USAGE"])
    write_text(streams, verb_help(module.USAGE))
    return 0


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
        raise UsageError(verb, _in_words(str(problem), usage.arguments), forms) from None
    return to_words(usage.arguments, found)


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
    lines.append("exit status: 0 done, 1 refused or failed (one line says why), 2 wrong usage")
    if usage.related:
        lines.append("see also: " + ", ".join(f"orbit {name}" for name in usage.related))
    return "\n".join(lines) + "\n"


def _label(argument: Argument) -> str:
    if not argument.is_option:
        dots = "..." if argument.count in ("some", "many") else ""
        return argument.name + dots
    name = ", ".join(n for n in (argument.short, argument.name) if n)
    return f"{name} {argument.takes}" if argument.takes else name

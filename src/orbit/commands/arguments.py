"""What a verb takes, as data: one table per verb feeds the fast reader, argparse, the docs and completion."""

from __future__ import annotations

from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Argument(Record):
    """One option or positional.

    `name` is `--json` for an option, `REPO` for a positional. `takes` is the metavar of an option's value ("" = flag).
    `count` is how many a positional takes: "one", "optional", "some" (one or more), "many" (any number); for an
    option, "many" lets it be repeated.
    """

    name: str
    help: str
    takes: str = ""
    short: str = ""
    count: str = "one"
    completes: str = ""
    hidden: bool = False

    @property
    def is_option(self) -> bool:
        return self.name.startswith("-")

    @property
    def key(self) -> str:
        return self.name.lstrip("-").replace("-", "_").lower()


def flag(name: str, help_text: str, short: str = "") -> Argument:
    return Argument(name=name, help=help_text, short=short)


def option(name: str, takes: str, help_text: str, *, repeats: bool = False, completes: str = "") -> Argument:
    return Argument(name=name, help=help_text, takes=takes, count="many" if repeats else "one", completes=completes)


def positional(name: str, help_text: str, count: str = "one", completes: str = "") -> Argument:
    return Argument(name=name, help=help_text, count=count, completes=completes)


JSON = flag("--json", "print one JSON value instead of text")
JSON_SCHEMA = flag("--json-schema", "print the JSON Schema of --json and exit")


class Words(Record):
    """The parsed command line of one verb."""

    values: Mapping[str, tuple[str, ...]]

    def flag(self, key: str) -> bool:
        return key in self.values

    def one(self, key: str) -> str | None:
        """The value given, the last one if repeated; None when absent."""
        found = self.values.get(key)
        return found[-1] if found else None

    def many(self, key: str) -> tuple[str, ...]:
        return self.values.get(key, ())


class Usage(Record):
    """The help page of a verb, and the arguments behind it. `exits`: what its exit status says beyond the usual."""

    forms: tuple[str, ...]
    about: str
    arguments: tuple[Argument, ...]
    examples: tuple[tuple[str, str], ...] = ()
    related: tuple[str, ...] = ()
    exits: str = ""


def read_words(arguments: tuple[Argument, ...], argv: list[str]) -> Words | None:
    """Read well-formed words; None for anything else (help, an unknown option, a missing value or word), which
    argparse then explains. Options may stand before or after positionals; `--` ends them. What is accepted here,
    argparse would read alike.
    """
    options = {name: a for a in arguments if a.is_option for name in (a.name, a.short) if name}
    values: dict[str, tuple[str, ...]] = {}
    rest: list[str] = []
    position, end = 0, len(argv)
    while position < end:
        word = argv[position]
        position += 1
        if word == "--":
            rest += argv[position:]
            break
        if _is_plain(word, options):
            rest.append(word)
            continue
        name, equals, value = word.partition("=")
        found = options.get(name)
        if found is None or (equals and not found.takes):
            return None
        if not found.takes:
            values[found.key] = ()
            continue
        if not equals:
            if position >= end or not _is_plain(argv[position], options):
                return None
            value = argv[position]
            position += 1
        values[found.key] = (*values.get(found.key, ()), value) if found.count == "many" else (value,)
    return _with_positionals([a for a in arguments if not a.is_option], rest, values)


def _is_plain(word: str, options: Mapping[str, Argument]) -> bool:
    """Whether a word is no option: without a dash in front, or a text with blanks that no option begins."""
    if len(word) < 2 or word[0] != "-":
        return True
    return " " in word and word.partition("=")[0] not in options and word[:2] not in options


def _with_positionals(positionals: list[Argument], rest: list[str], values: dict[str, tuple[str, ...]]) -> Words | None:
    """Hand the words out in order; a list takes all but what the ones behind it need."""
    needed = sum(1 for a in positionals if a.count in ("one", "some"))
    spare = len(rest) - needed
    if spare < 0:
        return None
    position = 0
    for argument in positionals:
        take = 1 if argument.count in ("one", "some") else 0
        if argument.count == "optional" and spare:
            take, spare = 1, spare - 1
        elif argument.count in ("some", "many"):
            take, spare = take + spare, 0
        if take:
            values[argument.key] = tuple(rest[position : position + take])
        position += take
    return Words(values) if position == len(rest) else None

"""The completion scripts: what the tables of arguments say, as functions of each shell, before a fixed part.

Contract: commands.md, completion.
"""

from __future__ import annotations

import os

from orbit.commands.shells.shape import shape_of
from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from orbit.commands.arguments import Argument


class Verb(Record):
    """A verb as completion sees it."""

    name: str
    summary: str
    arguments: tuple[Argument, ...]

    @property
    def options(self) -> list[Argument]:
        return [a for a in self.arguments if a.is_option and not a.hidden]


def script(shell: str, verbs: Sequence[Verb], topics: Sequence[str]) -> str:
    """The whole script for "bash", "zsh" or "fish"."""
    head = _HEADS[shell](verbs, topics)
    with open(os.path.join(os.path.dirname(__file__), f"orbit.{shell}"), encoding="utf-8") as file:
        fixed = file.read()
    return "\n".join(head) + "\n" + fixed


def _bash(verbs: Sequence[Verb], topics: Sequence[str]) -> list[str]:
    options = {verb.name: " ".join(n for a in verb.options for n in (a.short, a.name) if n) for verb in verbs}
    return [
        "# bash completion for orbit, made by: orbit completion bash",
        f"_orbit_verbs='{' '.join(verb.name for verb in verbs)}'",
        f"_orbit_topics='{' '.join(topics)}'",
        *_posix_cases("_orbit_options", {name: f"echo '{text}'" for name, text in options.items() if text}),
        *_posix_cases("_orbit_shape", _shapes(verbs)),
    ]


def _zsh(verbs: Sequence[Verb], topics: Sequence[str]) -> list[str]:
    specs = {verb.name: "specs=(" + " ".join(map(_zsh_spec, verb.options)) + ")" for verb in verbs}
    described = " ".join(_single(f"{verb.name}:{verb.summary}") for verb in verbs)
    return [
        "#compdef orbit",
        "# zsh completion for orbit, made by: orbit completion zsh",
        f"_orbit_verbs() {{ specs=({described}) }}",
        f"_orbit_topics() {{ specs+=({' '.join(topics)}) }}",
        *_posix_cases("_orbit_specs", specs),
        *_posix_cases("_orbit_shape", _shapes(verbs)),
    ]


def _zsh_spec(option: Argument) -> str:
    """One option for `_arguments`; several spellings of one option exclude each other."""
    names = [name for name in (option.short, option.name) if name]
    text = option.help
    for special in "\\[]:":
        text = text.replace(special, "\\" + special)
    value = f":{option.takes}:_orbit_values" if option.takes else ""
    repeated = "*" if option.count == "many" else f"({' '.join(names)})"
    assign = "=" if option.takes else ""
    return " ".join(
        _single(f"{repeated}{name}{assign if name.startswith('--') else ''}[{text}]{value}") for name in names
    )


def _fish(verbs: Sequence[Verb], topics: Sequence[str]) -> list[str]:
    lines = [
        "# fish completion for orbit, made by: orbit completion fish",
        "function __orbit_shape",
        "    switch $argv[1]",
    ]
    lines += [f"        case {name}\n            {command}" for name, command in _shapes(verbs).items()]
    lines += ["    end", "end"]
    return [*lines, "", *_fish_offers(verbs, topics)]


def _fish_offers(verbs: Sequence[Verb], topics: Sequence[str]) -> list[str]:
    """The static part; it stands in a function, since the fixed part first removes what was there."""
    lines = ["function __orbit_offer"]
    for verb in verbs:
        lines.append(f"    complete -c orbit -n __orbit_alone -a {verb.name} -d {_single(verb.summary, fish=True)}")
        lines.append(f"    complete -c orbit -n __orbit_asks_help -a {verb.name} -d {_single(verb.summary, fish=True)}")
        for a in verb.options:
            short = f" -s {a.short[1:]}" if a.short else ""
            value = " -x -a '(__orbit_values)'" if a.takes else ""
            about = _single(a.help, fish=True)
            lines.append(f"    complete -c orbit -n '__orbit_at {verb.name}'{short} -l {a.name[2:]}{value} -d {about}")
    lines += [f"    complete -c orbit -n __orbit_asks_help -a {topic} -d topic" for topic in topics]
    return [*lines, "end"]


def _shapes(verbs: Sequence[Verb]) -> dict[str, str]:
    return {verb.name: f"echo '{shape}'" for verb in verbs if (shape := shape_of(verb.arguments))}


def _posix_cases(function: str, commands: dict[str, str]) -> list[str]:
    """A function that runs the command of its first argument."""
    return [
        f"{function}() {{",
        "    case $1 in",
        *(f"        {name}) {command} ;;" for name, command in commands.items()),
        "    esac",
        "}",
    ]


def _single(text: str, *, fish: bool = False) -> str:
    """In single quotes."""
    if fish:
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
    return "'" + text.replace("'", "'\\''") + "'"


_HEADS: dict[str, Callable[[Sequence[Verb], Sequence[str]], list[str]]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
SHELLS = tuple(_HEADS)

"""The hidden call behind a press of Tab: `orbit complete SHELL SHAPE ...`. Contract: commands.md, completion.

It prints one value a line, or a tab and "file" or "dir" where the shell completes paths itself. Whatever is wrong
(no project, damaged files, an old script) is silence: nobody reads an error in the middle of typing.
"""

from __future__ import annotations

from orbit.commands.shells.candidates import PATHS, candidates
from orbit.commands.shells.shape import wanted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from orbit.places import World


def answer(argv: Sequence[str], world: World) -> str:
    """What the script reads: for bash `bash SHAPE LINE WORDBREAKS`, else `SHELL SHAPE WORD... CURRENT`.

    Fewer words are not from a script: a person who looks for `completion` gets a suggestion instead of this.
    """
    if argv[0] == "bash" and len(argv) < 4:
        return ""
    shell, shape, *rest = argv
    lines = _for_bash(shape, rest[0], rest[1], world) if shell == "bash" else _plain(shape, rest, world)
    return "".join(f"{line}\n" for line in lines)


def _plain(shape: str, words: Sequence[str], world: World) -> list[str]:
    """For shells that choose among the values, and quote them, by themselves."""
    asked = wanted(shape, words[:-1], words[-1])
    return _paths(asked.kinds) or candidates(world, asked)


def _for_bash(shape: str, line: str, breaks: str, world: World) -> list[str]:
    from orbit.commands.shells.bash_words import quoted, read_line  # bash only

    typed = read_line(line, breaks)
    asked = wanted(shape, typed.words[2:], typed.current)
    paths = _paths(asked.kinds)
    if paths:
        return paths
    front = typed.current[: asked.before]
    fitting = [front + value for value in candidates(world, asked) if value.startswith(asked.typed)]
    return [quoted(value[typed.kept :], typed.quote) for value in fitting]


def _paths(kinds: Sequence[str]) -> list[str]:
    return [f"\t{kind}" for kind in kinds if kind in PATHS]

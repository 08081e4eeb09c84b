"""The shape of a verb's arguments as one word list that a script carries, so that a press of Tab loads no verb.

`some:repo --ref=ref -s --silent`: positionals as COUNT:KIND in their order, options with `=KIND` when they take a
value. A KIND with `|` lists the values themselves; an empty one stands for free text.
"""

from __future__ import annotations

from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from orbit.commands.arguments import Argument

_MANY = 1 << 30
# count: (fewest words, most words)
_SPANS = {"one": (1, 1), "optional": (0, 1), "some": (1, _MANY), "many": (0, _MANY)}


class Wanted(Record):
    """What the word under the cursor may be.

    `typed` is the part of it that a value would replace, `before` how many characters stand in front of that
    (`--ref=`). `given` are the positional words on its left, `options` the options there.
    """

    kinds: tuple[str, ...]
    typed: str
    before: int
    given: tuple[str, ...]
    options: tuple[str, ...]


def shape_of(arguments: Sequence[Argument]) -> str:
    """The shape as text: no blank inside a part, nothing that a shell would take for itself inside quotes."""
    parts = []
    for a in arguments:
        if a.hidden:
            continue
        if not a.is_option:
            parts.append(f"{a.count}:{a.completes}")
        else:
            parts += [f"{name}={a.completes}" if a.takes else name for name in (a.short, a.name) if name]
    return " ".join(parts)


def wanted(shape: str, words: Sequence[str], current: str) -> Wanted:
    """Read the words on the left of the cursor, and the one under it, as the verb would."""
    positionals, valued = _read_shape(shape)
    given, options = list[str](), list[str]()
    waiting, ended = "", False
    for word in words:
        if waiting:
            waiting = ""
        elif ended or len(word) < 2 or word[0] != "-":
            given.append(word)
        elif word == "--":
            ended = True
        else:
            options.append(word.partition("=")[0])
            waiting = word if word in valued else ""
    found = (tuple(given), tuple(options))
    if waiting:
        return Wanted((valued[waiting],), current, 0, *found)
    if ended or not current.startswith("-"):
        return Wanted(_kinds_at(positionals, len(given)), current, 0, *found)
    name, equals, value = current.partition("=")
    if equals and name in valued:
        return Wanted((valued[name],), value, len(name) + 1, *found)
    return Wanted((), current, 0, *found)


def _read_shape(shape: str) -> tuple[list[tuple[str, str]], dict[str, str]]:
    """Positionals as (count, kind), and the kind of each option that takes a value."""
    positionals, valued = [], {}
    for part in shape.split(" "):
        if not part.startswith("-"):
            count, _, kind = part.partition(":")
            if count in _SPANS:
                positionals.append((count, kind))
        elif "=" in part:
            name, _, kind = part.partition("=")
            valued[name] = kind
    return positionals, valued


def _kinds_at(positionals: Sequence[tuple[str, str]], place: int) -> tuple[str, ...]:
    """The kinds that the word in this place may have: what is optional may have been left out."""
    kinds = []
    fewest, most = 0, 0
    for count, kind in positionals:
        least, greatest = _SPANS[count]
        if fewest <= place < most + greatest:
            kinds.append(kind)
        fewest, most = fewest + least, most + greatest
    return tuple(kinds)

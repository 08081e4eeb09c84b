"""JSON with comments: read with the places of its parts, changed without touching the rest of the text.

OpenCode's settings are written by people, with comments and trailing commas. Only what `setup` needs: a text into a
list and out again. Contract: hosts.md, `orbit setup`.
"""

from __future__ import annotations

import json
import re

from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_SKIPPED = re.compile(r"(?:[ \t\r\n\ufeff]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_PLAIN = re.compile(r"true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_REMARK = re.compile(r"[ \t]*(?://[^\n]*|/\*[^\n]*?\*/[ \t]*)(?=\n)")
_DEEPEST = 100


class JsoncError(ValueError):
    """Not JSON with comments; the message says where."""


class Node(Record):
    """A value at text[start:end]. `members` (name, value) of an object, `items` of a list, else `value`."""

    kind: str
    start: int
    end: int
    value: object = None
    members: tuple[tuple[str, Node], ...] = ()
    items: tuple[Node, ...] = ()


def parse(text: str) -> Node:
    """The whole text as one value. Raises JsoncError."""
    node = _value(text, _skip(text, 0), 0)
    if _skip(text, node.end) != len(text):
        raise _wrong(text, _skip(text, node.end))
    return node


def texts_at(text: str, path: Sequence[str]) -> list[str]:
    """The texts in the list at a path of names; other items, and a list that is not there, are passed over."""
    node: Node | None = parse(text)
    for name in path:
        node = _member(node, name) if node else None
    return [str(item.value) for item in node.items if item.kind == "text"] if node else []


def with_text(text: str, path: Sequence[str], added: str) -> str:
    """The text with one more item at the end of the list at `path`; what is missing on the way is made.

    Raises JsoncError when something else stands on the way.
    """
    node = parse(text)
    for depth, name in enumerate(path):
        if node.kind != "object":
            raise JsoncError(f"{'.'.join(path[:depth]) or 'the whole'} is not an object")
        found = _member(node, name)
        if found is None:
            value = _made(path[depth + 1 :], added)
            return _inserted(text, node, f"{json.dumps(name)}: {value}")
        node = found
    if node.kind != "list":
        raise JsoncError(f"{'.'.join(path)} is not a list")
    return _inserted(text, node, json.dumps(added))


def without_text(text: str, path: Sequence[str], removed: str) -> str:
    """The text without that item of the list at `path`, and without the list, and what holds it, if nothing is left."""
    node = parse(text)
    holders = [node]
    for name in path:
        found = _member(holders[-1], name)
        if found is None:
            return text
        holders.append(found)
    items = holders[-1].items
    gone = [index for index, item in enumerate(items) if item.kind == "text" and item.value == removed]
    if not gone:
        return text
    if len(items) > 1:
        shorter = _cut(text, holders[-1], items[gone[-1]].start, items[gone[-1]].end)
        return without_text(shorter, path, removed)
    for depth in range(len(path), 0, -1):
        holder = holders[depth - 1]
        if len(holder.members) > 1 or depth == 1:
            start = _name_start(text, holder, path[depth - 1])
            return _cut(text, holder, start, holders[depth].end)
    return text


def _made(path: Sequence[str], item: str) -> str:
    value: object = [item]
    for name in reversed(path):
        value = {name: value}
    return json.dumps(value)


def _member(node: Node, name: str) -> Node | None:
    """The last one of that name, as readers of JSON take it."""
    return next((value for key, value in reversed(node.members) if key == name), None)


def _inserted(text: str, node: Node, piece: str) -> str:
    """`piece` as the last part of a list or object, in the layout that its other parts have."""
    parts = [value for _, value in node.members] or list(node.items)
    close = node.end - 1
    if not parts:
        inside = text[node.start + 1 : close]
        if not inside.strip():
            margin = _margin(text, node.start)
            return f"{text[: node.start + 1]}\n{margin}  {piece}\n{margin}{text[close:]}"
        return f"{text[: node.start + 1]} {piece}{text[node.start + 1 :]}"
    last = parts[-1]
    after = _skip(text, last.end)
    comma = after if text[after] == "," else -1
    first = _part_start(text, node, 0)
    line = text.rfind("\n", 0, first) + 1
    gap = f"\n{text[line:first]}" if line > node.start and not text[line:first].strip() else " "
    at = comma + 1 if comma >= 0 else last.end
    end = at
    if gap != " " and (remark := _REMARK.match(text, at)):  # what is said of the last part stays beside it
        end = remark.end()
    return f"{text[:at]}{'' if comma >= 0 else ','}{text[at:end]}{gap}{piece}{',' if comma >= 0 else ''}{text[end:]}"


def _margin(text: str, position: int) -> str:
    line = text[text.rfind("\n", 0, position) + 1 : position]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _part_start(text: str, node: Node, index: int) -> int:
    return _name_start(text, node, node.members[index][0]) if node.members else node.items[index].start


def _cut(text: str, holder: Node, start: int, end: int) -> str:
    """Without text[start:end], one comma beside it and the blank space that it leaves."""
    after = _skip(text, end)
    if text[after] == ",":
        end = after + 1
    else:
        before = _comma_before(text, holder, start)
        if before >= 0:
            return text[:before] + text[before + 1 : start].rstrip(" \t\r\n") + text[end:]
    line = text.rfind("\n", 0, start) + 1
    rest = text.find("\n", end)
    if line > holder.start and not text[line:start].strip() and rest >= 0 and not text[end:rest].strip():
        return text[:line] + text[rest + 1 :]
    if text[end : end + 1] == " ":
        end += 1
    return text[:start] + text[end:]


def _comma_before(text: str, holder: Node, start: int) -> int:
    """Where the comma in front of a part stands, -1 when it is the first."""
    ends = [value.end for _, value in holder.members] or [item.end for item in holder.items]
    earlier = [end for end in ends if end <= start]
    if not earlier:
        return -1
    return _skip(text, max(earlier))


def _name_start(text: str, holder: Node, name: str) -> int:
    """Where the name of the last member of that name begins."""
    position, start = holder.start + 1, -1
    for key, value in holder.members:
        at = _skip(text, position)
        if text[at] == ",":
            at = _skip(text, at + 1)
        if key == name:
            start = at
        position = value.end
    return start


def _skip(text: str, position: int) -> int:
    found = _SKIPPED.match(text, position)
    return found.end() if found else position


def _value(text: str, position: int, depth: int) -> Node:
    first = text[position : position + 1]
    if depth > _DEEPEST:
        raise JsoncError("too deep")
    if first == "{":
        return _object(text, position, depth)
    if first == "[":
        return _list(text, position, depth)
    kind, found = ("text", _STRING.match(text, position)) if first == '"' else ("plain", _PLAIN.match(text, position))
    if found is None:
        raise _wrong(text, position)
    try:
        return Node(kind, position, found.end(), json.loads(found[0]))
    except ValueError:
        raise _wrong(text, position)


def _object(text: str, start: int, depth: int) -> Node:
    members: list[tuple[str, Node]] = []
    position = _skip(text, start + 1)
    while text[position : position + 1] != "}":
        name = _value(text, position, depth + 1)
        colon = _skip(text, name.end)
        if name.kind != "text" or text[colon : colon + 1] != ":":
            raise _wrong(text, position)
        value = _value(text, _skip(text, colon + 1), depth + 1)
        members.append((str(name.value), value))
        position = _after_part(text, value.end, "}")
    return Node("object", start, position + 1, None, tuple(members))


def _list(text: str, start: int, depth: int) -> Node:
    items: list[Node] = []
    position = _skip(text, start + 1)
    while text[position : position + 1] != "]":
        items.append(_value(text, position, depth + 1))
        position = _after_part(text, items[-1].end, "]")
    return Node("list", start, position + 1, None, (), tuple(items))


def _after_part(text: str, end: int, close: str) -> int:
    position = _skip(text, end)
    if text[position : position + 1] == ",":
        return _skip(text, position + 1)
    if text[position : position + 1] != close:
        raise _wrong(text, position)
    return position


def _wrong(text: str, position: int) -> JsoncError:
    return JsoncError(f"line {text.count(chr(10), 0, position) + 1} is not JSON")

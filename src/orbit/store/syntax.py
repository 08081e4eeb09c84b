"""git-config text <-> entries: read as git reads it, changed without touching any other byte. Pure.

Contract: concepts.md, On disk.
"""

from __future__ import annotations

from orbit.record import Record
from orbit.store.tokens import (
    BLANKS,
    BOM,
    KEY,
    LETTERS,
    find_comment,
    is_word,
    line_span,
    past,
    plain_key,
    problem,
    read_header,
    read_value,
    simple_value,
    written_header,
    written_value,
)
from orbit.store.tokens import SyntaxProblem as SyntaxProblem  # raised by `parse`: its callers look for it here

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    SectionId = tuple[str, str | None]
    Edit = tuple[int, int, str]  # start, end, new text: nothing new removes, an empty span inserts whole lines
    Wanted = tuple[str, bool, list[str]]  # the key as spelled, whether its old values go, values


class Entry(Record):
    """One `key = value`, None for a key without `=`; `start` to `end` are its characters, newline included."""

    section: str
    subsection: str | None
    key: str
    value: str | None
    start: int
    end: int


class Set(Record):
    """All values of a key become these; none removes it."""

    section: str
    subsection: str | None
    key: str
    values: tuple[str, ...]


class Append(Record):
    """One more value after those that the key has."""

    section: str
    subsection: str | None
    key: str
    value: str


class Drop(Record):
    """Every header and entry of a section go, with the comments between them."""

    section: str
    subsection: str | None


Change = Set | Append | Drop


class _Block:
    """A header and what follows it up to the next one: character spans and the range of its entries."""

    __slots__ = ("body", "end", "first", "last", "section", "start", "subsection")

    def __init__(self, section: str, subsection: str | None, start: int, body: int, first: int) -> None:
        self.section = section
        self.subsection = subsection
        self.start = start  # with the white space before the header
        self.body = body  # just after the header
        self.first = first
        self.last = first
        self.end = body


class Config:
    """A parsed document. Entries lie in parallel lists: 30,000 of them must not cost 30,000 objects."""

    __slots__ = ("_blocks", "_ends", "_keys", "_sections", "_starts", "_values", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._blocks = [_Block("", None, 0, 0, 0)]
        self._sections: dict[SectionId, list[_Block]] = {}
        self._keys: list[str] = []
        self._values: list[str | None] = []
        self._starts: list[int] = []
        self._ends: list[int] = []

    @property
    def entries(self) -> list[Entry]:
        """Every entry in the order of the text; the ones before any header have the section ""."""
        return [
            Entry(block.section, block.subsection, self._keys[i], self._values[i], self._starts[i], self._ends[i])
            for block in self._blocks
            for i in range(block.first, block.last)
        ]

    def get(self, section: str, subsection: str | None, key: str) -> str | None:
        """The last value; "" for a key without `=`, None for a key that is not there."""
        key = key.lower()
        keys = self._keys
        for block in reversed(self._of(section, subsection)):
            i = block.last
            while i > block.first:
                i -= 1
                if keys[i] == key:
                    return self._values[i] or ""
        return None

    def get_all(self, section: str, subsection: str | None, key: str) -> list[str]:
        """All values in order; "" for a key without `=`."""
        key = key.lower()
        keys, values = self._keys, self._values
        return [
            values[i] or ""
            for block in self._of(section, subsection)
            for i in range(block.first, block.last)
            if keys[i] == key
        ]

    def keys(self, section: str, subsection: str | None) -> list[str]:
        """The keys of a section, each once, in order of first appearance."""
        blocks = self._of(section, subsection)
        return list(dict.fromkeys(key for block in blocks for key in self._keys[block.first : block.last]))

    def subsections(self, section: str) -> list[str]:
        """Those that have entries, in order of first appearance."""
        section = section.lower()
        return [
            subsection
            for (name, subsection), blocks in self._sections.items()
            if name == section and subsection is not None and any(block.first < block.last for block in blocks)
        ]

    def table(self, section: str) -> dict[str, dict[str, str]]:
        """Subsection -> key -> last value, all at once: for what reads a whole index."""
        section = section.lower()
        keys, values = self._keys, self._values
        rows: dict[str, dict[str, str]] = {}
        for (name, subsection), blocks in self._sections.items():
            if name == section and subsection is not None:
                row = {keys[i]: values[i] or "" for block in blocks for i in range(block.first, block.last)}
                if row:
                    rows[subsection] = row
        return rows

    def _of(self, section: str, subsection: str | None) -> Sequence[_Block]:
        return self._sections.get((section.lower(), subsection), ())

    def _open(self, section: str, subsection: str | None, start: int, body: int) -> None:
        count = len(self._keys)
        before = self._blocks[-1]
        before.last, before.end = count, start
        block = _Block(section, subsection, start, body, count)
        self._blocks.append(block)
        same = self._sections.get((section, subsection))
        if same is None:
            self._sections[section, subsection] = [block]
        else:
            same.append(block)


def parse(text: str) -> Config:
    """Read a document; SyntaxProblem exactly where git refuses it, and for NUL.

    Lines in the form that git and orbit write are taken apart with string methods; the rest goes through `_read_line`.
    """
    if "\0" in text:
        raise problem(text, text.index("\0"), "NUL character")
    config = Config(text)
    add_key, add_value = config._keys.append, config._values.append
    add_start, add_end = config._starts.append, config._ends.append
    heads: dict[str, str] = {}  # what stands before "=" -> key, "" when odd
    sections: dict[str, str] = {}  # the same for section names
    resume = after = 0
    for line in text.split("\n"):
        start = after
        after += len(line) + 1
        if start < resume or not line:
            continue
        head, equals, value = line.partition("=")
        key = heads.get(head)
        if key is None and equals:
            key = heads[head] = plain_key(head)
        if key and equals:
            plain = simple_value(value)
            if plain is not None:
                add_key(key)
                add_value(plain)
                add_start(start)
                add_end(after)
                continue
        elif line[0] == "[" and line[-2:] == '"]':
            name, opening, subsection = line[1:-2].partition(' "')
            section = sections.get(name)
            if section is None:
                section = sections[name] = name.lower() if is_word(name) else ""
            if section and opening and '"' not in subsection and "\\" not in subsection:
                config._open(section, subsection, start, after - 1)
                continue
        resume = _read_line(config, start)
    if config._ends and config._ends[-1] > len(text):
        config._ends[-1] = len(text)
    config._blocks[-1].last, config._blocks[-1].end = len(config._keys), len(text)
    return config


def _read_line(config: Config, at: int) -> int:
    """Read one line by git's rules, headers and entry and comment; the position of the next line."""
    text = config.text
    if at == 0 and text.startswith(BOM):
        at = 1
    item = at
    while True:
        at = past(text, at, BLANKS)
        character = text[at : at + 1]
        if character in ("", "\n"):
            return at + 1
        if character in "#;":
            return line_span(text, at)[1]
        if character != "[":
            return _read_entry(config, item, at)
        section, subsection, at = read_header(text, at + 1)
        config._open(section, subsection, item, at)
        item = at


def _read_entry(config: Config, item: int, at: int) -> int:
    text = config.text
    if text[at] not in LETTERS:
        raise problem(text, at, "neither a section, a key nor a comment")
    name_end = past(text, at, KEY)
    key = text[at:name_end].lower()
    at = past(text, name_end, " \t")
    content, after = line_span(text, at)
    value = None
    if text[at : at + 1] == "=":
        value, after, _, _ = read_value(text, at + 1)
    elif at < content:
        raise problem(text, at, "bad key")
    config._keys.append(key)
    config._values.append(value)
    config._starts.append(item)
    config._ends.append(after)
    return after


def apply(config: Config, changes: Sequence[Change]) -> Config:
    """The document after all changes, in one pass over its text; ValueError for names and values that git cannot hold.

    A value that is already right is not touched; a changed one keeps its key's spelling and its comment. New keys go
    to the end of their section's last block, new sections to the end of the text. A header left with neither entries
    nor comments goes too.
    """
    edits: list[Edit] = []
    tail: list[str] = []
    for (section, subsection), (dropped, wanted) in _plans(changes).items():
        blocks = config._of(section, subsection)
        if dropped:
            edits += [(block.start, block.end, "") for block in blocks]
            blocks = ()
        lines = _edit_section(config, blocks, wanted, edits)
        if lines and blocks:
            at = _insertion(config, blocks[-1])
            edits.append((at, at, lines))
        elif lines:
            tail.append(written_header(section, subsection) + lines)
    if tail:
        edits.append((len(config.text), len(config.text), "".join(tail)))
    return parse(_assembled(config.text, edits)) if edits else config


def _plans(changes: Sequence[Change]) -> dict[SectionId, tuple[bool, dict[str, Wanted]]]:
    """For each section whether what it has goes, and per key what shall be there."""
    plans: dict[SectionId, tuple[bool, dict[str, Wanted]]] = {}
    for change in changes:
        section, subsection = change.section.lower(), change.subsection
        if not is_word(change.section) or (subsection is not None and ("\n" in subsection or "\0" in subsection)):
            raise ValueError(f"not a section: {section!r} {subsection!r}")
        if isinstance(change, Drop):
            plans.pop((section, subsection), None)
            plans[section, subsection] = True, {}
            continue
        key = plain_key(change.key)
        if not key or len(key) != len(change.key):
            raise ValueError(f"not a key: {change.key!r}")
        _, wanted = plans.setdefault((section, subsection), (False, {}))
        if isinstance(change, Set):
            wanted[key] = change.key, True, list(change.values)
        else:
            wanted.setdefault(key, (change.key, False, []))[2].append(change.value)
    return plans


def _edit_section(config: Config, blocks: Sequence[_Block], wanted: dict[str, Wanted], edits: list[Edit]) -> str:
    """Add the edits of one section's entries; the lines that are new."""
    found: dict[str, list[int]] = {}
    for block in blocks:
        for i in range(block.first, block.last):
            if config._keys[i] in wanted:
                found.setdefault(config._keys[i], []).append(i)
    lines: list[str] = []
    gone: set[int] = set()
    for key, (spelling, replace, values) in wanted.items():
        have = found.get(key, []) if replace else []
        if len(values) < len(have):
            cut = _surplus([config._values[i] for i in have], values)
            gone.update(have[cut])
            del have[cut]
        for i, value in zip(have, values, strict=False):
            if config._values[i] != value:
                edits.append((config._starts[i], config._ends[i], _rewritten(config, i, value)))
        lines += [f"\t{spelling} = {written_value(value)}\n" for value in values[len(have) :]]
    for block in blocks if gone else ():
        mine = range(block.first, block.last)
        if mine and gone.issuperset(mine) and not (lines and block is blocks[-1]) and not _has_comment(config, block):
            edits.append((block.start, block.end, ""))
        else:
            edits += [(config._starts[i], config._ends[i], "") for i in mine if i in gone]
    return "".join(lines)


def _surplus(old: list[str | None], new: list[str]) -> slice:
    """Which of the old values go so that the fewest of the others need rewriting: equal ends stay."""
    head = 0
    while head < len(new) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < len(new) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return slice(len(new) - tail, len(old) - tail)


def _has_comment(config: Config, block: _Block) -> bool:
    """Whether anything but entries and white space stands below (or beside) the header."""
    edges = [block.body]
    for i in range(block.first, block.last):
        edges += config._starts[i], config._ends[i]
    edges.append(block.end)
    return any(find_comment(config.text[edges[i] : edges[i + 1]]) >= 0 for i in range(0, len(edges), 2))


def _insertion(config: Config, block: _Block) -> int:
    if block.first < block.last:
        return config._ends[block.last - 1]
    newline = config.text.find("\n", block.body, block.end)
    return block.end if newline < 0 else newline + 1


def _rewritten(config: Config, index: int, value: str) -> str:
    """The entry's own text with another value in it."""
    text, start, end = config.text, config._starts[index], config._ends[index]
    name_end = past(text, past(text, start, BLANKS), KEY)
    at = past(text, name_end, " \t")
    new = written_value(value)
    if text[at : at + 1] != "=":
        return f"{text[start:name_end]} = {new}{text[name_end:end]}"
    _, _, value_start, value_end = read_value(text, at + 1)
    before, behind = text[start:value_start], text[value_end:end]
    return f"{before}{' ' if before.endswith(' =') else ''}{new}{' ' if behind[:1] in ('#', ';') else ''}{behind}"


def _assembled(text: str, edits: list[Edit]) -> str:
    """The text with the edits in it; what is inserted starts on a line of its own."""
    edits.sort(key=lambda edit: edit[:2])
    pieces: list[str] = []
    at = 0
    for start, end, new in edits:
        if at < start:
            pieces.append(text[at:start])
        before = pieces[-1] if pieces else "\n"
        if not before.endswith("\n") and (start == end or (not new and text[end - 1] == "\n")):
            pieces.append("\n")
        if start == end == len(text) and before.endswith(("\\", "\\\n", "\\\r\n")):
            pieces.append("\n")  # else a continuation at the end of the file would swallow the next line
        if new:
            pieces.append(new)
        at = end
    return "".join([*pieces, text[at:]])

"""The pieces of git-config text: headers, keys and values, read and written one at a time. Pure.

Contract: concepts.md, On disk. The rules are those of git's own reader, with one difference: white space inside an
unquoted value is kept as it stands (git does so from 2.45 on; older ones turn each such character into a blank).
"""

from __future__ import annotations

BLANKS = " \t\r"
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
KEY = LETTERS + "0123456789-"
BOM = "\ufeff"
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b", "\\": "\\", '"': '"'}


class SyntaxProblem(Exception):  # noqa: N818  (a fact about a text, turned into a state by its reader)
    """git would refuse this text; `line` counts from 1."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}")
        self.line = line


def problem(text: str, at: int, what: str) -> SyntaxProblem:
    """What is wrong at a position of the text."""
    return SyntaxProblem(text.count("\n", 0, at) + 1, what)


def is_word(name: str) -> bool:
    """Whether a section or key consists of letters, digits and `-` as it must."""
    return name.isascii() and name.replace("-", "").isalnum()


def plain_key(head: str) -> str:
    """The key that stands before `=`, in lower case; "" if there is anything else."""
    name = head.lstrip(BLANKS).rstrip(" \t")
    return name.lower() if name[:1] in LETTERS and is_word(name) else ""


def past(text: str, at: int, characters: str) -> int:
    """The first position from `at` on that holds none of the characters."""
    size = len(text)
    while at < size and text[at] in characters:
        at += 1
    return at


def line_span(text: str, at: int) -> tuple[int, int]:
    """Where the line that holds `at` ends, without and with its newline."""
    end = text.find("\n", at)
    if end < 0:
        return len(text), len(text)
    return end - 1 if at < end and text[end - 1] == "\r" else end, end + 1


def find_comment(run: str) -> int:
    """Where a comment starts in text outside quotes; -1 for nowhere."""
    hash_mark, semicolon = run.find("#"), run.find(";")
    return max(hash_mark, semicolon) if hash_mark < 0 or semicolon < 0 else min(hash_mark, semicolon)


def read_header(text: str, start: int) -> tuple[str, str | None, int]:
    """Section, subsection and the position after `]`, from just after `[`."""
    at = past(text, start, KEY + ".")
    section, dot, rest = text[start:at].lower().partition(".")
    if text[at : at + 1] == "]" and at > start:
        return section, rest if dot else None, at + 1
    quote = past(text, at, BLANKS)
    if quote == at or text[quote : quote + 1] != '"':
        raise problem(text, at, "bad section header")
    end, _ = line_span(text, quote)
    at = quote + 1
    name = [rest, "."] if dot else []
    while at < end and text[at] != '"':
        if text[at] == "\\":
            at += 1
        name.append(text[at : at + 1])
        at += 1
    if at >= end or text[at : at + 2] != '"]':
        raise problem(text, quote, "bad section header")
    return section, "".join(name), at + 2


def simple_value(text: str) -> str | None:
    """The value of what stands after `=` on a line of its own, if it has no comment, escape or inner quotes."""
    value = text.strip(BLANKS)
    if "\\" in value:
        return None
    if '"' in value:
        inner = value[1:-1]
        return inner if value[0] == value[-1] == '"' and len(value) > 1 and '"' not in inner else None
    return None if "#" in value or ";" in value else value


def read_value(text: str, at: int) -> tuple[str, int, int, int]:
    """The value that stands after `=`, the position of the next line, and the span from first to last character."""
    content, after = line_span(text, at)
    start = min(past(text, at, BLANKS), content)
    parts: list[str] = []
    empty, quoted = True, False
    quote = slash = -1
    while True:
        if quote < at:
            quote = _find(text, '"', at, content)
        if slash < at:
            slash = _find(text, "\\", at, content)
        stop = min(quote, slash)
        run = text[at:stop]
        comment = -1 if quoted else find_comment(run)
        if stop == content or comment >= 0:
            if quoted:
                raise problem(text, start, "quote without end")
            run = (run if comment < 0 else run[:comment]).rstrip(BLANKS)
            parts.append(run.lstrip(BLANKS) if empty else run)
            return "".join(parts), after, start, max(start, at + len(run))
        parts.append(run.lstrip(BLANKS) if empty and not quoted else run)
        empty = empty and not parts[-1]
        at = stop + 1
        if stop == quote:
            quoted = not quoted
        elif at == content:
            at = after
            content, after = line_span(text, at)
            quote = slash = -1
        else:
            escaped = _ESCAPES.get(text[at])
            if escaped is None:
                raise problem(text, at, "unknown escape")
            parts.append(escaped)
            empty = False
            at += 1


def _find(text: str, character: str, at: int, end: int) -> int:
    found = text.find(character, at, end)
    return end if found < 0 else found


def written_header(section: str, subsection: str | None) -> str:
    """A header line as git writes it."""
    if subsection is None:
        return f"[{section}]\n"
    escaped = subsection.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{section} "{escaped}"]\n'


def written_value(value: str) -> str:
    """The value quoted and escaped as far as any git needs it to read the same text back; ValueError for NUL."""
    if "\0" in value:
        raise ValueError("a value cannot hold NUL")
    odd = '"' in value or "\\" in value or find_comment(value) >= 0 or value.strip(" ") != value
    if not odd and value.isprintable():
        return value
    value = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + value.replace("\n", "\\n").replace("\t", "\\t").replace("\b", "\\b") + '"'

"""The words of a command line that leaves a shell nothing to do but start it. Contract: hosts.md, Approval."""

from __future__ import annotations

_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:@+,-")
_ESCAPED = frozenset("'\" ")
_KEPT_FROM_DOUBLE = frozenset("$`{}*?[~!")


def simple_words(line: str) -> list[str] | None:
    """The words of one simple command, unquoted as a POSIX shell does; None for anything that a shell could read in
    another way: operators, expansions, comments, assignments, line ends and odd characters outside quotes.

    fish, which knows two escapes in single quotes, and zsh, which expands `=name`, see the same words end in the same
    places.
    """
    words: list[str] = []
    word: str | None = None  # None between words: `''` is a word
    position, end = 0, len(line)
    while position < end:
        character = line[position]
        if character in " \t":
            if word is not None:
                words.append(word)
            word = None
            position += 1
            continue
        word = word or ""
        if character in _PLAIN:
            text, position = character, position + 1
        elif character == "=":
            # `--option=value` only: elsewhere shells see assignments, and zsh the path of a command.
            if not word.startswith("-") or "=" in word:
                return None
            text, position = character, position + 1
        else:
            quoted = _quoted(line, position)
            if quoted is None:
                return None
            text, position = quoted
        word += text
    if word is not None:
        words.append(word)
    return words


def _quoted(line: str, start: int) -> tuple[str, int] | None:
    """The text that a quote or backslash at `start` stands for, and where the line goes on."""
    mark = line[start]
    if mark == "\\":
        character = line[start + 1 : start + 2]
        return (character, start + 2) if character in _ESCAPED else None
    if mark == '"':
        return _double(line, start + 1)
    if mark != "'":
        return None
    end = line.find("'", start + 1)
    text = line[start + 1 : end]
    # A backslash before the closing quote would escape it in fish.
    if end < 0 or text.endswith("\\") or not _is_text(text):
        return None
    return text, end + 1


def _double(line: str, start: int) -> tuple[str, int] | None:
    """Between double quotes a shell still expands: what could begin that is not taken, escaped or not."""
    found: list[str] = []
    position, end = start, len(line)
    while position < end:
        character = line[position]
        if character == '"':
            text = "".join(found)
            return (text, position + 1) if _is_text(text) else None
        if character in _KEPT_FROM_DOUBLE:
            return None
        if character == "\\":
            position += 1
            character = line[position : position + 1]
            if character in _KEPT_FROM_DOUBLE or character in ("", "\n"):
                return None
            if character not in ('"', "\\"):
                character = f"\\{character}"
        found.append(character)
        position += 1
    return None


def _is_text(text: str) -> bool:
    """Nothing that a terminal or a shell could take for a control character; lines and tabs are text."""
    return text.replace("\n", "").replace("\t", "").isprintable()

"""Untrusted text made safe to show: control characters, escape sequences, frames.

Text from repositories (briefs, READMEs, cards, branch names, git's messages) passes through here before a terminal
or a model sees it. Contract: concepts.md, Output.
"""

from __future__ import annotations

_CONTROLS = (*range(0x20), 0x7F, *range(0x80, 0xA0))
_BREAKS = (0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029)
# Without a shape of their own, they hide text or turn its direction: soft hyphen, bidirectional marks, embeddings,
# overrides and isolates, blanks of no width, byte order mark, annotations, tags.
_INVISIBLE = (
    *(0xAD, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F, 0xFEFF),
    *range(0x202A, 0x202F),
    *range(0x2060, 0x2070),
    *range(0xFFF9, 0xFFFC),
    *range(0xE0000, 0xE0080),
)
# Without a shape too, but scripts and emoji need them: joiners and variation selectors.
_JOINING = (0x34F, *range(0x180B, 0x180E), 0x200C, 0x200D, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))

_KEEP_LAYOUT = {
    **dict.fromkeys((*_CONTROLS, *_INVISIBLE)),
    0x09: "\t",
    **dict.fromkeys((0x0A, 0x0D, 0x85, 0x2028, 0x2029), "\n"),
}
_ONE_LINE = {**dict.fromkeys((*_CONTROLS, *_INVISIBLE)), 0x09: " ", **dict.fromkeys(_BREAKS, " ")}
_NO_JOINERS = dict.fromkeys(_JOINING)


def _without_escapes(text: str) -> str:
    """Drop whole terminal sequences (CSI, OSC, DCS, two-character escapes), not only their first byte."""
    if not any(start in text for start in "\x1b\x90\x98\x9b\x9d\x9e\x9f"):
        return text
    import re  # only hostile or coloured text needs it

    string = r"(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?"
    control = r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    return re.sub(rf"{string}|{control}|\x1b[ -/]*[0-~]?", "", text)


def _without_halves(text: str) -> str:
    """Halves of a surrogate pair, which stand for bytes that were not UTF-8, become the replacement character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
    return text


def safe_text(text: str) -> str:
    """Text of several lines with tabs and newlines kept and everything that steers a terminal gone."""
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return _without_halves(_without_escapes(text.replace("\r\n", "\n")).translate(_KEEP_LAYOUT))


def safe_line(text: str) -> str:
    """The same for a value that must stay on one line: every line break and tab becomes a blank."""
    if text.isprintable():
        return text
    return _without_halves(_without_escapes(text).translate(_ONE_LINE))


def escaped_line(text: str) -> str:
    """One line that still shows where its newlines were, as `\\n`; other control characters go. For jots."""
    return safe_line(safe_text(text).replace("\n", "\\n"))


def safe_json(text: str) -> str:
    """A JSON value as text, whose strings keep every character, the harmful ones as `\\uXXXX`."""
    if text.isascii() and "\x7f" not in text:
        return text
    hidden = (0x7F, *range(0x80, 0xA0), 0x2028, 0x2029, *_INVISIBLE)
    return _without_halves(text.translate({code: _json_escape(code) for code in hidden}))


def _json_escape(code: int) -> str:
    units = chr(code).encode("utf-16-be").hex()
    return "".join(f"\\u{units[i : i + 4]}" for i in range(0, len(units), 4))


def framed(text: str) -> str:
    """Text for a block that a model reads: it can imitate neither the block's own tags nor its headings."""
    text = safe_text(text)
    bare = text if text.isascii() else text.translate(_NO_JOINERS)
    if "orbit-context" in bare.lower():
        import re  # only text that names the frame needs it

        text = re.sub(r"<(?=[\s/]*orbit-context)", "&lt;", bare, flags=re.IGNORECASE)
    if "---" in bare:
        text = "\n".join(f" {line}" if _is_heading(line) else line for line in text.split("\n"))
    return text


def _is_heading(line: str) -> bool:
    """Whether a line begins like the heading of a block's section, `--- NAME`."""
    bare = line if line.isascii() else line.translate(_NO_JOINERS)
    return bare.startswith("---") and bare[3:4].isspace()


def binary_size(count: int) -> tuple[float, str]:
    """A number of bytes in the largest unit that it fills, up to TiB; the unit is "" below 1,024."""
    size, unit = float(count), ""
    for larger in ("KiB", "MiB", "GiB", "TiB"):
        if size < 1024:
            break
        size, unit = size / 1024, larger
    return size, unit


def shortened(text: str, limit: int) -> str:
    """At most `limit` characters (1 or more), cut with an ellipsis."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def nearest(word: str, known: list[str], count: int = 3) -> list[str]:
    """The known names most like `word`, best first; for «did you mean»."""
    from difflib import get_close_matches  # an error path

    folded = {name.lower(): name for name in known}
    return [folded[name] for name in get_close_matches(word.lower(), folded, n=count, cutoff=0.55)]

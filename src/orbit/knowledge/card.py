"""The card itself, pure: its text made regular, its state, its revision, what a check finds, the scaffold.

Contract: knowledge.md, The card; refinements.md 29, 32, 35.
"""

from __future__ import annotations

from itertools import pairwise

from orbit.errors import OrbitError
from orbit.git.urls import redact_urls
from orbit.knowledge.incoming import decoded
from orbit.record import Record
from orbit.text import safe_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.store.settings import Settings

MAX_WRITE_BYTES = 256 * 1024
_ROLES, _USE = "when to add", "how to use"
SCAFFOLD_HEADINGS = frozenset((f"{_ROLES} (roles)", _ROLES, _USE))  # in lower case; every card has them
_PLACEHOLDER = "TODO"


class Budget(Record):
    """The card's limits in non-blank lines and bytes; `slack` lines above the ceiling are let be."""

    minimum: int
    maximum: int
    bytes: int

    @property
    def slack(self) -> int:
        return self.minimum


def budget(settings: Settings) -> Budget:
    return Budget(settings.number("memo.minLines"), settings.number("memo.maxLines"), settings.number("memo.maxBytes"))


def line_count(data: bytes) -> int:
    """Non-blank lines of a card as stored, without decoding it."""
    return sum(1 for line in data.split(b"\n") if line.strip())


def card_state(data: bytes | None, limits: Budget) -> str:
    """`none`, `thin`, `ok` or `over`; too many bytes win over too few lines."""
    if data is None:
        return "none"
    if len(data) > limits.bytes:
        return "over"
    lines = line_count(data)
    if lines > limits.maximum + limits.slack:
        return "over"
    return "thin" if lines < limits.minimum else "ok"


def revision(data: bytes) -> str:
    """The blob id git gives this text: names a version of a card everywhere."""
    try:
        from _sha1 import sha1  # type: ignore[import-not-found] # hashlib loads OpenSSL, half a bare start
    except ImportError:
        from hashlib import sha1  # a Python built without its own
    return str(sha1(b"blob %d\0" % len(data) + data).hexdigest())


def can_be_revision(given: str) -> bool:
    """`none` (for no card), or at least four hexadecimal digits."""
    return given == "none" or (4 <= len(given) <= 40 and not given.strip("0123456789abcdefABCDEF"))


def names_revision(given: str, data: bytes | None) -> bool:
    """Whether `given` (abbreviable, or `none` for no card) is the revision of `data`."""
    if given == "none" or data is None:
        return given == "none" and data is None
    return can_be_revision(given) and revision(data).startswith(given.lower())


def normalised(data: bytes, repo: str) -> str:
    """The text as it will be stored: no mark, LF, no blanks at line ends, no blank lines at either end, one newline.

    Raises OrbitError for text that cannot be a card: NUL, not UTF-8, empty, huge.
    """
    if len(data) > MAX_WRITE_BYTES:
        raise OrbitError(repo, f"card refused, it is over {MAX_WRITE_BYTES // 1024} KiB")
    text = decoded(data, repo, "card").removeprefix("\ufeff")
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    text = "\n".join(lines).strip("\n")
    if not text.strip():
        raise OrbitError(repo, "card refused, it is empty", f"give it on stdin, or: orbit memo {repo} --file FILE")
    return text + "\n"


def scaffold(repo: str) -> str:
    """The advised shape of a card, with placeholders that a check finds."""
    return f"""# {repo}

{_PLACEHOLDER}: one sentence that says what {repo} is (at most 120 characters)

## When to add (roles)

- {_PLACEHOLDER}: a role this repository fills, and the kind of task that needs it

## How to use

- `{_PLACEHOLDER}/path`: why it matters and when to start there
"""


def size_words(data: bytes, limits: Budget) -> str:
    """How large a card is against its budget, in words."""
    if len(data) > limits.bytes:
        return f"{len(data)} of {limits.bytes} bytes"
    return f"{line_count(data)} of {limits.maximum} lines"


def quick_findings(text: str) -> list[str]:
    """What a write says at once: placeholders left, sections missing, secrets."""
    found = []
    words = "".join(c if c.isalnum() or c == "_" else " " for c in text).split()
    placeholders = words.count(_PLACEHOLDER)
    if placeholders:
        found.append(f"{placeholders} placeholders left ({_PLACEHOLDER})")
    headings = _headings(text)
    missing = [section for section in (_ROLES, _USE) if not any(h.startswith(section) for h in headings)]
    found += [f"no section '{section.capitalize()}'" for section in missing]
    return [*found, "a URL with credentials"] if holds_credentials(text) else found


def holds_credentials(text: str) -> bool:
    """Whether any URL in it has a user or password, which `memo --push` would share."""
    return redact_urls(text) != text


def control_characters(text: str) -> list[str]:
    """The first few that are never shown, as `U+001B`."""
    dropped = [c for c in sorted(set(text.replace("\r\n", "\n"))) if not safe_text(c)]
    return [f"U+{ord(c):04X}" for c in dropped[:5]]


def _headings(text: str) -> list[str]:
    """In lower case: those marked with `#`, and lines with a line of `=` or `-` below."""
    lines = text.split("\n")
    marked = [line.lstrip("#") for line in lines if line.startswith("#")]
    underlined = [line for line, below in pairwise(lines) if below and not (below.strip("=") and below.strip("-"))]
    return [heading.strip().lower() for heading in marked + underlined]


def findings(text: str, brief: str, limits: Budget) -> list[str]:
    """Everything `memo --check` can say from the text alone; empty for a clean card."""
    data = text.encode("utf-8", "surrogateescape")
    found = []
    if not brief:
        found.append("no brief can be extracted (first paragraph, or the heading's text)")
    elif brief.endswith("…") and brief not in " ".join(text.split()):
        found.append("the brief is longer than 120 characters and gets cut")
    found += quick_findings(text)
    state = card_state(data, limits)
    if state == "over":
        found.append(f"over budget, {size_words(data, limits)}")
    elif state == "thin":
        found.append(f"thin, {line_count(data)} lines (at least {limits.minimum})")
    elif line_count(data) > limits.maximum:
        found.append(f"above the ceiling, {size_words(data, limits)}")
    dropped = control_characters(text)
    if dropped:
        found.append("control characters: " + ", ".join(dropped))
    if "\ufffd" in text:
        found.append("bytes that are not UTF-8, or U+FFFD in their place")
    return found

"""JSON by the C half of the standard library's `json`: its Python half, which brings `re`, costs half a bare start and
adds nothing here. The text is the same to the letter, the tests compare.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_BLANKS = " \t\n\r"


class _Rules:
    """What the C scanner reads by: those of `json.loads`."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float = float
    parse_int = int

    @staticmethod
    def parse_constant(name: str) -> float:
        return float(name.replace("Infinity", "inf"))


def dumps(value: object, *, ascii_only: bool = True) -> str:
    """As `json.dumps` does. Raises TypeError and ValueError for what JSON cannot say."""
    try:
        # Only JSON pays for it.
        from _json import encode_basestring, encode_basestring_ascii, make_encoder
    except ImportError:
        import json  # a Python without the C half

        return json.dumps(value, ensure_ascii=ascii_only)
    quoted: Callable[[str], str] = encode_basestring_ascii if ascii_only else encode_basestring
    return "".join(make_encoder({}, _refuse, quoted, None, ": ", ", ", False, False, True)(value, 0))


def _refuse(value: object) -> object:
    raise TypeError(f"{type(value).__name__} is not JSON")


def loads(text: str) -> object:
    """As `json.loads` does. Raises ValueError for what is not one JSON value, RecursionError for a deep one."""
    try:
        from _json import make_scanner  # only JSON pays for it
    except ImportError:
        import json  # a Python without the C half

        found: object = json.loads(text)
        return found
    start = len(text) - len(text.lstrip(_BLANKS))
    try:
        value, end = make_scanner(_Rules())(text, start)  # type: ignore[arg-type] # anything with these attributes
    except StopIteration:
        raise ValueError("not JSON") from None
    if text[end:].strip(_BLANKS):
        raise ValueError("more than one JSON value")
    parsed: object = value
    return parsed

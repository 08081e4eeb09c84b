"""Plots as plain inline SVG, coloured by the page's own style sheet. Pure; every label is escaped here."""

from __future__ import annotations

import time

from orbit.page.markup import text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Point = tuple[int, int]  # seconds since 1970, value

_WIDTH, _HEIGHT = 480, 200
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 14, 12, 26
_TICKS = 4
_DAY_SECONDS = 86_400


def stacked_bar(parts: Sequence[tuple[str, int]], title: str) -> str:
    """One bar of the given (name, count), each in the colour of its name; as wide as the page."""
    total = sum(count for _, count in parts)
    if not total:
        return ""
    drawn, at = [], 0.0
    for name, count in parts:
        if count:
            share = 100 * count / total
            drawn.append(f'<rect class="fill-{text(name)}" x="{at:.3f}" y="0" width="{share:.3f}" height="10"/>')
            at += share
    words = ", ".join(f"{count} {name}" for name, count in parts if count)
    return (
        f'<svg class="stack" role="img" viewBox="0 0 100 10" preserveAspectRatio="none">'
        f"<title>{text(title)}: {text(words)}</title>{''.join(drawn)}</svg>\n"
    )


def share_bar(value: int, largest: int) -> str:
    """A small bar beside a number that says the same, so that it is hidden from a screen reader."""
    share = 100 * value / largest if largest else 0.0
    return (
        '<svg class="share" aria-hidden="true" viewBox="0 0 100 10" preserveAspectRatio="none">'
        f'<rect x="0" y="0" width="{share:.2f}" height="10"/></svg>'
    )


def step_line(points: Sequence[Point], until: int, title: str, description: str) -> str:
    """A value that stays until it changes, from the first point to `until`; no points draw nothing."""
    if not points:
        return ""
    start = points[0][0]
    end = max(until, points[-1][0], start + _DAY_SECONDS)
    top = nice_ceiling(max(value for _, value in points))
    path = [f"M{_x(start, start, end)} {_y(0, top)}"]
    for at, value in points:
        path += [f"H{_x(at, start, end)}", f"V{_y(value, top)}"]
    path.append(f"H{_x(end, start, end)}")
    line = " ".join(path)
    area = f"{line} V{_y(0, top)} Z"
    return (
        f'<svg class="plot" role="img" viewBox="0 0 {_WIDTH} {_HEIGHT}">'
        f"<title>{text(title)}</title><desc>{text(description)}</desc>\n"
        f"{_value_axis(top)}{_time_axis(start, end)}"
        f'<path class="area" d="{area}"/><path class="line" d="{line}"/></svg>\n'
    )


def nice_ceiling(value: int) -> int:
    """The least of 4, 8, 20, 40, 80, 200 … that is not below `value`: four even steps."""
    step = 1
    while True:
        for factor in (1, 2, 5):
            if value <= _TICKS * step * factor:
                return _TICKS * step * factor
        step *= 10


def _x(at: int, start: int, end: int) -> str:
    return f"{_LEFT + (_WIDTH - _LEFT - _RIGHT) * (at - start) / (end - start):.1f}"


def _y(value: int, top: int) -> str:
    return f"{_HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * value / top:.1f}"


def _value_axis(top: int) -> str:
    lines = []
    for value in range(0, top + 1, top // _TICKS):
        y = _y(value, top)
        lines.append(f'<path class="grid" d="M{_LEFT} {y} H{_WIDTH - _RIGHT}"/>')
        lines.append(f'<text class="tick" x="{_LEFT - 8}" y="{y}" dy="4" text-anchor="end">{value}</text>')
    return "".join(lines)


def _time_axis(start: int, end: int) -> str:
    """The first and the last day, and one between them where there is room."""
    marks = [(start, "start"), (end, "end")]
    if end - start > 20 * _DAY_SECONDS:
        marks.insert(1, ((start + end) // 2, "middle"))
    y = _HEIGHT - 8
    return "".join(
        f'<text class="tick" x="{_x(at, start, end)}" y="{y}" text-anchor="{anchor}">{day(at)}</text>'
        for at, anchor in marks
    )


def day(at: int) -> str:
    """A date, as the person's clock has it."""
    return time.strftime("%Y-%m-%d", time.localtime(at))

"""Writes docs/recording.svg, the loop as it really runs: `python docs/generate_recording.py`. A test runs it again."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path

PICTURE = Path(__file__).with_name("recording.svg")
_PLACE = "/home/me"
_COLUMNS = 118
_LINE, _WIDTH, _MARGIN = 17, 7.4, 16
_SECONDS_A_LINE = 0.28
# Which of several is ready first is not for a picture.
_PROGRESS = re.compile(r"orbit: \w+: added \(\d/\d\)")
# What a reader of the picture does not need to see.
_STEPS = (
    "Which repositories",
    "Both are needed",
    "A discovery is queued",
    "What is pending",
    "Before the end",
    "... and merge",
)

_HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{label}">
<title>{label}</title>
<style>
text {{ font: 12.3px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre; fill: #d7dce2 }}
.why {{ fill: #8b98a5 }} .typed {{ fill: #7ee2a8; font-weight: 600 }} .said {{ fill: #e8c07d }}
g text {{ animation: shown 0.01s steps(1) both }}
@keyframes shown {{ from {{ visibility: hidden }} to {{ visibility: visible }} }}
@media (prefers-reduced-motion: reduce) {{ g text {{ animation: none }} }}
</style>
<rect width="100%" height="100%" rx="8" fill="#14181d"/>
<g>
"""


def transcript() -> list[str]:
    """What `orbit try --run` prints on both streams, line by line, with its place made neutral."""
    with tempfile.TemporaryDirectory() as scratch:
        here = Path(scratch).resolve()
        words = [sys.executable, "-m", "orbit", "try", "--run", "project"]
        done = subprocess.run(  # noqa: S603  (this interpreter)
            words, cwd=here, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True
        )
        return done.stdout.replace(str(here), _PLACE).splitlines()


def scenes(lines: list[str]) -> list[str]:
    """The chosen steps; each begins with a comment line."""
    chosen: list[str] = []
    shown = False
    for line in lines:
        if line.startswith("# "):
            shown = line[2:].startswith(_STEPS)
        if shown and not _PROGRESS.fullmatch(line):
            chosen.append(line)
    while chosen and not chosen[-1]:
        chosen.pop()
    return chosen


def picture(lines: list[str]) -> str:
    """An SVG in which the lines appear one after the other."""
    rows = []
    for number, line in enumerate(lines):
        kind = "why" if line.startswith("# ") else "typed" if line.startswith("$ ") else "said"
        kind = kind if kind != "said" or line.startswith("orbit: ") else ""
        text = line if len(line) <= _COLUMNS else f"{line[: _COLUMNS - 1]}…"
        place = f'x="{_MARGIN}" y="{_MARGIN + 12 + number * _LINE}"'
        style = f' class="{kind}"' if kind else ""
        delay = f"animation-delay:{number * _SECONDS_A_LINE:.2f}s"
        rows.append(f'<text {place}{style} style="{delay}" xml:space="preserve">{escape(text)}</text>\n')
    width, height = int(_COLUMNS * _WIDTH) + 2 * _MARGIN, len(lines) * _LINE + 2 * _MARGIN
    head = _HEAD.format(width=width, height=height, label="orbit: from the roster to a card")
    return head + "".join(rows) + "</g>\n</svg>\n"


if __name__ == "__main__":
    PICTURE.write_text(picture(scenes(transcript())), encoding="utf-8")

"""Blocks of a document as a shell shows them: `$ command`, then what it prints; `…` matches anything."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path


def steps(block: str) -> list[tuple[str, str]]:
    """(command, what it prints) of a block."""
    parts = re.split(r"^\$ (.+)\n", block, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def matches(shown: str, printed: str) -> bool:
    """`…` stands for any part of a line, and alone on a line for any lines."""
    pattern = "".join(".*?" if part == "…" else re.escape(part) for part in re.split("(…)", shown))
    return re.fullmatch(re.sub(r"(^|\n)\.\*\?\n", r"\1(?:.*\n)*", pattern), printed, re.DOTALL) is not None


def type_in(command: str, here: Path, programs: Path) -> tuple[str, Path]:
    """(what it prints on both streams, where the shell stands afterwards); `programs` holds this `orbit`."""
    orbit = programs / "orbit"
    if not orbit.exists():
        programs.mkdir(exist_ok=True)
        orbit.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m orbit "$@"\n')
        orbit.chmod(0o755)
    words = ["sh", "-c", f'{command}\nstatus=$?; pwd > "{programs}/pwd"; exit $status']
    env = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    done = subprocess.run(words, cwd=here, env=env, check=False, **streams)
    return done.stdout.decode(), Path((programs / "pwd").read_text().strip())

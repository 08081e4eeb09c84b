"""orbit as processes of their own that run side by side."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

from world import Outcome, as_text


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "orbit", *words]


def shell_line(directory: Path, *words: str) -> str:
    """A command for a shell script: quiet, run in a directory."""
    return f"(cd {shlex.quote(str(directory))} && {shlex.join(command(*words))} >/dev/null 2>&1)"


def start(
    directory: Path, *words: str, stdin: int = subprocess.DEVNULL, stdout: int = subprocess.PIPE
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command(*words), cwd=directory, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE)


def finish(process: subprocess.Popen[bytes]) -> Outcome:
    """What it left behind, once it has ended by itself."""
    out, err = process.communicate(timeout=120)
    return Outcome(process.returncode, as_text(out or b""), as_text(err))


def patiently(directory: Path, *words: str) -> Outcome:
    """One call, again as long as it is refused because a lock was held: a busy machine may take its ten seconds."""
    for _ in range(100):
        outcome = finish(start(directory, *words))
        held = ": locked by " in outcome.err or "another pop in this workspace" in outcome.err
        if outcome.code != 1 or not held:
            break
    return outcome

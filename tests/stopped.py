"""`python stopped.py LOG SIGNAL N WORDS...`: orbit, which sends itself a signal just before its N-th step.

A step is whatever the system would see of it: a git that is started, a file or directory that is made, written, renamed
or removed. Each is written to LOG, so that a test knows how many there are.
"""

from __future__ import annotations

import os
import sys
from typing import Any

STEPS = ("os.posix_spawn", "os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.link", "os.chmod")
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT


def main() -> int:
    log, signal_number, stop_at = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT), int(sys.argv[2]), int(sys.argv[3])
    sys.argv = ["orbit", *sys.argv[4:]]
    from orbit.cli.main import main as orbit  # started before anything is counted

    count = 0

    def step(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal count
        writes = event == "open" and not isinstance(arguments[0], int) and arguments[2] & _WRITES
        if event not in STEPS and not writes:
            return
        count += 1
        words = arguments[1] if event == "os.posix_spawn" else arguments[:1]
        os.write(log, f"{event} {words!r}\n".encode())
        if count == stop_at:
            os.kill(os.getpid(), signal_number)

    sys.addaudithook(step)
    return orbit()


if __name__ == "__main__":
    sys.exit(main())

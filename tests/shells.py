"""Real shells on a pseudo-terminal, orbit's completion loaded: type, press Tab, and see what became of the line."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from world import as_text

# What a key prints around the line: no shell echoes these by itself.
_BEFORE, _AFTER = "\x1c<", ">\x1c"
_PATIENCE_SECONDS = 60

_BASH = r"""
PS1='$ '; HISTFILE=; bind 'set bell-style none'; bind 'set enable-bracketed-paste off'; bind 'set page-completions off'
source "$ORBIT_SCRIPT"
_show_line() { printf '\034<%s>\034' "$READLINE_LINE"; READLINE_LINE=; READLINE_POINT=0; }
bind -x '"\C-x\C-p": _show_line'
"""
_ZSH = r"""
PS1='$ '; HISTFILE=; unsetopt beep prompt_sp; setopt no_always_last_prompt
autoload -Uz compinit; compinit -u -D
source "$ORBIT_SCRIPT"
_show_line() { printf '\034<%s>\034' "$BUFFER"; BUFFER=; }
zle -N _show_line; bindkey '^X^P' _show_line
"""
_STARTS = {"bash": (["--noprofile", "--norc", "-i"], _BASH), "zsh": (["-f", "-i"], _ZSH)}


def require(shell: str) -> str:
    """Where the shell is; skips the test on a machine without it."""
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"{shell} is not on this machine")
    return found


def with_orbit(directory: Path) -> str:
    """A PATH on which `orbit` is this very program."""
    programs = directory / "programs"
    programs.mkdir(exist_ok=True)
    orbit = programs / "orbit"
    orbit.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m orbit "$@"\n')
    orbit.chmod(0o755)
    return f"{programs}:{os.environ['PATH']}"


def write_script(shell: str, directory: Path) -> Path:
    """The completion script as a user would save it."""
    path = directory / f"completion.{shell}"
    made = subprocess.run([sys.executable, "-m", "orbit", "completion", shell], capture_output=True, check=True)
    path.write_bytes(made.stdout)
    return path


class Shell:
    """One interactive shell."""

    def __init__(self, terminal: int) -> None:
        self._terminal = terminal
        self._ahead = b""
        self.screen = ""

    def send(self, keys: str) -> None:
        os.write(self._terminal, keys.encode())

    def read_until(self, mark: str) -> str:
        """Everything shown up to the mark, which goes."""
        while (end := self._ahead.find(mark.encode())) < 0:
            ready, _, _ = select.select([self._terminal], [], [], _PATIENCE_SECONDS)
            assert ready, f"the shell fell silent after {as_text(self._ahead)!r}"
            self._ahead += os.read(self._terminal, 65536)
        shown, self._ahead = self._ahead[:end], self._ahead[end + len(mark) :]
        return as_text(shown)

    def tab(self, typed: str, presses: int = 1) -> str:
        """The line after `typed` and Tab; what was shown meanwhile is in `screen`."""
        self.send(typed + "\t" * presses + "\x18\x10")
        self.screen = self.read_until(_BEFORE)
        return self.read_until(_AFTER)


@contextmanager
def shell_at(shell: str, cwd: Path, directory: Path) -> Iterator[Shell]:
    """An interactive shell in `cwd`; `directory` is for its files."""
    program = require(shell)
    options, start = _STARTS[shell]
    (directory / "start").write_text(start)
    ours, theirs = pty.openpty()
    settings = {
        **os.environ,
        "PATH": with_orbit(directory),
        "TERM": "xterm",
        "LC_ALL": "C.UTF-8",
        "HOME": str(directory),
        "ORBIT_SCRIPT": str(write_script(shell, directory)),
    }
    process = subprocess.Popen(
        [program, *options], cwd=cwd, env=settings, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    )
    os.close(theirs)
    try:
        made = Shell(ours)
        made.send(f" . {directory}/start; printf '\\034ready\\034'\n")
        made.read_until("\x1cready\x1c")
        yield made
    finally:
        os.close(ours)
        process.kill()
        process.wait()


def fish_offers(line: str, cwd: Path, directory: Path) -> list[str]:
    """What fish offers for a line, by its own word, without the descriptions."""
    fish = require("fish")
    script = write_script("fish", directory)
    (directory / "asked.fish").write_text(f"source {script}\ncomplete -C $argv[1]\n")
    env = {**os.environ, "PATH": with_orbit(directory), "HOME": str(directory), "LC_ALL": "C.UTF-8", "TERM": "xterm"}
    command = [fish, "--no-config", str(directory / "asked.fish"), line]
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, timeout=_PATIENCE_SECONDS, check=False)
    assert (done.returncode, as_text(done.stderr)) == (0, "")
    return [offer.partition("\t")[0] for offer in as_text(done.stdout).splitlines()]

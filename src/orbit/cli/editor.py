"""Programs started for the user: editor, shell, this program itself. Contract: concepts.md, Environment."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import tempfile

from orbit.errors import OrbitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.places import World


def editor_command(world: World) -> list[str]:
    """ORBIT_EDITOR, then VISUAL, EDITOR, vi, split as a shell would (editors are often set with options)."""
    chosen = world.get("ORBIT_EDITOR") or world.get("VISUAL") or world.get("EDITOR") or "vi"
    try:
        words = shlex.split(chosen)
    except ValueError:
        raise OrbitError("editor", f"cannot be split into words: {chosen}") from None
    if not words:
        raise OrbitError("editor", "the editor setting is blank")
    return words


def edit_text(world: World, initial: str, suffix: str) -> str:
    """Open the editor on a temporary file holding `initial`; returns what it holds afterwards.

    Raises OrbitError when the editor fails, KeyboardInterrupt when it was interrupted.
    """
    command = editor_command(world)
    descriptor, path = tempfile.mkstemp(prefix="orbit-", suffix=suffix)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(initial.encode("utf-8", "surrogateescape"))
        try:
            status = _run_in_front([*command, path], world, None)
        except OSError as error:
            hint = "set ORBIT_EDITOR, VISUAL or EDITOR"
            raise OrbitError("editor", f"cannot start {command[0]} ({error.strerror})", hint) from None
        if status == -signal.SIGINT:
            raise KeyboardInterrupt
        if status != 0:
            how = f"with status {status}" if status > 0 else f"by signal {-status}"
            raise OrbitError("editor", f"{command[0]} ended {how}, nothing was changed")
        with open(path, "rb") as file:
            return file.read().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        raise OrbitError("editor", f"{command[0]} removed the file, nothing was changed") from None
    finally:
        if os.path.lexists(path):
            os.unlink(path)


def run_in_shell(world: World, command: str, directory: str) -> int:
    """`new --exec`: the one place where a shell is started, because the user asked for a command line.

    Returns its exit status as a shell tells it: 128 and the number of the signal that ended it.
    """
    shell = world.get("SHELL") or "/bin/sh"
    try:
        status = _run_in_front([shell, "-c", command], world, directory)
    except OSError as error:
        raise OrbitError("new", f"cannot start {shell} ({error.strerror})") from None
    return status if status >= 0 else 128 - status


def _run_in_front(command: list[str], world: World, directory: str | None) -> int:
    """A program that has the terminal: Ctrl-C and Ctrl-\\ are meant for it alone. The status; negative: its signal."""
    kept = {number: signal.signal(number, _leave_it) for number in (signal.SIGINT, signal.SIGQUIT)}
    try:
        return subprocess.run(command, cwd=directory, env=dict(world.env), check=False).returncode
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)


def _leave_it(number: int, frame: object) -> None:
    """A handler, unlike SIG_IGN, is not inherited by the program that is started."""


def run_this_program(world: World, words: tuple[str, ...], directory: str) -> tuple[str, int]:
    """What another call of this program prints, stdout and stderr as a person sees them; and its status."""
    env = {name: value for name, value in world.env.items() if name != "ORBIT_ROOT"}
    ended = subprocess.run(
        [sys.executable, "-P", "-m", "orbit", *words],
        cwd=directory,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return ended.stdout.decode("utf-8", "replace"), ended.returncode

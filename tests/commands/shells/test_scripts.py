"""The scripts as text; `test_scripts_in_shells.py` presses Tab."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from orbit.commands.arguments import flag, option, positional
from orbit.commands.shells.scripts import SHELLS, Verb, script
from shells import require

VERBS = (
    Verb(
        "clone",
        "it's a summary: with [all] \\ that $quotes `mean`",
        (
            positional("URL", "what", "many"),
            option("--from", "FILE", "a list: one 'URL [NAME]' a line", completes="file"),
            option("--pr", "URL", "again", repeats=True),
            flag("--silent", "say less", short="-s"),
            flag("--secret", "not shown").replace(hidden=True),
        ),
    ),
    Verb("version", "print it", ()),
)


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_is_sound_and_knows_every_word(shell: str, tmp_path: Path) -> None:
    text = script(shell, VERBS, ("layout",))
    path = tmp_path / "script"
    path.write_text(text)
    for word in ("clone", "version", "layout", "from", "silent"):
        assert word in text
    assert "secret" not in text
    read = subprocess.run([require(shell), "-n", str(path)], capture_output=True, check=False)
    assert (read.returncode, read.stdout, read.stderr) == (0, b"", b"")


@pytest.mark.parametrize("shell", SHELLS)
def test_reading_a_script_says_nothing_and_starts_nothing(shell: str, tmp_path: Path) -> None:
    """At the start of every shell: no orbit, no git, even where the completion system is not loaded."""
    path = tmp_path / "script"
    path.write_text(script(shell, VERBS, ("layout",)))
    plain = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[shell]
    command = [require(shell), *plain, "-c", f". {path}"]
    read = subprocess.run(command, capture_output=True, env={"HOME": str(tmp_path), "PATH": "/nowhere"}, check=False)
    assert (read.returncode, read.stdout, read.stderr) == (0, b"", b"")

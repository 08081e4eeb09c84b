"""The user's editor in tests: a shell script that gets the file's path as `$1`."""

from __future__ import annotations

from pathlib import Path


def make_editor(directory: Path, script: str) -> dict[str, str]:
    """The environment that makes orbit use the script."""
    path = directory / "editor"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return {"ORBIT_EDITOR": str(path)}


def make_writer(directory: Path, text: str | bytes) -> dict[str, str]:
    """An editor that replaces whatever it is given by `text`."""
    source = directory / "typed"
    source.write_bytes(text.encode() if isinstance(text, str) else text)
    return make_editor(directory, f'cat "{source}" > "$1"')

"""A machine whose git config has the filters of git-lfs and whose PATH has no such program."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from world import World, environment

CONFIG = (
    '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n\tsmudge = git-lfs smudge -- %f\n'
    "\tprocess = git-lfs filter-process\n\trequired = true\n"
)
FILES = {".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n", "a.bin": "pointer\n"}


@contextmanager
def configured_and_missing(world: World) -> Iterator[None]:
    """Only git and a shell are on PATH; git finds its own helpers elsewhere."""
    directory = world.base / "bin"
    directory.mkdir()
    for name in ("git", "sh"):
        program = shutil.which(name)
        assert program
        (directory / name).symlink_to(Path(program).resolve())
    settings = world.base / "lfs-config"
    settings.write_text(CONFIG)
    extra = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "include.path", "GIT_CONFIG_VALUE_0": str(settings)}
    with environment({"PATH": str(directory), **extra}):
        yield

"""What orbit needs of the machine: git, Python, gh, a look at the processes above. Contract: commands.md, doctor."""

from __future__ import annotations

import shutil
import sys

from orbit.checkup.finding import FAIL, INFO, OK, WARN, Finding
from orbit.errors import OrbitError
from orbit.git.run import git_version
from orbit.reclaim.initiation import read_ancestors

NEEDED_GIT = (2, 31, 0)
CONTENT_GIT = (2, 38, 0)


def check_machine() -> list[Finding]:
    """Findings that need no project."""
    return [_git(), _python(), _gh(), _ancestry()]


def _git() -> Finding:
    try:
        version = git_version()
    except OrbitError as problem:
        return Finding("git", FAIL, problem.message, "install git 2.31 or newer")
    shown = ".".join(str(part) for part in version)
    if version < NEEDED_GIT:
        return Finding("git", FAIL, f"{shown} is too old", "install git 2.31 or newer")
    if version < CONTENT_GIT:
        return Finding("git", WARN, f"{shown}: merged content cannot be recognised", "git 2.38 or newer can")
    return Finding("git", OK, shown)


def _python() -> Finding:
    shown = ".".join(str(part) for part in sys.version_info[:3])
    return Finding("python", OK, f"{shown} ({sys.executable})")


def _gh() -> Finding:
    found = shutil.which("gh")
    if found is None:
        return Finding("gh", INFO, "not installed, merged pull requests are recognised by git alone")
    return Finding("gh", OK, found)


def _ancestry() -> Finding:
    ancestors = read_ancestors()
    if ancestors and ancestors[0].cwd is not None:
        return Finding("ancestry", OK, f"{len(ancestors)} processes above this one can be looked at")
    return Finding("ancestry", WARN, "process ancestry cannot be read", "run what destroys from the project root")

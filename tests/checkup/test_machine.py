"""What orbit needs of the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from orbit.checkup.machine import check_machine
from reliability.starts import starts


def levels() -> dict[str, str]:
    return {finding.name: finding.level for finding in check_machine()}


def test_this_machine_is_fit() -> None:
    found = levels()
    assert (found["git"], found["python"], found["ancestry"]) == ("OK", "OK", "OK")


@pytest.mark.parametrize(
    ("version", "level"), [("git version 2.30.9", "FAIL"), ("git version 2.35.1", "WARN"), ("git version 2.51.0", "OK")]
)
def test_the_version_of_git_matters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, level: str) -> None:
    program = tmp_path / "git"
    program.write_text(f"#!/bin/sh\necho '{version}'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert levels()["git"] == level


def test_without_git_there_is_one_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    git = next(finding for finding in check_machine() if finding.name == "git")
    assert (git.level, git.remedy) == ("FAIL", "install git 2.31 or newer")


def test_gh_is_optional(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "gh"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    without = levels()["gh"]
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert levels()["gh"] == "OK"
    assert without in ("INFO", "OK")


@pytest.mark.parametrize(
    ("way", "told"),
    [
        ("is killed at once", "git version was ended by signal 9"),
        ("fails at once", "asking for its version: out of memory, in the test"),
    ],
)
def test_a_git_that_fails_is_not_an_old_one(way: str, told: str) -> None:
    with starts(1, way):
        (found,) = (finding for finding in check_machine() if finding.name == "git")
    assert (found.level, found.message) == ("FAIL", told)

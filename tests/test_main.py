from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import orbit

_REPOSITORY = Path(__file__).resolve().parents[1]
WAYS = [[sys.executable, "-m", "orbit"], [sys.executable, str(_REPOSITORY / "bin" / "orbit")]]


def call(way: list[str], *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*way, *words], env={**os.environ, **env}, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("way", WAYS, ids=["module", "script"])
def test_both_ways_in_lead_to_the_same_program(way: list[str]) -> None:
    done = call(way, "version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"orbit {orbit.__version__}\n", "")
    wrong = call(way, "no-such-command")
    assert (wrong.returncode, wrong.stdout) == (2, "")


@pytest.mark.parametrize("way", WAYS, ids=["module", "script"])
def test_a_ctrl_c_while_it_starts(way: list[str], tmp_path: Path) -> None:
    # A package of the same name stands for the moment of the import.
    package = tmp_path / "orbit"
    (package / "cli").mkdir(parents=True)
    for name in ("__init__.py", "cli/__init__.py"):
        (package / name).write_text("")
    (package / "__main__.py").write_text((_REPOSITORY / "src/orbit/__main__.py").read_text())
    (package / "cli" / "main.py").write_text("raise KeyboardInterrupt\n")
    done = call(way, "version", PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_the_script_says_nothing_of_this_machine() -> None:
    script = _REPOSITORY / "bin" / "orbit"
    assert script.read_text().startswith("#!/usr/bin/env python3\n")
    assert os.access(script, os.X_OK)


@pytest.mark.parametrize(
    ("before", "after"), [("", ""), ("import atexit; atexit.register(print, 'bye')", "bye\n"), ("import threading", "")]
)
def test_what_has_been_said_and_what_is_left_to_do_survive_a_quick_end(before: str, after: str) -> None:
    way = [sys.executable, "-c", f"{before}\nfrom orbit.cli.main import leave\nprint('hi')\nleave(3)"]
    done = call(way)
    assert (done.returncode, done.stdout, done.stderr) == (3, f"hi\n{after}", "")


def test_a_quick_end_with_no_stdout() -> None:
    done = call(["sh", "-c", f"'{sys.executable}' -c 'from orbit.cli.main import leave; leave(4)' >&-"])
    assert (done.returncode, done.stdout, done.stderr) == (4, "", "")

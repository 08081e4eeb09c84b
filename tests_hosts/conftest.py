"""One bed for each client and test module, and the table of what was seen, printed at the end and kept as JSON."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from beds import LETTERS, SEEN, Notes, make_bed
from drivers import Bed
from install import cache
from project import make_project


@pytest.fixture(scope="module")
def bed(request: pytest.FixtureRequest) -> Iterator[Bed]:
    """The client, its project, and orbit not yet in it."""
    made = make_bed(request.param, Path(request.node.name).stem)
    make_project(made)
    if made.driver:
        made.prompt("Hello")  # some clients write their settings anew as they start: that is not orbit's doing
    made.before = made.files()
    version = made.client("--version")
    Notes(made.host)("version", version.out.strip().splitlines()[0] if version.out.strip() else "?")
    yield made
    made.stub.close()
    if not os.environ.get("ORBIT_TEST_KEEP"):
        shutil.rmtree(made.home.parent, ignore_errors=True)


@pytest.fixture
def notes(bed: Bed) -> Notes:
    return Notes(bed.host)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A letter without a word of its own gets the outcome of its test."""
    if report.when != "call" or "[" not in report.nodeid:
        return
    name, _, rest = report.nodeid.rpartition("::")[2].partition("[")
    letter, host = name.removeprefix("test_").partition("_")[0], rest.rstrip("]").partition("-")[0]
    if letter in LETTERS:
        row = SEEN.setdefault(host, {})
        if report.failed:
            row[letter] = "FAILED"
        elif report.passed and letter not in row:
            row[letter] = "yes"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not SEEN:
        return
    terminalreporter.section("agent hosts")
    for host, row in SEEN.items():
        terminalreporter.write_line(f"{host}: {row.get('version', '')}")
        for letter, title in LETTERS.items():
            terminalreporter.write_line(f"  ({letter}) {title:<20} {row.get(letter, '-')}")
        if "where" in row:
            terminalreporter.write_line(f"  the block stands in  {row['where']}")
    kept = cache() / "results.json"
    earlier = json.loads(kept.read_text()) if kept.exists() else {}
    for host, row in SEEN.items():
        earlier[host] = {**earlier.get(host, {}), **row}
    kept.write_text(json.dumps(earlier, indent=1) + "\n")
    terminalreporter.write_line(f"kept in {kept}")

"""The hermetic seal of every test, and the world that most of them start from."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from reliability.amount import SOAK
from world import SilentServer, Template, World, build_template, environment, sealed_environment

# A machine that has other work is not a failure of ours; the long form alone draws anew each time.
settings.register_profile("suite", deadline=None, derandomize=not SOAK, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")


@pytest.fixture(scope="session", autouse=True)
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """No test sees the machine's own git settings, home, editor or clock."""
    # A shell that runs the tests in its background has Ctrl-C ignored, and nohup the end of the session; every process
    # below inherits that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    home = tmp_path_factory.mktemp("sealed")
    (home / "home").mkdir()
    with environment(sealed_environment(home)):
        yield home


@pytest.fixture(scope="session")
def template(sealed: Path, tmp_path_factory: pytest.TempPathFactory) -> Template:
    """A ready remote and clone, built once for each test process."""
    return build_template(tmp_path_factory.mktemp("template"))


@pytest.fixture
def world(tmp_path: Path, template: Template, monkeypatch: pytest.MonkeyPatch) -> World:
    """A project root with an empty pool, and a clock of its own."""
    for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
        monkeypatch.setenv(name, os.environ[name])
    return World(tmp_path, template)


@pytest.fixture
def silent_server() -> Iterator[SilentServer]:
    """A remote that never answers."""
    server = SilentServer()
    yield server
    server.close()

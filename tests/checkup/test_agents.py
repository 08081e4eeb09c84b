from __future__ import annotations

from pathlib import Path

import pytest

from hosts.programs import change_state, surroundings
from orbit.checkup.agents import check_agents
from orbit.hosts.clients import CLIENTS
from orbit.hosts.look import look_at
from orbit.hosts.source import tree_place
from orbit.hosts.steps import install, install_steps, tree_steps


def used(directory: Path, host: str, **more: str) -> dict[str, str]:
    env = surroundings(directory, host, **more)
    (Path(env["HOME"]) / CLIENTS[host].home[1]).mkdir(parents=True)
    return env


def with_orbit(directory: Path, host: str, **more: str) -> dict[str, str]:
    env = used(directory, host, **more)
    state = look_at(host, env)
    for step in tree_steps(env):
        step.act()
    install(state, install_steps(state, env), env)
    return env


def lines(env: dict[str, str]) -> list[str]:
    return [f"{f.level} {f.name}: {f.message}" + (f": {f.remedy}" if f.remedy else "") for f in check_agents(env)]


def test_a_host_without_settings_is_not_asked(tmp_path: Path) -> None:
    env = surroundings(tmp_path, "claude")
    assert lines(env) == []
    assert not (Path(env["HOME"]) / "calls").exists()
    assert check_agents({"PATH": env["PATH"]}) == []


def test_a_host_without_orbit_is_no_fault(tmp_path: Path) -> None:
    env = used(tmp_path, "qwen")
    assert lines(env) == ["INFO qwen: Qwen Code 1.2.3, without orbit (orbit setup qwen puts it in)"]


@pytest.mark.parametrize("host", ["claude", "copilot", "qoder", "qwen"])
def test_a_host_with_orbit(tmp_path: Path, host: str) -> None:
    env = with_orbit(tmp_path, host)
    assert lines(env) == [f"OK {host}: {CLIENTS[host].title} 1.2.3: orbit 0.1.0, its hooks run"]


def test_hooks_that_codex_passes_over(tmp_path: Path) -> None:
    env = with_orbit(tmp_path, "codex")
    rule = f"{env['HOME']}/.codex/rules/orbit.rules"
    assert lines(env) == [
        "WARN codex: Codex CLI 1.2.3: 1 hooks of orbit are not trusted and do not run: start codex, which shows them "
        "and asks",
        f"INFO codex: {rule} is not there "
        "(orbit setup codex offers it: it lets orbit work outside the sandbox of Codex)",
    ]


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"enabled": False}, "INFO copilot: GitHub Copilot CLI 1.2.3: orbit 0.1.0 is there and disabled"),
        ({"source": "/x"}, "INFO copilot: GitHub Copilot CLI 1.2.3: orbit 0.1.0 from /x"),
    ],
)
def test_what_the_user_decided_is_only_told(tmp_path: Path, changes: dict[str, object], line: str) -> None:
    env = with_orbit(tmp_path, "copilot")
    change_state(env, "copilot", **changes)
    assert lines(env) == [line]


def test_an_older_tree(tmp_path: Path) -> None:
    env = with_orbit(tmp_path, "claude")
    (Path(tree_place(env)) / "more").write_text("x")
    told = "WARN claude: Claude Code 1.2.3: orbit 0.1.0 is not what this orbit carries: orbit setup claude"
    assert lines(env) == [told]


def test_a_host_that_does_not_tell(tmp_path: Path) -> None:
    env = used(tmp_path, "claude", FAULT_CLAUDE="fail list")
    assert lines(env) == ["WARN claude: Claude Code: claude plugin list --json: boom of claude: orbit setup claude"]


def test_hooks_call_orbit_by_its_name(tmp_path: Path) -> None:
    env = with_orbit(tmp_path, "claude")
    (tmp_path / "programs/orbit").unlink()
    assert lines(env)[1:] == ["WARN hooks: no orbit on PATH, so that no host can call it: put orbit on PATH"]

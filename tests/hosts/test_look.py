from __future__ import annotations

from pathlib import Path

import pytest

from hosts.programs import change_state, surroundings
from orbit.hosts import kept, source
from orbit.hosts.look import is_used, look_at, working_directory
from orbit.hosts.steps import install, install_steps, tree_steps


def put_in(host: str, env: dict[str, str]) -> None:
    state = look_at(host, env)
    for step in tree_steps(env):
        step.act()
    install(state, install_steps(state, env), env)


def test_a_host_that_is_not_there(tmp_path: Path) -> None:
    state = look_at("claude", surroundings(tmp_path))
    assert (state.program, state.state, state.works) == ("", "absent", False)


def test_a_host_without_orbit(tmp_path: Path) -> None:
    state = look_at("claude", surroundings(tmp_path, "claude"))
    assert (state.version, state.installed, state.state, state.works) == ("1.2.3", None, "absent", False)


@pytest.mark.parametrize(
    ("changes", "state", "works"),
    [
        ({}, "current", True),
        ({"enabled": False}, "off", False),
        ({"source": "/elsewhere"}, "elsewhere", True),
    ],
)
def test_a_host_with_orbit(tmp_path: Path, changes: dict[str, object], state: str, works: bool) -> None:
    env = surroundings(tmp_path, "copilot")
    put_in("copilot", env)
    change_state(env, "copilot", **changes)
    found = look_at("copilot", env)
    assert (found.state, found.works) == (state, works)


@pytest.mark.parametrize("host", ["codex", "copilot"])
def test_a_host_that_copies_may_hold_an_older_tree_than_one_that_reads_in_place(tmp_path: Path, host: str) -> None:
    env = surroundings(tmp_path, host, TRUST="trusted")
    put_in(host, env)
    noted = kept.read_kept(env, host)
    assert noted
    kept.write_kept(env, host, noted.replace(digest="of another tree"))
    assert look_at(host, env).state == ("older" if host == "codex" else "current")
    (Path(source.tree_place(env)) / "more").write_text("x")
    assert look_at(host, env).state == "older"


@pytest.mark.parametrize("fault", ["fail list", "nothing list", "fail --version"])
def test_a_host_that_does_not_tell(tmp_path: Path, fault: str) -> None:
    state = look_at("claude", surroundings(tmp_path, "claude", FAULT_CLAUDE=fault))
    if fault == "fail --version":
        assert state.version == ""
        return
    assert (state.state, state.works) == ("unknown", False)
    assert state.problem.startswith("claude plugin list --json: ")


def test_hooks_that_are_not_trusted_do_not_work(tmp_path: Path) -> None:
    env = surroundings(tmp_path, "codex")
    put_in("codex", env)
    found = look_at("codex", env)
    assert (found.state, found.untrusted, found.works) == ("current", ("sessionStart",), False)


def test_a_host_is_used_where_it_has_settings(tmp_path: Path) -> None:
    env = surroundings(tmp_path, "claude")
    assert not is_used("claude", env)
    (Path(env["HOME"]) / ".claude").mkdir()
    assert is_used("claude", env)
    (Path(env["HOME"]) / ".codex").mkdir()
    assert not is_used("codex", env)


def test_it_runs_where_nothing_could_be_a_project(tmp_path: Path) -> None:
    env = surroundings(tmp_path)
    assert working_directory(env) == "/"
    source.write_tree(env)
    assert working_directory(env) == source.data_directory(env)

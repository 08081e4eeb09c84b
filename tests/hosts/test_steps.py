"""What `tests/commands/test_setup.py` does not show from outside."""

from __future__ import annotations

from pathlib import Path

import pytest

from hosts.programs import surroundings
from orbit.errors import OrbitError
from orbit.hosts import kept
from orbit.hosts.clients import CLIENTS
from orbit.hosts.look import look_at
from orbit.hosts.source import tree_place
from orbit.hosts.steps import install, install_steps, let_go, remove, remove_steps, settings_of, tree_steps


def put_in(host: str, env: dict[str, str]) -> None:
    state = look_at(host, env)
    for step in tree_steps(env):
        step.act()
    install(state, install_steps(state, env), env)


@pytest.mark.parametrize("host", [host for host in CLIENTS if host != "opencode"])
def test_a_step_says_the_very_command_that_it_runs(tmp_path: Path, host: str) -> None:
    env = surroundings(tmp_path, host)
    texts = [step.text for step in install_steps(look_at(host, env), env)]
    for text in texts:
        assert text.startswith("run ")
        assert f"{CLIENTS[host].program} " in text
    assert any(tree_place(env) in text for text in texts)


def test_what_is_noted_is_what_the_settings_were(tmp_path: Path) -> None:
    env = surroundings(tmp_path, "claude")
    (path,) = settings_of("claude", env)
    Path(path).parent.mkdir()
    Path(path).write_text('{"mine": 1}')
    put_in("claude", env)
    noted = kept.read_kept(env, "claude")
    assert noted
    assert noted.before == {path: b'{"mine": 1}'}
    assert noted.after == {path: Path(path).read_bytes()}


@pytest.mark.parametrize("changed", [True, False])
def test_an_update_keeps_the_note_only_while_nobody_else_wrote(tmp_path: Path, changed: bool) -> None:
    env = surroundings(tmp_path, "claude")
    (path,) = settings_of("claude", env)
    Path(path).parent.mkdir()
    Path(path).write_text('{"mine": 1}')
    put_in("claude", env)
    if changed:
        Path(path).write_text('{"mine": 2}')
    (Path(tree_place(env)) / "more").write_text("another version's")
    put_in("claude", env)
    noted = kept.read_kept(env, "claude")
    assert noted
    assert noted.before == ({} if changed else {path: b'{"mine": 1}'})


def test_a_host_from_which_somebody_else_took_orbit(tmp_path: Path) -> None:
    """There is nothing to run, but what was kept for it goes."""
    env = surroundings(tmp_path, "qwen")
    put_in("qwen", env)
    (Path(env["HOME"]) / "state-qwen").unlink()
    state = look_at("qwen", env)
    assert remove_steps(state, env) == []
    remove(state, [], env)
    assert not Path(tree_place(env)).exists()


def test_a_removal_that_does_nothing_is_found_out(tmp_path: Path) -> None:
    env = surroundings(tmp_path, "gemini")
    put_in("gemini", env)
    lazy = {**env, "FAULT_GEMINI": "nothing uninstall"}
    with pytest.raises(OrbitError, match="still lists orbit"):
        remove(look_at("gemini", lazy), remove_steps(look_at("gemini", lazy), lazy), lazy)
    assert Path(tree_place(env)).is_dir()


def test_letting_go_of_one_leaves_the_tree_to_the_others(tmp_path: Path) -> None:
    env = surroundings(tmp_path, "qwen", "claude")
    put_in("qwen", env)
    put_in("claude", env)
    let_go("qwen", env)
    assert Path(tree_place(env)).is_dir()
    let_go("claude", env)
    assert not Path(tree_place(env)).exists()

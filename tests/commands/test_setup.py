"""`orbit setup` as typed, with programs that stand for the hosts' own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hosts.programs import calls, change_state, make_program, surroundings
from orbit.hosts import source, steps
from orbit.hosts.clients import CLIENTS
from reliability.operations import operations
from terminal_face import at_terminal
from world import Outcome, World

ALL = tuple(CLIENTS)


def setup(world: World, env: dict[str, str], *words: str) -> Outcome:
    return world.orbit("setup", *words, env={**env, "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": ""})


def tree(env: dict[str, str]) -> Path:
    return Path(env["HOME"]) / ".local/share/orbit/hosts/tree"


def test_without_a_host_it_lists_what_is_there_and_changes_nothing(world: World, tmp_path: Path) -> None:
    env = surroundings(tmp_path, "claude", "opencode")
    done = setup(world, env)
    assert done.code == 0
    rows = [line.split("  ") for line in done.out.splitlines()]
    assert [row[0] for row in rows] == ["HOST", *ALL]
    assert "claude    Claude Code 1.2.3  -" in done.out
    assert "gemini    not found          -" in done.out
    assert calls(env) == []
    assert not tree(env).exists()


@pytest.mark.parametrize("host", ALL)
def test_in_twice_and_out_again(world: World, tmp_path: Path, host: str) -> None:
    env = surroundings(tmp_path, host)
    settings = Path(env["HOME"]) / steps.settings_of(host, env)[0] if CLIENTS[host].settings else None
    if settings:
        settings.parent.mkdir()
        settings.write_text('{ "mine" : 1 }\n' if settings.suffix == ".json" else "# mine\n")
    dry = setup(world, env, host, "--dry-run")
    assert (dry.code, dry.err, calls(env)) == (0, "", [])
    assert not tree(env).exists()
    done = setup(world, env, host, "--yes")
    assert done.code == 0, done.err
    assert done.out.startswith(dry.out)
    assert f"{host}: has orbit" in done.out
    assert len(calls(env)) == len(CLIENTS[host].ways.install)
    again = setup(world, env, host, "--yes")
    assert (again.code, calls(env)) == (0, [])
    assert "  nothing to do\n" in again.out
    gone = setup(world, env, host, "--remove", "--yes")
    assert gone.code == 0, gone.err
    assert f"{host}: has no orbit any more" in gone.out
    assert not (Path(env["HOME"]) / ".local/share/orbit").exists()
    if settings:
        assert settings.read_text() == ('{ "mine" : 1 }\n' if settings.suffix == ".json" else "# mine\n")
    nothing = setup(world, env, host, "--remove", "--yes")
    assert (nothing.code, "nothing to do" in nothing.out) == (0, True)


def test_without_a_terminal_and_without_yes_it_says_what_it_would_do_and_refuses(world: World, tmp_path: Path) -> None:
    env = surroundings(tmp_path, "claude")
    dry = setup(world, env, "claude", "--dry-run")
    done = setup(world, env, "claude")
    assert (done.code, done.out) == (1, dry.out)
    assert done.err == (
        "orbit: setup: nothing was done: without a terminal nobody can be asked\norbit: setup: --yes does all of it\n"
    )
    assert calls(env) == []


@pytest.mark.parametrize(
    ("typed", "wanted"), [("y\n", True), ("yes\n", True), ("n\n", False), ("\n", False), ("", False)]
)
def test_at_a_terminal_it_asks(world: World, tmp_path: Path, typed: str, wanted: bool) -> None:
    env = surroundings(tmp_path, "claude")
    done = at_terminal(world, ["setup", "claude"], typed, env)
    assert "Do this? [y/N]" in done.err
    assert (done.code == 0) == wanted
    assert bool(calls(env)) == wanted
    assert ("Nothing was done." in done.out) != wanted


def test_a_rule_that_loosens_a_sandbox_has_a_question_of_its_own(world: World, tmp_path: Path) -> None:
    env = surroundings(tmp_path, "codex", TRUST="trusted")
    rules = Path(env["HOME"]) / ".codex/rules/orbit.rules"
    done = at_terminal(world, ["setup", "codex"], "y\nn\n", env)
    assert f"Write {rules}? [y/N]" in done.err
    assert done.code == 0
    assert not rules.exists()
    assert f"  write {rules}, which lets orbit work outside the sandbox of Codex:\n  | # Written by" in done.out
    done = at_terminal(world, ["setup", "codex"], "y\n", env)
    assert "Do this?" not in done.err
    assert rules.read_text().startswith("# Written by `orbit setup codex`")
    (Path(env["HOME"]) / "state-codex").unlink()
    kept = at_terminal(world, ["setup", "codex", "--remove"], "n\n", env)
    assert "Do this? [y/N]" in kept.err
    assert rules.exists()
    assert at_terminal(world, ["setup", "codex", "--remove"], "y\n", env).code == 0
    assert not rules.exists()


def test_a_rule_of_the_users_own_is_left_alone(world: World, tmp_path: Path) -> None:
    env = surroundings(tmp_path, "codex", TRUST="trusted")
    rules = Path(env["HOME"]) / ".codex/rules/orbit.rules"
    rules.parent.mkdir(parents=True)
    rules.write_text("# mine\n")
    done = setup(world, env, "codex", "--yes")
    assert f"orbit: codex: {rules} is not from orbit and was left alone\n" in done.err
    assert setup(world, env, "codex", "--remove", "--yes").code == 0
    assert rules.read_text() == "# mine\n"


def test_codex_says_that_its_hooks_must_be_trusted(world: World, tmp_path: Path) -> None:
    env = surroundings(tmp_path, "codex")
    line = "orbit: codex: 1 hooks of orbit are not trusted yet and do not run: start codex, which shows them and asks"
    assert line in setup(world, env, "codex", "--yes").err
    seen = setup(world, env)
    assert line in seen.err
    assert "codex     Codex CLI 1.2.3  orbit 0.1.0, hooks not trusted" in seen.out
    trusted = setup(world, {**env, "TRUST": "trusted"})
    assert "not trusted" not in trusted.out + trusted.err


def test_a_missing_host_is_one_line_and_the_others_go_on(world: World, tmp_path: Path) -> None:
    env = surroundings(tmp_path, "copilot")
    done = setup(world, env, "claude", "copilot", "--yes")
    assert (done.code, done.err) == (1, "orbit: claude: no claude on PATH, nothing was done for it\n")
    assert "copilot: has orbit 0.1.0" in done.out


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("fail install", "claude plugin install orbit@orbit-workspaces: boom of claude"),
        ("nothing install", "does not list orbit although nothing failed"),
        ("fail list", "claude plugin list --json: boom of claude"),
        ("nothing list", "claude plugin list --json: its listing cannot be read (no JSON)"),
    ],
)
def test_a_command_that_fails_is_told_by_its_own_line(world: World, tmp_path: Path, fault: str, told: str) -> None:
    env = surroundings(tmp_path, "claude", "copilot", FAULT_CLAUDE=fault)
    done = setup(world, env, "claude", "copilot", "--yes")
    assert (done.code, done.err) == (1, f"orbit: claude: not set up, {told}\n")
    assert "copilot: has orbit 0.1.0" in done.out
    repaired = setup(world, {**env, "FAULT_CLAUDE": ""}, "claude", "--yes")
    assert repaired.code == 0, repaired.err


def test_a_command_that_hangs_is_ended(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "ACT_SECONDS", 1.0)
    env = surroundings(tmp_path, "claude", FAULT_CLAUDE="hang install")
    done = setup(world, env, "claude", "--yes")
    told = "claude plugin install: no answer within 1 seconds, it was ended"
    assert (done.code, done.err) == (1, f"orbit: claude: not set up, {told}\n")


@pytest.fixture
def packaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree in place of the package's own, which a test may change as a new version of orbit would."""
    import shutil

    copy = tmp_path / "packaged"
    shutil.copytree(source.PACKAGED, copy)
    for module in (source, steps):
        monkeypatch.setattr(module, "PACKAGED", str(copy))
    monkeypatch.setattr("orbit.commands.setup.PACKAGED", str(copy))
    return copy


@pytest.mark.parametrize("host", ALL)
def test_another_tree_is_brought_in_in_place(world: World, tmp_path: Path, packaged: Path, host: str) -> None:
    env = surroundings(tmp_path, host, TRUST="trusted")
    assert setup(world, env, host, "--yes").code == 0
    calls(env)
    (packaged / "skills/orbit/SKILL.md").write_text("another\n")
    seen = setup(world, env)
    assert ", to be updated" in seen.out, seen.out
    done = setup(world, env, host, "--yes")
    assert done.code == 0, done.err
    assert (tree(env) / "skills/orbit/SKILL.md").read_text() == "another\n"
    copy = Path(env["HOME"]) / f"copy-{host}"
    assert not copy.exists() or (copy / "skills/orbit/SKILL.md").read_text() == "another\n"
    calls(env)
    assert "nothing to do" in setup(world, env, host, "--yes").out
    assert setup(world, env, host, "--remove", "--yes").code == 0


def test_a_plugin_that_the_user_switched_off_is_shown_and_switched_on_by_asking_again(
    world: World, tmp_path: Path
) -> None:
    env = surroundings(tmp_path, "claude")
    setup(world, env, "claude", "--yes")
    change_state(env, "claude", enabled=False)
    assert "orbit 0.1.0, disabled" in setup(world, env).out
    assert setup(world, env, "claude", "--yes").code == 0
    assert "disabled" not in setup(world, env).out


def test_settings_that_the_user_changed_meanwhile_stay_changed(world: World, tmp_path: Path) -> None:
    env = surroundings(tmp_path, "claude")
    path = Path(env["HOME"]) / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text('{ "mine": 1 }\n')
    setup(world, env, "claude", "--yes")
    path.write_text(json.dumps({**json.loads(path.read_text()), "later": 2}))
    assert setup(world, env, "claude", "--remove", "--yes").code == 0
    assert json.loads(path.read_text()) == {"mine": 1, "later": 2, "enabledPlugins": {}}


@pytest.mark.parametrize("fault", ["fail install", "fail plugin list"])
def test_settings_come_back_as_they_were_after_a_setup_that_failed_at_first(
    world: World, tmp_path: Path, fault: str
) -> None:
    env = surroundings(tmp_path, "claude")
    path = Path(env["HOME"]) / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text('{ "mine" : 1 }\n')
    assert setup(world, {**env, "FAULT_CLAUDE": fault}, "claude", "--yes").code == 1
    assert setup(world, env, "claude", "--yes").code == 0
    assert setup(world, env, "claude", "--remove", "--yes").code == 0
    assert path.read_text() == '{ "mine" : 1 }\n'


def test_settings_come_back_as_they_were_after_a_removal_that_failed_at_first(world: World, tmp_path: Path) -> None:
    env = surroundings(tmp_path, "claude")
    path = Path(env["HOME"]) / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text('{ "mine" : 1 }\n')
    assert setup(world, env, "claude", "--yes").code == 0
    draft = Path(f"{path}.orbit-new")
    (draft / "in the way").mkdir(parents=True)
    gone = setup(world, env, "claude", "--remove", "--yes")
    assert (gone.code, str(path) in gone.err) == (1, True), gone
    (draft / "in the way").rmdir()
    draft.rmdir()
    assert setup(world, env, "claude", "--remove", "--yes").code == 0
    assert path.read_text() == '{ "mine" : 1 }\n'


def test_settings_that_could_not_be_read_are_not_taken_for_missing(world: World, tmp_path: Path) -> None:
    """Else taking orbit out again would remove them."""
    places = {}
    for name in ("counted", "failing"):
        (tmp_path / name).mkdir()
        places[name] = surroundings(tmp_path / name, "copilot")
        (Path(places[name]["HOME"]) / ".copilot").mkdir()
        (Path(places[name]["HOME"]) / ".copilot/settings.json").write_text('{ "mine" : 1 }\n')
    with operations() as counted:
        assert setup(world, places["counted"], "copilot", "--yes").code == 0
    env = places["failing"]
    read = f"open {places['counted']['HOME']}/.copilot/settings.json"
    with operations(counted.log.index(read) + 1) as watched:
        setup(world, env, "copilot", "--yes")
    assert watched.failed == f"open {env['HOME']}/.copilot/settings.json"
    assert setup(world, env, "copilot", "--yes").code == 0
    assert setup(world, env, "copilot", "--remove", "--yes").code == 0
    assert json.loads((Path(env["HOME"]) / ".copilot/settings.json").read_text())["mine"] == 1


@pytest.mark.parametrize("beside", ["settings.json.new", "settings.json.lock"])
def test_a_file_of_the_users_beside_the_settings_stays(world: World, tmp_path: Path, beside: str) -> None:
    env = surroundings(tmp_path, "claude")
    path = Path(env["HOME"]) / ".claude" / beside
    path.parent.mkdir()
    path.write_text("mine\n")
    (path.parent / "settings.json").write_text('{ "mine" : 1 }\n')
    assert setup(world, env, "claude", "--yes").code == 0
    assert setup(world, env, "claude", "--remove", "--yes").code == 0
    assert path.read_text() == "mine\n"


def test_an_extension_of_that_name_that_is_not_ours_is_not_touched(world: World, tmp_path: Path) -> None:
    env = surroundings(tmp_path, "gemini")
    theirs = tmp_path / "theirs"
    (theirs / "hooks").mkdir(parents=True)
    (theirs / "hooks/hooks.json").write_text("{}")
    (theirs / ".claude-plugin").mkdir()
    (theirs / ".claude-plugin/plugin.json").write_text('{"version": "9"}')
    (Path(env["HOME"]) / "state-gemini").write_text(
        json.dumps({"tree": str(theirs), "source": str(theirs), "enabled": True})
    )
    for words in (("gemini", "--yes"), ("gemini", "--remove", "--yes")):
        done = setup(world, env, *words)
        assert done.code == 1
        assert "has an extension named orbit that is not this one, nothing was changed" in done.err
    assert calls(env) == []


def test_the_tree_stays_as_long_as_one_host_uses_it(world: World, tmp_path: Path) -> None:
    env = surroundings(tmp_path, "claude", "copilot")
    setup(world, env, "claude", "copilot", "--yes")
    setup(world, env, "claude", "--remove", "--yes")
    assert tree(env).is_dir()
    setup(world, env, "copilot", "--remove", "--yes")
    assert not tree(env).exists()


def test_orbit_must_be_on_path(world: World, tmp_path: Path) -> None:
    env = surroundings(tmp_path, "claude")
    (tmp_path / "programs/orbit").unlink()
    assert "orbit: setup: no orbit on PATH, so that no host can call it\n" in setup(world, env, "claude", "--yes").err


def test_cursor_is_told_where_the_folder_is(world: World, tmp_path: Path) -> None:
    env = surroundings(tmp_path)
    done = setup(world, env, "cursor", "--yes")
    assert (done.code, done.err) == (
        0,
        f"orbit: cursor: has no command that installs: add {tree(env)} as a plugin folder in its settings\n",
    )
    assert tree(env).is_dir()
    assert setup(world, env, "cursor", "--remove", "--yes").code == 0
    assert not tree(env).exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["cluade"], "setup: no such host: cluade (did you mean claude?)"),
        (
            ["x" * 9],
            "setup: no such host: xxxxxxxxx (one of claude, codex, opencode, gemini, qwen, copilot, qoder, cursor)",
        ),
        (["--remove"], "setup: no host named"),
        (["--yes"], "setup: no host named"),
    ],
)
def test_wrong_usage(world: World, tmp_path: Path, words: list[str], told: str) -> None:
    done = setup(world, surroundings(tmp_path), *words)
    assert (done.code, done.err.splitlines()[0]) == (2, f"orbit: {told}")


def test_without_home(world: World, tmp_path: Path) -> None:
    env = surroundings(tmp_path, "claude")
    done = setup(world, {**env, "HOME": ""}, "cursor", "--yes")
    assert done.code == 1
    assert done.err.startswith("orbit: setup: HOME is not set")


def test_settings_that_cannot_be_edited_with_care(world: World, tmp_path: Path) -> None:
    env = surroundings(tmp_path, "opencode")
    path = Path(env["HOME"]) / ".config/opencode/opencode.json"
    path.parent.mkdir(parents=True)
    path.write_text('{\n  "plugin": [,\n}\n')
    done = setup(world, env, "opencode", "--yes")
    assert done.code == 1
    assert f"{path}: line 2 is not JSON" in done.err
    assert path.read_text() == '{\n  "plugin": [,\n}\n'


def test_a_program_that_cannot_be_started(world: World, tmp_path: Path) -> None:
    env = surroundings(tmp_path, "claude")
    make_program(tmp_path / "programs", "qwen")
    (tmp_path / "programs/qwen").write_text("#!/no/such/interpreter\n")
    done = setup(world, env, "qwen", "--yes")
    assert done.code == 1
    assert "cannot be started (No such file or directory)" in done.err

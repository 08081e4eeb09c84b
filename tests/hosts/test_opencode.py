from __future__ import annotations

from pathlib import Path

import pytest

from orbit.errors import OrbitError
from orbit.hosts.listing import Installed
from orbit.hosts.opencode import add_entries, named_plugin, plugin_entry, remove_entries, settings_file

_TREE = "/home/a b/.local/share/orbit/hosts/tree"


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"HOME": str(tmp_path)}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    made = tmp_path / ".config/opencode"
    made.mkdir(parents=True)
    return made


def test_which_file(env: dict[str, str], home: Path) -> None:
    assert settings_file(env) == f"{home}/opencode.json"
    (home / "opencode.json").write_text("{}")
    (home / "opencode.jsonc").write_text("{}")
    assert settings_file(env) == f"{home}/opencode.jsonc"
    (home / "opencode.json").write_text('{"plugin": ["file:///x/orbit/hosts/tree/opencode/orbit.ts"]}')
    assert settings_file(env) == f"{home}/opencode.json"


def test_without_settings_they_are_made(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path)}
    assert named_plugin(env) is None
    add_entries(env, _TREE)
    assert named_plugin(env) == Installed("", True, _TREE)
    text = (tmp_path / ".config/opencode/opencode.json").read_text()
    assert '"$schema": "https://opencode.ai/config.json"' in text
    assert "file:///home/a%20b/.local" in text


def test_the_users_text_stays(env: dict[str, str], home: Path) -> None:
    text = '{\n  // mine\n  "plugin": ["other"],\n  "skills": {"urls": ["u"]},\n}\n'
    (home / "opencode.json").write_text(text)
    add_entries(env, _TREE)
    added = (home / "opencode.json").read_text()
    assert "// mine" in added
    assert f'["other", "{plugin_entry(_TREE)}"]' in added
    assert f'"paths": ["{_TREE}/skills"]' in added
    add_entries(env, _TREE)
    assert (home / "opencode.json").read_text() == added
    remove_entries(env)
    assert (home / "opencode.json").read_text() == text


def test_entries_of_an_earlier_place_give_way(env: dict[str, str], home: Path) -> None:
    add_entries(env, "/old/orbit/hosts/tree")
    add_entries(env, _TREE)
    assert "/old/" not in (home / "opencode.json").read_text()


@pytest.mark.parametrize(
    ("text", "told"),
    [("{", "line 1 is not JSON"), ('{"plugin": "x"}', "plugin is not a list"), ("[]", "the whole is not an object")],
)
def test_what_cannot_be_edited_with_care_is_not_edited(env: dict[str, str], home: Path, text: str, told: str) -> None:
    (home / "opencode.json").write_text(text)
    with pytest.raises(OrbitError, match=told):
        add_entries(env, _TREE)
    assert (home / "opencode.json").read_text() == text

from __future__ import annotations

import json
from pathlib import Path

import pytest

from orbit.errors import OrbitError
from orbit.hosts import names
from orbit.hosts.clients import CLIENTS, FULL_NAME, MARKET, PLUGIN, TREE, filled, home_of
from orbit.hosts.source import PACKAGED


def test_every_host_but_cursor_has_a_program() -> None:
    assert [*CLIENTS, "cursor"] == list(names.HOSTS)


@pytest.mark.parametrize("name", [".claude-plugin/marketplace.json", ".agents/plugins/marketplace.json"])
def test_the_names_are_those_of_the_tree(name: str) -> None:
    market = json.loads((Path(PACKAGED) / name).read_text())
    assert market["name"] == MARKET
    assert [plugin["name"] for plugin in market["plugins"]] == [PLUGIN]
    assert f"{PLUGIN}@{MARKET}" == FULL_NAME


@pytest.mark.parametrize(
    ("host", "env", "home"),
    [
        ("claude", {}, "/h/.claude"),
        ("claude", {"CLAUDE_CONFIG_DIR": "/c"}, "/c"),
        ("codex", {"CODEX_HOME": "/x"}, "/x"),
        ("copilot", {"COPILOT_HOME": "/p"}, "/p"),
        ("opencode", {}, "/h/.config/opencode"),
        ("opencode", {"XDG_CONFIG_HOME": "/d"}, "/d/opencode"),
        ("gemini", {"GEMINI_CLI_HOME": "/g"}, "/g/.gemini"),
        ("qwen", {}, "/h/.qwen"),
        ("qoder", {"CLAUDE_CONFIG_DIR": ""}, "/h/.qoder"),
    ],
)
def test_where_a_host_keeps_its_settings(host: str, env: dict[str, str], home: str) -> None:
    assert home_of(CLIENTS[host], {"HOME": "/h", **env}) == home


def test_without_home() -> None:
    with pytest.raises(OrbitError, match="HOME is not set"):
        home_of(CLIENTS["claude"], {})


@pytest.mark.parametrize("host", [host for host in CLIENTS if host != "opencode"])
def test_the_tree_stands_in_the_words_of_an_installation(host: str) -> None:
    ways = CLIENTS[host].ways
    assert any(TREE in word for act in ways.install for word in act.words)
    assert not any(TREE in word for act in ways.remove for word in act.words)
    assert not ways.install[-1].may_fail, "or nobody would hear that it failed"
    assert any("/t" in word for act in ways.install for word in filled(act, "/t"))
    assert not any("{" in word for act in ways.update for word in filled(act, "/t"))

"""Each host's listing as its real program printed it, shortened to what is read and what stands beside it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orbit.hosts.clients import CLIENTS
from orbit.hosts.listing import Installed, UnreadableError, read_listing

_TREE = "/home/me/.local/share/orbit/hosts/tree"
_CLAUDE = [
    {
        "id": "orbit@orbit-workspaces",
        "version": "0.0.9",
        "scope": "user",
        "enabled": True,
        "installPath": "/home/me/.claude/plugins/cache/orbit-workspaces/orbit/0.0.9",
        "readFromFolder": _TREE,
        "folderVersion": "0.1.0",
    },
    {"id": "cc-plugin-agents-md@builtin", "version": "unknown", "enabled": True},
]
_CODEX = {
    "installed": [
        {
            "pluginId": "orbit@orbit-workspaces",
            "name": "orbit",
            "version": "0.1.0",
            "installed": True,
            "enabled": False,
            "source": {"source": "local", "path": _TREE},
        }
    ],
    "available": [],
}
_COPILOT = [
    {"name": "orbit", "marketplace": "orbit-workspaces", "version": "0.1.0", "enabled": True, "installedFrom": _TREE},
    {"name": "browser-use", "marketplace": "", "version": "0.0.4", "enabled": False, "source": "builtin"},
]
_GEMINI = [
    {
        "name": "orbit",
        "version": "0.1.0",
        "path": "/home/me/.gemini/extensions/orbit",
        "installMetadata": {"source": _TREE, "type": "local"},
        "isActive": True,
    }
]
_QODER = [{"id": "orbit@orbit-workspaces", "name": "orbit", "version": "0.1.0", "enabled": True, "installPath": "/q"}]
_OPENCODE = {"plugin": ["npm-name", ["other", {}], f"file://{_TREE}/opencode/orbit.ts"], "agent": {}}
_QWEN = f"""✓ first (9.9.9)
 Path: /home/me/.qwen/extensions/first
 Enabled (User): false

✓ orbit (0.1.0)
 Description: of orbit: a text
 Path: /home/me/.qwen/extensions/orbit
 Source: {_TREE} (Type: local)
 Origin: QwenCode
 Enabled (User): true
 Enabled (Workspace): true
 Skills:
  orbit

✗ last (1.0)
 Path: /home/me/.qwen/extensions/last
 Source: /elsewhere (Type: git)
"""


@pytest.mark.parametrize(
    ("host", "text", "found"),
    [
        ("claude", json.dumps(_CLAUDE), Installed("0.1.0", True, _TREE, _CLAUDE[0]["installPath"])),
        ("codex", "WARNING: first\n" + json.dumps(_CODEX, indent=1), Installed("0.1.0", False, _TREE)),
        ("copilot", json.dumps(_COPILOT, indent=2), Installed("0.1.0", True, _TREE)),
        ("gemini", json.dumps(_GEMINI), Installed("0.1.0", True, _TREE, "/home/me/.gemini/extensions/orbit")),
        ("qoder", json.dumps(_QODER), Installed("0.1.0", True, "", "/q")),
        ("opencode", json.dumps(_OPENCODE), Installed("", True, _TREE)),
        ("qwen", _QWEN, Installed("0.1.0", True, _TREE, "/home/me/.qwen/extensions/orbit")),
    ],
)
def test_orbit_as_it_is_listed(host: str, text: str, found: Installed) -> None:
    assert read_listing(host, text) == found


@pytest.mark.parametrize(
    ("host", "text"),
    [
        ("claude", json.dumps(_CLAUDE[1:])),
        ("claude", json.dumps([{**_CLAUDE[0], "id": "orbit@somebody-else"}])),
        ("codex", '{"installed": [], "available": []}'),
        ("copilot", json.dumps([{**_COPILOT[0], "marketplace": "another"}])),
        ("gemini", "[]"),
        ("qoder", "[]"),
        ("opencode", '{"agent": {}}'),
        ("qwen", "No extensions installed.\n"),
        ("qwen", "✓ orbital (0.1.0)\n Path: /x\n"),
    ],
)
def test_a_host_without_orbit(host: str, text: str) -> None:
    assert read_listing(host, text) is None


def test_what_the_host_has_against_it_is_kept() -> None:
    text = json.dumps([{**_CLAUDE[0], "errors": ["hooks.json is broken"]}])
    found = read_listing("claude", text)
    assert found
    assert found.problem == "hooks.json is broken"


@pytest.mark.parametrize("host", CLIENTS)
@pytest.mark.parametrize("text", ["", "no list", '{"other": 1}', "[1]", '[{"x": 1}]', "{[", "null"])
def test_another_form_is_no_crash(host: str, text: str) -> None:
    try:
        assert read_listing(host, text) is None
    except UnreadableError:
        pass


@given(st.sampled_from(list(CLIENTS)), st.text() | st.recursive(st.none() | st.text(), st.lists).map(json.dumps))
def test_no_text_is_a_crash(host: str, text: str) -> None:
    try:
        read_listing(host, text)
    except UnreadableError:
        pass

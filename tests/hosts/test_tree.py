"""The integration tree: well-formed, in step with the program, and whole in the package. It holds no Python."""

from __future__ import annotations

import glob
import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest

import orbit
from orbit.commands import TABLE
from orbit.commands.arguments import read_words
from orbit.commands.hook import USAGE
from orbit.hosts import names

REPOSITORY = Path(__file__).parents[2]
PACKAGE = REPOSITORY / "src" / "orbit"
TREE = PACKAGE / "hosts" / "tree"
FILES = sorted(str(path.relative_to(TREE)) for path in TREE.rglob("*") if path.is_file())
JSONS = [name for name in FILES if name.endswith(".json")]
MANIFESTS = [name for name in JSONS if name.endswith(("plugin.json", "extension.json"))]
MARKETPLACES = [name for name in JSONS if name.endswith("marketplace.json")]

# The events that each host's file may name, and the event of ours that answers there.
CLAUDE_EVENTS = {
    "SessionStart": "session-start",
    "SubagentStart": "subagent-start",
    "PreToolUse": "pre-tool",
    "PermissionRequest": "permission",
}
COPILOT_EVENTS = {
    "sessionStart": "session-start",
    "userPromptSubmitted": "prompt",
    "subagentStart": "subagent-start",
    "preCompact": "session-resume",
    "permissionRequest": "permission",
}
CURSOR_EVENTS = {"sessionStart": "session-start", "beforeShellExecution": "pre-tool"}
HOOKS: dict[str, tuple[str, dict[str, str]]] = {
    "hooks/hooks.json": ("claude", CLAUDE_EVENTS),
    "hooks/claude.json": ("claude", CLAUDE_EVENTS),
    "hooks/qoder.json": ("qoder", CLAUDE_EVENTS),
    "hooks/qwen.json": ("qwen", CLAUDE_EVENTS),
    "hooks/codex.json": ("codex", CLAUDE_EVENTS),
    "hooks/copilot.json": ("copilot", COPILOT_EVENTS),
    "hooks/cursor.json": ("cursor", CURSOR_EVENTS),
}


def read(name: str) -> Any:
    return json.loads((TREE / name).read_text(encoding="utf-8"))


def commands(value: Any) -> list[str]:
    """Every command line that a hooks file holds, wherever it stands."""
    if isinstance(value, dict):
        own = [value[key] for key in ("command", "bash", "powershell") if isinstance(value.get(key), str)]
        return own + [line for inner in value.values() for line in commands(inner)]
    return [line for inner in value for line in commands(inner)] if isinstance(value, list) else []


def test_every_file_that_the_contract_names_is_there() -> None:
    named = {
        *(".claude-plugin/plugin.json", ".claude-plugin/marketplace.json", ".codex-plugin/plugin.json"),
        *(".agents/plugins/marketplace.json", ".github/plugin/plugin.json", ".qoder-plugin/plugin.json"),
        *(".cursor-plugin/plugin.json", ".cursor-plugin/marketplace.json", "gemini-extension.json", "mcp.json"),
        *("hooks/hooks.json", "hooks/codex.json", "hooks/copilot.json", "opencode/orbit.ts"),
        *("skills/orbit/SKILL.md", "skills/orbit/evals.json", "skills/CONSTRAINTS.md"),
    }
    assert named - {*FILES} == set()


def test_every_file_is_in_the_package() -> None:
    """By the patterns of pyproject.toml, read as strictly as any tool reads them."""
    settings = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = settings["tool"]["setuptools"]["package-data"]["orbit"]
    packed = {name for pattern in patterns for name in glob.glob(pattern, root_dir=PACKAGE, recursive=True)}
    assert [name for name in FILES if f"hosts/tree/{name}" not in packed] == []


@pytest.mark.parametrize("name", MANIFESTS)
def test_a_manifest_names_orbit_in_its_version(name: str) -> None:
    manifest = read(name)
    assert (manifest["name"], manifest["version"]) == ("orbit", orbit.__version__)
    assert manifest["description"].isascii()


@pytest.mark.parametrize("name", MANIFESTS)
def test_what_a_manifest_points_to_is_there(name: str) -> None:
    manifest = read(name)
    for key in ("hooks", "skills", "rules"):
        if key in manifest:
            assert (TREE / manifest[key]).exists()
    if "hooks" in manifest:
        found = re.split(r"[-/]", name.removeprefix("."))[0]
        host = {"github": "copilot"}.get(found, found)
        assert HOOKS[manifest["hooks"].removeprefix("./")][0] == host


@pytest.mark.parametrize("name", MARKETPLACES)
def test_a_marketplace_offers_the_tree_itself(name: str) -> None:
    market = read(name)
    (plugin,) = market["plugins"]
    assert (market["name"], plugin["name"]) == ("orbit-workspaces", "orbit")
    source = plugin["source"]
    assert (source if isinstance(source, str) else source["path"]) == "./"
    assert plugin.get("version", orbit.__version__) == orbit.__version__


@pytest.mark.parametrize("name", HOOKS)
def test_a_hooks_file(name: str) -> None:
    host, events = HOOKS[name]
    hooks = read(name)["hooks"]
    assert hooks
    for event, entries in hooks.items():
        assert commands(entries)
        for line in commands(entries):
            assert line == f"orbit hook {events[event]} --host {host}"


def test_every_command_is_one_that_the_parser_takes() -> None:
    for name in HOOKS:
        for line in commands(read(name)):
            program, verb, *rest = shlex.split(line)
            assert (program, verb) == ("orbit", "hook")
            words = read_words(USAGE.arguments, rest)
            assert words is not None
            assert words.one("event") in names.EVENTS
            assert words.one("host") in names.HOSTS


def test_no_other_file_holds_hooks() -> None:
    assert {name for name in JSONS if name.startswith("hooks/")} == {*HOOKS}


def test_the_shared_hooks_suit_the_strictest_reader() -> None:
    """Gemini compares matchers exactly and reads timeouts as milliseconds, and knows no other of Claude's events."""
    shared = read("hooks/hooks.json")
    assert {*shared} == {"hooks"}
    assert {*shared["hooks"]} == {"SessionStart"}
    assert not re.search(r"matcher|timeout", (TREE / "hooks/hooks.json").read_text(encoding="utf-8"))


def test_codex_refuses_other_keys_at_the_root() -> None:
    assert {*read("hooks/codex.json")} <= {"hooks", "description"}


def test_the_mcp_server_is_orbits_own() -> None:
    assert read("mcp.json") == {"mcpServers": {"orbit": {"command": "orbit", "args": ["mcp"]}}}


def test_the_opencode_plugin_imports_node_alone() -> None:
    text = (TREE / "opencode/orbit.ts").read_text(encoding="utf-8")
    assert re.findall(r'\bfrom\s+"([^"]+)"|\bimport\s*\(|\brequire\s*\(', text) == ["node:child_process"]
    events = set(re.findall(r'"((?:session|subagent|pre|per)[a-z]*(?:-[a-z]+)?)"', text))
    assert events & {*names.EVENTS} == {"session-start", "session-resume", "subagent-start", "permission"}
    assert '"--host", "opencode"' in text


def test_everything_is_plain_text() -> None:
    for name in FILES:
        text = (TREE / name).read_text(encoding="utf-8")
        assert text.isascii(), name
        assert text.endswith("\n"), name
        assert "\r" not in text, name


def test_the_verbs_of_the_tree_exist() -> None:
    named = {verb for name in FILES for verb in re.findall(r"`orbit ([a-z]+)", (TREE / name).read_text("utf-8"))}
    assert named <= {*TABLE, "start"}

"""`orbit mcp` as the MCP inspector sees it: every method, every tool, and what it thinks of the schemas."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from install import install, node_directory, program

ORBIT = [sys.executable, "-m", "orbit"]

CALLS: tuple[tuple[str, dict[str, str]], ...] = (
    ("repos", {}),
    ("repos", {"query": "order", "limit": "1"}),
    ("info", {"repo": "orders"}),
    ("add", {"repo": "orders"}),
    ("switch", {"repo": "orders", "name": "arrival", "create": "true"}),
    ("jot", {"repo": "orders", "text": "contract/order.json: storefront reads it"}),
    ("jot_list", {}),
    ("jot_pop", {"repo": "orders"}),
    ("memo_write", {"repo": "orders", "text": "Takes orders.", "expect": "none"}),
    ("memo_check", {"repo": "orders"}),
    ("memo_log", {"repo": "orders"}),
    ("context", {}),
    ("context", {"mode": "startup"}),
    ("status", {}),
    ("goal", {"text": "another goal"}),
    ("goal", {}),
    ("sync", {"repos": '["orders"]'}),
    ("done", {"prs": '["https://example.com/1"]'}),
)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    install("inspector")
    directory = tmp_path_factory.mktemp("inspected")
    subprocess.run([*ORBIT, "try", "p"], cwd=directory, check=True, capture_output=True)
    return directory / "p" / "task-01"


def inspect(workspace: Path, *words: str) -> subprocess.CompletedProcess[str]:
    path = f"{node_directory()}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [str(program("inspector")), "--cli", *ORBIT, "mcp", *words],
        cwd=workspace,
        env={**os.environ, "HOME": str(workspace.parent), "PATH": path},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def shown(workspace: Path, *words: str) -> Any:
    done = inspect(workspace, *words)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_it_finds_nothing_in_the_schemas(workspace: Path) -> None:
    done = inspect(workspace, "--method", "tools/list", "--strict")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(json.loads(done.stdout)["tools"]) == 15


def test_every_tool_answers(workspace: Path) -> None:
    for tool, given in CALLS:
        words = [f"{name}={value}" for name, value in given.items()]
        arguments = ["--tool-arg", *words] if words else []
        found = shown(workspace, "--method", "tools/call", "--tool-name", tool, *arguments)
        assert found["isError"] is False, (tool, found)
        assert found["structuredContent"].keys() == {"result", "guidance"}


def test_a_refusal_is_an_error_of_the_tool(workspace: Path) -> None:
    done = inspect(workspace, "--method", "tools/call", "--tool-name", "info", "--tool-arg", "repo=nowhere")
    assert done.returncode != 0
    assert json.loads(done.stdout)["content"][0]["text"] == "orbit: nowhere: not in the pool (.repos/)"


def test_resources_and_the_prompt(workspace: Path) -> None:
    uris = [resource["uri"] for resource in shown(workspace, "--method", "resources/list")["resources"]]
    assert uris[0] == "orbit://workspace/context"
    (template,) = shown(workspace, "--method", "resources/templates/list")["resourceTemplates"]
    assert template["uriTemplate"] == "orbit://repos/{name}/card"
    (content,) = shown(workspace, "--method", "resources/read", "--uri", uris[0])["contents"]
    assert content["text"].startswith(f"path: {os.path.realpath(workspace)}\n")
    (prompt,) = shown(workspace, "--method", "prompts/list")["prompts"]
    (message,) = shown(workspace, "--method", "prompts/get", "--prompt-name", prompt["name"])["messages"]
    assert "repos with words of the task" in message["content"]["text"]

"""Programs that stand for the agent hosts' own: they keep what they have installed, list it in the measured forms, and
fail where a test wants them to.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from orbit.hosts.clients import CLIENTS

_SCRIPT = """#!%(python)s -IS
import json, os, sys, time
host, words = "%(host)s", sys.argv[1:]
home = os.environ["HOME"]
with open(home + "/calls", "a") as log:
    log.write(json.dumps([host, *words]) + "\\n")
fault = os.environ.get("FAULT_" + host.upper(), "")
kind, _, where = fault.partition(" ")
if where and where in " ".join(words):
    if kind == "hang":
        time.sleep(60)
    print("WARNING: not this line\\nboom of " + host + "\\nmore", file=sys.stderr)
    if kind == "fail":
        sys.exit(3)
    if kind == "nothing":
        sys.exit(0)
state_file = home + "/state-" + host
state = json.load(open(state_file)) if os.path.exists(state_file) else {}
FULL = "orbit@orbit-workspaces"
SETTINGS = {"claude": ".claude/settings.json", "copilot": ".copilot/settings.json", "qoder": ".qoder/settings.json"}

def save():
    json.dump(state, open(state_file, "w"))
    if host in SETTINGS:
        path = home + "/" + SETTINGS[host]
        os.makedirs(os.path.dirname(path), exist_ok=True)
        value = json.load(open(path)) if os.path.exists(path) else {}
        value["enabledPlugins"] = {FULL: True} if state.get("tree") else {}
        json.dump(value, open(path, "w"), indent=2)

def version_of(tree):
    return json.load(open(tree + "/.claude-plugin/plugin.json"))["version"]

def copied(tree):
    import shutil
    place = home + "/copy-" + host
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(tree, place)
    return place

def fail(text):
    print(text, file=sys.stderr)
    sys.exit(1)

noun, *rest = words
if noun == "--version":
    print("%(title)s 1.2.3.")
elif noun == "app-server":
    status = os.environ.get("TRUST", "untrusted")
    for line in sys.stdin:
        asked = json.loads(line)
        if asked.get("method") == "hooks/list":
            hooks = [{"key": FULL + ":hooks/codex.json:session_start:0:0", "eventName": "sessionStart",
                      "trustStatus": status, "enabled": True}] if state.get("tree") else []
            answer = {"data": [{"cwd": "/", "hooks": hooks}]}
            print(json.dumps({"id": asked["id"], "result": answer}), flush=True)
elif rest[:2] == ["marketplace", "add"]:
    if "market" in state:
        fail("already registered")
    state["market"] = rest[2]
    save()
elif rest[:2] == ["marketplace", "remove"]:
    if state.pop("market", None) is None:
        fail("not registered")
    save()
elif rest[0] in ("install", "add"):
    if noun == "extensions":
        if "tree" in state:
            fail("already installed")
        state["market"] = rest[1].removesuffix(":orbit")
    if "market" not in state:
        fail("no such marketplace")
    state.update(tree=copied(state["market"]), source=state["market"], enabled=True)
    save()
elif rest[0] in ("uninstall", "remove"):
    if "tree" not in state and host != "codex":
        fail("not installed")
    for key in ("tree", "source"):
        state.pop(key, None)
    save()
elif rest[0] == "list" or noun == "debug":
    rows = []
    there = "tree" in state
    version, on = (version_of(state["tree"]), state["enabled"]) if there else ("", False)
    if host == "claude":
        rows = [{"id": "other@builtin", "version": "unknown", "enabled": True}]
        if there:
            rows.append({"id": FULL, "version": "0.0.0", "folderVersion": version_of(state["source"]), "enabled": on,
                         "readFromFolder": state["source"], "installPath": state["tree"]})
    elif host == "codex":
        print("WARNING: something first")
        rows = {"installed": [{"pluginId": FULL, "name": "orbit", "version": version, "enabled": on,
                               "source": {"source": "local", "path": state["source"]}}] if there else []}
    elif host == "copilot" and there:
        rows = [{"name": "orbit", "marketplace": "orbit-workspaces", "version": version, "enabled": on,
                 "installedFrom": state["source"]}]
    elif host == "qoder" and there:
        rows = [{"id": FULL, "version": version, "enabled": on, "installPath": state["tree"]}]
    elif host == "gemini" and there:
        rows = [{"name": "orbit", "version": version, "path": state["tree"], "isActive": on,
                 "installMetadata": {"source": state["source"], "type": "local"}}]
    elif host == "opencode":
        path = home + "/.config/opencode/opencode.json"
        rows = {"plugin": json.load(open(path)).get("plugin", [])} if os.path.exists(path) else {}
    if host == "qwen":
        print("\\u2713 orbit (%%s)\\n Path: %%s\\n Source: %%s (Type: local)\\n Enabled (User): %%s" %%
              (version, state["tree"], state["source"], str(on).lower()) if there else "No extensions installed.")
    else:
        print(json.dumps(rows, indent=2))
"""


def make_program(directory: Path, host: str) -> None:
    client = CLIENTS[host]
    path = directory / client.program
    path.write_text(_SCRIPT % {"python": sys.executable, "host": host, "title": client.title})
    path.chmod(0o755)


def surroundings(directory: Path, *hosts: str, **more: str) -> dict[str, str]:
    """The environment of a user whose PATH holds these hosts, and orbit, and nothing else."""
    home, programs = directory / "home", directory / "programs"
    home.mkdir(exist_ok=True)
    programs.mkdir(exist_ok=True)
    for host in hosts:
        make_program(programs, host)
    (programs / "orbit").write_text("#!/bin/sh\n")
    (programs / "orbit").chmod(0o755)
    return {"HOME": str(home), "PATH": f"{programs}", "LANG": "C.UTF-8", **more}


def calls(env: dict[str, str]) -> list[list[str]]:
    """What was asked of the programs, without the questions that change nothing."""
    path = Path(env["HOME"]) / "calls"
    every = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    if path.exists():
        os.unlink(path)
    return [words for words in every if not {"--version", "list", "debug", "app-server"} & set(words)]


def change_state(env: dict[str, str], host: str, **changes: object) -> None:
    """What a user did to the host meanwhile."""
    path = Path(env["HOME"]) / f"state-{host}"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))

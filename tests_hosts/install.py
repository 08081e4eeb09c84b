"""The real clients and the MCP inspector, from npm, in a cache folder outside the project: ORBIT_TEST_HOSTS, or
~/.cache/orbit-test-hosts.

`python tests_hosts/install.py [HOST...]` installs what is not there yet; `--latest` asks for the newest of all.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

# Under an older Node npm silently takes an old client whose `engines` fit, so that Node comes first, from npm too.
NODE = "node@22"
PACKAGES = {
    "claude": ("@anthropic-ai/claude-code", "claude"),
    "codex": ("@openai/codex", "codex"),
    "opencode": ("opencode-ai", "opencode"),
    "gemini": ("@google/gemini-cli", "gemini"),
    "qwen": ("@qwen-code/qwen-code", "qwen"),
    "copilot": ("@github/copilot", "copilot"),
    "qoder": ("@qoder-ai/qodercli", "qodercli"),
    "inspector": ("@modelcontextprotocol/inspector", "mcp-inspector"),
}


def cache() -> Path:
    return Path(os.environ.get("ORBIT_TEST_HOSTS") or Path.home() / ".cache" / "orbit-test-hosts").resolve()


def node_directory() -> Path:
    return cache() / "node22" / "node_modules" / "node" / "bin"


def program(host: str) -> Path:
    return cache() / host / "node_modules" / ".bin" / PACKAGES[host][1]


def install(host: str, *, latest: bool = False) -> None:
    """Raises CalledProcessError when npm fails."""
    if latest or not (node_directory() / "node").exists():
        _npm("node22", NODE)
    if latest or not program(host).exists():
        _npm(host, f"{PACKAGES[host][0]}@latest")


def _npm(name: str, package: str) -> None:
    npm = shutil.which("npm")
    if npm is None:
        sys.exit("npm is not on PATH: it brings Node 22 and the clients")
    place = cache() / name
    place.mkdir(parents=True, exist_ok=True)
    if not (place / "package.json").exists():
        (place / "package.json").write_text('{"private": true}\n')
    path = f"{node_directory()}{os.pathsep}{os.environ['PATH']}"
    print(f"installing {package} into {place}", flush=True)
    words = [npm, "install", "--no-audit", "--no-fund", "--silent", package]
    subprocess.run(words, cwd=place, env={**os.environ, "PATH": path}, check=True)


def main(words: list[str]) -> None:
    hosts = [word for word in words if not word.startswith("-")]
    for host in hosts or PACKAGES:
        install(host, latest="--latest" in words)


if __name__ == "__main__":
    main(sys.argv[1:])

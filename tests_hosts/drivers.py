"""How each real client is started against the stub: its settings in a throw-away HOME, its environment, its words."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from install import node_directory, program
from stub_model import StubModel

SECONDS = 150
Words = Callable[[str, bool], list[str]]


class Driver(NamedTuple):
    """`settings`: files below HOME before orbit comes, with `{url}` for the stub. `words(prompt, resume)`.

    `limit`: how many bytes of context the host takes whole. `asks`: words with which it offers its shell and asks
    before it runs a command; without a terminal an unanswered question is a refusal.
    """

    settings: dict[str, str]
    env: dict[str, str]
    words: Words
    limit: int
    asks: tuple[str, ...] = ()


def _claude(prompt: str, resume: bool) -> list[str]:
    return ["-p", prompt, "--output-format", "json", *(["--continue"] if resume else [])]


def _codex(prompt: str, resume: bool) -> list[str]:
    return ["exec", *(["resume", "--last"] if resume else []), "--skip-git-repo-check", prompt]


def _opencode(prompt: str, resume: bool) -> list[str]:
    return ["run", *(["--continue"] if resume else []), prompt]


def _gemini(prompt: str, resume: bool) -> list[str]:
    return ["-p", prompt, *(["--resume", "latest"] if resume else [])]


def _qwen(prompt: str, resume: bool) -> list[str]:
    return ["-p", prompt, *(["--continue"] if resume else [])]


def _copilot(prompt: str, resume: bool) -> list[str]:
    return ["-p", prompt, "--continue" if resume else "--trust-folder"]


_CODEX = """# the user's own
model = "stub-model"
model_provider = "stub"

[model_providers.stub]
name = "stub"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "STUB_KEY"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false

[analytics]
enabled = false
"""
_OPENCODE = """{
  // the user's own
  "$schema": "https://opencode.ai/config.json",
  "model": "stub/stub-model",
  "small_model": "stub/stub-model",
  "share": "disabled",
  "autoupdate": false,
  "permission": { "bash": "ask" },
  "provider": {
    "stub": {
      "npm": "@ai-sdk/openai-compatible",
      "name": "Stub",
      "options": { "baseURL": "{url}/v1", "apiKey": "dummy" },
      "models": { "stub-model": { "name": "Stub", "limit": { "context": 100000, "output": 4000 } } },
    },
  },
}
"""
_GEMINI = {
    "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
    "privacy": {"usageStatisticsEnabled": False},
    "general": {"enableAutoUpdate": False},
}
_QWEN = {
    "security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": False}},
    "privacy": {"usageStatisticsEnabled": False},
    "general": {"disableAutoUpdate": True, "enableAutoUpdate": False},
}

DRIVERS = {
    "claude": Driver(
        settings={".claude/settings.json": '{ "cleanupPeriodDays": 30,\n  "env": {} }\n'},
        env={
            "ANTHROPIC_BASE_URL": "{url}",
            "ANTHROPIC_API_KEY": "sk-dummy",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
        },
        words=_claude,
        limit=10_000,
    ),
    "codex": Driver(
        settings={".codex/config.toml": _CODEX},
        env={"STUB_KEY": "dummy"},
        words=_codex,
        limit=10_000,
    ),
    "opencode": Driver(
        settings={".config/opencode/opencode.jsonc": _OPENCODE},
        env={
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        },
        words=_opencode,
        limit=40_000,
    ),
    "gemini": Driver(
        settings={".gemini/settings.json": json.dumps(_GEMINI)},
        env={
            "GEMINI_API_KEY": "dummy",
            "GOOGLE_GEMINI_BASE_URL": "{url}",
            "GEMINI_CLI_NO_RELAUNCH": "true",
            "NO_BROWSER": "1",
        },
        words=_gemini,
        limit=40_000,
    ),
    "qwen": Driver(
        settings={".qwen/settings.json": json.dumps(_QWEN)},
        env={
            "OPENAI_API_KEY": "dummy",
            "OPENAI_BASE_URL": "{url}/v1",
            "OPENAI_MODEL": "stub-model",
            "QWEN_CODE_NO_RELAUNCH": "true",
        },
        words=_qwen,
        limit=40_000,
        asks=("--approval-mode", "default", "--core-tools", "run_shell_command"),
    ),
    "copilot": Driver(
        settings={".copilot/settings.json": '{"theme":"dark"}\n'},
        env={
            "COPILOT_PROVIDER_BASE_URL": "{url}/v1",
            "COPILOT_PROVIDER_API_KEY": "dummy",
            "COPILOT_MODEL": "gpt-4.1",
            "COPILOT_OFFLINE": "true",
            "COPILOT_AUTO_UPDATE": "false",
        },
        words=_copilot,
        limit=40_000,
    ),
}
SESSIONS = tuple(DRIVERS)


class Ended(NamedTuple):
    """How a process ended."""

    code: int
    out: str
    err: str

    def told(self) -> str:
        return f"status {self.code}\n{self.out[-2000:]}\n{self.err[-2000:]}"


class Bed:
    """One client with a HOME, a project and a stub of its own. `root` is the project, `task` its workspace, `outside`
    a directory of no project.
    """

    def __init__(self, host: str, directory: Path, stub: StubModel) -> None:
        self.host = host
        self.driver = DRIVERS.get(host)
        self.home = directory / "home"
        self.bin = directory / "bin"
        self.root = directory / "project"
        self.task = self.root / "task-01"
        self.outside = directory / "outside"
        self.stub = stub
        self.before: dict[str, str] = {}
        for made in (self.home, self.bin, self.root, self.outside, directory / "tmp"):
            made.mkdir(parents=True)
        self._temporary = directory / "tmp"
        (self.bin / program(host).name).symlink_to(program(host))
        self._calls = directory / "calls"
        self._calls.touch()
        real = Path(sys.executable).parent / "orbit"
        # In the sandbox of Codex the log cannot be written: what is logged there ran outside of it.
        text = f'#!/bin/sh\n{{ printf "%s\\n" "$*" >>"{self._calls}"; }} 2>/dev/null\nexec "{real}" "$@"\n'
        (self.bin / "orbit").write_text(text)
        (self.bin / "orbit").chmod(0o755)
        # Codex runs commands in a login shell, which begins with a PATH of its own.
        self.home.joinpath(".profile").write_text(f'PATH="{self.env()["PATH"]}"\n')
        self.home.joinpath(".gitconfig").write_text("[user]\n\tname = Tester\n\temail = tester@example.com\n")
        for name, text in self.settings().items():
            path = self.home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def settings(self) -> dict[str, str]:
        """The user's settings before orbit came."""
        found = self.driver.settings if self.driver else {}
        return {name: text.replace("{url}", self.stub.url) for name, text in found.items()}

    def files(self) -> dict[str, str]:
        """The same files as they are now."""
        return {name: (self.home / name).read_text() for name in self.settings()}

    def env(self, **more: str) -> dict[str, str]:
        path = [str(self.bin), str(node_directory()), str(Path(sys.executable).parent), "/usr/local/bin:/usr/bin:/bin"]
        own = {
            name: text.replace("{url}", self.stub.url)
            for name, text in (self.driver.env if self.driver else {}).items()
        }
        base = {"HOME": str(self.home), "PATH": os.pathsep.join(path), "TMPDIR": str(self._temporary)}
        return {**base, "LANG": "C.UTF-8", "TERM": "xterm-256color", "SHELL": "/bin/bash", **own, **more}

    def run(self, *words: str, cwd: Path | None = None, seconds: float = SECONDS) -> Ended:
        """Any program in the client's surroundings; it and what it started are gone afterwards."""
        process = subprocess.Popen(
            words,
            cwd=cwd or self.task,
            env=self.env(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            err += b"\n(ended by the test)"
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        return Ended(process.returncode, out.decode(errors="replace"), err.decode(errors="replace"))

    def called(self) -> list[str]:
        """What orbit was called with since the last look, the hooks left out."""
        lines = self._calls.read_text().splitlines()
        self._calls.write_text("")
        return [line for line in lines if not line.startswith("hook ")]

    def orbit(self, *words: str, cwd: Path | None = None, seconds: float = 600) -> Ended:
        return self.run("orbit", *words, cwd=cwd or self.root, seconds=seconds)

    def client(self, *words: str, cwd: Path | None = None) -> Ended:
        return self.run(program(self.host).name, *words, cwd=cwd)

    def prompt(self, text: str, *, cwd: Path | None = None, resume: bool = False, more: tuple[str, ...] = ()) -> Ended:
        """One prompt without a terminal; the stub's requests are those of this prompt alone."""
        self.stub.clear()
        assert self.driver
        words = self.driver.words(text, resume)
        at = 1 if self.host == "codex" else len(words)
        return self.client(*words[:at], *more, *words[at:], cwd=cwd)

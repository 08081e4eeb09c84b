"""Each host's own program: what it is called, where its settings lie, and the commands that install through it.

Measured with the real programs; their versions are in docs/hosts.md. Contract: hosts.md, `orbit setup`.
"""

from __future__ import annotations

from orbit.errors import OrbitError
from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# The names that the integration tree gives itself (a test compares).
PLUGIN, MARKET = "orbit", "orbit-workspaces"
FULL_NAME = f"{PLUGIN}@{MARKET}"
# Stands in the words below for where the tree lies.
TREE = "{tree}"


class Act(Record):
    """One command of a host's program. `may_fail`: what it wants may be so already; a later command then shows it."""

    words: tuple[str, ...]
    may_fail: bool = False
    env: tuple[tuple[str, str], ...] = ()


class Ways(Record):
    """How a host's program installs, brings up to date and removes."""

    install: tuple[Act, ...] = ()
    update: tuple[Act, ...] = ()
    remove: tuple[Act, ...] = ()


class Client(Record):
    """One host's program.

    `home` is (variable that moves it, directory below HOME); `settings` are the files in it that installing changes;
    `reads_in_place`: it uses the tree where it lies and copies nothing.
    """

    name: str
    title: str
    program: str
    home: tuple[str, str]
    settings: tuple[str, ...]
    listing: tuple[str, ...]
    ways: Ways = Ways()
    reads_in_place: bool = False


def _marketplace(program_noun: str, install_verb: str, remove_verb: str) -> Ways:
    """The acts of a host that installs from a marketplace: nothing is updated in place by all of them, so that an
    update is a removal and an installation.
    """
    add = Act((program_noun, "marketplace", "add", TREE), may_fail=True)
    install = Act((program_noun, install_verb, FULL_NAME))
    uninstall = Act((program_noun, remove_verb, FULL_NAME))
    forget = Act((program_noun, "marketplace", "remove", MARKET), may_fail=True)
    return Ways((add, install), (uninstall.replace(may_fail=True), forget, add, install), (uninstall, forget))


def _extension(source: str, env: tuple[tuple[str, str], ...]) -> Ways:
    install = Act(("extensions", "install", source, "--consent"), env=env)
    uninstall = Act(("extensions", "uninstall", PLUGIN))
    return Ways((install,), (uninstall.replace(may_fail=True), install), (uninstall,))


CLIENTS = {
    client.name: client
    for client in (
        Client(
            name="claude",
            title="Claude Code",
            program="claude",
            home=("CLAUDE_CONFIG_DIR", ".claude"),
            settings=("settings.json",),
            listing=("plugin", "list", "--json"),
            reads_in_place=True,
            ways=_marketplace("plugin", "install", "uninstall"),
        ),
        Client(
            name="codex",
            title="Codex CLI",
            program="codex",
            home=("CODEX_HOME", ".codex"),
            settings=("config.toml",),
            listing=("plugin", "list", "--json"),
            ways=_marketplace("plugin", "add", "remove"),
        ),
        Client(
            name="opencode",
            title="OpenCode",
            program="opencode",
            home=("", ".config/opencode"),
            settings=(),
            listing=("debug", "config"),
            reads_in_place=True,
        ),
        Client(
            name="gemini",
            title="Gemini CLI",
            program="gemini",
            home=("", ".gemini"),
            settings=(),
            listing=("extensions", "list", "-o", "json"),
            # Without it the program asks whether the tree is trusted, and waits for ever when there is no terminal.
            ways=_extension(TREE, (("GEMINI_CLI_TRUST_WORKSPACE", "true"),)),
        ),
        Client(
            name="qwen",
            title="Qwen Code",
            program="qwen",
            home=("", ".qwen"),
            settings=(),
            listing=("extensions", "list"),
            # The bare directory holds a marketplace: without a terminal nothing would be installed, with status 0.
            ways=_extension(f"{TREE}:{PLUGIN}", ()),
        ),
        Client(
            name="copilot",
            title="GitHub Copilot CLI",
            program="copilot",
            home=("COPILOT_HOME", ".copilot"),
            settings=("settings.json",),
            listing=("plugin", "list", "--json"),
            reads_in_place=True,
            ways=_marketplace("plugin", "install", "uninstall"),
        ),
        Client(
            name="qoder",
            title="Qoder CLI",
            program="qodercli",
            home=("", ".qoder"),
            settings=("settings.json",),
            listing=("plugins", "list", "--json"),
            ways=_marketplace("plugins", "install", "uninstall"),
        ),
    )
}


def home_of(client: Client, env: Mapping[str, str]) -> str:
    """Where a host keeps its settings. Raises OrbitError when HOME is not set."""
    variable, below = client.home
    if variable and env.get(variable):
        return env[variable]
    if client.name == "opencode" and env.get("XDG_CONFIG_HOME"):
        return f"{env['XDG_CONFIG_HOME']}/opencode"
    if client.name == "gemini" and env.get("GEMINI_CLI_HOME"):
        return f"{env['GEMINI_CLI_HOME']}/{below}"
    return f"{user_home(env)}/{below}"


def user_home(env: Mapping[str, str]) -> str:
    """HOME. Raises OrbitError when it is not set."""
    home = env.get("HOME", "")
    if not home:
        raise OrbitError("setup", "HOME is not set, so nobody knows where the hosts keep their settings")
    return home.rstrip("/") or "/"


def filled(act: Act, tree: str) -> tuple[str, ...]:
    """An act's words with the tree's place in them."""
    return tuple(word.replace(TREE, tree) for word in act.words)

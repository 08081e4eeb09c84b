"""OpenCode has no command that installs: its settings name the plugin's file and where skills lie.

Contract: hosts.md, `orbit setup`.
"""

from __future__ import annotations

import os
from urllib.parse import quote, unquote

from orbit.errors import OrbitError
from orbit.hosts import jsonc
from orbit.hosts.clients import CLIENTS, home_of
from orbit.hosts.listing import Installed
from orbit.store.disk import read_bytes, replace_users_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_NAMES = ("opencode.jsonc", "opencode.json")
_PLUGIN, _SKILLS = ("plugin",), ("skills", "paths")
# Ours, wherever an earlier setup had its tree.
_OUR_PLUGIN, _OUR_SKILLS = "/orbit/hosts/tree/opencode/orbit.ts", "/orbit/hosts/tree/skills"
_NEW = '{\n  "$schema": "https://opencode.ai/config.json"\n}\n'


def settings_file(env: Mapping[str, str]) -> str:
    """The one that names orbit, else the one that is there, else the one to make."""
    home = home_of(CLIENTS["opencode"], env)
    there = [path for path in (f"{home}/{name}" for name in _NAMES) if os.path.lexists(path)]
    ours = [path for path in there if _ours(_text(path))]
    return next(iter([*ours, *there]), f"{home}/{_NAMES[1]}")


def plugin_entry(tree: str) -> str:
    return "file://" + quote(f"{tree}/opencode/orbit.ts")


def skills_entry(tree: str) -> str:
    return f"{tree}/skills"


def named_plugin(env: Mapping[str, str]) -> Installed | None:
    """What the settings name. Raises OrbitError when they cannot be read."""
    for entry in _ours(_text(settings_file(env))):
        if entry.endswith(_OUR_PLUGIN):
            return Installed("", True, unquote(entry.removeprefix("file://")).removesuffix("/opencode/orbit.ts"))
    return None


def add_entries(env: Mapping[str, str], tree: str) -> None:
    """Name the plugin and the skills; entries of an earlier place give way. Raises OrbitError."""
    path = settings_file(env)
    before = _text(path)
    text = _without(before, keep=(plugin_entry(tree), skills_entry(tree))) if before.strip() else _NEW
    try:
        for place, entry in ((_PLUGIN, plugin_entry(tree)), (_SKILLS, skills_entry(tree))):
            if entry not in jsonc.texts_at(text, place):
                text = jsonc.with_text(text, place, entry)
    except jsonc.JsoncError as problem:
        raise OrbitError(path, str(problem)) from None
    if text != before:
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
        except OSError as error:
            raise OrbitError(path, f"cannot be made: {error.strerror}") from None
        replace_users_file(path, text.encode("utf-8", "surrogateescape"))


def remove_entries(env: Mapping[str, str]) -> None:
    """Raises OrbitError when the settings cannot be read or written."""
    path = settings_file(env)
    before = _text(path)
    after = _without(before, keep=())
    if after != before:
        replace_users_file(path, after.encode("utf-8", "surrogateescape"))


def _text(path: str) -> str:
    """The settings, "" when there are none. Raises OrbitError for what cannot be edited with care."""
    text = (read_bytes(path) or b"").decode("utf-8", "surrogateescape")
    try:
        if text.strip():
            jsonc.parse(text)
    except jsonc.JsoncError as problem:
        raise OrbitError(path, str(problem)) from None
    return text


def _ours(text: str) -> list[str]:
    if not text.strip():
        return []
    plugins = [entry for entry in jsonc.texts_at(text, _PLUGIN) if entry.endswith(_OUR_PLUGIN)]
    return plugins + [entry for entry in jsonc.texts_at(text, _SKILLS) if entry.endswith(_OUR_SKILLS)]


def _without(text: str, keep: tuple[str, ...]) -> str:
    for entry in _ours(text):
        if entry not in keep:
            text = jsonc.without_text(text, _PLUGIN if entry.endswith(_OUR_PLUGIN) else _SKILLS, entry)
    return text

"""What a host's own listing says of orbit's integration. Pure readers of each host's form of list."""

from __future__ import annotations

import json
import re

from orbit.hosts.clients import FULL_NAME, PLUGIN
from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Installed(Record):
    """The integration as a host lists it. `source`: where it was installed from, `path`: where the host's copy lies;
    each "" when the host does not say. `problem`: what the host itself has to say against it.
    """

    version: str
    enabled: bool
    source: str = ""
    path: str = ""
    problem: str = ""


class UnreadableError(ValueError):
    """The listing has another form than the one that was measured."""


def read_listing(host: str, text: str) -> Installed | None:
    """What `host` lists, None when it does not list orbit. Raises UnreadableError."""
    try:
        return _qwen(text) if host == "qwen" else _from_json(host, _value(text))
    except (AttributeError, KeyError, TypeError, IndexError) as error:
        raise UnreadableError(f"{type(error).__name__}: {error}")


def _value(text: str) -> Any:
    """The JSON value in a text that may begin with other lines."""
    for found in re.finditer(r"^[\[{]", text, re.MULTILINE):
        try:
            return json.JSONDecoder().raw_decode(text, found.start())[0]
        except ValueError:
            continue
    raise UnreadableError("no JSON")


def _from_json(host: str, value: Any) -> Installed | None:
    if host == "opencode":
        return _opencode(value)
    rows = value["installed"] if host == "codex" else value
    for row in rows:
        if host == "claude" and row["id"] == FULL_NAME:
            problem = "; ".join(str(text) for text in row.get("errors") or ())
            version = row.get("folderVersion") or row["version"]
            source = row.get("readFromFolder", "")
            return Installed(version, row["enabled"], source, row.get("installPath", ""), problem)
        if host == "codex" and row["pluginId"] == FULL_NAME:
            return Installed(row["version"], row["enabled"], row["source"].get("path", ""))
        if host == "copilot" and f"{row['name']}@{row['marketplace']}" == FULL_NAME:
            return Installed(row["version"], row["enabled"], row.get("installedFrom", ""))
        if host == "qoder" and row["id"] == FULL_NAME:
            return Installed(row["version"], row["enabled"], "", row.get("installPath", ""))
        if host == "gemini" and row["name"] == PLUGIN:
            source = row.get("installMetadata", {}).get("source", "")
            return Installed(row["version"], row["isActive"], source, row["path"])
    return None


def _opencode(value: Any) -> Installed | None:
    """OpenCode lists no versions: the plugin is the file that its config names."""
    for entry in value.get("plugin", ()):
        name = entry[0] if isinstance(entry, list) else entry
        if name.startswith("file://") and name.endswith("/opencode/orbit.ts"):
            return Installed("", True, name.removeprefix("file://").removesuffix("/opencode/orbit.ts"))
    return None


def _qwen(text: str) -> Installed | None:
    """Lines such as ` Path: DIR` below a line with mark, name and version; other extensions may stand around it."""
    if not text.strip():
        raise UnreadableError("nothing")
    head = re.search(rf"^\S+ {PLUGIN} \(([^)\n]*)\)\s*$", text, re.MULTILINE)
    if head is None:
        return None
    below = dict(re.findall(r"^ ([A-Z][^:\n]*): (.*)$", _block(text[head.end() :]), re.MULTILINE))
    source = re.sub(r" \(Type: \w+\)$", "", below.get("Source", ""))
    return Installed(head[1], below.get("Enabled (User)") != "false", source, below.get("Path", ""))


def _block(text: str) -> str:
    """The lines up to the next extension, which stands at the margin."""
    lines = []
    for line in text.lstrip("\n").splitlines():
        if line and not line.startswith(" "):
            break
        lines.append(line)
    return "\n".join(lines)

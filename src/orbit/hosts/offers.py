"""Files that let orbit work where a host would stop it: shown whole and asked for one by one, never simply written.

They allow by name what reads, and what builds up and can be undone; whatever they do not name is asked as before.
Contract: hosts.md, Approval without prompts and `orbit setup`.
"""

from __future__ import annotations

import os

from orbit.errors import OrbitError
from orbit.hosts.clients import CLIENTS, home_of
from orbit.record import Record
from orbit.store.disk import is_no_file, reason_of, remove_file, remove_users_draft, replace_users_file, try_read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# Verbs of which no form destroys or reaches further than the workspace, whatever options follow.
# `sync` and `memo` have such forms, so that a rule by their first words would allow too much.
VERBS = ("repos", "info", "status", "context", "version", "add", "switch", "jot", "goal")
_FIRST = "# Written by `orbit setup {host}`; `orbit setup {host} --remove` takes it away."

_CODEX = """{first}
# The sandbox of Codex lets a session write neither the pool nor git's own files, so that orbit could note and add
# nothing. These commands run outside of it, unasked. Everything else is decided as before.
prefix_rule(
    pattern = ["orbit", [{verbs}]],
    decision = "allow",
)
"""

# Gemini CLI refuses a pattern in which a group with a quantifier has one itself, and then the whole file.
_NAME = "[A-Za-z0-9][A-Za-z0-9._-]*"
_GEMINI = """{first}
# Gemini CLI runs a shell command unasked only when a policy of the user allows it. Each part of a command line is
# looked at on its own, and a line that redirects into a file is asked about.
[[rule]]
toolName = "run_shell_command"
commandPrefix = [{verbs}]
decision = "allow"
priority = 100

# Names only, not sync --force: several without a dash in them, or one of any form.
[[rule]]
toolName = "run_shell_command"
commandRegex = '''orbit sync(?:"| [A-Za-z0-9][A-Za-z0-9._ ]*"| {name}")'''
decision = "allow"
priority = 100

# A card written from the command line itself.
[[rule]]
toolName = "run_shell_command"
commandRegex = '''orbit memo {name} (?:--text '[^']*'|--expect [0-9a-z]+ --text '[^']*'|--refresh|--check|--log)"'''
decision = "allow"
priority = 100
"""


class Offer(Record):
    """A file of the host that orbit may write. `state`: none, ours, older (written by another orbit), or theirs."""

    host: str
    path: str
    text: str
    why: str
    state: str


def offers_of(host: str, env: Mapping[str, str]) -> list[Offer]:
    """What setup offers for this host. Raises OrbitError for a file that is there and cannot be read."""
    home = home_of(CLIENTS[host], env)
    first = _FIRST.format(host=host)
    if host == "codex":
        text = _CODEX.format(first=first, verbs=", ".join(f'"{verb}"' for verb in VERBS))
        return [_offer(host, f"{home}/rules/orbit.rules", text, "lets orbit work outside the sandbox of Codex")]
    if host == "gemini":
        verbs = ", ".join(f'"orbit {verb}"' for verb in VERBS)
        text = _GEMINI.format(first=first, verbs=verbs, name=_NAME)
        return [_offer(host, f"{home}/policies/orbit.toml", text, "lets Gemini CLI run orbit unasked")]
    return []


def _offer(host: str, path: str, text: str, why: str) -> Offer:
    there, reason = try_read(path)
    if reason and not is_no_file(path):
        raise OrbitError(path, f"cannot be read: {reason}")
    if there is None and not reason:
        state = "none"
    elif there == text.encode():
        state = "ours"
    elif there is not None and there.decode("utf-8", "replace").startswith(_FIRST.format(host=host)):
        state = "older"
    else:
        state = "theirs"
    return Offer(host, path, text, why, state)


def write_offer(offer: Offer) -> None:
    """Raises OrbitError."""
    try:
        os.makedirs(os.path.dirname(offer.path), exist_ok=True)
    except OSError as error:
        raise OrbitError(offer.path, f"cannot be made: {reason_of(error)}") from None
    replace_users_file(offer.path, offer.text.encode())


def take_back(offer: Offer) -> None:
    """Remove the file, and the directory that held nothing else. Raises OrbitError."""
    remove_users_draft(offer.path)
    remove_file(offer.path)
    try:
        os.rmdir(os.path.dirname(offer.path))
    except OSError:
        return

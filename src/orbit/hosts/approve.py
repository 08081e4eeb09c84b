"""Which command lines an agent may run without asking anybody. It can only allow.

Contract: hosts.md, Approval without prompts; refinements.md, 15.
"""

from __future__ import annotations

import os

from orbit.hosts.words import simple_words
from orbit.places import valid_repo_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Values = Mapping[str, tuple[str, ...]]
    Reader = Callable[[str, list[str]], Values | None]

_LONGEST = 128 * 1024  # what Linux takes as one argument: a host hands the whole line to `sh -c`

_JSON = frozenset(("json", "json_schema"))
# verb: the arguments, by key, that may be given unasked. Whatever is not named here is asked.
UNASKED: dict[str, frozenset[str]] = {
    "repos": frozenset(("word", "limit", "stale", "no_card", "urls", "no_urls")) | _JSON,
    "info": frozenset(("repo",)) | _JSON,
    "status": frozenset(("workspace",)) | _JSON,
    "context": frozenset(("key", "startup", "prime", "reignite")) | _JSON,
    "doctor": _JSON,
    "version": frozenset(),
    "completion": frozenset(("shell",)),
    "add": frozenset(("repo", "ref", "reuse", "silent")),
    "switch": frozenset(("repo", "name", "create")),
    "sync": frozenset(("repo",)) | _JSON,
    "jot": frozenset(("repo", "text", "pop", "list", "requeue")) | _JSON,
    "memo": frozenset(
        ("repo", "text", "file", "expect", "refresh", "restore", "check", "log", "show", "scaffold"),
    ),
    "goal": frozenset(("text", "clear")),
}
_JOT_MODES = ("pop", "list", "requeue")
_MEMO_LOOKS = ("check", "log", "show", "scaffold")
_MEMO_WRITES = ("refresh", "restore", "text", "file")


def allows(command: str, workspace: str, read: Reader) -> bool:
    """Whether this whole command line may run unasked; False means no opinion, never a refusal.

    `workspace` is the physical path of the workspace, "" when unknown. `read` gives what a verb's own table makes of
    its words, by key, or None: approval knows no syntax that the program does not.
    """
    line = command.lstrip(" \t")
    if line[:5] != "orbit" or line[5:6] not in ("", " ", "\t") or len(line) > _LONGEST:
        return False
    words = simple_words(line)
    if words is None or len(words) < 2 or words[1] not in UNASKED:
        return False
    verb = words[1]
    values = read(verb, words[2:])
    if values is None or not UNASKED[verb].issuperset(values):
        return False
    if any(value.startswith("-") for given in values.values() for value in given):
        return False
    if verb == "jot":
        return _is_whole_jot(values)
    if verb == "memo":
        return _is_whole_memo(values, workspace)
    return verb != "goal" or ("text" in values) != ("clear" in values)


def _is_whole_jot(values: Values) -> bool:
    """Nothing is left to an editor or stdin: one word that could be a repository's name would be."""
    modes = sum(mode in values for mode in _JOT_MODES)
    if modes or "text" in values:
        return modes + ("text" in values) == 1
    return "repo" in values and not valid_repo_name(values["repo"][0].removesuffix("/"))


def _is_whole_memo(values: Values, workspace: str) -> bool:
    """One way of looking, or of writing a named card with its text at hand."""
    looks = sum(mode in values for mode in _MEMO_LOOKS)
    writes = sum(mode in values for mode in _MEMO_WRITES)
    if looks + writes != 1:
        return False
    if looks:
        return "expect" not in values
    return "repo" in values and ("file" not in values or _is_inside(values["file"][-1], workspace))


def _is_inside(path: str, workspace: str) -> bool:
    """Whether an absolute path is a file of the workspace, links followed. A relative one stands for another file in
    each directory, and in which one the shell is nobody knows for certain.
    """
    if not workspace or not path.startswith("/"):
        return False
    real = os.path.realpath(path)
    return real.startswith(f"{workspace}/") and os.path.isfile(real)

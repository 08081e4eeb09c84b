"""The tools as data: the verb behind each, what it takes, what a host may assume. Contract: hosts.md, MCP."""

from __future__ import annotations

from orbit.errors import OrbitError
from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    Given = Mapping[str, Any]
    Values = dict[str, tuple[str, ...]]

MODES = ("cruise", "startup", "prime", "reignite")


class Parameter(Record):
    """`kind` is "string", "integer" (from 1), "boolean" or "strings"; `choices` limits a string."""

    name: str
    kind: str
    help: str
    required: bool = False
    choices: tuple[str, ...] = ()


class Hints(Record):
    """What a host may assume. They follow the tiers of approval: looking, building up, and what is the user's."""

    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False
    open_world: bool = False


class Tool(Record):
    """`words` turns checked arguments into a verb and its words. `shape` is the verb whose JSON the result has, "" for
    a text.
    """

    name: str
    help: str
    parameters: tuple[Parameter, ...]
    hints: Hints
    words: Callable[[Given], tuple[str, Values]]
    shape: str = ""


_LOOKS = Hints(read_only=True, idempotent=True)
_REPO = Parameter("repo", "string", "a repository's name", required=True)
_QUEUE = Parameter("repo", "string", "a repository's name; not needed when only one has jots or a worktree here")


def _repos(given: Given) -> tuple[str, Values]:
    return "repos", {"json": (), "word": tuple(given.get("query", "").split()), **_text(given, "limit")}


def _switch(given: Given) -> tuple[str, Values]:
    return "switch", {**_text(given, "repo", "name"), **({"create": ()} if given.get("create") else {})}


def _context(given: Given) -> tuple[str, Values]:
    mode = given.get("mode", "cruise")
    return "context", {} if mode == "cruise" else {mode: ()}


def _goal(given: Given) -> tuple[str, Values]:
    return ("goal", _text(given, "text")) if "text" in given else ("context", {"key": ("goal",)})


def _text(given: Given, *names: str) -> Values:
    return {name: (str(given[name]),) for name in names if name in given}


TOOLS = (
    Tool(
        "repos",
        "The roster: every repository of the pool with its brief and how fresh its card is. Start here.",
        (
            Parameter("query", "string", "only repositories whose name, brief or card has all of these words"),
            Parameter("limit", "integer", "at most so many"),
        ),
        _LOOKS,
        _repos,
        "repos",
    ),
    Tool(
        "info",
        "One repository's card, or the beginning of its README, with how far both are behind. Decide with it whether "
        "the task needs the repository.",
        (_REPO,),
        _LOOKS,
        lambda given: ("info", _text(given, "repo")),
        "info",
    ),
    Tool(
        "add",
        "Put a git worktree of a repository into the workspace, on a branch of its own. Gives the card.",
        (_REPO, Parameter("ref", "string", "start at this tag, branch or commit")),
        Hints(open_world=True),
        lambda given: ("add", _text(given, "repo", "ref")),
    ),
    Tool(
        "switch",
        "Put a repository's worktree on a branch of the workspace's own; with create a new one at HEAD, which a bare "
        "git push takes to origin under the same name.",
        (
            _REPO,
            Parameter("name", "string", "the branch, without the workspace's prefix", required=True),
            Parameter("create", "boolean", "make a new branch"),
        ),
        Hints(idempotent=True, open_world=True),
        _switch,
    ),
    Tool(
        "jot",
        "Queue a discovery that the repository's card lacks: a role, or a path to start from. Cheap; do it at once.",
        (_REPO, Parameter("text", "string", "the discovery, one line", required=True)),
        Hints(),
        lambda given: ("jot", _text(given, "repo", "text")),
        "jot",
    ),
    Tool(
        "jot_list",
        "The waiting discoveries of a repository.",
        (_QUEUE,),
        _LOOKS,
        lambda given: ("jot", {"list": (), **_text(given, "repo")}),
        "jot",
    ),
    Tool(
        "jot_pop",
        "Take the waiting discoveries to merge them into the card. They stay in flight until memo_write settles them; "
        "they are moved there only once this result has been written out.",
        (_QUEUE,),
        Hints(),
        lambda given: ("jot", {"pop": (), **_text(given, "repo")}),
        "jot",
    ),
    Tool(
        "memo_write",
        "Write a repository's card: when to add it, and where to start in it. Every version is kept.",
        (
            _REPO,
            Parameter("text", "string", "the whole card, Markdown", required=True),
            Parameter("expect", "string", "write only if the card is still at this revision; 'none' = no card yet"),
        ),
        Hints(idempotent=True),
        lambda given: ("memo", _text(given, "repo", "text", "expect")),
    ),
    Tool(
        "memo_check",
        "Judge a repository's card: its length, its brief, the paths that it names.",
        (_REPO,),
        _LOOKS,
        lambda given: ("memo", {"check": (), **_text(given, "repo")}),
    ),
    Tool(
        "memo_log",
        "The versions of a repository's card, the newest first.",
        (_REPO,),
        _LOOKS,
        lambda given: ("memo", {"log": (), **_text(given, "repo")}),
    ),
    Tool(
        "context",
        "Where the task stands: cruise = what is pending; prime = the roster; reignite = every worktree with its card; "
        "startup = prime or reignite, by what the workspace holds.",
        (Parameter("mode", "string", "cruise when not given", choices=MODES),),
        _LOOKS,
        _context,
        "context",
    ),
    Tool(
        "status",
        "The worktrees of the workspace: branch, upstream, ahead and behind, uncommitted files.",
        (),
        _LOOKS,
        lambda _: ("status", {}),
        "status",
    ),
    Tool(
        "goal",
        "Set the direction of the workspace; without a text, read it.",
        (Parameter("text", "string", "the new goal"),),
        Hints(idempotent=True),
        _goal,
    ),
    Tool(
        "sync",
        "Fetch and fast-forward clones of the pool; without names the workspace's. Worktrees and cards stay.",
        (Parameter("repos", "strings", "names of repositories"),),
        Hints(idempotent=True, open_world=True),
        lambda given: ("sync", {"repo": tuple(given.get("repos", ()))}),
        "sync",
    ),
    Tool(
        "done",
        "Mark the task as finished, so that the workspace may be reclaimed. When is the user's to say.",
        (Parameter("prs", "strings", "URLs of the pull requests of this task"),),
        Hints(destructive=True, idempotent=True),
        lambda given: ("done", {"pr": tuple(given.get("prs", ()))}),
        "done",
    ),
)


def input_schema(tool: Tool) -> dict[str, Any]:
    """The JSON Schema of a tool's arguments."""
    kinds: dict[str, dict[str, Any]] = {
        "string": {"type": "string"},
        "integer": {"type": "integer", "minimum": 1},
        "boolean": {"type": "boolean"},
        "strings": {"type": "array", "items": {"type": "string"}},
    }
    properties = {
        p.name: {**kinds[p.kind], "description": p.help, **({"enum": list(p.choices)} if p.choices else {})}
        for p in tool.parameters
    }
    required = [p.name for p in tool.parameters if p.required]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def checked(tool: Tool, given: Given) -> Given:
    """The arguments without those that are null. Raises OrbitError for what the schema does not take, and for text that
    no command line could carry.
    """
    known = {parameter.name: parameter for parameter in tool.parameters}
    found = {name: value for name, value in given.items() if value is not None}
    for name, value in found.items():
        if name not in known:
            takes = f"it takes {', '.join(known)}" if known else "it takes none"
            raise OrbitError(tool.name, f"no such argument: {name}", takes)
        problem = _problem(known[name], value)
        if problem:
            raise OrbitError(tool.name, f"{name} must be {problem}")
    missing = [parameter.name for parameter in tool.parameters if parameter.required and parameter.name not in found]
    if missing:
        raise OrbitError(tool.name, f"{', '.join(missing)} is missing")
    return found


def _problem(parameter: Parameter, value: object) -> str:
    """What the value should have been, "" when it is that."""
    kind = parameter.kind
    if kind == "boolean":
        return "" if isinstance(value, bool) else "true or false"
    if kind == "integer":
        return "" if isinstance(value, int) and not isinstance(value, bool) and value > 0 else "a whole number above 0"
    if kind == "strings":
        return "" if isinstance(value, list) and all(map(_is_text, value)) else "a list of texts"
    if not _is_text(value):
        return "a text without NUL"
    return f"one of {', '.join(parameter.choices)}" if parameter.choices and value not in parameter.choices else ""


def _is_text(value: object) -> bool:
    if not isinstance(value, str) or "\0" in value:
        return False
    return not any("\ud800" <= character <= "\udfff" for character in value)

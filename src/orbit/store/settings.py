"""The known project settings: each key's default and rule. Contract: commands.md, config.

Values come from the index file as text and are data: a bad one falls back to its default, never evaluated.
"""

from __future__ import annotations

from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from orbit.store.syntax import Config

_MANAGED = ("always", "once", "never")


class Key(Record):
    """One setting. `problem` says why a value is refused, or ""; `choices` are all its values, where they are few."""

    name: str
    default: str
    meaning: str
    problem: Callable[[str], str]
    choices: tuple[str, ...] = ()


def positive(value: str) -> str:
    """Decimal ASCII digits without sign, above zero, small enough to mean something."""
    good = value.isascii() and value.isdecimal() and len(value) <= 9 and int(value) > 0
    return "" if good else "must be a positive decimal integer"


def _managed(value: str) -> str:
    return "" if value in _MANAGED else "must be always, once or never"


def _prefix(value: str) -> str:
    bad = (
        not value
        or value[0] in ".-"
        or value.endswith((".", ".lock"))
        or ".." in value
        or "@{" in value
        or value == "@"
        or any(c in "/ ~^:?*[\\" or not c.isprintable() for c in value)
    )
    return "must be one segment of a git ref" if bad else ""


def _text(value: str) -> str:
    return "" if value.strip() else "cannot be empty, use --unset"


def _explore(value: str) -> str:
    return "" if parse_explore(value) else "must be a comma list of path:depth, such as .:1,src:2"


def parse_explore(value: str) -> tuple[tuple[str, int], ...]:
    """`.:1,src:2` as ((".", 1), ("src", 2)); empty when it is not of that form."""
    found = []
    for part in value.split(","):
        path, colon, depth = part.strip().rpartition(":")
        if not colon or not path or path.startswith("/") or ".." in path.split("/") or positive(depth):
            return ()
        found.append((path, int(depth)))
    return tuple(found)


KEYS = (
    Key("memo.minLines", "4", "a card with fewer non-blank lines is thin", positive),
    Key("memo.maxLines", "16", "the ceiling of a card's non-blank lines", positive),
    Key("memo.maxBytes", "4096", "the ceiling of a card's bytes", positive),
    Key("jot.bufferSize", "", "jots that may wait before a queue overflows (default: memo.minLines)", positive),
    Key("explore.paths", ".:1", "what a cold start explores, as a comma list of path:depth", _explore),
    Key("branch.prefix", "ws", "first segment of every scoped branch", _prefix),
    Key("git.fetchAllBranches", "always", "manage remote.origin.fetch of pool clones", _managed, _MANAGED),
    Key("git.fetchPrune", "always", "manage fetch.prune of pool clones", _managed, _MANAGED),
    Key("git.pushUpstreamByDefault", "always", "manage push.default of pool clones", _managed, _MANAGED),
    Key("agent.recommend", "", "the agent command that new recommends", _text),
    Key("context.rosterLimit", "50", "repositories named in the cold-start block", positive),
    Key("context.maxBytes", "9000", "budget of any injected block, in bytes", positive),
    Key("prune.keepDays", "30", "days that reclaimed branch tips stay restorable", positive),
)

_BY_FOLDED = {key.name.lower(): key for key in KEYS}
# What serves in place of a bad value where the default is no value.
_WITHOUT_VALUE = {"jot.buffersize": "memo.minLines", "agent.recommend": "none"}


def find_key(name: str) -> Key | None:
    """Keys compare without case."""
    return _BY_FOLDED.get(name.lower())


def split_key(name: str) -> tuple[str, str]:
    """`memo.minLines` as its place in the file: section and key, both lower case."""
    section, _, key = name.lower().partition(".")
    return section, key


class BadSetting(Record):
    """A stored value that its rule refuses; `default` says in words what is in force instead."""

    key: str
    value: str
    default: str


class Settings(Record):
    """Every setting's value in force, by folded name; and the stored values that had to be passed over."""

    values: dict[str, str]
    bad: tuple[BadSetting, ...]

    def text(self, name: str) -> str:
        return self.values[name.lower()]

    def number(self, name: str) -> int:
        return int(self.values[name.lower()])


def read_settings(config: Config) -> Settings:
    """The settings in force, each default filled in."""
    values: dict[str, str] = {}
    bad = []
    for folded, key in _BY_FOLDED.items():
        section, name = split_key(folded)
        stored = config.get(section, None, name)
        if stored is not None and key.problem(stored):
            bad.append(BadSetting(key.name, stored, _WITHOUT_VALUE.get(folded, key.default)))
            stored = None
        values[folded] = key.default if stored is None else stored
    bad += _contradiction(values)
    values["jot.buffersize"] = values["jot.buffersize"] or values["memo.minlines"]
    return Settings(values, tuple(bad))


def _contradiction(values: dict[str, str]) -> list[BadSetting]:
    """memo.minLines above memo.maxLines: what is stored of the two gives way to the defaults."""
    low, high = find_key("memo.minLines"), find_key("memo.maxLines")
    if low is None or high is None or int(values["memo.minlines"]) <= int(values["memo.maxlines"]):
        return []
    minimum, maximum = values["memo.minlines"], values["memo.maxlines"]
    values["memo.minlines"], values["memo.maxlines"] = low.default, high.default
    if minimum == low.default:
        return [BadSetting(high.name, maximum, high.default)]
    if maximum == high.default:
        return [BadSetting(low.name, minimum, low.default)]
    return [BadSetting(low.name, f"{minimum} above {high.name} = {maximum}", f"{low.default} and {high.default}")]

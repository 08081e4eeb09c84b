"""Is the card still right? Each path it names in backticks, looked up at the pool HEAD and compared with what was there
when the card was written. It informs; it never triggers anything.

Contract: knowledge.md, Evidence; refinements.md 18, 21.
"""

from __future__ import annotations

from orbit.git.checkout import may_lack_objects
from orbit.git.files import read_head
from orbit.git.history import has_commit
from orbit.git.many import side_by_side
from orbit.git.tree import find_objects, list_tree
from orbit.knowledge.card import revision
from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from orbit.store.cache import Cache

OK, CHANGED, MISSING = "ok", "changed", "missing"
_CACHE_KIND = "evidence-1"
_MOST_PATHS = 60
_LONGEST = 300
_GLOB = "*?["


class PathState(Record):
    """One path as the card writes it. `now` is where an identical file stands today, when it is gone from there."""

    path: str
    state: str
    now: str = ""


class Evidence(Record):
    """What became of the paths a card names. `compared` is False when the commit of the card is not in the clone: then
    only what is missing is known.
    """

    paths: tuple[PathState, ...] = ()
    compared: bool = True

    def of(self, state: str) -> list[str]:
        """The paths in that state; a file that moved as it was says where to."""
        return [f"{p.path}, now {p.now}" if p.now else p.path for p in self.paths if p.state == state]

    @property
    def untouched(self) -> bool:
        """Whether the card names paths and all of them are as they were."""
        return bool(self.paths) and self.compared and all(path.state == OK for path in self.paths)


NOTHING = Evidence()


def evidence_json(evidence: Evidence, commits: int | None) -> dict[str, object]:
    """`{paths: [{path, state}], commits}`; a file that moved also says where to. Contract: json.md."""
    paths = [{"path": p.path, "state": p.state, **({"now": p.now} if p.now else {})} for p in evidence.paths]
    return {"paths": paths, "commits": commits}


def named_paths(text: str) -> tuple[str, ...]:
    """What stands in backticks outside fenced code, each once, in order; candidates for `looks_like_path`."""
    found: dict[str, None] = {}
    fenced = False
    for line in text.split("\n"):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced and "`" in line:
            for name in _spans(line):
                found.setdefault(name)
    return tuple(found)[:_MOST_PATHS]


def _spans(line: str) -> list[str]:
    """The code spans of one line: runs of backticks that match in length."""
    spans: list[str] = []
    at = 0
    while (begin := line.find("`", at)) >= 0:
        end = begin
        while end < len(line) and line[end] == "`":
            end += 1
        fence = line[begin:end]
        close = line.find(fence, end)
        if close < 0:
            return spans
        spans.append(line[end:close].strip())
        at = close + len(fence)
    return [span for span in spans if span]


def repository_path(name: str) -> str:
    """A name as a path inside the repository: without quotes, `./`, a line suffix and a final slash; "" for what cannot
    be one (a URL, an absolute path, an option, a placeholder).
    """
    path = name.strip("\"'").removeprefix("./")
    head, colon, tail = path.partition(":")
    if colon and tail.replace(":", "").replace("-", "").replace(",", "").isdecimal():
        path = head
    path = path.rstrip("/")
    refused = path.startswith(("/", "-", "~", "$", "<", "@", "../", ":")) or "://" in name or "\0" in path
    return "" if not path or refused or len(path) > _LONGEST or "TODO" in path or "/../" in path else path


def looks_like_path(path: str) -> bool:
    """Has a slash, or a dot as a file name has one; blanks and calls are prose or code."""
    if any(c in path for c in " ()=;,|&<>{}"):
        return False
    if "/" in path:
        return True
    stem, dot, suffix = path.rpartition(".")
    return bool(dot) and (not stem or (suffix.isalnum() and len(suffix) <= 10))


def read_evidence(checkout: str, stored: str, head: str, card: bytes, cache: Cache) -> Evidence:
    """The state of every path that the text of `card` names. `stored` "" compares nothing, only looks.

    One git process, none when the answer is remembered; nothing when the card names no path or git cannot answer.
    """
    names = named_paths(card.decode("utf-8", "replace"))
    if not names or not head:
        return NOTHING
    key = f"{stored}:{head}:{revision(card)}"
    kept = _decoded(cache.look_up(_CACHE_KIND, (key,)).get(key))
    if kept is not None:
        return kept
    found = _look(checkout, stored, head, names)
    if found is None:
        return NOTHING
    cache.put(_CACHE_KIND, {key: _encoded(found)})
    return found


class Question(Record):
    """One card to look up: its clone, the commit it was written for ("" if unknown), its text."""

    checkout: str
    stored: str
    card: bytes


def read_many(questions: Sequence[Question], cache: Cache, jobs: int) -> list[Evidence]:
    """The same for many cards, those that are not remembered side by side."""
    heads = [head.sha if (head := read_head(q.checkout)) else "" for q in questions]
    keys = [f"{q.stored}:{at}:{revision(q.card)}" for q, at in zip(questions, heads, strict=True)]
    names = [named_paths(q.card.decode("utf-8", "replace")) for q in questions]
    kept = {key: _decoded(value) for key, value in cache.look_up(_CACHE_KIND, keys).items()}
    missing = [i for i, key in enumerate(keys) if kept.get(key) is None and names[i] and heads[i]]
    looked = side_by_side(
        lambda i: _look(questions[i].checkout, questions[i].stored, heads[i], names[i]), missing, jobs
    )
    found = {keys[i]: seen for i, seen in zip(missing, looked, strict=True) if isinstance(seen, Evidence)}
    cache.put(_CACHE_KIND, {key: _encoded(seen) for key, seen in found.items()})
    return [found.get(key) or kept.get(key) or NOTHING for key in keys]


def _look(checkout: str, stored: str, head: str, names: Sequence[str]) -> Evidence | None:
    """None when git cannot answer, or when the clone lacks what it takes: nothing wrong is remembered then."""
    wanted = {name: path for name in names if (path := repository_path(name))}
    plain = {name: path for name, path in wanted.items() if not any(c in path for c in _GLOB)}
    commits = (head, stored) if stored and stored != head and has_commit(checkout, stored) else (head,)
    partial = may_lack_objects(checkout)
    objects = find_objects(checkout, commits, tuple(dict.fromkeys(plain.values())), trees_only=partial)
    if objects is None:
        return None
    then = objects.get(commits[-1]) or {}
    now = objects.get(head) or {}
    gone = [path for path in plain.values() if path not in now and path in then]
    globs = [path for name, path in wanted.items() if name not in plain and looks_like_path(path.translate(_NO_GLOB))]
    whole = list_tree(checkout, head) if gone or globs else {}
    before = list_tree(checkout, commits[-1]) if globs and len(commits) > 1 else whole
    if whole is None or before is None:
        return None
    places = _places(whole)
    states = []
    for name, path in wanted.items():
        if name not in plain:
            if path in globs:
                states.append(_glob_state(name, path, whole, before))
        elif path in now:
            states.append(PathState(name, OK if now[path] == then.get(path) else CHANGED))
        elif path in then or looks_like_path(path):
            states.append(PathState(name, MISSING, places.get(then.get(path, ""), "")))
    return Evidence(tuple(states), bool(stored) and stored in commits)


_NO_GLOB = {ord(c): "x" for c in "*?[]"}


def _places(whole: Mapping[str, str]) -> dict[str, str]:
    """Object name to the one path that holds it; a text that stands in several places tells nothing."""
    found: dict[str, str] = {}
    for path, name in whole.items():
        found[name] = "" if name in found else path
    return found


def _glob_state(name: str, pattern: str, now: Mapping[str, str], then: Mapping[str, str]) -> PathState:
    from fnmatch import fnmatchcase  # only for a card that names a pattern

    matching = {path: sha for path, sha in now.items() if fnmatchcase(path, pattern)}
    if not matching:
        return PathState(name, MISSING)
    same = matching == {path: sha for path, sha in then.items() if fnmatchcase(path, pattern)}
    return PathState(name, OK if same else CHANGED)


def _encoded(evidence: Evidence) -> str:
    rows = [f"{p.state}\t{p.path}\t{p.now}" for p in evidence.paths]
    return "\n".join(["compared" if evidence.compared else "looked", *rows])


def _decoded(value: str | None) -> Evidence | None:
    """A remembered answer; None for anything else found there."""
    if value is None:
        return None
    first, *lines = value.split("\n")
    rows = [line.split("\t") for line in lines]
    if first not in ("compared", "looked") or any(
        len(row) != 3 or row[0] not in (OK, CHANGED, MISSING) for row in rows
    ):
        return None
    return Evidence(tuple(PathState(path, state, now) for state, path, now in rows), first == "compared")

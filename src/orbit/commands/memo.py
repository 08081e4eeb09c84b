"""`orbit memo`: write and keep a repository's card. Contract: knowledge.md, The card; commands.md, memo."""

from __future__ import annotations

import os
import time

from orbit.commands.arguments import Usage, flag, option, positional
from orbit.commands.place import in_project, root_notices
from orbit.commands.result import Result
from orbit.errors import OrbitError, UsageError
from orbit.guidance import card_notices
from orbit.knowledge import card, history, memo
from orbit.knowledge.reading import read_at
from orbit.pool.clones import is_clone, require_clone
from orbit.pool.index import read_index
from orbit.text import safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.commands.result import Call
    from orbit.places import Here

_MODES = ("refresh", "scaffold", "check", "edit", "log")
_VERSIONS = ("show", "restore")
_SHARING = ("pull", "push")
_ONLY_READ = ("scaffold", "check", "log", "show")

USAGE = Usage(
    forms=(
        "orbit memo REPO [--expect REV] [--text TEXT | --file FILE]",
        "orbit memo REPO --refresh | --scaffold | --check | --edit",
        "orbit memo REPO --log | --show REV | --restore REV",
        "orbit memo --pull REMOTE | --push REMOTE",
        "orbit memo",
    ),
    about="""Writes REPO's card: from --text, --file, the editor at a terminal, or stdin. A card answers two questions:
when to add this repository, and where to start in it. The card describes the pool's branch, not a feature branch.
Every version is kept: --log lists them. Without REPO it makes every index entry match its card.
--pull and --push share all cards through a git repository; where both sides changed a card yours is kept and a line
says how to see the other text. A push shares every version, the names of workspaces and the jots that were settled.""",
    arguments=(
        positional("REPO", "a repository in the pool", "optional", completes="repo"),
        flag("--refresh", "the card still holds: record that it was looked at at the pool's present HEAD"),
        flag("--scaffold", "print the advised shape of a card"),
        flag("--check", "judge the card: its length, its parts, the paths it names, whether a text is left to merge"),
        flag("--edit", "open the editor on the card"),
        option("--expect", "REV", "write only if the card is still at REV (info prints it); none = no card yet"),
        flag("--log", "list the card's versions, the newest first"),
        option("--show", "REV", "print a version"),
        option("--restore", "REV", "write a version again, as a new one"),
        option("--pull", "REMOTE", "take the cards of a git repository: its URL, its path, or a remote of .cards.git"),
        option("--push", "REMOTE", "share the cards and their versions with it, never by force"),
        option("--text", "TEXT", "the card's text"),
        option("--file", "FILE", "read the card from FILE", completes="file"),
    ),
    examples=(
        ("orbit memo backend --scaffold > card.md", "begin a card"),
        ("orbit memo backend --file card.md", "write it"),
        ("orbit memo backend --refresh", "the card still holds after a sync"),
        ("orbit memo backend --restore 68b0bdab", "undo what overwrote it"),
        ("orbit memo --pull git@example.com:team/cards.git", "take what others found out"),
    ),
    related=("info", "jot", "repos"),
    exits="--check: 1 also when it found something",
)


def run(call: Call) -> Result:
    words = call.words
    here = in_project(call)
    modes = [mode for mode in _MODES if words.flag(mode)]
    modes += [mode for mode in (*_VERSIONS, *_SHARING) if words.one(mode) is not None]
    text_given = [key for key in ("text", "file") if words.one(key) is not None]
    expect = words.one("expect")
    if len(modes) + len(text_given) > 1:
        names = [f"--{name}" for name in (*modes, *text_given)]
        raise UsageError("memo", f"{names[0]} and {names[1]} exclude each other")
    mode = modes[0] if modes else ""
    if expect is not None and mode in (*_ONLY_READ, *_SHARING):
        raise UsageError("memo", f"--{mode} and --expect exclude each other")
    if expect == "":
        raise UsageError("memo", "--expect needs a revision (orbit info REPO prints it), or none for no card yet")
    repo = words.one("repo")
    if mode in _SHARING:
        return _share(call, here, mode, repo)
    if repo is None and mode:
        repo = _current(here, mode)
    if repo is None:
        return _repair(call, here, given=bool(text_given) or expect is not None)
    require_clone(here.project, repo)
    if mode == "scaffold":
        return Result(text=card.scaffold(repo), notices=root_notices(here))
    if mode == "check":
        return _check(here, repo)
    if mode == "log":
        return _log(here, repo)
    if mode == "show":
        kept = history.find_version(here.project, repo, words.one("show") or "")
        return Result(text=memo.card_text(_text_of(here, kept)), notices=root_notices(here))
    if mode == "restore":
        return _restore(here, repo, words.one("restore") or "", expect or "")
    if mode == "refresh":
        brief, notices = memo.refresh(here.project, repo, expect or "")
        text = f"refreshed memo for {repo} (brief: {safe_line(brief) or '-'})"
        return Result(text=text, notices=(*root_notices(here), *notices))
    return _write(call, here, repo, edit=mode == "edit")


def _current(here: Here, mode: str) -> str:
    """Where the caller stands; what a refresh claims must name its repository."""
    if mode != "refresh" and here.repo and is_clone(here.project, here.repo):
        return here.repo
    raise UsageError("memo", f"--{mode} needs a REPO")


def _repair(call: Call, here: Here, *, given: bool) -> Result:
    """A forgotten name must not swallow a card."""
    if given or call.face.waiting_stdin():
        raise OrbitError("memo", "which repository is this card for?", "name it: orbit memo REPO")
    count, notices = memo.repair(here.project)
    text = f"repaired {count} index entries" if count else "index entries match their cards"
    return Result(text=text, notices=[*root_notices(here), *notices])


def _share(call: Call, here: Here, mode: str, repo: str | None) -> Result:
    """One line for each card that moved, then how many."""
    from orbit.knowledge import sharing  # no other form of the command talks to a remote

    if repo is not None:
        raise UsageError("memo", f"--{mode} takes no REPO, all cards are shared")
    remote = sharing.find_remote(here.project, call.words.one(mode) or "", call.world.cwd)
    done = sharing.pull(here.project, remote) if mode == "pull" else sharing.push(here.project, remote)
    verb = "pulled" if mode == "pull" else "pushed"
    lines = [f"{verb} {name} (brief: {safe_line(brief)})" for name, brief in done.cards]
    total = f"{len(lines)} cards {verb}" if lines else f"nothing {'new' if mode == 'pull' else 'to push'}"
    total += f", {done.conflicts} to merge" if done.conflicts else ""
    return Result(text="\n".join([*lines, total]), notices=(*root_notices(here), *done.notices))


def _check(here: Here, repo: str) -> Result:
    data = memo.read_card(here.project, repo)
    if data is None:
        return Result(text=f"{repo}: no memo", notices=root_notices(here), code=1)
    index = read_index(here.project)
    text = memo.card_text(data)
    found = card.findings(text, memo.brief_of(data), card.budget(index.settings))
    found += [f"not at the pool's HEAD: {path}" for path in memo.missing_paths(here.project, repo, data)]
    found += _unmerged(here, repo)
    lines = [f"{repo}: {finding}" for finding in found] or [f"{repo}: nothing found"]
    return Result(text="\n".join(lines), notices=(*root_notices(here), *index.notices), code=1 if found else 0)


def _unmerged(here: Here, repo: str) -> list[str]:
    """That a pull found another text of this card, and nobody has merged the two since."""
    from orbit.knowledge.conflicts import open_conflicts  # only to judge a card

    try:
        theirs = open_conflicts(here.project).get(repo, "")
    except OrbitError as problem:
        return [f"its history cannot be read: {problem.message}"]
    return [f"a pull found another text, not merged yet: memo {repo} --show {theirs[:12]}"] if theirs else []


def _write(call: Call, here: Here, repo: str, *, edit: bool) -> Result:
    expect = call.words.one("expect") or ""
    memo.require_revision(here.project, repo, expect)
    settle_ms = read_at(here.project, here.workspace, repo, expect, call.started_ms)
    if _wants_editor(call, edit=edit):
        written = _edited(call, here, repo, settle_ms)
    else:
        data = _given_text(call, repo)
        written = memo.write_card(here.project, memo.CardWrite(repo, data, expect, here.workspace, settle_ms))
    return _written(here, repo, written)


def _written(here: Here, repo: str, written: memo.CardWritten) -> Result:
    text = f"wrote memo for {repo} (brief: {safe_line(written.brief)})"
    revision = card_notices.revision(repo, written.revision[:12])
    return Result(text=text, notices=(*root_notices(here), revision, *written.notices))


def _text_of(here: Here, kept: history.Kept) -> bytes:
    return history.read_texts(here.project, [kept.revision])[kept.revision]


def _log(here: Here, repo: str) -> Result:
    """`REV  date  workspace  +a/-d lines  brief`, the newest first; what a version settled stands below it."""
    versions = history.read_versions(here.project, repo)
    if not versions:
        return Result(notices=(*root_notices(here), card_notices.no_versions(repo)))
    texts = history.read_texts(here.project, list({kept.revision: None for kept in versions}))
    places = [safe_line(kept.workspace) or "-" for kept in versions]
    changes = [f"+{kept.added}/-{kept.removed} lines" for kept in versions]
    wide, long = max(map(len, places)), max(map(len, changes))
    lines = []
    for kept, place, change in zip(versions, places, changes, strict=True):
        date = time.strftime("%Y-%m-%d %H:%M", time.localtime(kept.at))
        brief = safe_line(memo.brief_of(texts[kept.revision])) or "-"
        lines.append(f"{kept.revision[:12]}  {date}  {place:<{wide}}  {change:<{long}}  {brief}")
        lines += [f"    settled: {safe_line(text)}" for text in kept.settled]
    return Result(text="\n".join(lines), notices=root_notices(here))


def _restore(here: Here, repo: str, given: str, expect: str) -> Result:
    """That text again, as a new version; it merges nothing, so it settles nothing."""
    kept = history.find_version(here.project, repo, given)
    what = f"restore {kept.revision[:12]}"
    write = memo.CardWrite(repo, _text_of(here, kept), expect, here.workspace, what=what)
    return _written(here, repo, memo.write_card(here.project, write))


def _wants_editor(call: Call, *, edit: bool) -> bool:
    if call.words.one("text") is not None or call.words.one("file") is not None:
        return False
    return edit or bool(call.world.get("ORBIT_EDITOR")) or call.face.in_terminal


def _given_text(call: Call, repo: str) -> bytes:
    text, file = call.words.one("text"), call.words.one("file")
    if text is not None:
        return text.encode("utf-8", "surrogateescape")
    if file is None:
        return call.face.read_stdin()
    try:
        with open(os.path.join(call.world.cwd, file), "rb") as opened:
            return opened.read(card.MAX_WRITE_BYTES + 1)
    except OSError as error:
        raise OrbitError(repo, f"cannot read --file {safe_line(file)} ({error.strerror})")


def _edited(call: Call, here: Here, repo: str, settle_ms: int) -> memo.CardWritten:
    """The card must still be the one that was opened; a text that cannot be stored is kept for its writer."""
    opened = memo.read_card(here.project, repo)
    initial = card.scaffold(repo) if opened is None else memo.card_text(opened)
    edited = call.face.edit(initial, ".md")
    if edited == initial:
        what, hint = ("scaffold", "") if opened is None else ("card", f"if it still holds: orbit memo {repo} --refresh")
        raise OrbitError(repo, f"the {what} was left as it is, nothing was written", hint)
    data = edited.encode("utf-8", "surrogateescape")
    revision = "none" if opened is None else card.revision(opened)
    try:
        return memo.write_card(here.project, memo.CardWrite(repo, data, revision, here.workspace, settle_ms))
    except OrbitError as problem:
        if not data.strip():
            raise
        raise OrbitError(problem.context, f"{problem.message}, your text is kept in {_kept(repo, data)}", problem.hint)


def _kept(repo: str, data: bytes) -> str:
    """The path of a copy outside the project."""
    import tempfile  # a rare path

    descriptor, path = tempfile.mkstemp(prefix=f"orbit-{repo}-", suffix=".md")
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
    return path

"""Talking to the remote: clone, what it has, named fetches. Contract: git.md, Fetching and Default branch."""

from __future__ import annotations

from orbit.git.checkout import pool_options
from orbit.git.files import git_dir, read_head, read_ref, read_symref
from orbit.git.run import GitError, change, checked, network
from orbit.git.urls import redact_url
from orbit.record import Record
from orbit.text import safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from orbit.git.run import Finished

_HEADS = "refs/heads/"
# An empty refmap: only what is named moves, whatever the configured map says of it.
_FETCH = ["fetch", "--progress", "--no-tags", "--refmap=", "--no-recurse-submodules", "--no-auto-maintenance"]


class RemoteRefs(Record):
    """What the remote answered: its branches (short name to object name) and the branch its HEAD names ("" if none)."""

    branches: Mapping[str, str]
    default: str


def clone(
    parent: str, url: str, target: str, options: Sequence[str], on_progress: Callable[[str], None] | None = None
) -> None:
    """`git clone --single-branch` into `target`; `parent` is where a relative `url` starts. Raises GitError."""
    words = ["clone", "--progress", "--single-branch", "-o", "origin", *options, "--end-of-options", url, target]
    shown = safe_line(redact_url(url))
    talk(parent, [*pool_options(), *words], context="clone", doing=shown, on_progress=on_progress)


def list_remote(checkout: str) -> RemoteRefs:
    """One connection: every branch and the default one. Raises GitError."""
    words = ["ls-remote", "--symref", "--end-of-options", "origin", "HEAD", f"{_HEADS}*"]
    branches, default = {}, ""
    for value, name in _listed(talk(checkout, words, doing="asking for its branches")):
        if name == "HEAD" and value.startswith(f"ref: {_HEADS}"):
            default = value.removeprefix(f"ref: {_HEADS}")
        elif name.startswith(_HEADS):
            branches[name.removeprefix(_HEADS)] = value
    return RemoteRefs(branches, default)


def find_refs(checkout: str, names: Iterable[str], within_seconds: float | None = None) -> dict[str, str]:
    """Full ref name to object name for those of `names` that the remote has. Raises GitError, also when it is late."""
    words = ["ls-remote", "--end-of-options", "origin", *names]
    doing = "looking for a ref"
    if within_seconds is None:
        answer = talk(checkout, words, doing=doing)
    else:
        answer = _quick(checkout, words, doing, within_seconds)
    return {name: value for value, name in _listed(answer)}


def _quick(checkout: str, words: Sequence[str], doing: str, seconds: float) -> Finished:
    """The same call, given up after so many seconds even if the remote goes on talking."""
    import time  # built in

    from orbit.git.patience import stop_asked  # what every network call asks while it waits

    stopped, give_up = stop_asked.get(), time.monotonic() + seconds
    token = stop_asked.set(lambda: stopped() or time.monotonic() > give_up)
    try:
        return talk(checkout, words, doing=doing)
    except KeyboardInterrupt:
        if stopped() or time.monotonic() <= give_up:
            raise
        line = f"no answer within {seconds:g} s"
        raise GitError("origin", f"{doing}: {line}", kind="stalled", git_code=-15, first_line=line) from None
    finally:
        stop_asked.reset(token)


def _listed(answer: Finished) -> list[tuple[str, str]]:
    """(object name or `ref: TARGET`, ref name) per line; what Python calls a line break may be part of a name."""
    lines = (line.decode("utf-8", "surrogateescape").partition("\t") for line in answer.out.split(b"\n") if line)
    return [(value, name) for value, _, name in lines]


def fetch_branches(checkout: str, branches: Sequence[str]) -> None:
    """Named branches into `refs/remotes/origin/`, one connection. Raises GitError."""
    refspecs = [f"+{_HEADS}{name}:refs/remotes/origin/{name}" for name in branches]
    talk(checkout, [*_FETCH, "--end-of-options", "origin", *refspecs], doing="fetching")


def fetch_refspec(checkout: str, refspec: str) -> None:
    """One thing asked for by name. Raises GitError."""
    talk(checkout, [*_FETCH, "--end-of-options", "origin", refspec], doing="fetching")


def talk(
    directory: str,
    words: Sequence[str],
    *,
    doing: str,
    context: str = "origin",
    on_progress: Callable[[str], None] | None = None,
) -> Finished:
    """A network call that succeeded. Raises GitError, also for a stall with what was being done."""
    return checked(ask(directory, words, doing, context, on_progress), context, doing)


def ask(
    directory: str,
    words: Sequence[str],
    doing: str,
    context: str,
    on_progress: Callable[[str], None] | None = None,
) -> Finished:
    """The same for a caller who reads git's refusals himself. Raises GitError for a stall only."""
    try:
        return network(directory, words, on_progress=on_progress)
    except GitError as problem:
        line = problem.first_line
        message = f"{doing}: the remote stopped answering: {line}"
        raise GitError(context, message, kind=problem.kind, git_code=problem.git_code, first_line=line) from None


def set_default_branch(checkout: str, branch: str) -> None:
    """Store the tracked branch as `origin/HEAD` (refinements.md, 30)."""
    words = ["symbolic-ref", "refs/remotes/origin/HEAD", f"refs/remotes/origin/{branch}"]
    checked(change(checkout, words), "origin", "store its default branch")


def default_branch(checkout: str) -> str:
    """The tracked branch: origin/HEAD if it resolves, else what the remote says (then stored), else the HEAD branch.

    Raises GitError when the remote must be asked, cannot be, and HEAD is detached.
    """
    directory = git_dir(checkout)
    if directory is None:
        return ""
    stored = read_symref(directory, "refs/remotes/origin/HEAD")
    head = read_head(checkout)
    if stored and read_ref(directory, stored):
        return stored.removeprefix("refs/remotes/origin/")
    if head is not None and head.branch and not head.sha:
        return head.branch
    try:
        found = list_remote(checkout).default
    except GitError:
        if head is None or not head.branch:
            raise
        return head.branch
    if found and read_ref(directory, f"refs/remotes/origin/{found}"):
        set_default_branch(checkout, found)
    return found or (head.branch if head else "")

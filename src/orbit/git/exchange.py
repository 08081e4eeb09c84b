"""Exchanging one branch of a repository of orbit's own with a remote: fetched whole, pushed without force.

The user's hooks stay out, nothing is noted in reflogs or FETCH_HEAD, and what comes is checked by git as it arrives.
Contract: refinements.md, 27.
"""

from __future__ import annotations

from orbit.errors import OrbitError
from orbit.git.files import read_ref
from orbit.git.remote import ask, talk
from orbit.git.run import OWN, GitError, change, checked
from orbit.git.urls import redact_urls
from orbit.record import Record
from orbit.text import safe_line, shortened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from orbit.git.run import Finished

_CONTEXT = "memo"
_FETCH = ("fetch", "--progress", "--no-tags", "--refmap=", "--no-prune", "--no-write-fetch-head")
_FETCH_ALONE = ("--no-recurse-submodules", "--no-auto-maintenance", "--end-of-options")
_PUSH = ("push", "--porcelain", "--progress", "--no-verify", "--no-follow-tags", "--no-signed")
_PUSH_ALONE = ("--recurse-submodules=no", "--end-of-options")
# git's own summaries for a branch that has commits which the pusher lacks.
_BEHIND = ("[rejected] (fetch first)", "[rejected] (non-fast-forward)", "[rejected] (stale info)")
# What another push at the same moment looks like from here.
_RACE = ("lock", "incorrect old value", "failed to update ref", "reference already exists")
_LINE_LIMIT = 400


class Address(Record):
    """A remote: what git is given, and what people are shown."""

    url: str
    shown: str


class Pushed(Record):
    """`before` is what the remote's branch was, abbreviable, "" for a new one; `moved` = it is something else now."""

    before: str
    moved: bool


class BehindError(GitError):
    """The remote has commits that are not here."""


def fetch_branch(
    repository: str, remote: Address, branch: str, ref: str, on_progress: Callable[[str], None] | None = None
) -> str:
    """The remote's branch (a full ref) into a ref of ours; its commit. Raises GitError, "no-ref" for no such branch."""
    words = [*OWN, "-c", "fetch.fsckObjects=true", *_FETCH, *_FETCH_ALONE, remote.url, f"+{branch}:{ref}"]
    doing = f"pulling from {remote.shown}"
    if read_ref(repository, ref):
        # Left by a call that was killed: it must not be taken for the answer.
        checked(_delete(repository, ref), _CONTEXT, doing)
    talk(repository, words, doing=doing, context=_CONTEXT, on_progress=on_progress)
    commit = read_ref(repository, ref)
    if commit:
        return commit
    line = "git took nothing, it may be a shallow clone"
    raise GitError(_CONTEXT, f"{doing}: {line}", kind="other", git_code=0, first_line=line)


def push_branch(
    repository: str, remote: Address, commit: str, branch: str, on_progress: Callable[[str], None] | None = None
) -> Pushed:
    """A commit to the remote's branch (a full ref), never by force. Raises GitError, BehindError when it has more.

    A push that another one got in the way of is tried once more: then it is through, or behind.
    """
    doing = f"pushing to {remote.shown}"
    words = [*OWN, *_PUSH, *_PUSH_ALONE, remote.url, f"{commit}:{branch}"]
    for last in (False, True):
        finished = ask(repository, words, doing, _CONTEXT, on_progress)
        flag, summary = _verdict(finished, branch)
        if flag == "=":
            return Pushed(commit, False)
        if flag in ("*", " "):
            checked(finished, _CONTEXT, doing)
            return Pushed("" if flag == "*" else summary.partition("..")[0], True)
        if summary in _BEHIND:
            message = f"{remote.shown} has cards that are not here yet, nothing was pushed"
            raise BehindError(_CONTEXT, message, kind="behind", git_code=finished.code, first_line=summary)
        if not flag:
            checked(finished, _CONTEXT, doing)
            raise _refused(doing, "git did not say what became of it", finished)
        if last or not any(word in summary for word in _RACE):
            break
    raise _refused(doing, _reason(summary, finished.err), finished)


def drop_ref(repository: str, ref: str) -> None:
    """Forget what was fetched; it may be gone already, and what is left the next fetch replaces."""
    try:
        _delete(repository, ref)
    except OrbitError:
        return


def _delete(repository: str, ref: str) -> Finished:
    return change(repository, [*OWN, "update-ref", "-d", ref])


def drop_unreachable(repository: str, ref: str) -> None:
    """Forget it with all of its objects. The caller sees to it that nobody writes to the repository meanwhile."""
    drop_ref(repository, ref)
    change(repository, [*OWN, "repack", "-a", "-d", "-q"])
    change(repository, [*OWN, "prune", "--expire=now"])


def _refused(doing: str, reason: str, finished: Finished) -> GitError:
    return GitError(_CONTEXT, f"{doing}: {reason}", kind="other", git_code=finished.code, first_line=reason)


def _verdict(finished: Finished, branch: str) -> tuple[str, str]:
    """(flag, summary) of the one branch in push's own format, ("", "") when the remote was not reached."""
    for line in finished.out.decode("utf-8", "replace").split("\n"):
        flag, _, rest = line.partition("\t")
        names, _, summary = rest.partition("\t")
        if len(flag) == 1 and names.endswith(f":{branch}"):
            return flag, summary
    return "", ""


def _reason(summary: str, err: bytes) -> str:
    """git's summary of a refusal, and the first line in which the remote explains itself."""
    said = summary.removeprefix("[remote rejected] ").removeprefix("[rejected] ").strip("()")
    lines = err.decode("utf-8", "replace").replace("\r", "\n").split("\n")
    told = [line.removeprefix("remote:").strip() for line in lines if line.startswith("remote:")]
    first = next((line for line in told if line), "")
    reason = f"refused: {said}" + (f" ({first})" if first else "")
    return shortened(safe_line(redact_urls(reason)), _LINE_LIMIT)

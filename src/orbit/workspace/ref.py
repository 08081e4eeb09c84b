"""`add --ref`: the commit that a tag, branch or commit name means, fetched. Contract: commands.md, add."""

from __future__ import annotations

from orbit.errors import OrbitError
from orbit.git.files import git_dir, read_ref
from orbit.git.remote import fetch_branches, fetch_refspec, find_refs
from orbit.git.run import GitError, change, checked, observe
from orbit.pool.maintain import FULL_MAP
from orbit.text import safe_line

_HEX = frozenset("0123456789abcdef")
_HEADS, _TAGS, _ORIGIN = "refs/heads/", "refs/tags/", "refs/remotes/origin/"


def resolve_ref(checkout: str, repo: str, ref: str) -> str:
    """The commit to start at. Raises OrbitError `cannot fetch ref: REF` when neither remote nor clone has it."""
    problem, found = "", ""
    if ref and not ref.startswith("-") and "\0" not in ref:
        try:
            found = _fetched(checkout, ref)
        except GitError as error:
            problem, found = f" ({error.message})", _local(checkout, ref)
    if not found:
        raise OrbitError(repo, f"cannot fetch ref: {safe_line(ref)}{problem}")
    return found


def fetch_branch(checkout: str, name: str) -> None:
    """One branch into `refs/remotes/origin/`. Raises GitError.

    Upstream may have replaced `feat` by `feat/x` or the reverse: the stale tracking ref then stands in the way.
    Contract: refinements.md, 28.
    """
    try:
        fetch_branches(checkout, [name])
    except GitError:
        stale = _stale_in_the_way(checkout, name)
        if not stale:
            raise
        for ref in stale:
            checked(change(checkout, ["update-ref", "-d", ref]), "origin", f"drop the stale {ref}")
        fetch_branches(checkout, [name])


def blocking_branch(checkout: str, branch: str) -> str:
    """The local branch that keeps `branch` from being made, `feat` beside `feat/x`, "" for none. Files, then git."""
    directory = git_dir(checkout)
    if directory is None:
        return ""
    parts = branch.split("/")
    for count in range(1, len(parts)):
        name = "/".join(parts[:count])
        if read_ref(directory, _HEADS + name):
            return name
    words = ["for-each-ref", "--count=1", "--format=%(refname)", f"{_HEADS}{branch}/"]
    return checked(observe(checkout, words), branch, "list the branches below it").text.removeprefix(_HEADS)


def _stale_in_the_way(checkout: str, name: str) -> list[str]:
    """Tracking refs above or below this one's place that the remote does not have."""
    words = ["for-each-ref", "--format=%(refname)"]
    listed = checked(observe(checkout, [*words, _ORIGIN]), "origin", "list its tracking refs").text.splitlines()
    known = [ref.removeprefix(_ORIGIN) for ref in listed]
    others = [other for other in known if name.startswith(f"{other}/") or other.startswith(f"{name}/")]
    there = find_refs(checkout, [_HEADS + other for other in others]) if others else {}
    return [_ORIGIN + other for other in others if _HEADS + other not in there]


def _places(ref: str) -> tuple[str, str]:
    """(tag, branch) that REF may name, in full; "" for the one that its spelling excludes."""
    name = ref.removeprefix("refs/")
    if name.startswith("tags/"):
        return f"refs/{name}", ""
    for prefix in ("heads/", "remotes/origin/"):
        if name.startswith(prefix):
            return "", _HEADS + name.removeprefix(prefix)
    return _TAGS + ref, _HEADS + ref.removeprefix("origin/")


def _fetched(checkout: str, ref: str) -> str:
    tag, branch = _places(ref)
    remote = find_refs(checkout, [name for name in (tag, branch) if name])
    if tag in remote:
        local = _object(checkout, tag)
        if local != remote[tag]:
            # Never over a tag of the user's own: the objects are fetched, the remote's meaning is taken.
            fetch_refspec(checkout, tag if local else f"{tag}:{tag}")
        return _commit(checkout, remote[tag])
    if branch in remote:
        fetch_branch(checkout, branch.removeprefix(_HEADS))
        return _commit(checkout, _ORIGIN + branch.removeprefix(_HEADS))
    return _commit_by_name(checkout, ref) if _looks_like_commit(ref) else ""


def _looks_like_commit(ref: str) -> bool:
    return 4 <= len(ref) <= 64 and _HEX.issuperset(ref.lower())


def _commit_by_name(checkout: str, ref: str) -> str:
    """A commit already here, else asked for by its full name, else looked for in everything the remote has."""
    found = _commit(checkout, ref)
    if found:
        return found
    if len(ref) in (40, 64):
        try:
            fetch_refspec(checkout, ref.lower())
        except GitError:
            fetch_refspec(checkout, FULL_MAP)
    else:
        fetch_refspec(checkout, FULL_MAP)
    return _commit(checkout, ref)


def _local(checkout: str, ref: str) -> str:
    """Without the remote: what was fetched before."""
    tag, branch = _places(ref)
    places = [tag, branch.replace(_HEADS, _ORIGIN, 1), branch, *([ref] if _looks_like_commit(ref) else [])]
    found = (_commit(checkout, name) for name in places if name)
    return next((sha for sha in found if sha), "")


def _commit(checkout: str, name: str) -> str:
    return _object(checkout, f"{name}^{{commit}}")


def _object(checkout: str, name: str) -> str:
    answer = observe(checkout, ["rev-parse", "--verify", "--quiet", "--end-of-options", name])
    return answer.text if answer.code == 0 else ""

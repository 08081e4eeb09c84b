"""Whether a branch's work is upstream: by its pull request, by ancestry, or by content. Cheapest first.

`git cherry` is only a hint: equal patches do not prove that upstream still has them. Contract: prune.md, Branch
verdicts; refinements.md 18 and 25.
"""

from __future__ import annotations

from shlex import quote

from orbit.errors import OrbitError
from orbit.git.files import read_ref
from orbit.git.run import checked, git_version, observe
from orbit.pool.clones import clone_config
from orbit.reclaim.plan import UNMERGED, Branch
from orbit.reclaim.scratch import Scratch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from orbit.reclaim.survey import CloneView

    # Whether a recorded pull request that covers the branch is merged.
    Merged = Callable[[CloneView, Branch], bool]

_CONTENT_SINCE = (2, 38, 0)


def judge(clone: CloneView, names: Sequence[str], merged_pr: Merged, scratch: str) -> dict[str, Branch]:
    """A verdict for each of a clone's scoped branches, by name; who holds them is left open.

    `scratch` is a directory for throw-away repositories. Raises OrbitError only for git that cannot be started.
    """
    base = read_ref(clone.git_directory, f"refs/remotes/origin/{clone.default}") if clone.default else ""
    config = clone_config(clone.checkout)
    ancestors = _ancestors(clone, base, names) if base and names else set()
    found = {}
    with Scratch(scratch, clone.git_directory) as content:
        for name in names:
            sha = clone.branches[name]
            merge = (config.get("branch", name, "merge") or "").removeprefix("refs/heads/")
            branch = Branch(clone.repo, name, sha, upstream=merge)
            if merge and merged_pr(clone, branch):
                found[name] = branch.replace(verdict="pr-merged")
            elif name in ancestors:
                found[name] = branch.replace(verdict="merged")
            elif base and content.is_upstream(base, sha):
                found[name] = branch.replace(verdict="content")
            else:
                review, hint = _review(clone, name), _hint(clone, base, sha)
                found[name] = branch.replace(verdict=UNMERGED, review=review, hint=hint)
    return found


def _ancestors(clone: CloneView, base: str, names: Sequence[str]) -> set[str]:
    """Those of the branches that `base` contains, in one process."""
    refs = [f"refs/heads/{name}" for name in names]
    words = ["for-each-ref", f"--merged={base}", "--format=%(refname)", *refs]
    answer = observe(clone.checkout, words)
    if answer.code != 0:
        return set()
    wanted = set(names)
    lines = (line.removeprefix("refs/heads/") for line in answer.text.split("\n"))
    return {name for name in lines if name in wanted}


def _review(clone: CloneView, name: str) -> str:
    """The command that shows the commits at stake."""
    span = f"origin/{clone.default}..{name}" if clone.default else name
    return f"git -C {quote(clone.checkout)} log {quote(span)}"


def _hint(clone: CloneView, base: str, sha: str) -> str:
    """What can be said besides: that every patch is upstream, or why content could not be compared."""
    if not base:
        return f"origin/{clone.default} is not there to compare with" if clone.default else "no default branch is known"
    try:
        answer = checked(observe(clone.checkout, ["cherry", base, sha]), clone.repo, "comparing patches")
        lines = answer.text.split("\n")
        if lines != [""] and all(line.startswith("- ") for line in lines):
            return "though every patch of it is upstream"
        return "content cannot be compared before git 2.38" if git_version() < _CONTENT_SINCE else ""
    except OrbitError:
        return ""

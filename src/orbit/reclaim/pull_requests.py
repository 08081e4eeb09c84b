"""Whether a recorded pull request is merged, as `gh` tells it. Contract: prune.md, Branch verdicts.

A pull request covers a branch when it belongs to the clone's origin and its head is the branch's upstream; it proves
the branch when the local tip is contained in the head that was merged.
"""

from __future__ import annotations

from orbit.git.gh import GhError, ask_gh
from orbit.git.run import observe
from orbit.git.urls import short_url
from orbit.pool.clones import origin_url
from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from orbit.reclaim.survey import CloneView


class PullRequest(Record):
    """What `gh` says of one: whether it is merged, its head's branch name and commit."""

    merged: bool
    branch: str
    head: str


class PullRequests:
    """The answers of one run, each URL asked for at most once; `problem` is the first failure, told once."""

    def __init__(self, *, ask: bool) -> None:
        self._ask = ask
        self._answers: dict[str, PullRequest | None] = {}
        self.problem = ""

    def covers(self, urls: Sequence[str], clone: CloneView, branch: str, sha: str) -> bool:
        """Whether one of the recorded pull requests covers this branch and is merged with this tip."""
        if not urls:
            return False
        repository = short_url(origin_url(clone.checkout)).lower()
        for url in urls:
            if repository_of(url).lower() != repository:
                continue
            found = self._answer(url)
            if found is None or not found.merged or found.branch != branch:
                continue
            if sha == found.head or _contains(clone, found.head, sha):
                return True
        return False

    def _answer(self, url: str) -> PullRequest | None:
        if not self._ask or self.problem:
            return self._answers.get(url)
        if url not in self._answers:
            self._answers[url] = None
            try:
                self._answers[url] = _read(ask_gh(url))
            except GhError as problem:
                self.problem = str(problem)
        return self._answers[url]


def repository_of(url: str) -> str:
    """`host/owner/name` of a pull request's URL, "" for a URL that is none."""
    place = short_url(url)
    for mark in ("/pull/", "/pulls/", "/-/merge_requests/"):
        repository, found, number = place.partition(mark)
        if found and number.split("/")[0].isdecimal():
            return repository
    return ""


def _read(answer: object) -> PullRequest | None:
    if not isinstance(answer, dict):
        return None
    state, branch, head = (answer.get(key) for key in ("state", "headRefName", "headRefOid"))
    if not isinstance(branch, str) or not isinstance(head, str) or not _is_object_name(head):
        return None
    return PullRequest(state == "MERGED", branch, head)


def _is_object_name(text: str) -> bool:
    return len(text) in (40, 64) and not text.strip("0123456789abcdef")


def _contains(clone: CloneView, head: str, sha: str) -> bool:
    """Whether the tip is an ancestor of the merged head; no when the clone does not have that head."""
    return observe(clone.checkout, ["merge-base", "--is-ancestor", sha, head]).code == 0

"""One worktree, made by git so that it can be undone, or completed after a kill.

Every call is made under the clone's lock. Contract: commands.md, add; git.md, Many at once and Empty repositories.
"""

from __future__ import annotations

import os
import time

from orbit.errors import OrbitError
from orbit.git.branch import holder_of
from orbit.git.checkout import LFS_OFF, fill, lfs_is_missing
from orbit.git.files import git_dir, local_ref, read_head
from orbit.git.run import GitError, change, checked, observe
from orbit.git.worktree import set_upstream
from orbit.guidance import add_notices
from orbit.places import is_file, is_there
from orbit.pool.clones import clone_config, upstream_of
from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from orbit.git.run import Finished
    from orbit.guidance.notice import Notice

# An empty repository has no author yet; the throw-away commit is never reachable from a branch.
_NOBODY = {
    "GIT_AUTHOR_NAME": "orbit",
    "GIT_AUTHOR_EMAIL": "orbit@localhost",
    "GIT_COMMITTER_NAME": "orbit",
    "GIT_COMMITTER_EMAIL": "orbit@localhost",
}
_LOCK_WAIT_SECONDS = 10.0


class Making(Record):
    """A worktree about to be made, with all that undoing or completing it takes.

    `upstream` is a branch of origin, "" without an origin. `before` is where the branch was found, "" for no branch;
    `start` where it begins, "" in an empty repository.
    """

    checkout: str
    path: str
    branch: str
    upstream: str
    before: str
    start: str


def make(repo: str, making: Making) -> list[Notice]:
    """Create the worktree and wire its upstream. Raises OrbitError; the caller then undoes."""
    notices = _create(repo, making) if making.start else _create_unborn(repo, making)
    _wire_upstream(making)
    return notices


def is_finished(path: str) -> bool:
    """git writes a worktree's index when its checkout is complete. Raises OrbitError when the system does not tell."""
    directory = git_dir(path)
    return directory is not None and is_file(f"{directory}/index")


def is_registered(making: Making) -> bool:
    """Whether the clone knows a worktree at this path, there or not. Raises GitError when git does not tell."""
    listed = checked(observe(making.checkout, ["worktree", "list", "--porcelain"]), making.path, "listing worktrees")
    return b"worktree %b" % os.fsencode(making.path) in listed.out.split(b"\n")


def undo(making: Making) -> None:
    """Take back the worktree with its registration, then the branch with its config section.

    Never `worktree prune`: it would also forget worktrees that are only away for a while.
    """
    words = ["worktree", "remove", "--force", "--force", making.path]
    if change(making.checkout, words).code != 0 and not is_there(f"{making.path}/.git") and is_registered(making):
        import shutil  # git died between the two steps in which it begins

        shutil.rmtree(making.path, ignore_errors=True)
        change(making.checkout, words)
    _take_back_branch(making)


def _take_back_branch(making: Making) -> None:
    """The branch as it was before; one that has moved on or that another working tree holds is somebody's and stays."""
    ref = f"refs/heads/{making.branch}"
    tip = local_ref(making.checkout, ref)
    if tip and (tip != making.start or holder_of(making.checkout, making.branch)):
        return
    if making.before:
        change(making.checkout, ["update-ref", ref, making.before, making.start])
    elif tip:
        change(making.checkout, ["branch", "-D", making.branch])
    else:
        change(making.checkout, ["config", "--remove-section", f"branch.{making.branch}"])


def complete(making: Making) -> None:
    """What a killed `add` had left to do for a worktree whose checkout is complete. Raises GitError.

    Somebody may have worked in it since: what they changed stays as it is.
    """
    directory = git_dir(making.path)
    if directory is not None:
        _drop_initial_lock(directory)
    head = read_head(making.path)
    if not making.start and head is not None and not head.branch and _is_throw_away(making.path, head.sha):
        _name_branch(making)
        head = read_head(making.path)
    born = local_ref(making.checkout, f"refs/heads/{making.branch}")
    there = born or (head is not None and head.branch == making.branch)
    if there and not upstream_of(clone_config(making.checkout), making.branch)[0]:
        _wire_upstream(making)


def patiently(call: Callable[[], None]) -> None:
    """Do it again while another git process holds a lock: git itself gives up at once. Raises GitError."""
    give_up = time.monotonic() + _LOCK_WAIT_SECONDS
    while True:
        try:
            return call()
        except GitError as problem:
            if problem.kind != "lock" or time.monotonic() > give_up:
                raise
        time.sleep(0.005 + os.urandom(1)[0] / 10_000)


def _wire_upstream(making: Making) -> None:
    if making.upstream:
        patiently(lambda: set_upstream(making.checkout, making.branch, making.upstream))


def _create(repo: str, making: Making) -> list[Notice]:
    """The worktree on its branch, new or left over."""
    checkout, path, branch = making.checkout, making.path, making.branch
    without_lfs = lfs_is_missing()
    words = ["worktree", "add", "--quiet", "--no-track", "-b", branch, path, making.start]
    if making.before:
        held = holder_of(checkout, branch)
        if held:
            raise OrbitError(repo, f"{branch} is checked out in {held}")
        afresh = ["update-ref", f"refs/heads/{branch}", making.start, making.before]
        checked(change(checkout, afresh), repo, f"start {branch} afresh")
        words = ["worktree", "add", "--quiet", path, branch]
    made = fill(checkout, [*(LFS_OFF if without_lfs else ()), *words])
    notices = _outcome(repo, making, made)
    if without_lfs and uses_lfs(path):
        notices.append(add_notices.lfs_not_smudged(repo))
    return notices


def _create_unborn(repo: str, making: Making) -> list[Notice]:
    """A branch without commits, on every supported git: `--orphan` needs 2.42.

    A detached worktree on a throw-away commit of the empty tree, whose HEAD is then pointed at the new branch.
    """
    checkout = making.checkout
    tree = checked(change(checkout, ["hash-object", "-t", "tree", "-w", "--stdin"]), repo, "make an empty tree").text
    words = ["commit-tree", "-m", "empty", tree]
    commit = checked(change(checkout, words, extra_env=_NOBODY), repo, "make an empty commit").text
    made = change(checkout, ["worktree", "add", "--quiet", "--detach", making.path, commit])
    notices = _outcome(repo, making, made)
    _name_branch(making)
    return notices


def _outcome(repo: str, making: Making, made: Finished) -> list[Notice]:
    """A hook that fails after the checkout undoes nothing. Raises GitError when there is no worktree."""
    if made.code == 0:
        return []
    if not is_finished(making.path):
        checked(made, repo, "make the worktree")
    return [add_notices.hook_failed(repo, "post-checkout")]


def _name_branch(making: Making) -> None:
    words = ["symbolic-ref", "HEAD", f"refs/heads/{making.branch}"]
    checked(change(making.path, words), making.branch, "name the branch")


def uses_lfs(path: str) -> bool:
    """Whether the working tree's own attributes name the filter of git-lfs."""
    try:
        with open(f"{path}/.gitattributes", "rb") as file:
            return b"filter=lfs" in file.read(100_000)
    except OSError:
        return False


def _is_throw_away(path: str, commit: str) -> bool:
    """A commit without parents and without files."""
    parents = observe(path, ["rev-list", "--parents", "--max-count=1", commit, "--"]).text.split()
    return len(parents) == 1 and observe(path, ["ls-tree", commit]).out == b""


def _drop_initial_lock(directory: str) -> None:
    """git's own mark of a worktree that it is still making; a lock of the user's gives another reason."""
    path = f"{directory}/locked"
    try:
        with open(path, "rb") as file:
            initial = file.read(100).strip() == b"initializing"
        if initial:
            os.unlink(path)
    except FileNotFoundError:
        return
    except OSError as error:
        raise OrbitError(path, f"cannot be removed ({error.strerror})") from None

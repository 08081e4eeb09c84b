"""`orbit switch`: scoped branches. Contract: commands.md, switch."""

from __future__ import annotations

from orbit.commands.arguments import Usage, flag, positional
from orbit.commands.place import in_workspace, root_notices
from orbit.commands.result import Result
from orbit.errors import OrbitError, UsageError
from orbit.pool.clones import is_clone
from orbit.pool.index import read_index
from orbit.pool.worktrees import list_worktrees
from orbit.text import nearest, safe_line
from orbit.workspace.switch import Switched, SwitchRequest, create_branch, switch_to

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.commands.result import Call
    from orbit.places import Here

USAGE = Usage(
    forms=("orbit switch [REPO] NAME", "orbit switch -c [REPO] NAME"),
    about="""Puts a worktree on the workspace's own branch NAME: the local one, else one made from origin/NAME.
With -c a new branch at HEAD; work in progress is kept. REPO may be left out in a worktree, or when the workspace has
one only.""",
    arguments=(
        positional("REPO", "a repository of this workspace", "optional", completes="worktree"),
        positional("NAME", "the branch, without the workspace's prefix", completes="branch"),
        flag("--create", "make a new branch at HEAD", short="-c"),
    ),
    examples=(
        ("orbit switch -c backend reset-password", "a new branch, pushed by a bare git push"),
        ("orbit switch backend main", "back to the first one"),
    ),
    related=("add", "status"),
)

_HOW = {
    "already": "is on {branch} already",
    "existing": "is on {branch}",
    "tracking": "is on {branch} (new, upstream: origin/{name})",
    "local": "is on {branch} (new, without upstream: the clone has no origin)",
    "created": "is on {branch} (new, pushes to origin/{name})",
}


def run(call: Call) -> Result:
    here = in_workspace(call, "switch")
    name = call.words.one("name") or ""
    if not name:
        raise UsageError("switch", "a branch name cannot be empty")
    request = SwitchRequest(here.workspace, _repo(here, call.words.one("repo"), name), name)
    settings = read_index(here.project).settings
    act = create_branch if call.words.flag("create") else switch_to
    switched = act(here.project, request, settings)
    return Result(text=_line(switched, name), notices=(*root_notices(here), *switched.notices))


def _line(switched: Switched, name: str) -> str:
    return f"{switched.repo} " + _HOW[switched.how].format(branch=switched.branch, name=name)


def _repo(here: Here, given: str | None, name: str) -> str:
    """The named worktree, the one the caller stands in, or the only one. Raises OrbitError."""
    worktrees = {worktree.name: worktree for worktree in list_worktrees(here.project, here.workspace)}
    names = list(worktrees)
    if given is not None and given not in worktrees:
        shown = safe_line(given)
        close = nearest(given, names, 1)
        hint = f"orbit add {shown}" if is_clone(here.project, given) else f"did you mean {close[0]}?" if close else ""
        raise OrbitError(shown, f"no worktree of that name in {here.workspace}", hint or "orbit add REPO")
    chosen = given or (here.repo if here.repo in worktrees else names[0] if len(names) == 1 else "")
    if chosen and worktrees[chosen].error:
        raise OrbitError(chosen, worktrees[chosen].error)
    if chosen:
        return chosen
    if not names:
        raise OrbitError("switch", "this workspace has no worktree", "orbit add REPO")
    if name in worktrees:
        raise OrbitError("switch", f"{name} is a repository, which branch of it?", f"orbit switch {name} NAME")
    raise OrbitError("switch", f"which repository? here are {', '.join(names)}", "orbit switch REPO NAME")

"""What a prune must leave alone and may take, told by plain git and file reads only: the oracle of the model tests."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

from world import World, run_git

PREFIX = "ws"


class Registration(NamedTuple):
    """A linked worktree as git lists it. `branch` "" means a detached HEAD at `head`."""

    repo: str
    path: Path
    head: str
    branch: str
    locked: bool


class State(NamedTuple):
    """Everything that must add up before and after: refs by repo, registrations, files by directory of the root."""

    refs: dict[str, dict[str, str]]
    registrations: list[Registration]
    files: dict[str, dict[str, bytes]]

    def scoped(self, workspace: str) -> dict[tuple[str, str], str]:
        """(repo, branch) to commit of a workspace's branches."""
        start = f"refs/heads/{PREFIX}/{workspace}/"
        found = {(repo, ref): sha for repo, refs in self.refs.items() for ref, sha in refs.items()}
        return {(repo, ref[11:]): sha for (repo, ref), sha in found.items() if ref.startswith(start)}

    def held(self, workspace: Path) -> set[tuple[str, str]]:
        """Branches of a workspace that worktrees outside it have checked out."""
        others = {(o.repo, o.branch) for o in self.registrations if workspace not in o.path.parents}
        return others & self.scoped(workspace.name).keys()

    def below(self, directory: Path) -> list[Registration]:
        return [one for one in self.registrations if directory in one.path.parents]


def read_state(world: World) -> State:
    repos = sorted(path.name for path in world.pool.iterdir() if (path / ".git").is_dir())
    refs = {repo: refs_of(world.pool / repo) for repo in repos}
    registered = [one for repo in repos for one in registrations(world.pool / repo)]
    names = [path for path in world.root.iterdir() if path.is_dir() and path.name[0] != "."]
    return State(refs, registered, {path.name: files_of(path) for path in names})


def refs_of(repository: Path) -> dict[str, str]:
    lines = run_git(repository, "for-each-ref", "--format=%(refname) %(objectname)").splitlines()
    return dict(line.split(" ") for line in lines)


def registrations(clone: Path) -> list[Registration]:
    found = []
    for block in run_git(clone, "worktree", "list", "--porcelain").split("\n\n")[1:]:
        lines = dict([*line.split(" ", 1), ""][:2] for line in block.splitlines())
        branch = lines.get("branch", "").removeprefix("refs/heads/")
        found.append(
            Registration(clone.name, Path(lines["worktree"]), lines.get("HEAD", ""), branch, "locked" in lines)
        )
    return found


def files_of(directory: Path) -> dict[str, bytes]:
    """Every file below; git's own directories are not looked into."""
    found = {}
    for parent, below, names in os.walk(directory):
        below[:] = [name for name in below if name != ".git"]
        found.update({os.path.relpath(f"{parent}/{n}", directory): Path(parent, n).read_bytes() for n in names})
    return found


def links(root: Path) -> dict[Path, Path]:
    """Directory to the registration that its `.git` file names, everywhere below the root but in dot-directories."""
    found = {}
    for top in root.iterdir():
        if top.name[0] == "." or not top.is_dir():
            continue
        for parent, below, names in os.walk(top):
            below[:] = [name for name in below if name != ".git"]
            if ".git" in names:
                found[Path(parent)] = Path(Path(parent, ".git").read_text().removeprefix("gitdir: ").strip())
    return found


def commits(repository: Path) -> set[str]:
    """All that refs, the HEADs of worktrees and the stash hold."""
    log = repository / ".git" / "logs" / "refs" / "stash"
    # Each holds two or three commits besides its own: where it began, the index, untracked files.
    stashes = {line.split(" ")[1] for line in log.read_text().splitlines()} if log.exists() else set()
    return set(run_git(repository, "rev-list", "--all", *stashes).split())


def queued(workspace: Path) -> list[str]:
    """Jots waiting or popped."""
    lines = _metadata(workspace, "--get-regexp", r"^jot\..*\.(entry|popped)$").splitlines()
    return [line.split(" ", 1)[1] for line in lines]


def is_done(workspace: Path) -> bool:
    return _metadata(workspace, "--get", "workspace.status") == "done\n"


def _metadata(workspace: Path, *words: str) -> str:
    """What git reads in `.orbit`; "" when it has no such key, or there is no such file."""
    command = ["git", "-C", str(workspace), "config", "--file", ".orbit", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done
    return done.stdout


def is_upstream(world: World, repo: str, sha: str) -> bool:
    """Whether the remote's main, as it is now, has the commit or its content."""
    env = {"GIT_ALTERNATE_OBJECT_DIRECTORIES": f"{world.origins[repo].path}/objects"}
    clone, base = world.pool / repo, world.origins[repo].sha()
    words = ["git", "-C", str(clone), "merge-tree", "--write-tree", "--no-messages", base, sha]
    merged = subprocess.run(words, capture_output=True, text=True, env={**os.environ, **env}, check=False)
    tree = run_git(clone, "rev-parse", f"{base}^{{tree}}", env=env)
    return merged.returncode == 0 and merged.stdout.split("\n")[0] == tree


def is_moved(world: World, state: State, one: Registration) -> bool:
    """Its place is gone and a link elsewhere below the root leads to it."""
    if one.path.exists():
        return False
    registry = world.pool / one.repo / ".git" / "worktrees"
    names = [entry for entry in registry.iterdir() if Path((entry / "gitdir").read_text().strip()).parent == one.path]
    return any(target in names for target in links(world.root).values())


def reasons(world: World, state: State, workspace: str) -> tuple[list[str], list[str]]:
    """(what --force releases, what nothing releases) of a finished workspace."""
    home = world.root / workspace
    soft = [f"jot {text}" for text in queued(home)]
    free = {key: sha for key, sha in state.scoped(workspace).items() if key not in state.held(home)}
    soft += [f"branch {branch}" for (repo, branch), sha in free.items() if not is_upstream(world, repo, sha)]
    hard = []
    own = state.below(home)
    for one in own:
        if one.locked:
            hard.append(f"locked {one.path}")
        if not one.path.exists():
            hard += [f"moved {one.path}"] if is_moved(world, state, one) else []
            continue
        registry = world.pool / one.repo / ".git" / "worktrees"
        if links(world.root).get(one.path, Path("/")).parent != registry:
            soft.append(f"damaged {one.path}")
        elif run_git(one.path, "status", "--porcelain", "--untracked-files=all"):
            soft.append(f"dirty {one.path}")
        held = ["--branches", "--remotes", "--tags"]
        if not one.branch and run_git(one.path, "rev-list", "HEAD", "--not", *held):
            soft.append(f"detached {one.path}")
    places = {one.path for one in own}
    soft += [f"link {place}" for place in links(home.parent) if home in place.parents and place not in places]
    return soft, hard


def reported(out: str) -> tuple[set[str], set[str], set[tuple[str, str, str]]]:
    """(pruned workspaces, kept ones, deleted branches as (repo, branch, abbreviated commit)) of a report."""
    pruned = set(re.findall(r"^pruned: (\S+) \(", out, re.MULTILINE))
    kept = set(re.findall(r"^(?:kept|put back): (\S+) \(", out, re.MULTILINE))
    deleted = re.findall(r"^  deleted branch \([^)]*\): (\S+) \(was (\w+)\) in (\S+)$", out, re.MULTILINE)
    return pruned, kept, {(repo, branch, sha) for branch, sha, repo in deleted}

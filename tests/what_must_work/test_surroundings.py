"""What surrounds orbit: the user's git config, a hook that calls it, another owner.

One task from clone to done is the measure: no setting may change what any of its commands prints.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from cards import card
from world import Outcome, Template, World, environment, run_git

OTHER_UID = 54_321


class Step(NamedTuple):
    command: str
    code: int
    out: str
    err: str


def whole_task(world: World, env: Mapping[str, str]) -> list[Step]:
    """Every command once, over two repositories; what each printed, without the places that differ by test."""
    steps: list[Step] = []
    task = world.root / "task"

    def do(*words: str, cwd: Path = world.root) -> None:
        done = world.orbit(*words, cwd=cwd, env={"ORBIT_JOBS": "1", **env})
        command, out, err = (
            re.sub(r"\b[0-9a-f]{7,40}\b", "SHA", text.replace(str(world.base), "BASE"))
            for text in (" ".join(words), done.out, done.err)
        )
        steps.append(Step(command, done.code, out, err))

    for name in ("backend", "frontend"):
        do("clone", world.origin(name, {"naïve.txt": "x\n"}).url)
    world.origins["backend"].branch("topic")
    do("new", "Make it work", "--name", "task")
    do("add", "backend", "frontend", cwd=task)
    (task / "backend" / "größe\tneu.txt").write_text("x")
    (task / "backend" / "README.md").write_text("changed\n")
    do("memo", "backend", "--text", card(), cwd=task)
    do("jot", "backend", "The port is 8080", cwd=task)
    for name in ("backend", "frontend"):
        world.origins[name].commit({"src/app.py": "print(3)\n"})
    do("sync")
    do("sync")
    do("status", cwd=task)
    do("status", "--json", cwd=task)
    do("info", "backend", cwd=task)
    do("repos", cwd=task)
    do("repos", "--json")
    for mode in ("--prime", "--reignite"):
        do("context", mode, cwd=task)
    do("jot", "backend", "--pop", cwd=task)
    do("memo", "backend", "--refresh", cwd=task)
    do("switch", "-c", "fix", cwd=task / "backend")
    do("switch", "topic", cwd=task / "backend")
    do("switch", "main", cwd=task / "backend")
    do("context", cwd=task)
    do("doctor", cwd=task)
    do("doctor", "--fix")
    do("done", cwd=task)
    return steps


@pytest.fixture(scope="module")
def expected(template: Template, tmp_path_factory: pytest.TempPathFactory) -> list[Step]:
    """The task in surroundings without any peculiarity."""
    with environment({name: os.environ[name] for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE")}):
        steps = whole_task(World(tmp_path_factory.mktemp("plain"), template), {})
    failed = [step for step in steps if step.code != 0]
    assert not failed, failed
    return steps


def user_config(world: World, text: str) -> dict[str, str]:
    """The environment in which `text` stands in the user's own git config, after the tests' own."""
    path = world.base / "gitconfig"
    path.write_text(f"[include]\n\tpath = {os.environ['GIT_CONFIG_GLOBAL']}\n{text}")
    return {"GIT_CONFIG_GLOBAL": str(path)}


def rows_of(world: World, task: Path, env: Mapping[str, str] | None = None) -> list[dict[str, object]]:
    """The worktrees that `status` lists."""
    rows: list[dict[str, object]] = world.orbit("status", "--json", cwd=task, env=env).json()["worktrees"]
    return rows


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


SHADOWED = (
    *("clone", "fetch", "ls-remote", "status", "worktree", "config", "switch", "merge", "checkout", "branch", "remote"),
    *("rev-parse", "rev-list", "symbolic-ref", "update-ref", "for-each-ref", "check-ref-format", "cat-file", "log"),
    *("diff", "diff-tree", "reset", "hash-object", "commit-tree"),
)

SETTINGS = {
    "status.showUntrackedFiles": "[status]\n\tshowUntrackedFiles = no\n",
    "status": "[status]\n\tshort = true\n\tbranch = false\n\taheadBehind = false\n\trelativePaths = false\n",
    "color": "[color]\n\tui = always\n\tstatus = always\n\tbranch = always\n\tdiff = always\n",
    "core.quotePath": "[core]\n\tquotePath = true\n",
    "log": "[log]\n\tshowSignature = true\n\tdecorate = full\n\tdate = relative\n\tfollow = true\n",
    "diff": "[diff]\n\tnoprefix = true\n\trenames = copies\n\texternal = false\n\tignoreSubmodules = all\n",
    "fsmonitor": "[core]\n\tfsmonitor = true\n\tuntrackedCache = true\n",
    "submodules": "[submodule]\n\trecurse = true\n[fetch]\n\trecurseSubmodules = true\n",
    "push.default": "[push]\n\tdefault = nothing\n\tautoSetupRemote = true\n",
    "init.defaultBranch": "[init]\n\tdefaultBranch = trunk\n",
    "branches": "[branch]\n\tautoSetupMerge = always\n\tautoSetupRebase = always\n\tsort = -committerdate\n",
    "merge": "[merge]\n\tff = false\n\tverifySignatures = true\n\tlog = true\n[pull]\n\trebase = true\n",
    "signing": "[commit]\n\tgpgSign = true\n[tag]\n\tgpgSign = true\n[gpg]\n\tprogram = false\n",
    "fetch": "[fetch]\n\tprune = true\n\tpruneTags = true\n\twriteCommitGraph = true\n\toutput = compact\n",
    "origin": "[clone]\n\tdefaultRemoteName = upstream\n[checkout]\n\tdefaultRemote = upstream\n",
    "pager": "[core]\n\tpager = false\n[pager]\n\tstatus = false\n\tlog = false\n\tdiff = false\n\tbranch = false\n",
    "protocol": "[protocol]\n\tversion = 0\n[transfer]\n\tfsckObjects = true\n",
    "safe": "[safe]\n\tbareRepository = explicit\n[worktree]\n\tguessRemote = true\n[advice]\n\tdetachedHead = true\n",
    "aliases": "[alias]\n" + "".join(f"\t{name} = !echo shadowed; exit 1\n" for name in SHADOWED),
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_no_setting_of_the_user_changes_anything(world: World, expected: list[Step], setting: str) -> None:
    assert whole_task(world, user_config(world, SETTINGS[setting])) == expected


def test_hooks_of_the_user_are_for_the_users_own_work(world: World, expected: list[Step]) -> None:
    """`core.hooksPath`: what they print stays out of the output; the pool's clones run none of a checkout or merge."""
    log = world.base / "ran"
    for name in ("post-checkout", "post-merge", "pre-auto-gc", "post-index-change", "post-rewrite"):
        script(world.base / "hooks" / name, f"echo noise; echo noise >&2; echo {name} $PWD >>{shlex.quote(str(log))}")
    env = user_config(world, f"[core]\n\thooksPath = {world.base / 'hooks'}\n")
    assert whole_task(world, env) == expected
    ran = log.read_text().splitlines()
    assert any(line.startswith("post-checkout ") for line in ran)
    assert [line for line in ran if "/.repos/" in line and "post-index" not in line] == []


def test_a_monitor_of_the_user_that_fails(world: World, expected: list[Step]) -> None:
    """git looks for itself then."""
    monitor = script(world.base / "monitor", "echo noise >&2; exit 1")
    assert whole_task(world, user_config(world, f"[core]\n\tfsmonitor = {monitor}\n")) == expected


def test_signed_commits_are_counted_and_never_verified(world: World) -> None:
    """`log.showSignature` puts what gpg says between the lines of git's answers."""
    ran = world.base / "ran"
    gpg = script(world.base / "gpg", f"touch {shlex.quote(str(ran))}; echo noise; echo noise >&2; exit 1")
    env = user_config(world, f"[log]\n\tshowSignature = true\n[gpg]\n\tprogram = {gpg}\n")
    backend = world.origin()
    assert world.orbit("clone", backend.url, env=env).code == 0
    task = world.workspace()
    assert world.orbit("add", "backend", "-s", cwd=task, env=env).code == 0
    assert world.orbit("memo", "backend", "--text", card(), cwd=task, env=env).code == 0
    for _ in range(2):
        _signed_commit(world)
    with environment(env):
        assert "noise" in run_git(backend.path, "log", "-1")
    ran.unlink()
    forwarded = "backend: fast-forwarded 2 commits → origin/main\n"
    assert world.orbit("sync", env=env) == Outcome(0, forwarded, "")
    (row,) = world.orbit("repos", "--json", env=env).json()
    assert row["memoBehind"] == 2
    (status,) = rows_of(world, task, env)
    assert (status["behind"], status["error"]) == (2, None)
    for words in (("info", "backend"), ("context", "--reignite"), ("switch", "-c", "fix"), ("doctor",), ("done",)):
        done = world.orbit(*words, cwd=task, env=env)
        assert done.code == 0, done
        assert "noise" not in done.out + done.err
    assert not ran.exists()


def _signed_commit(world: World) -> None:
    """A commit on main that carries a signature, which nobody has to be able to check."""
    backend = world.origins["backend"]
    lines = run_git(backend.path, "cat-file", "commit", backend.sha()).split("\n")
    made = lines.index("")
    parent = [f"parent {backend.sha()}"]
    who = f"Tester <tester@example.com> {world.tick()} +0000"
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n iHUEABYKAB0WIQ\n -----END PGP SIGNATURE-----"
    header = [lines[0], *parent, f"author {who}", f"committer {who}", signature]
    text = "\n".join([*header, "", *lines[made + 1 :], "Signed\n"])
    sha = run_git(backend.path, "hash-object", "-t", "commit", "-w", "--stdin", stdin=text.encode())
    world.git(backend.path, "update-ref", "refs/heads/main", sha)
    backend.untouched = False


def test_a_bare_push_works_where_the_user_has_none(world: World) -> None:
    """`push.default = nothing`: the managed config of the clone goes before it."""
    env = user_config(world, "[push]\n\tdefault = nothing\n")
    backend = world.origin()
    assert world.orbit("clone", backend.url, env=env).code == 0
    task = world.workspace()
    assert world.orbit("add", "backend", "-s", cwd=task, env=env).code == 0
    assert world.orbit("switch", "-c", "fix", cwd=task / "backend", env=env).code == 0
    with environment(env):
        world.git(task / "backend", "commit", "-q", "--allow-empty", "-m", "Fix")
        world.git(task / "backend", "push", "-q")
    assert backend.sha("fix") == run_git(task / "backend", "rev-parse", "HEAD")


@pytest.mark.parametrize("version", [0, 2])
def test_an_empty_remote_keeps_its_own_branch_name(world: World, version: int) -> None:
    """The user's `init.defaultBranch` is for repositories that the user makes."""
    backend = world.origin(empty=True)
    run_git(backend.path, "symbolic-ref", "HEAD", "refs/heads/main")
    env = user_config(world, f"[init]\n\tdefaultBranch = trunk\n[protocol]\n\tversion = {version}\n")
    cloned = world.orbit("clone", backend.url, env=env)
    # Protocol 0 does not tell the branch that an empty repository will have.
    name = "main" if version else "trunk"
    assert cloned == Outcome(0, f"cloned backend (default branch: {name})\n", "")
    assert "hint:" not in cloned.err
    task = world.workspace()
    added = world.orbit("add", "backend", "-s", cwd=task, env=env)
    assert added.code == 0, added.err
    backend.commit({"README.md": "x\n"})
    assert world.orbit("sync", env=env).code == 0
    assert run_git(world.pool / "backend", "branch", "--show-current") == "main"


def test_submodules_that_nobody_can_fetch_hold_nothing_up(world: World) -> None:
    env = user_config(world, "[submodule]\n\trecurse = true\n[fetch]\n\trecurseSubmodules = true\n")
    backend, library = world.origin(), world.origin("library")
    maker = world.base / "maker"
    world.git(world.base, "clone", "-q", backend.url, str(maker))
    world.git(maker, "submodule", "--quiet", "add", library.url, "library")
    for number in range(2):
        world.git(maker, "commit", "-q", "--allow-empty", "-m", f"Submodule {number}")
    world.git(maker, "push", "-q", "origin", "HEAD~1:main")
    backend.untouched = False
    shutil.rmtree(library.path)
    assert world.orbit("clone", backend.url, env=env).code == 0
    task = world.workspace()
    added = world.orbit("add", "backend", "-s", cwd=task, env=env)
    assert added.code == 0, added.err
    world.git(maker, "push", "-q", "origin", "HEAD:main")
    forwarded = "backend: fast-forwarded 1 commits → origin/main\n"
    assert world.orbit("sync", env=env) == Outcome(0, forwarded, "")
    switched = world.orbit("switch", "-c", "fix", cwd=task / "backend", env=env)
    assert switched.code == 0, switched.err
    (row,) = rows_of(world, task, env)
    assert row["error"] is None


def git_settings(**settings: str) -> dict[str, str]:
    """Settings as a host gives them to every git below it."""
    named = {"GIT_CONFIG_COUNT": str(len(settings))}
    for number, (key, value) in enumerate(settings.items()):
        named |= {f"GIT_CONFIG_KEY_{number}": key.replace("_", "."), f"GIT_CONFIG_VALUE_{number}": value}
    return named


# What each agent host puts around a command, as its real client did; gemini takes the user's git config away.
SHELLS = {
    "claude": {"CLAUDECODE": "1", "GIT_EDITOR": "true"},
    "codex": {"CODEX_CI": "1", "PAGER": "cat", "GIT_PAGER": "cat", "NO_COLOR": "1", "TERM": "dumb"},
    "gemini": {
        "GEMINI_CLI": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        **git_settings(credential_helper="", core_hooksPath="", core_sshCommand=""),
    },
    "qwen": {"QWEN_CODE": "1", "PAGER": "cat"},
    "copilot": {
        "COPILOT_CLI": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        **git_settings(safe_bareRepository="explicit", credential_interactive="never"),
    },
    "opencode": {"OPENCODE": "1", "AGENT": "1"},
}


@pytest.mark.parametrize("host", SHELLS)
def test_the_shell_of_an_agent_host(world: World, expected: list[Step], host: str) -> None:
    assert whole_task(world, SHELLS[host]) == expected


@pytest.fixture
def foreign(world: World) -> Path:
    """The clone of somebody else in the pool, beside one of our own, and a worktree of each."""
    if os.geteuid() != 0:
        pytest.skip("only root can give a clone to another user")
    for name in ("backend", "frontend"):
        world.clone(name)
    task = world.workspace()
    for name in ("backend", "frontend"):
        world.worktree(name=name)
        world.origins[name].commit()
    for path in (world.pool / "backend", *(world.pool / "backend").rglob("*")):
        os.lchown(path, OTHER_UID, OTHER_UID)
    with environment({"SUDO_UID": None}):
        return task


def test_a_clone_of_another_owner_is_told_and_the_others_go_on(world: World, foreign: Path) -> None:
    """git refuses it (`safe.directory`): in git's words, each time, and without stopping anything else."""
    words = "detected dubious ownership in repository at "
    synced = world.orbit("sync")
    assert (synced.code, synced.out) == (1, "frontend: fast-forwarded 1 commits → origin/main\n")
    assert words in synced.err
    assert "hint:" not in synced.err
    rows = {row["name"]: row for row in rows_of(world, foreign)}
    assert words in str(rows["backend"]["error"])
    assert rows["frontend"]["error"] is None
    assert {row["name"] for row in world.orbit("repos", "--json").json()} == {"backend", "frontend"}
    world.workspace("other")
    added = world.orbit("add", "backend", "frontend", "-s", cwd=world.root / "other")
    assert added.code == 1
    assert added.out.startswith("added frontend ")
    assert words in added.err
    switched = world.orbit("switch", "-c", "fix", cwd=foreign / "backend")
    assert (switched.code, switched.out) == (1, "")
    assert words in switched.err
    for mode in ((), ("--prime",), ("--reignite",)):
        assert world.orbit("context", *mode, cwd=foreign).code == 0
    checked = world.orbit("doctor", "--json")
    assert "backend" in checked.out
    assert words in checked.out


def test_the_user_may_declare_it_safe(world: World, foreign: Path) -> None:
    env = user_config(world, "[safe]\n\tdirectory = *\n")
    assert world.orbit("sync", env=env).code == 0
    assert [row["error"] for row in rows_of(world, foreign, env)] == [None, None]


def test_surrounded_by_another_repository(world: World, expected: list[Step], tmp_path: Path) -> None:
    """Every variable that a hook of another repository sets."""
    other = tmp_path / "other"
    run_git(tmp_path, "init", "-q", str(other))
    env = {
        "GIT_DIR": str(other / ".git"),
        "GIT_WORK_TREE": str(other),
        "GIT_INDEX_FILE": str(other / ".git" / "index"),
        "GIT_OBJECT_DIRECTORY": str(other / ".git" / "objects"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(other),
        "GIT_COMMON_DIR": str(other / ".git"),
        "GIT_PREFIX": "sub/",
        "GIT_NAMESPACE": "elsewhere",
        "GIT_EXEC_PATH": run_git(tmp_path, "--exec-path"),
        "GIT_REFLOG_ACTION": "commit",
    }
    before = sorted(other.rglob("*"))
    assert whole_task(world, env) == expected
    assert sorted(other.rglob("*")) == before


def test_called_from_a_hook_of_the_worktree_itself(world: World) -> None:
    """git commit calls it, with GIT_DIR, GIT_INDEX_FILE and the index lock of that very worktree."""
    world.clone()
    world.clone("frontend")
    world.origins["frontend"].commit()
    task = world.workspace()
    tree = world.worktree()
    orbit = shlex.join([sys.executable, "-m", "orbit"])
    said = shlex.quote(str(world.base / "said"))
    commands = ("jot backend committed", "status --json", "sync frontend", "add frontend -s", "context --reignite")
    lines = "\n".join(f"{orbit} {words} >>{said} 2>&1 || exit 1" for words in commands)
    for name in ("pre-commit", "post-commit"):
        text = lines if name == "pre-commit" else f"{orbit} status --json >>{said} 2>&1 || exit 1"
        script(world.pool / "backend" / ".git" / "hooks" / name, f"cd {shlex.quote(str(tree))} || exit 1\n{text}")
    (tree / "new").write_text("x")
    world.git(tree, "add", "new")
    words = ["git", "-C", str(tree), "commit", "-qam", "New"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    told = (world.base / "said").read_text() if (world.base / "said").exists() else ""
    assert done.returncode == 0, done.stderr + told
    assert "frontend: fast-forwarded 1 commits → origin/main" in told
    assert '"dirtyFiles":1' in told.replace(" ", "")
    assert run_git(tree, "log", "-1", "--format=%s", "--name-only") == "New\n\nnew"
    assert run_git(tree, "status", "--porcelain") == ""
    assert world.orbit("jot", "backend", "--list", cwd=task).out.strip().endswith("committed")
    assert run_git(task / "frontend", "rev-parse", "HEAD") == world.origins["frontend"].sha()

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from world import Outcome, World, run_git

HEAD = "REPO     BRANCH  UPSTREAM     AHEAD  BEHIND  DIRTY  STATE\n"


@pytest.fixture
def task(world: World) -> Path:
    world.clone()
    world.orbit("new", "the goal")
    world.worktree()
    return world.root / "task-01"


def table(*rows: str) -> str:
    return "\n".join(rows) + "\n"


def test_a_clean_worktree(world: World, task: Path) -> None:
    row = "backend  main    origin/main  0      0       0      -"
    assert world.orbit("status", cwd=task) == Outcome(0, HEAD + row + "\n", "")


def test_every_kind_of_row(world: World, task: Path) -> None:
    for name in ("damaged", "detached", "dirty", "gone", "raw", "untracked"):
        world.clone(name)
        world.worktree(name=name)
    shutil.rmtree(run_git(task / "damaged", "rev-parse", "--absolute-git-dir"))
    world.git(task / "detached", "checkout", "-q", "--detach")
    (task / "dirty" / "README.md").write_text("changed")
    world.git(task / "dirty", "commit", "-q", "--allow-empty", "-m", "Mine")
    world.git(task / "gone", "update-ref", "-d", "refs/remotes/origin/main")
    world.git(task / "raw", "switch", "-q", "-c", "fix")
    world.git(task / "untracked", "branch", "--unset-upstream")
    assert world.orbit("status", cwd=task) == Outcome(
        0,
        table(
            "REPO       BRANCH    UPSTREAM       AHEAD  BEHIND  DIRTY  STATE",
            "backend    main      origin/main    0      0       0      -",
            "damaged    error: its registration in the pool is gone (moved or pruned by hand)",
            "detached   detached  (no upstream)  -      -       0      -",
            "dirty      main      origin/main    1      0       1      -",
            "gone       main      (no upstream)  -      -       0      -",
            "raw        fix       (no upstream)  -      -       0      -",
            "untracked  main      (no upstream)  -      -       0      -",
        ),
        "orbit: raw: raw branch fix: switch -c raw fix\n",
    )


def test_an_operation_in_progress(world: World, task: Path) -> None:
    world.git(task / "backend", "bisect", "start", "HEAD", "HEAD~2")
    row = world.orbit("status", cwd=task).out.splitlines()[1]
    assert row.split() == ["backend", "detached", "(no", "upstream)", "-", "-", "0", "bisect"]


def test_json(world: World, task: Path) -> None:
    world.clone("raw")
    world.git(world.worktree(name="raw"), "switch", "-q", "-c", "fix\N{RIGHT-TO-LEFT OVERRIDE}")
    world.clone("lost")
    shutil.rmtree(run_git(world.worktree(name="lost"), "rev-parse", "--absolute-git-dir"))
    (task / "backend" / "new.txt").write_text("")
    said = world.orbit("status", "--json", cwd=task)
    assert said.out.count("\n") == 1
    plain = {"ahead": 0, "behind": 0, "dirty": False, "dirtyFiles": 0, "operation": None, "error": None}
    assert said.json() == {
        "workspace": "task-01",
        "goal": "the goal",
        "status": "active",
        "worktrees": [
            plain
            | {"name": "backend", "branch": "main", "scoped": True, "upstream": "origin/main"}
            | {"dirty": True, "dirtyFiles": 1},
            plain
            | {"name": "lost", "branch": "", "scoped": False, "upstream": None}
            | {"error": "its registration in the pool is gone (moved or pruned by hand)"},
            plain | {"name": "raw", "branch": "fix", "scoped": False, "upstream": None},
        ],
    }


def test_json_of_an_upstream_that_is_gone_never_looks_in_sync(world: World, task: Path) -> None:
    world.git(task / "backend", "update-ref", "-d", "refs/remotes/origin/main")
    (row,) = world.orbit("status", "--json", cwd=task).json()["worktrees"]
    assert (row["upstream"], row["ahead"], row["behind"]) == (None, 0, 0)


def test_waiting_and_popped_jots_are_told_also_without_a_worktree(world: World, task: Path) -> None:
    world.clone("web")
    for repo, count in (("backend", 1), ("web", 5)):
        for number in range(count):
            world.orbit("jot", repo, f"discovery {number}", cwd=task)
    assert world.orbit("status", cwd=task).err == (
        "orbit: backend: 1 jots\norbit: web: 5 jots (overflow): jot web --pop, merge, memo web\n"
    )
    world.orbit("jot", "web", "--pop", cwd=task)
    world.orbit("jot", "web", "--requeue", cwd=task)
    world.orbit("jot", "backend", "--pop", cwd=task)
    for number in range(2):
        world.orbit("jot", "backend", f"more {number}", cwd=task)
    lines = world.orbit("status", cwd=task).err.splitlines()
    assert lines == [
        "orbit: backend: 2 jots",
        "orbit: backend: 1 popped, not merged: memo backend, or jot backend --requeue",
        "orbit: web: 5 jots (overflow): jot web --pop, merge, memo web",
    ]
    world.orbit("jot", "backend", "one more", cwd=task)
    assert world.orbit("status", cwd=task).err.splitlines()[0] == "orbit: backend: 3 jots (building)"


def test_a_done_workspace(world: World, task: Path) -> None:
    world.orbit("done", cwd=task)
    assert world.orbit("status", "--json", cwd=task).json()["status"] == "done"


def test_nothing_in_it(world: World) -> None:
    plain = world.workspace("plain")
    said = Outcome(0, "", "orbit: plain: no worktrees yet: repos, then add REPO\n")
    assert world.orbit("status", cwd=plain) == said
    empty = {"workspace": "plain", "goal": "", "status": "active", "worktrees": []}
    assert world.orbit("status", "--json", cwd=plain).json() == empty
    assert not (plain / ".orbit").exists()


@pytest.mark.parametrize("name", ["task-01", "task-01/"])
@pytest.mark.parametrize("place", ["", ".repos", "other", "task-01/backend"])
def test_by_name_from_anywhere(world: World, task: Path, name: str, place: str) -> None:
    world.workspace("other")
    assert world.orbit("status", name, cwd=world.root / place).out.startswith(HEAD)


@pytest.mark.parametrize("name", ["nope", "", "..", ".repos", "task-01/backend", "./task-01", "/", "file"])
def test_no_such_workspace(world: World, task: Path, name: str) -> None:
    (world.root / "file").write_text("")
    refused = world.orbit("status", name)
    suggested = "orbit: status: did you mean task-01?\n" if "task-01" in name else ""
    told = f"orbit: status: no such workspace: {name.rstrip('/') or '(empty)'}\n"
    assert refused == Outcome(1, "", told + suggested)


def test_at_the_root_a_name_is_needed(world: World, task: Path) -> None:
    said = "orbit: status: not in a workspace\norbit: status: name one: orbit status WORKSPACE (there are task-01)\n"
    assert world.orbit("status") == Outcome(1, "", said)
    assert world.orbit("status", "--json") == Outcome(1, "", said)


def test_damaged_metadata_and_bad_settings_are_worked_around(world: World, task: Path) -> None:
    (task / ".orbit").write_text("[broken\n")
    (world.pool / ".orbit").write_text("[jot]\n\tbufferSize = none\n")
    said = world.orbit("status", cwd=task)
    assert (said.code, said.out.startswith(HEAD)) == (0, True)
    first, second = said.err.splitlines()
    assert first.startswith("orbit: config: jot.bufferSize = none is not valid, ")
    assert second.startswith("orbit: task-01/.orbit: cannot be used (")


def test_outside_a_project(world: World) -> None:
    refused = world.orbit("status", cwd=world.base)
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.startswith("orbit: project: not in an orbit project: ")


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("gone", "orbit: ORBIT_ROOT: no such directory: gone"),
        (
            "remotes",
            "orbit: project: remotes has no .repos/ directory\norbit: project: start one with: orbit clone URL",
        ),
    ],
)
def test_orbit_root_that_is_no_project(world: World, task: Path, named: str, said: str) -> None:
    refused = world.orbit("status", "task-01", cwd=world.base, env={"ORBIT_ROOT": named})
    assert refused == Outcome(1, "", f"{said}\n")


def test_orbit_root_relative_to_the_current_directory(world: World, task: Path) -> None:
    assert world.orbit("status", "task-01", cwd=world.base, env={"ORBIT_ROOT": "root"}).out.startswith(HEAD)

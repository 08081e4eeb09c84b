from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cards import card
from worktrees import assert_usable, state_of, write_hook
from world import Outcome, World, run_git


@pytest.fixture
def task(world: World) -> Path:
    """An empty workspace; the pool holds backend and web."""
    world.clone()
    world.clone("web")
    return world.workspace()


def added(repo: str = "backend", workspace: str = "task-01") -> str:
    return f"added {repo} → {workspace}/{repo} (branch: ws/{workspace}/main, upstream: origin/main)\n"


def push_line(repo: str = "backend") -> str:
    fact = "a bare git push here goes to origin/main"
    return f"orbit: {repo}: {fact}: switch -c {repo} NAME before the first commit\n"


def thin_line(repo: str = "backend", scope: str = ". (depth 1)", kind: str = "memo thin (no card yet)") -> str:
    return f"orbit: {repo}: {kind}: explore {scope}, then memo {repo} before done\n"


# --- what is said ----------------------------------------------------------------------------------------------------


def test_without_a_card(world: World, task: Path) -> None:
    assert world.orbit("add", "backend", cwd=task) == Outcome(0, added(), push_line() + thin_line())
    assert_usable(task / "backend")
    assert sorted(os.listdir(task)) == ["backend"], "no metadata is made by the way"


def test_with_a_card(world: World, task: Path) -> None:
    (world.pool / ".backend.md").write_text(card())
    said = world.orbit("add", "backend", cwd=task)
    assert said == Outcome(0, added(), f"--- backend ---\n{card().strip()}\n{push_line()}")


def test_with_a_thin_card(world: World, task: Path) -> None:
    world.orbit("config", "explore.paths", ".:1,src:2")
    (world.pool / ".backend.md").write_text("Serves.\n")
    said = world.orbit("add", "backend", cwd=task)
    thin = thin_line(scope=". (depth 1), src (depth 2)", kind="memo thin")
    assert said == Outcome(0, added(), f"--- backend ---\nServes.\n{push_line()}{thin}")


def test_an_empty_card_is_thin(world: World, task: Path) -> None:
    (world.pool / ".backend.md").write_text("")
    assert world.orbit("add", "backend", cwd=task).err.endswith(thin_line(kind="memo thin"))


@pytest.mark.parametrize("option", ["-s", "--silent"])
@pytest.mark.parametrize("text", [None, "Serves.\n", card()])
def test_silent_keeps_the_card_and_its_state_to_itself(world: World, task: Path, option: str, text: str | None) -> None:
    if text is not None:
        (world.pool / ".backend.md").write_text(text)
    assert world.orbit("add", option, "backend", cwd=task) == Outcome(0, added(), push_line())


def test_a_card_cannot_steer_the_terminal(world: World, task: Path) -> None:
    (world.pool / ".backend.md").write_text("\x1b[2Jevil\n" + card())
    assert "\x1b" not in world.orbit("add", "backend", cwd=task).err


def test_a_card_that_cannot_be_read_does_not_undo_the_worktree(world: World, task: Path) -> None:
    (world.pool / ".backend.md").mkdir()
    said = world.orbit("add", "backend", cwd=task)
    assert (said.code, said.out) == (0, added())
    assert "orbit: .repos/.backend.md: cannot be used (cannot be read: is a directory)\n" in said.err


def test_in_a_done_workspace(world: World, task: Path) -> None:
    world.orbit("done", cwd=task)
    said = world.orbit("add", "backend", "-s", cwd=task)
    warning = 'orbit: task-01: marked done, so it may be reclaimed: goal "<text>" to go on here\n'
    assert said == Outcome(0, added(), warning + push_line())


def test_submodules_are_named(world: World, task: Path) -> None:
    library = world.origin("library")
    world.git(world.pool / "web", "submodule", "--quiet", "add", library.url, "lib")
    world.git(world.pool / "web", "commit", "-q", "-m", "Take the library")
    world.git(world.pool / "web", "push", "-q", "origin", "HEAD:main")
    said = world.orbit("add", "web", "-s", cwd=task)
    fact = "submodules are not initialised, git submodule update --init in the worktree does it"
    assert said == Outcome(0, added("web"), f"orbit: web: {fact}\n{push_line('web')}")
    assert os.listdir(task / "web" / "lib") == []


def test_a_failing_hook_is_named(world: World, task: Path) -> None:
    write_hook(world.pool / "backend", "echo no >&2; exit 1")
    said = world.orbit("add", "backend", "-s", cwd=task)
    hook = "orbit: backend: the post-checkout hook failed, the worktree and its branch are in place\n"
    assert said == Outcome(0, added(), hook + push_line())
    assert_usable(task / "backend")


def test_a_leftover_branch_that_starts_afresh_is_named(world: World, task: Path) -> None:
    world.git(world.pool / "backend", "branch", "ws/task-01/main", "HEAD~1")
    said = world.orbit("add", "backend", "-s", cwd=task)
    fact = "branch ws/task-01/main was left over without commits of its own and starts afresh"
    assert said == Outcome(0, added(), f"orbit: backend: {fact}\n{push_line()}")


def test_a_clone_without_origin(world: World, task: Path) -> None:
    world.git(world.pool / "backend", "remote", "remove", "origin")
    said = world.orbit("add", "backend", "-s", cwd=task)
    out = "added backend → task-01/backend (branch: ws/task-01/main, upstream: none)\n"
    fact = "the pool clone has no remote named origin, working with what it has"
    assert said == Outcome(0, out, f"orbit: backend: {fact}\n")


def test_the_card_and_metadata_may_be_damaged(world: World, task: Path) -> None:
    (task / ".orbit").write_text("[broken\n")
    said = world.orbit("add", "backend", "-s", cwd=task)
    assert (said.code, said.out) == (0, added())
    assert said.err.startswith("orbit: task-01/.orbit: cannot be used (")


# --- where -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["task-01", "task-01/backend/src", "task-01/notes/deep"])
def test_anywhere_in_the_workspace(world: World, task: Path, place: str) -> None:
    world.worktree()
    (world.root / place).mkdir(parents=True, exist_ok=True)
    assert world.orbit("add", "web", "-s", cwd=world.root / place) == Outcome(0, added("web"), push_line("web"))


def test_through_a_symlink_into_a_root_with_blanks(world: World) -> None:
    root = world.base / "mein Projekt ä"
    root.mkdir()
    world.origin()
    assert world.orbit("new", "--no-goal", cwd=root).code == 0
    assert world.orbit("clone", world.origins["backend"].url, cwd=root).code == 0
    link = world.base / "way in"
    link.symlink_to(root / "task-01")
    assert world.orbit("add", "backend", "-s", cwd=link) == Outcome(0, added(), push_line())
    assert_usable(root / "task-01" / "backend")


NOT_IN = 'not in a workspace\norbit: add: cd into one (task-01), or make one with: orbit new "GOAL"'


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("root", f"orbit: add: {NOT_IN}"),
        ("root/.repos", f"orbit: add: {NOT_IN}"),
        ("root/.repos/backend", f"orbit: add: {NOT_IN}"),
        (
            "remotes",
            "orbit: project: not in an orbit project: no .repos/ here or above\n"
            "orbit: project: cd into one, or start one with: orbit clone URL",
        ),
    ],
)
def test_not_in_a_workspace(world: World, task: Path, place: str, said: str) -> None:
    assert world.orbit("add", "backend", cwd=world.base / place) == Outcome(1, "", f"{said}\n")
    assert os.listdir(task) == []


# --- refusals --------------------------------------------------------------------------------------------------------

NOT_A_NAME = "not a repository name (letters, digits, . _ -)"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nope"], "orbit: nope: not in the pool (.repos/)\norbit: nope: clone it first: orbit clone URL"),
        (["../backend"], f"orbit: ../backend: {NOT_A_NAME}"),
        ([""], f"orbit: repo: {NOT_A_NAME}"),
        (
            ["https://user:secret@example.com/a.git"],
            f"orbit: https://example.com/a.git: {NOT_A_NAME}\n"
            "orbit: https://example.com/a.git: clone it first: orbit clone https://example.com/a.git",
        ),
        (["backend", "--ref", "nope"], "orbit: backend: cannot fetch ref: nope"),
        (["backend", "--ref=-x"], "orbit: backend: cannot fetch ref: -x"),
    ],
)
def test_refused(world: World, task: Path, words: list[str], said: str) -> None:
    before = state_of(world)
    assert world.orbit("add", *words, cwd=task) == Outcome(1, "", f"{said}\n")
    assert state_of(world) == before


def test_a_near_miss_names_the_repository(world: World, task: Path) -> None:
    refused = world.orbit("add", "bakend", cwd=task)
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.splitlines()[0] == "orbit: bakend: not in the pool (.repos/)"
    assert "did you mean backend?" in refused.err
    assert "orbit clone URL" in refused.err


def test_already_there(world: World, task: Path) -> None:
    world.worktree()
    before = state_of(world)
    refused = world.orbit("add", "backend", cwd=task)
    assert refused == Outcome(1, "", "orbit: backend: worktree already exists (task-01/backend)\n")
    assert state_of(world) == before


def test_a_leftover_branch_with_work(world: World, task: Path) -> None:
    path = world.worktree()
    world.git(path, "commit", "-q", "--allow-empty", "-m", "Work \x1b[31m in red")
    world.git(world.pool / "backend", "worktree", "remove", str(path))
    short = run_git(world.pool / "backend", "rev-parse", "--short", "ws/task-01/main")
    refused = world.orbit("add", "backend", cwd=task)
    assert refused == Outcome(
        1,
        "",
        f"orbit: backend: branch ws/task-01/main exists with 1 commits of its own (latest: {short} Work  in red)\n"
        "orbit: backend: continue on it: orbit add backend --reuse\n",
    )
    assert world.orbit("add", "backend", "--reuse", "-s", cwd=task) == Outcome(0, added(), push_line())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "REPO is missing"),
        (["backend", "web", "--ref", "main"], "--ref takes one REPO"),
        (["backend", "--ref", ""], "--ref cannot be empty"),
        (["backend", "--ref"], "--ref needs a value"),
        (["backend", "--force"], "no such option: --force"),
    ],
)
def test_wrong_usage(world: World, task: Path, words: list[str], said: str) -> None:
    refused = world.orbit("add", *words, cwd=task)
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith(f"orbit: add: {said}")
    assert os.listdir(task) == []


# --- several ---------------------------------------------------------------------------------------------------------


def test_several_at_a_time(world: World, task: Path) -> None:
    (world.pool / ".web.md").write_text(card(repo="web"))
    said = world.orbit("add", "backend", "web", "backend", cwd=task)
    assert (said.code, said.out) == (0, added() + added("web"))
    assert said.err == (
        "orbit: backend: added (1/2)\norbit: web: added (2/2)\n"
        f"--- web ---\n{card(repo='web').strip()}\n" + push_line() + thin_line() + push_line("web")
    )


def test_one_that_fails_does_not_hold_the_others(world: World, task: Path) -> None:
    said = world.orbit("add", "-s", "backend", "nope", "web", cwd=task)
    assert (said.code, said.out) == (1, added() + added("web"))
    assert said.err.splitlines()[:3] == [
        "orbit: backend: added (1/3)",
        "orbit: nope: failed (2/3)",
        "orbit: web: added (3/3)",
    ]
    assert said.err.endswith("orbit: nope: not in the pool (.repos/): clone it first: orbit clone URL\n")


def test_ten_repositories_and_ten_workspaces_at_once(world: World) -> None:
    """Processes, some of them over one clone, some over another."""
    names = [f"repo-{number}" for number in range(5)]
    for name in names:
        world.clone(name)
    wanted = [("task-01", name) for name in names] + [(f"task-{number:02d}", "repo-0") for number in range(2, 7)]
    for workspace in {workspace for workspace, _ in wanted}:
        world.workspace(workspace)

    def add(pair: tuple[str, str]) -> Outcome:
        return world.orbit_process("add", "-s", pair[1], cwd=world.root / pair[0])

    with ThreadPoolExecutor(10) as pool:
        outcomes = list(pool.map(add, wanted))
    for (workspace, name), outcome in zip(wanted, outcomes, strict=True):
        assert outcome == Outcome(0, added(name, workspace), push_line(name))
        assert_usable(world.root / workspace / name, f"ws/{workspace}/main")

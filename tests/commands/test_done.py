from __future__ import annotations

import re
from pathlib import Path

import pytest

from cards import card
from orbit.places import Project
from orbit.workspace.metadata import read_metadata
from world import Outcome, World, run_git

SURVIVES = "orbit: done: only memo survives done, jots and notes go with the workspace"
BUDGET = "orbit: done: card budget is 4~16 lines: curate, do not append"
OVER = "line\n" * 21


@pytest.fixture
def task(world: World) -> Path:
    """A workspace with a worktree of backend, whose card is in order."""
    world.clone()
    world.orbit("new", "the goal")
    world.worktree()
    (world.pool / ".backend.md").write_text(card())
    return world.root / "task-01"


def said(*lines: str, prs: tuple[str, ...] = ()) -> Outcome:
    out = "task-01 is done\n" + "".join(f"PR: {url}\n" for url in prs)
    return Outcome(0, out, "".join(f"{line}\n" for line in lines))


def jot(world: World, task: Path, repo: str, count: int) -> None:
    for number in range(count):
        assert world.orbit("jot", repo, f"discovery {number}", cwd=task).code == 0


# --- debts -----------------------------------------------------------------------------------------------------------


def test_nothing_open_nothing_said(world: World, task: Path) -> None:
    assert world.orbit("done", cwd=task) == said()


@pytest.mark.parametrize(("text", "thin"), [(None, True), ("Serves.\n", True), ("", True), (card(), False)])
def test_a_thin_card(world: World, task: Path, text: str | None, thin: bool) -> None:
    (world.pool / ".backend.md").unlink()
    if text is not None:
        (world.pool / ".backend.md").write_text(text)
    debt = ("orbit: backend: memo thin (explore + write): memo backend", SURVIVES)
    assert world.orbit("done", cwd=task) == said(*(debt if thin else ()))


def test_a_card_over_budget(world: World, task: Path) -> None:
    (world.pool / ".backend.md").write_text(OVER)
    debt = "orbit: backend: memo over budget (curate once): memo backend"
    assert world.orbit("done", cwd=task) == said(debt, BUDGET, SURVIVES)


def test_slightly_over_is_let_be(world: World, task: Path) -> None:
    (world.pool / ".backend.md").write_text("line\n" * 20)
    assert world.orbit("done", cwd=task) == said()


def test_a_short_card_of_many_bytes_is_over(world: World, task: Path) -> None:
    (world.pool / ".backend.md").write_text("x" * 5000)
    assert "memo over budget (curate once)" in world.orbit("done", cwd=task).err


@pytest.mark.parametrize("count", [1, 3, 5])
def test_jots_remain(world: World, task: Path, count: int) -> None:
    jot(world, task, "backend", count)
    debt = f"orbit: backend: {count} jots remain (pop + merge): jot backend --pop, memo backend"
    assert world.orbit("done", cwd=task) == said(debt, BUDGET, SURVIVES)


def test_jots_of_a_thin_card_leave_the_thin_card_unsaid(world: World, task: Path) -> None:
    (world.pool / ".backend.md").unlink()
    jot(world, task, "backend", 1)
    debt = "orbit: backend: 1 jots remain (pop + merge): jot backend --pop, memo backend"
    assert world.orbit("done", cwd=task) == said(debt, BUDGET, SURVIVES)


def test_popped_and_not_merged(world: World, task: Path) -> None:
    jot(world, task, "backend", 2)
    world.orbit("jot", "backend", "--pop", cwd=task)
    assert world.orbit("done", cwd=task) == said("orbit: backend: 2 popped, not merged: memo backend", SURVIVES)


def test_a_raw_branch(world: World, task: Path) -> None:
    world.git(task / "backend", "switch", "-q", "-c", "fix/thing")
    debt = "orbit: backend: raw branch fix/thing: switch -c backend fix/thing"
    assert world.orbit("done", cwd=task) == said(debt, SURVIVES)


def test_all_debts_of_a_repository_are_one_line(world: World, task: Path) -> None:
    (world.pool / ".backend.md").write_text(OVER)
    jot(world, task, "backend", 2)
    world.orbit("jot", "backend", "--pop", cwd=task)
    jot(world, task, "backend", 1)
    world.git(task / "backend", "switch", "-q", "-c", "fix")
    facts = "1 jots remain (pop + merge), 2 popped, not merged, memo over budget (curate once), raw branch fix"
    steps = "jot backend --pop, memo backend, switch -c backend fix"
    assert world.orbit("done", cwd=task) == said(f"orbit: backend: {facts}: {steps}", BUDGET, SURVIVES)


def test_several_repositories_and_a_queue_without_a_worktree(world: World, task: Path) -> None:
    world.clone("api")
    world.worktree(name="api")
    world.clone("web")
    jot(world, task, "web", 1)
    assert world.orbit("done", cwd=task) == said(
        "orbit: api: memo thin (explore + write): memo api",
        "orbit: web: 1 jots remain (pop + merge): jot web --pop, memo web",
        BUDGET,
        SURVIVES,
    )


def test_the_budget_named_is_the_projects_own(world: World, task: Path) -> None:
    world.orbit("config", "memo.maxLines", "30")
    jot(world, task, "backend", 1)
    assert "card budget is 4~30 lines" in world.orbit("done", cwd=task).err


@pytest.mark.parametrize("state", ["detached", "damaged", "unborn"])
def test_it_never_blocks(world: World, task: Path, state: str) -> None:
    if state == "detached":
        world.git(task / "backend", "checkout", "-q", "--detach")
    elif state == "unborn":
        world.git(task / "backend", "switch", "-q", "--orphan", "ws/task-01/new")
    else:
        (Path(run_git(task / "backend", "rev-parse", "--absolute-git-dir")) / "HEAD").unlink()
    assert world.orbit("done", cwd=task) == said()


def test_a_plain_folder_can_be_done(world: World) -> None:
    plain = world.workspace("plain")
    assert world.orbit("done", cwd=plain) == Outcome(0, "plain is done\n", "")
    assert world.orbit("context", "state", cwd=plain).out == "done\n"


# --- the mark --------------------------------------------------------------------------------------------------------


def test_what_is_recorded(world: World, task: Path) -> None:
    world.orbit("done", cwd=task)
    stored = dict(line.split("=", 1) for line in run_git(task, "config", "--file", ".orbit", "--list").splitlines())
    assert stored["workspace.status"] == "done"
    assert stored["workspace.goal"] == "the goal"
    assert int(stored["workspace.done-at"]) >= int(stored["workspace.created"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0000", stored["workspace.done-date"])


def test_again_refreshes_the_time_and_adds_pull_requests_once_each(world: World, task: Path) -> None:
    one, two = "https://example.com/pull/1", "http://example.com/pull/2"
    assert world.orbit("done", "--pr", one, cwd=task) == said(prs=(one,))
    run_git(task, "config", "--file", ".orbit", "workspace.done-at", "5")
    assert world.orbit("done", "--pr", two, "--pr", one, "--pr", two, cwd=task) == said(prs=(one, two))
    assert world.orbit("done", cwd=task) == said(prs=(one, two))
    found = read_metadata(Project(str(world.root)), "task-01")
    assert (found.prs, found.done_at > 5) == ((one, two), True)


def test_credentials_are_dropped(world: World, task: Path) -> None:
    url = "https://user:token@example.com/pull/1"
    assert world.orbit("done", "--pr", url, cwd=task) == said(prs=("https://example.com/pull/1",))
    assert "token" not in (task / ".orbit").read_text()


@pytest.mark.parametrize(
    "url",
    [
        *("7", "ftp://example.com/1", "https://", "https:///1", "https:example.com", "//example.com/1", "file:///etc"),
        *("javascript:alert(1)", "https://exa mple.com/1", "https://example.com/\x1b[31m", "https://example.com/\n1"),
        *("https://?x", "https://:80/1", "https://user:token@/1", ""),
    ],
)
def test_other_values_are_refused_and_nothing_is_marked(world: World, task: Path, url: str) -> None:
    refused = world.orbit("done", f"--pr={url}", "--pr", "https://example.com/1", cwd=task)
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.startswith("orbit: done: --pr takes an http(s) URL, not ")
    assert refused.err.count("\n") == 1
    assert "token" not in refused.err
    assert world.orbit("context", "state", cwd=task).out == "active\n"


def test_goal_makes_it_active_again_and_done_ends_it_again(world: World, task: Path) -> None:
    world.orbit("done", "--pr", "https://example.com/1", cwd=task)
    world.orbit("goal", "more", cwd=task)
    assert world.orbit("done", cwd=task) == said()


def test_json(world: World, task: Path) -> None:
    jot(world, task, "backend", 1)
    world.git(task / "backend", "switch", "-q", "-c", "fix")
    world.clone("web")
    world.worktree(name="web")
    found = world.orbit("done", "--pr", "https://example.com/1", "--json", cwd=task).json()
    assert found.pop("doneAt") == read_metadata(Project(str(world.root)), "task-01").done_at
    assert found == {
        "workspace": "task-01",
        "status": "done",
        "prs": ["https://example.com/1"],
        "debts": [
            {"repo": "backend", "jots": 1, "popped": 0, "memoState": "ok", "raw": "fix"},
            {"repo": "web", "jots": 0, "popped": 0, "memoState": "none", "raw": None},
        ],
    }


def test_damage_is_kept_aside_and_told_once(world: World, task: Path) -> None:
    (task / ".orbit").write_text("[workspace\n")
    outcome = world.orbit("done", cwd=task)
    assert (outcome.code, outcome.out) == (0, "task-01 is done\n")
    assert "kept as task-01/.orbit.damaged-" in outcome.err
    assert outcome.err.count("\n") == 1


def test_from_inside_a_worktree(world: World, task: Path) -> None:
    assert world.orbit("done", cwd=task / "backend" / "src") == said()


@pytest.mark.parametrize("words", [["now"], ["--pr"], ["--force"]])
def test_wrong_usage(world: World, task: Path, words: list[str]) -> None:
    refused = world.orbit("done", *words, cwd=task)
    assert (refused.code, refused.out, refused.err[:13]) == (2, "", "orbit: done: ")
    assert world.orbit("context", "state", cwd=task).out == "active\n"


def test_not_in_a_workspace(world: World) -> None:
    refused = world.orbit("done")
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.startswith("orbit: done: not in a workspace\n")

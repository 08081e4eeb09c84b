"""One pull: what the remote has is untrusted, and what is done is done whole or not at all."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from cards import card
from orbit.errors import OrbitError
from orbit.git.exchange import fetch_branch
from orbit.knowledge import history
from orbit.knowledge.history import Version
from orbit.knowledge.pulling import NoCardsError, Plan, carry_out, make_plan
from orbit.knowledge.sharing import find_remote, keep_found
from orbit.places import Project
from orbit.store.document import load
from reliability.starts import starts
from shared_pools import another_pool, card_of, cards_remote, rev, write
from world import World, fast_import, run_git

GOOD = card("Stores orders.")


@pytest.fixture
def project(world: World) -> Project:
    world.clone()
    return Project(str(world.root))


@pytest.fixture
def remote(world: World) -> Path:
    return cards_remote(world)


def put(world: World, remote: Path, **files: str | bytes | None) -> str:
    """A commit by plain git in the remote; `backend` stands for backend.md."""
    return fast_import(remote, "main", {f"{name}.md": data for name, data in files.items()}, "By hand", world.tick())


def put_entry(remote: Path, entry: str, data: bytes = b"x\n") -> None:
    """A commit whose tree has just this: `MODE TYPE NAME`."""
    mode, kind, name = entry.split(" ")
    blob = run_git(remote, "hash-object", "-w", "--stdin", stdin=data)
    if kind == "tree":
        blob = run_git(remote, "mktree", stdin=f"100644 blob {blob}\tinner\n".encode())
    if kind == "commit":
        blob = "1" * 40
    tree = run_git(remote, "mktree", "--missing", stdin=f"{mode} {kind} {blob}\t{name}\n".encode())
    run_git(remote, "update-ref", "refs/heads/main", run_git(remote, "commit-tree", "-m", "x", "-p", "main", tree))


def plan_of(project: Project, remote: Path) -> Plan:
    with history.lock(project):
        history.create(project)
    theirs = fetch_branch(project.history, find_remote(project, str(remote), "/"), history.BRANCH, "refs/orbit/t")
    keep_found(project)
    return make_plan(project, theirs, "there")


def pull(world: World, remote: Path) -> list[str]:
    done = world.orbit("memo", "--pull", str(remote))
    assert done.code == 0, done.err
    return [line.removeprefix(f"orbit: {remote}: ") for line in (done.out + done.err).splitlines()]


def row(world: World) -> dict[str, str]:
    return load(f"{world.pool}/.orbit").config.table("repos")["backend"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"# x\n\nA \0 B.\n", "it contains NUL bytes"),
        (b"# x\n\nA caf\xe9.\n", "it is not UTF-8 (byte 10)"),
        (b"\n \n", "it is empty"),
        (b"", "it is empty"),
        (b"- only\n- a list\n", "no brief can be extracted"),
        (b"A thing. " * 40_000, "it is over 256 KiB"),
    ],
)
def test_a_text_that_can_be_no_card(world: World, project: Project, remote: Path, data: bytes, reason: str) -> None:
    """Neither over a card that is there nor as a first one; the remote keeps what it has."""
    put(world, remote, backend=data)
    line = f"orbit: backend: not taken from the remote, {reason}"
    assert pull(world, remote) == ["nothing new", line]
    assert not (world.pool / ".backend.md").exists()
    assert world.orbit("memo", "--push", str(remote)).out == "nothing to push\n"
    mine = write(world, "Mine.")
    assert pull(world, remote) == ["nothing new"]
    assert card_of(world) == mine

    other = another_pool(world, "other", "backend")
    write(other, "Another.")
    assert pull(other, remote) == ["nothing new", line]
    assert other.orbit("memo", "--push", str(remote)).code == 0
    assert pull(world, remote)[0] == "nothing new, 1 to merge"


@pytest.mark.parametrize(
    "entry",
    ["120000 blob backend.md", "100755 blob backend.md", "040000 tree backend.md", "160000 commit backend.md"],
)
def test_what_is_no_plain_file(world: World, project: Project, remote: Path, entry: str) -> None:
    """A link to a secret, a program, a directory, a submodule: told, never followed, never written."""
    mine = write(world, "Mine.")
    put(world, remote, web="# web\n\nThe shop.\n")
    assert world.orbit("memo", "--pull", str(remote)).code == 0
    put_entry(remote, entry, b"/etc/passwd")
    lost = "orbit: web: the remote no longer has this card, kept here"
    assert pull(world, remote) == ["nothing new", lost, "ignored backend.md, not a card"]
    assert card_of(world) == mine
    assert not (world.pool / ".backend.md").is_symlink()
    assert pull(world, remote) == ["nothing new"]
    assert run_git(world.pool / ".cards.git", "show", "main:backend.md") + "\n" == mine


@pytest.mark.parametrize("name", [".orbit", "-rf.md", "..md", "x y.md", "ü.md", ".backend.md", "README", "LICENSE"])
def test_other_names_are_carried_along_and_touch_nothing(
    world: World, project: Project, remote: Path, name: str
) -> None:
    write(world, "Mine.")
    before = sorted(os.listdir(world.pool))
    fast_import(remote, "main", {name: "A text.\n", "api.md": "x\n"}, "Orbit-Pool-Head: -", world.tick())
    said = pull(world, remote)
    assert said[0] == "nothing new"
    assert [line for line in said if line.startswith("ignored ")]
    assert sorted(os.listdir(world.pool)) == before
    assert world.orbit("memo", "--push", str(remote)).code == 0
    listed = run_git(remote, "ls-tree", "-z", "--name-only", "main").split("\0")
    assert {name, "api.md", "backend.md"} <= {*listed}


def test_a_text_by_plain_git_is_made_regular(world: World, project: Project, remote: Path) -> None:
    put(world, remote, backend="\ufeff# backend\r\n\r\nStores orders.  \r\n\r\n\r\n")
    assert pull(world, remote) == ["pulled backend (brief: Stores orders.)", "1 cards pulled"]
    assert card_of(world) == "# backend\n\nStores orders.\n"
    assert row(world) == {"url": world.origins["backend"].url, "brief": "Stores orders.", "card": row(world)["card"]}
    assert row(world)["card"].startswith(rev(card_of(world)))
    assert pull(world, remote) == ["nothing new"]
    assert world.orbit("memo", "--push", str(remote)).out == "pushed backend (brief: Stores orders.)\n1 cards pushed\n"
    log = world.orbit("memo", "backend", "--log").out.splitlines()
    assert len(log) == 2
    assert log[0].startswith(rev(card_of(world)))


def test_control_characters_are_told_and_not_shown(world: World, project: Project, remote: Path) -> None:
    put(world, remote, backend="# backend\n\nStores \x1b[31morders\u202e.\n")
    assert pull(world, remote) == [
        "pulled backend (brief: Stores orders.)",
        "1 cards pulled",
        "orbit: backend: the pulled card holds control characters (U+001B, U+202E): memo backend",
    ]


def test_the_code_of_a_project_is_not_taken_for_cards(world: World, project: Project) -> None:
    write(world, "Mine.")
    objects = run_git(world.pool / ".cards.git", "cat-file", "--batch-all-objects", "--batch-check")
    url = world.origins["backend"].url
    done = world.orbit("memo", "--pull", url)
    says = f"orbit: memo: {url} does not hold cards (it has src), nothing was pulled\n"
    assert done == (1, "", says)
    assert run_git(world.pool / ".cards.git", "cat-file", "--batch-all-objects", "--batch-check") == objects
    with pytest.raises(NoCardsError):
        plan_of(project, world.origins["backend"].path)


def test_heads_come_along(world: World, project: Project, remote: Path) -> None:
    other = another_pool(world, "other", "backend")
    write(other, "Theirs.")
    old = world.origins["backend"].sha()
    world.origins["backend"].commit()
    assert other.orbit("memo", "--push", str(remote)).code == 0
    assert world.orbit("sync").code == 0
    pull(world, remote)
    assert row(world)["head"] == old
    assert "memo is 1 commits behind HEAD" in world.orbit("repos").err
    (world.pool / ".orbit").unlink()
    assert "memo is 1 commits behind HEAD" in world.orbit("repos").err


def test_a_card_without_a_head_does_not_keep_the_old_one(world: World, project: Project, remote: Path) -> None:
    write(world, "Mine.")
    world.orbit("memo", "--push", str(remote))
    put(world, remote, backend=card("By hand."))
    pull(world, remote)
    assert "head" not in row(world)
    assert world.orbit("info", "backend", "--json").json()["staleness"] == "unknown"


@pytest.mark.parametrize("forged", ["x", "$(id)", "../../x", "a" * 39, "A" * 40])
def test_a_head_from_elsewhere_is_a_commit_or_nothing(
    world: World, project: Project, remote: Path, forged: str
) -> None:
    message = f"backend: write\n\nOrbit-Workspace: a\x1b[31m\nOrbit-Pool-Head: {forged}\n"
    fast_import(remote, "main", {"backend.md": GOOD}, message, world.tick())
    pull(world, remote)
    assert "head" not in row(world)
    assert "\x1b" not in world.orbit("memo", "backend", "--log").out


def test_nothing_is_done_by_halves_when_a_card_changes_meanwhile(world: World, project: Project, remote: Path) -> None:
    write(world, "Mine.")
    world.orbit("memo", "--push", str(remote))
    put(world, remote, backend=card("Theirs."))
    plan = plan_of(project, remote)
    (world.pool / ".backend.md").write_text(card("By hand."))
    assert carry_out(project, plan) is None
    assert card_of(world) == card("By hand.")
    plan = plan_of(project, remote)
    assert list(plan.conflicts) == ["backend"]
    history.keep(project, "web", [Version(b"x\n", "write")])
    assert carry_out(project, plan) is None
    assert carry_out(project, plan_of(project, remote)) is not None
    assert [name for name in os.listdir(world.pool) if name.endswith((".lock", ".new"))] == []


def test_a_pull_that_died_before_its_history(world: World, project: Project, remote: Path) -> None:
    """The card is theirs already, the history is not: no conflict with what they wrote next."""
    write(world, "First.")
    world.orbit("memo", "--push", str(remote))
    put(world, remote, backend=card("Second."))
    (world.pool / ".backend.md").write_text(card("Second."))
    put(world, remote, backend=card("Third."))
    assert pull(world, remote)[-2:] == [
        "1 cards pulled",
        f"orbit: backend: edited by hand, kept as {rev(card('Second.'))}",
    ]
    assert card_of(world) == card("Third.")


def test_a_history_that_was_lost_begins_again(world: World, project: Project, remote: Path) -> None:
    write(world, "First.")
    world.orbit("memo", "--push", str(remote))
    put(world, remote, backend=card("Second."))
    run_git(world.base, "clone", "-q", "--bare", str(remote), str(world.base / "kept"))
    (world.pool / ".cards.git").rename(world.base / "away")
    assert pull(world, remote) == ["pulled backend (brief: Second.)", "1 cards pulled"]


def test_a_card_that_cannot_be_written(world: World, project: Project, remote: Path) -> None:
    put(world, remote, backend=GOOD)
    (world.pool / ".backend.md.new").mkdir()
    plan = plan_of(project, remote)
    with pytest.raises(OrbitError, match="cannot be written"):
        carry_out(project, plan)
    assert history.tip(project) == ""
    (world.pool / ".backend.md.new").rmdir()
    assert pull(world, remote)[-1] == "1 cards pulled"


def test_an_index_that_cannot_be_written_is_told(world: World, project: Project, remote: Path) -> None:
    put(world, remote, backend=GOOD)
    (world.pool / ".orbit").mkdir()
    (world.pool / ".orbit" / "x").mkdir()
    (world.pool / ".orbit.new").mkdir()
    done = world.orbit("memo", "--pull", str(remote))
    assert done.code == 0
    assert "orbit: .repos/.orbit: cannot be used" in done.err
    assert "orbit: backend: index out of sync with the card: memo backend --refresh\n" in done.err
    assert card_of(world) == GOOD


@pytest.mark.parametrize("way", ["EAGAIN", "is killed at once", "fails at once"])
def test_a_card_that_stands_is_told_when_the_history_fails(world: World, way: str) -> None:
    world.clone()
    remote = cards_remote(world)
    fast_import(remote, "main", {"backend.md": card("Theirs.")}, "backend: write", world.tick())
    with starts() as counted:
        assert world.orbit("memo", "--pull", str(remote)).code == 0
    (number,) = (n for n, words in enumerate(counted.log, 1) if "update-ref refs/heads/main" in words)
    for path in (world.pool / ".backend.md", world.pool / ".orbit"):
        path.unlink()
    shutil.rmtree(world.pool / ".cards.git")
    with starts(number, way) as watched:
        done = world.orbit("memo", "--pull", str(remote))
    assert "update-ref refs/heads/main" in watched.failed
    assert (done.code, "written, but not kept in the history" in done.err) == (0, True)
    assert "Theirs." in (world.pool / ".backend.md").read_text()
    again = world.orbit("memo", "--pull", str(remote))
    assert (again.code, again.err) == (0, "")


def test_what_was_fetched_may_stay_until_the_next_pull(world: World) -> None:
    world.clone()
    remote = cards_remote(world)
    fast_import(remote, "main", {"backend.md": card("Theirs.")}, "backend: write", world.tick())
    with starts() as counted:
        assert world.orbit("memo", "--pull", str(remote)).code == 0
    with starts(len(counted.log), "EAGAIN"):
        assert world.orbit("memo", "--pull", str(remote)).code == 0

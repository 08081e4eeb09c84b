from __future__ import annotations

import os
from pathlib import Path

import pytest

from pool_files import NOBODY, advance, head_of, known_clone, put_row
from rosters import README_BRIEF, behind, repos
from shapes import json_of
from terminal import orbit_at_terminal
from world import Outcome, World, run_git

EMPTY = "orbit: pool: no repositories yet: clone URL\n"


def test_the_roster(world: World) -> None:
    for name in ("frontend", "backend"):
        known_clone(world, name)
        put_row(world, name, url=f"https://host.example/team/{name}.git")
    world.clone("api")
    put_row(world, "api", url="git@host.example:team/api.git", head=head_of(world, "api"))
    outcome = world.orbit("repos")
    assert outcome == Outcome(
        0,
        "NAME      ADDED  MEMO  BRIEF                                 URL\n"
        "api              none  A small service that the tests copy.  host.example/team/api\n"
        "backend          ok    From the index                        host.example/team/backend\n"
        "frontend         ok    From the index                        host.example/team/frontend\n",
        "",
    )


def test_the_shape_of_a_row(world: World) -> None:
    known_clone(world)
    row = {
        "name": "backend",
        "url": world.origins["backend"].url,
        "brief": "From the index",
        "head": head_of(world),
        "incomplete": False,
        "memoBehind": 0,
        "memoState": "ok",
        "staleness": "fresh",
        "added": False,
        "branch": "main",
    }
    assert repos(world) == [row]
    stored = head_of(world)
    advance(world, commits=2)
    assert repos(world) == [row | {"memoBehind": 2, "staleness": "behind", "head": stored}]
    put_row(world, head="")
    lost = {"memoBehind": None, "staleness": "unknown", "head": head_of(world), "incomplete": True}
    assert repos(world) == [row | lost]
    (world.pool / ".backend.md").unlink()
    gone = {"memoBehind": 0, "staleness": "none", "memoState": "none", "head": head_of(world), "incomplete": True}
    assert repos(world) == [row | gone]


def test_an_empty_repository(world: World) -> None:
    world.origin(empty=True)
    world.clone()
    (row,) = repos(world)
    assert (row["head"], row["brief"], row["staleness"], row["branch"]) == ("", "", "none", "main")
    assert world.orbit("repos", "--no-urls").out == "NAME     ADDED  MEMO  BRIEF\nbackend         none  -\n"


# --- where it runs ---------------------------------------------------------------------------------------------------


def test_an_empty_pool(world: World) -> None:
    assert world.orbit("repos") == Outcome(0, "", EMPTY)
    assert world.orbit("repos", "--json") == Outcome(0, "[]\n", EMPTY)
    assert world.orbit("repos", "word", "--stale") == Outcome(0, "", EMPTY)
    assert os.listdir(world.pool) == []


def test_outside_a_project(world: World, tmp_path: Path) -> None:
    outcome = world.orbit("repos", "--json", cwd=tmp_path)
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("orbit: project: not in an orbit project")


def test_added_means_a_worktree_in_this_workspace(world: World) -> None:
    for name in ("backend", "folder", "file", "elsewhere"):
        world.clone(name)
    task, other = world.workspace(), world.workspace("task-02")
    path = world.worktree()
    world.worktree("task-02", "elsewhere")
    (task / "folder").mkdir()
    (task / "file").write_text("")
    for place in (task, path, path / "src"):
        assert [row["name"] for row in repos(world, cwd=place) if row["added"]] == ["backend"]
    assert [row["name"] for row in repos(world, cwd=other) if row["added"]] == ["elsewhere"]
    assert [row for row in repos(world) if row["added"]] == []
    assert world.orbit("repos", "--no-urls", cwd=task).out.splitlines()[1] == f"backend    *      none  {README_BRIEF}"


def test_a_pool_inside_a_worktree_is_passed_over_with_one_warning(world: World) -> None:
    known_clone(world)
    world.workspace()
    path = world.worktree()
    (path / ".repos" / "trap" / ".git").mkdir(parents=True)
    told = f"orbit: project: ignoring .repos in {path}, it lies inside the project {world.root}\n"
    for words in (["repos"], ["info", "backend"]):
        outcome = world.orbit(*words, cwd=path)
        assert outcome.code == 0
        assert "trap" not in outcome.out
        assert outcome.err.startswith(told)
        assert outcome.err.count("ignoring") == 1


def test_looking_makes_no_workspace(world: World) -> None:
    known_clone(world)
    plain = world.workspace()
    assert world.orbit("repos", cwd=plain).code == 0
    assert os.listdir(plain) == []


# --- options ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def pool(world: World) -> World:
    """alpha is fresh, beta behind, gamma unknown, delta has no card."""
    for name in ("alpha", "beta", "gamma"):
        known_clone(world, name)
    advance(world, "beta")
    put_row(world, "gamma", head=NOBODY)
    put_row(world, "alpha", brief="Login and sessions")
    world.clone("delta")
    put_row(world, "delta", url="x", head=head_of(world, "delta"))
    return world


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ([], ["alpha", "beta", "delta", "gamma"]),
        (["--limit", "2"], ["alpha", "beta"]),
        (["--limit=999999999"], ["alpha", "beta", "delta", "gamma"]),
        (["--limit", "007"], ["alpha", "beta", "delta", "gamma"]),
        (["--stale"], ["beta", "gamma"]),
        (["--stale", "--limit", "1"], ["beta"]),
        (["--no-card"], ["delta"]),
        (["BET"], ["beta"]),
        (["login", "SESSIONS"], ["alpha"]),
        (["login", "nothing"], ["alpha"]),
        (["orders"], ["gamma", "beta", "alpha"]),  # equal matches: written last comes first
        (["orders", "--stale"], ["gamma", "beta"]),
        (["orders", "--limit", "2"], ["gamma", "beta"]),
        (["orders", "--no-card"], []),
        (["tests", "copy"], ["delta"]),
        (["--", "--stale"], []),
        (["--no-card", "--stale"], []),
    ],
)
def test_filters(pool: World, words: list[str], names: list[str]) -> None:
    outcome = pool.orbit("repos", "--json", *words)
    assert outcome.code == 0
    assert [row["name"] for row in json_of("repos", outcome)] == names
    shown = pool.orbit("repos", *words)
    assert [line.split()[0] for line in shown.out.splitlines()[1:]] == names
    assert shown.err == outcome.err


@pytest.mark.parametrize(
    ("words", "what"),
    [(["zebra"], "zebra"), (["no", "such"], "no such"), (["--no-card", "alpha"], "alpha --no-card")],
)
def test_nothing_matches(pool: World, words: list[str], what: str) -> None:
    assert pool.orbit("repos", *words) == Outcome(0, "", f"orbit: repos: nothing matches {what}\n")
    assert pool.orbit("repos", *words, "--json").out == "[]\n"


def test_nothing_is_stale(world: World) -> None:
    known_clone(world)
    assert world.orbit("repos", "--stale") == Outcome(0, "", "orbit: repos: nothing matches --stale\n")


def test_lines_are_about_the_rows_that_are_shown(pool: World) -> None:
    assert pool.orbit("repos", "alpha").err == ""
    assert pool.orbit("repos", "beta").err == behind("beta", 1)


@pytest.mark.parametrize("limit", ["0", "-1", "x", "1.5", "", "9" * 5000, "²"])
def test_a_bad_limit(pool: World, limit: str) -> None:
    outcome = pool.orbit("repos", f"--limit={limit}")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("orbit: repos: --limit takes a positive number, not '")
    assert len(outcome.err) < 100


@pytest.mark.parametrize("words", [["--limit"], ["--stale=yes"], ["--wide"], ["--urls", "--no-urls"]])
def test_wrong_usage(pool: World, words: list[str]) -> None:
    outcome = pool.orbit("repos", *words)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("orbit: repos: ")


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ([], "host.example/team/backend"),
        (["--urls"], "https://host.example/team/backend.git"),
        (["--no-urls"], None),
    ],
)
def test_urls(world: World, words: list[str], shown: str | None) -> None:
    known_clone(world)
    put_row(world, url="https://user:secret@host.example/team/backend.git")
    outcome = world.orbit("repos", *words)
    title, row = outcome.out.splitlines()
    assert title.split() == ["NAME", "ADDED", "MEMO", "BRIEF", *(["URL"] if shown else [])]
    assert row.split()[-1] == (shown or "index")
    assert "secret" not in outcome.out + world.orbit("repos", "--json").out


# --- the table -------------------------------------------------------------------------------------------------------


def test_a_table_is_whole_on_a_pipe_and_cut_at_a_terminal(world: World) -> None:
    brief = "A brief that has " + "very " * 15 + "many words indeed"
    name = "a-repository-with-a-rather-long-name"
    known_clone(world, brief=brief)
    world.clone(name)
    put_row(world, name, url=f"https://host.example/a/rather/deep/path/to/the/{name}", head=head_of(world, name))
    piped = world.orbit_process("repos", env={"COLUMNS": "40"}).out
    assert brief in piped
    assert f"host.example/a/rather/deep/path/to/the/{name}" in piped
    assert len(piped.splitlines()) == 3
    wide = orbit_at_terminal("repos", cwd=world.root, columns=400).out
    assert brief in wide
    narrow = orbit_at_terminal("repos", cwd=world.root, columns=80)
    assert "URL" not in narrow.out, "the URL goes first"
    assert name in narrow.out
    assert "…" in narrow.out
    assert max(map(len, narrow.out.replace("\x1b[1m", "").replace("\x1b[0m", "").splitlines())) <= 80


def test_hostile_text_is_defused(world: World) -> None:
    known_clone(world)
    hostile = "\x1b[2J\x1b]0;title\x07a\u202eb\u2066c\x85d\x9b31me"
    put_row(world, brief=f'"{hostile}"', url=f'"https://host.example/{hostile}"')
    (world.pool / f"plain{hostile}").mkdir()
    run_git(world.pool / "backend", "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/x\u202ey")
    for words in ([], ["--json"], ["--urls"]):
        outcome = world.orbit("repos", *words)
        assert not set(outcome.out + outcome.err) & set("\x1b\x07\u202e\u2066\x85\x9b")
    assert repos(world)[0]["brief"] == "abc de"

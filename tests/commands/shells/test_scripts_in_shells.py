"""Tab pressed in real shells: bash and zsh at a terminal, fish by its own `complete -C`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from orbit.commands import TABLE, TOPICS
from shells import Shell, fish_offers, shell_at
from world import World

ODD = "fe$at;x"


@pytest.fixture
def workspace(world: World) -> Path:
    """Two clones, one worktree, branches and a workspace with odd names, a file with a blank."""
    path = world.populated()
    for name in (ODD, "we'ird\"#!", "a=b@c", "日本"):
        world.git(world.pool / "backend", "branch", "--", f"ws/task-01/{name}")
    (world.root / "odd name'x").mkdir()
    (path / "my file.txt").touch()
    (world.pool / ".reclaimed" / "gone-07" / "1700000000").mkdir(parents=True)
    return path


@pytest.fixture(params=["bash", "zsh"])
def shell(request: pytest.FixtureRequest, workspace: Path, tmp_path: Path) -> Iterator[Shell]:
    files = tmp_path / "shell"
    files.mkdir()
    with shell_at(request.param, workspace, files) as started:
        yield started


def test_words_are_completed_at_a_terminal(shell: Shell) -> None:
    lines = {
        "orbit inf": "orbit info ",
        "orbit info ba": "orbit info backend ",
        "orbit info backend ": "orbit info backend frontend ",
        "orbit add ": "orbit add frontend ",
        "orbit status ta": "orbit status task-01 ",
        "orbit prune --restore g": "orbit prune --restore gone-07 ",
        "orbit prune --restore=": "orbit prune --restore=gone-07 ",
        "orbit repos --no-c": "orbit repos --no-card ",
        "orbit config git.fetchP": "orbit config git.fetchPrune ",
        "orbit config git.fetchPrune o": "orbit config git.fetchPrune once ",
        "orbit context g": "orbit context goal ",
        "orbit help lev": "orbit help levels ",
        "orbit --ver": "orbit --version ",
        "orbit completion z": "orbit completion zsh ",
        "orbit add frontend --ref=ma": "orbit add frontend --ref=main ",
        "orbit add frontend --ref ma": "orbit add frontend --ref main ",
        "cd .; orbit info ba": "cd .; orbit info backend ",
        "A=1 orbit info ba": "A=1 orbit info backend ",
    }
    assert {typed: shell.tab(typed) for typed in lines} == lines
    assert "backend" in shell.tab("orbit info ", 2) + shell.screen
    assert "frontend" in shell.screen


def test_odd_names_are_quoted_as_they_have_to_be(shell: Shell) -> None:
    lines = {
        "orbit switch fe": r"orbit switch fe\$at\;x ",
        "orbit switch fe\\$": r"orbit switch fe\$at\;x ",
        "orbit switch 'fe": "orbit switch 'fe$at;x' ",
        'orbit switch "fe': r'orbit switch "fe\$at;x" ',
        "orbit switch a": "orbit switch a=b@c ",
        "orbit switch a=": "orbit switch a=b@c ",
        "orbit switch 日": "orbit switch 日本 ",
        "orbit status od": r"orbit status odd\ name\'x ",
        "orbit status 'od": r"orbit status 'odd name'\''x' ",
        'orbit status "od': 'orbit status "odd name\'x" ',
    }
    assert {typed: shell.tab(typed) for typed in lines} == lines


def test_files_are_the_shell_s_own_business(shell: Shell) -> None:
    lines = {
        "orbit memo backend --file my": r"orbit memo backend --file my\ file.txt ",
        "orbit memo backend --file=my": r"orbit memo backend --file=my\ file.txt ",
        "orbit clone --from 'my": "orbit clone --from 'my file.txt' ",
        "orbit try back": "orbit try backend/",
    }
    assert {typed: shell.tab(typed) for typed in lines} == lines


def test_where_nothing_fits_nothing_happens(shell: Shell, world: World) -> None:
    silent = [
        "orbit info nope",
        "orbit xyzzy b",
        "orbit version b",
        'orbit jot backend "',
        "orbit jot -- --",
        "orbit new b",
    ]
    assert [shell.tab(typed) for typed in silent] == silent
    (world.pool / ".orbit").write_bytes(b"[\xff")
    (world.pool / "backend" / ".git" / "packed-refs").write_bytes(b"\xff")
    assert shell.tab("orbit switch a") == "orbit switch a=b@c "
    shell.send(f"cd {world.base}\n")
    shell.read_until("$ ")
    assert shell.tab("orbit info b") == "orbit info b"
    shell.send("PATH=/nowhere\n")
    shell.read_until("$ ")
    assert shell.tab("orbit info b") == "orbit info b"
    assert "orbit:" not in shell.screen
    assert "not found" not in shell.screen


def test_a_path_to_the_program_is_followed(shell: Shell) -> None:
    shell.send("PATH=/usr/bin:/bin\n")
    shell.read_until("$ ")
    assert shell.tab("~/programs/orbit info ba") == "~/programs/orbit info backend "
    assert shell.tab("orbit info ba") == "orbit info ba"


def test_fish_offers(workspace: Path, world: World, tmp_path: Path) -> None:
    files = tmp_path / "shell"
    files.mkdir()

    def offers(line: str, cwd: Path = workspace) -> list[str]:
        return fish_offers(line, cwd, files)

    assert offers("orbit ") == sorted([*TABLE, "help"])
    assert offers("orbit help ") == sorted([*TABLE, *TOPICS])
    assert offers("orbit info ") == ["backend", "frontend"]
    assert offers("orbit add --re") == ["--ref", "--reuse"]
    assert offers("orbit add frontend --ref=ma") == ["--ref=main"]
    assert offers("orbit add frontend --ref ma") == ["main"]
    assert offers("orbit add -") == ["-h", "-s", "--help", "--ref", "--reuse", "--silent"]
    assert offers("orbit switch fe") == [ODD]
    assert offers("orbit status 'od") == ["odd name'x"]
    assert offers("orbit memo --file my") == ["my file.txt"]
    assert offers("orbit try back") == ["backend/"]
    assert offers("orbit version ") == offers("orbit xyzzy ") == offers("orbit jot -- --") == []
    assert offers("orbit info ", world.base) == []

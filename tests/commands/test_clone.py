"""`orbit clone`: what it prints, what it leaves when it fails or is stopped, and how several go on without one."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from orbit.places import Project
from orbit.pool.index import read_index
from ssh import busy_server, calls
from world import Outcome, SilentServer, World, environment

NAME_RULE = "(letters, digits, '.', '_', '-', not first '.' or '-')"


def pool_names(world: World) -> list[str]:
    return sorted(path.name for path in world.pool.iterdir())


def test_one(world: World) -> None:
    url = world.origin().url
    assert world.orbit("clone", url) == Outcome(0, "cloned backend (default branch: main)\n", "")
    assert pool_names(world) == [".orbit", "README.md", "backend"]
    assert read_index(Project(str(world.root))).entries["backend"].url == url


@pytest.mark.parametrize("place", ["sub/dir", "task-01", "task-01/backend"])
def test_a_relative_url_starts_where_the_caller_stands_and_lands_in_the_pool(world: World, place: str) -> None:
    world.origin()
    (world.root / place).mkdir(parents=True)
    relative = os.path.relpath(world.origins["backend"].path, world.root / place)
    done = world.orbit("clone", relative, cwd=world.root / place)
    assert done == Outcome(0, "cloned backend (default branch: main)\n", "")
    assert (world.pool / "backend").is_dir()
    assert not (world.root / place / ".repos").exists()


def test_outside_a_project_it_makes_one(world: World) -> None:
    fresh = world.base / "fresh"
    fresh.mkdir()
    done = world.orbit("clone", world.origin().url, cwd=fresh)
    assert done == Outcome(0, "cloned backend (default branch: main)\n", "")
    assert os.listdir(fresh) == [".repos"]
    assert sorted(os.listdir(fresh / ".repos")) == [".orbit", "README.md", "backend"]


def test_where_the_root_is_named(world: World) -> None:
    fresh = world.base / "fresh"
    fresh.mkdir()
    done = world.orbit("clone", world.origin().url, cwd=world.base, env={"ORBIT_ROOT": "fresh"})
    assert done.code == 0
    assert (fresh / ".repos" / "backend").is_dir()
    missing = world.orbit("clone", world.origins["backend"].url, env={"ORBIT_ROOT": "missing"})
    assert (missing.code, missing.out) == (1, "")
    assert missing.err.startswith("orbit: ORBIT_ROOT: no such directory: missing")
    assert not (world.root / "missing").exists()


def test_a_nested_root_is_passed_over_with_one_warning(world: World) -> None:
    world.origin("hostile", {".repos/evil": "x"})
    world.clone("hostile")
    world.workspace()
    tree = world.worktree(name="hostile")
    done = world.orbit("clone", world.origin().url, cwd=tree)
    assert done.out == "cloned backend (default branch: main)\n"
    assert done.err == f"orbit: project: ignoring .repos in {tree}, it lies inside the project {world.root}\n"
    assert (world.pool / "backend").is_dir()


@pytest.mark.parametrize(
    ("args", "err"),
    [
        (
            ["/nowhere/r.git"],
            "orbit: clone: /nowhere/r.git: no such repository: repository '/nowhere/r.git' does not exist\n",
        ),
        (
            ["--", "--upload-pack=touch made"],
            "orbit: clone: URL refused: --upload-pack=touch made: a URL cannot begin with '-'\n",
        ),
        (
            ["ext::sh -c touch% made"],
            "orbit: clone: URL refused: ext::sh -c touch% made: the transport ext:: is refused, it runs a program\n",
        ),
        (["fd::7/r"], "orbit: clone: URL refused: fd::7/r: the transport fd:: is refused, it runs a program\n"),
        ([""], "orbit: clone: a URL cannot be empty\n"),
        (
            ["https://user:secret@example.com"],
            f"orbit: clone: not a repository name: (empty) {NAME_RULE}\n"
            "orbit: clone: choose one with: orbit clone URL --name NAME\n",
        ),
        (
            ["ORIGIN", "--branch=gone"],
            "orbit: clone: ORIGIN: no such ref: Remote branch gone not found in upstream origin\n",
        ),
        (["ORIGIN", "--branch=-x"], "orbit: clone: --branch refused: a value cannot begin with '-'\n"),
        (
            ["ORIGIN", "--push=ext::x"],
            "orbit: clone: --push refused: ext::x: the transport ext:: is refused, it runs a program\n",
        ),
        (["ORIGIN", "--depth=none"], "orbit: clone: --depth must be a positive decimal integer, not none\n"),
        (["ORIGIN", "--filter=nonsense"], "orbit: clone: ORIGIN: invalid filter-spec 'nonsense'\n"),
        (["ORIGIN", "--from=missing"], "orbit: clone: --from missing: No such file or directory\n"),
        (["--from=."], "orbit: clone: --from .: Is a directory\n"),
    ],
)
def test_refused_or_failed_leaves_nothing(world: World, args: list[str], err: str) -> None:
    fresh = world.base / "fresh"
    fresh.mkdir()
    url = world.origin().url
    done = world.orbit("clone", *(arg.replace("ORIGIN", url) for arg in args), cwd=fresh)
    assert done == Outcome(1, "", err.replace("ORIGIN", url))
    assert os.listdir(fresh) == []


@pytest.mark.parametrize(
    ("args", "err"),
    [
        ([], "orbit: clone: a URL or --from FILE is needed\n"),
        (["URL", "--name", ""], "orbit: clone: --name cannot be empty\n"),
        (["URL", "--branch="], "orbit: clone: --branch cannot be empty\n"),
        (["URL", "--from="], "orbit: clone: --from cannot be empty\n"),
        (["URL", "URL2", "--name", "x"], "orbit: clone: --name takes one URL\n"),
        (["URL", "URL2", "--push", "x"], "orbit: clone: --push takes one URL\n"),
        (["--from", "list", "--name", "x"], "orbit: clone: --name takes one URL\n"),
    ],
)
def test_wrong_usage(world: World, args: list[str], err: str) -> None:
    (world.root / "list").write_text("URL\n")
    assert world.orbit("clone", *args) == Outcome(2, "", err)
    assert pool_names(world) == []


@pytest.mark.parametrize("args", [["--upload-pack=made", "URL"], ["-u", "x", "URL"], ["-c", "a.b=c", "URL"]])
def test_options_of_git_are_not_options_here(world: World, args: list[str]) -> None:
    done = world.orbit("clone", *args)
    assert (done.code, done.out) == (2, "")
    assert "orbit: clone: " in done.err
    assert pool_names(world) == []


@pytest.mark.parametrize(
    ("name", "err"),
    [
        (
            "backend",
            "orbit: backend: already in the pool (.repos/backend)\n"
            "orbit: backend: another name: orbit clone URL --name NAME\n",
        ),
        ("Backend", "orbit: Backend: the pool has backend, names may not differ by case only\n"),
    ],
)
def test_a_name_that_is_taken(world: World, name: str, err: str) -> None:
    clone = world.clone()
    (clone / "mine").write_text("x")
    done = world.orbit("clone", world.origins["backend"].url, "--name", name)
    assert done == Outcome(1, "", err)
    assert pool_names(world) == ["backend"]
    assert (clone / "mine").exists()


def test_an_empty_remote_and_a_chosen_branch(world: World) -> None:
    origin = world.origin("empty", empty=True)
    assert world.orbit("clone", origin.url) == Outcome(0, "cloned empty (default branch: main)\n", "")
    refused = world.orbit("clone", origin.url, "--branch", "dev", "--name", "other")
    assert refused.err == (f"orbit: clone: {origin.url}: no such ref: Remote branch dev not found in upstream origin\n")
    assert (refused.code, refused.out, pool_names(world)) == (1, "", [".orbit", "README.md", "empty"])
    world.origin().branch("release/1.x")
    done = world.orbit("clone", world.origins["backend"].url, "--branch", "release/1.x", "--name=old")
    assert done == Outcome(0, "cloned old (default branch: release/1.x)\n", "")


def test_several_go_on_without_the_one_that_fails(world: World) -> None:
    frontend, backend = world.origin("frontend"), world.origin()
    world.clone("taken")
    urls = [frontend.url, "/nowhere/r.git", world.origins["taken"].url, backend.url, "ext::x", frontend.url + "/"]
    done = world.orbit("clone", *urls)
    assert done.code == 1
    assert done.out == "cloned frontend (default branch: main)\ncloned backend (default branch: main)\n"
    lines = done.err.splitlines()
    progress = [line for line in lines if line.endswith("/6)")]
    assert sorted(line.partition(" (")[0] for line in progress) == sorted(
        [
            f"orbit: {frontend.url}: cloned",
            f"orbit: {backend.url}: cloned",
            "orbit: /nowhere/r.git: failed",
            f"orbit: {world.origins['taken'].url}: failed",
        ]
    )
    assert [line for line in lines if line not in progress] == [
        "orbit: clone: /nowhere/r.git: no such repository: repository '/nowhere/r.git' does not exist",
        "orbit: taken: already in the pool (.repos/taken): another name: orbit clone URL --name NAME",
        "orbit: clone: URL refused: ext::x: the transport ext:: is refused, it runs a program",
        f"orbit: frontend: named twice in this call, not cloned again from {frontend.url}/",
    ]
    assert pool_names(world) == [".orbit", "README.md", "backend", "frontend", "taken"]
    assert set(read_index(Project(str(world.root))).entries) == {"backend", "frontend"}


def test_names_that_differ_by_case_in_one_call(world: World) -> None:
    done = world.orbit("clone", world.origin("Backend").url, world.origin("backend").url)
    assert (done.code, done.out) == (1, "cloned Backend (default branch: main)\n")
    assert (
        f"orbit: backend: named twice in this call, not cloned again from {world.origins['backend'].url}\n" in done.err
    )
    assert pool_names(world) == [".orbit", "Backend", "README.md"]


def test_a_list_from_a_file(world: World) -> None:
    backend, frontend = world.origin(), world.origin("frontend")
    listing = world.base / "lists" / "repos.txt"
    listing.parent.mkdir()
    listing.write_text(
        "\ufeff# our repositories\n\n"
        f"  {backend.url}\n"
        f"{frontend.url}\tweb   # the page\r\n"
        f"{backend.url}#fragment again\n"
        "   # nothing\n"
    )
    done = world.orbit("clone", "--from", "../lists/repos.txt")
    assert done.code == 1
    assert done.out == "cloned backend (default branch: main)\ncloned web (default branch: main)\n"
    assert f"orbit: clone: {backend.url}#fragment: no such repository: " in done.err
    assert pool_names(world) == [".orbit", "README.md", "backend", "web"]


def test_a_list_beside_urls(world: World) -> None:
    (world.root / "list").write_text(f"{world.origin().url} one\n")
    done = world.orbit("clone", world.origin("frontend").url, "--from", "list", "--depth", "1")
    assert done.out == "cloned frontend (default branch: main)\ncloned one (default branch: main)\n"


@pytest.mark.parametrize(
    ("text", "err"),
    [
        ("", "orbit: clone: --from list: no URL in it\n"),
        ("# only\n\n", "orbit: clone: --from list: no URL in it\n"),
        (
            "ORIGIN\nhttps://user:secret@example.com/r one two\n",
            "orbit: clone: --from list: line 2 is not 'URL [NAME]'\n",
        ),
    ],
)
def test_a_list_that_makes_no_sense_clones_nothing(world: World, text: str, err: str) -> None:
    (world.root / "list").write_text(text.replace("ORIGIN", world.origin().url))
    assert world.orbit("clone", "--from", "list") == Outcome(1, "", err)
    assert pool_names(world) == []


def test_a_list_of_one_fails_as_one(world: World) -> None:
    (world.root / "list").write_text("/nowhere/r ../up\n")
    done = world.orbit("clone", "--from", "list")
    assert done == Outcome(
        1,
        "",
        f"orbit: clone: not a repository name: ../up {NAME_RULE}\n"
        "orbit: clone: choose one with: orbit clone URL --name NAME\n",
    )


def test_secrets_are_shown_nowhere(world: World) -> None:
    urls = ["http://user:secret@127.0.0.1:1/one.git", "https://secret@127.0.0.1:1/two.git"]
    single = world.orbit("clone", urls[0])
    assert single.err.startswith("orbit: clone: http://127.0.0.1:1/one.git: cannot reach the remote: ")
    several = world.orbit("clone", *urls, "ext::http://user:secret@h")
    for done in (single, several):
        assert done.code == 1
        assert "secret" not in done.out + done.err
    assert pool_names(world) == []


def test_a_bad_setting_is_told_once(world: World) -> None:
    (world.pool / ".orbit").write_text("[git]\n\tfetchPrune = sometimes\n")
    done = world.orbit("clone", world.origin().url)
    assert done == Outcome(
        0,
        "cloned backend (default branch: main)\n",
        "orbit: config: git.fetchPrune = sometimes is not valid, using always: config git.fetchPrune VALUE\n",
    )


def test_a_damaged_index_is_kept_and_told_once(world: World) -> None:
    (world.pool / ".orbit").write_bytes(b"\0\1\2")
    done = world.orbit("clone", world.origin().url)
    (copy,) = world.pool.glob(".orbit.damaged-*")
    assert done == Outcome(
        0,
        "cloned backend (default branch: main)\n",
        f"orbit: .repos/.orbit: cannot be used (damaged, begun anew), kept as .repos/{copy.name}\n",
    )
    assert copy.read_bytes() == b"\0\1\2"


def test_nothing_runs_that_the_url_or_an_option_names(world: World) -> None:
    """Even where the user's own config allows the transport."""
    allow = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "protocol.ext.allow", "GIT_CONFIG_VALUE_0": "always"}
    url = world.origin().url
    with environment(allow):
        for args in (
            [f"ext::touch {world.base}/ran"],
            [url, f"--push=ext::touch {world.base}/ran"],
            ["--", f"--upload-pack=touch {world.base}/ran", url],
            [url, f"--branch=--upload-pack=touch {world.base}/ran"],
            [f"{url}::ext::touch {world.base}/ran"],
        ):
            world.orbit("clone", *args)
    assert not (world.base / "ran").exists()


def test_who_is_turned_away_before_login_tries_once_more(world: World) -> None:
    env = busy_server(world)
    one = world.orbit("clone", f"example.com:{world.origin().url}", env=env)
    assert one == Outcome(0, "cloned backend (default branch: main)\n", "")
    url = f"example.com:{world.origin('frontend').url}"
    several = world.orbit("clone", url, f"example.com:{world.remotes}/missing.git", env=env)
    assert (several.code, several.out) == (1, "cloned frontend (default branch: main)\n")
    assert sum("missing.git" in call for call in calls(world)) == 2
    lines = several.err.splitlines()
    assert lines[:2] == [
        f"orbit: {url}: cloned (1/2)",
        f"orbit: example.com:{world.remotes}/missing.git: failed (2/2)",
    ]
    assert lines[2].startswith(f"orbit: clone: example.com:{world.remotes}/missing.git: no such repository: ")
    assert len(lines) == 3


def start(world: World, *args: str, cwd: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "orbit", *args]
    return subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)


@pytest.mark.parametrize("several", [False, True])
def test_interrupted_leaves_nothing(world: World, silent_server: SilentServer, several: bool) -> None:
    fresh = world.base / "fresh"
    fresh.mkdir()
    url = f"file://{world.origin().url}"
    urls = [silent_server.url, *([f"{silent_server.url}2", url] if several else [])]
    process = start(world, "clone", *urls, cwd=fresh)
    assert silent_server.connected.wait(60)
    assert process.stderr
    if several:
        assert process.stderr.readline() == f"orbit: {url}: cloned (1/3)\n".encode()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (out, err) == (b"", b"")
    assert os.listdir(fresh) == ([".repos"] if several else [])
    if several:
        assert sorted(os.listdir(fresh / ".repos")) == [".orbit", "README.md", "backend"]


def test_killed_leaves_what_nobody_sees_and_the_next_one_sweeps(world: World, silent_server: SilentServer) -> None:
    process = start(world, "clone", silent_server.url, cwd=world.root)
    assert silent_server.connected.wait(60)
    process.kill()
    process.communicate(timeout=60)
    (left,) = pool_names(world)
    assert left.startswith(".clone-")
    seen = world.orbit("repos")
    assert (seen.code, seen.out) == (0, "")
    assert ".clone" not in seen.err
    assert world.orbit("clone", world.origin().url).code == 0
    assert pool_names(world) == [".orbit", "README.md", "backend"]


def test_a_server_that_drops_half_way(world: World) -> None:
    def serve() -> None:
        connection = listener.accept()[0]
        connection.recv(1000)
        connection.sendall(b"00e1" + b"1" * 40 + b" HEAD\0multi_ack side-band-64k")
        connection.close()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        serving = threading.Thread(target=serve)
        serving.start()
        url = f"git://127.0.0.1:{listener.getsockname()[1]}/r"
        done = world.orbit("clone", url)
        serving.join(timeout=60)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"orbit: clone: {url}: ")
    assert done.err.count("\n") == 1
    assert pool_names(world) == []


def test_a_server_that_falls_silent(world: World, silent_server: SilentServer) -> None:
    done = world.orbit("clone", silent_server.url, "/nowhere/r", env={"ORBIT_STALL_SECONDS": "1"})
    assert (done.code, done.out) == (1, "")
    stalled = f"orbit: clone: {silent_server.url}: the remote stopped answering: no activity for 1 s\n"
    assert stalled in done.err
    assert pool_names(world) == []

"""`orbit import-dir`: what it prints, what is passed over or refused while the others go on, and what it leaves."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from disk import digest
from paused import Gate, kill, start_orbit
from world import Outcome, World, environment


def on_disk(world: World, name: str, place: str = "") -> Path:
    """A clone of a remote, outside the project."""
    origin = world.origins.get(name) or world.origin(name)
    path = world.base / "src" / (place or name)
    path.parent.mkdir(parents=True, exist_ok=True)
    world.git(world.base, "clone", "-q", origin.url, str(path))
    return path


def run(world: World, *words: str, cwd: Path | None = None) -> Outcome:
    return world.orbit("import-dir", *words, cwd=cwd)


def pool_names(world: World) -> list[str]:
    return sorted(path.name for path in world.pool.iterdir())


def test_all_of_a_directory(world: World) -> None:
    places = [on_disk(world, "backend"), on_disk(world, "frontend", "web/frontend")]
    before = digest(world.base / "src")
    done = run(world, "../src")
    lines = [f"imported {path.name} from {path} (default branch: main)\n" for path in places]
    assert (done.code, done.out) == (0, "".join(lines))
    assert digest(world.base / "src") == before
    assert pool_names(world) == [".orbit", "README.md", "backend", "frontend"]
    assert world.orbit("sync").out.count("already up to date") == 2
    assert [row["incomplete"] for row in world.orbit("repos", "--json").json()] == [True, True]


def test_one_clone_under_another_name(world: World) -> None:
    path = on_disk(world, "backend")
    done = run(world, str(path), "--name", "service")
    assert done == Outcome(0, f"imported service from {path} (default branch: main)\n", "")
    on_disk(world, "frontend")
    several = run(world, "../src", "--name", "x")
    assert several == Outcome(2, "", "orbit: import-dir: --name takes one clone, and 2 were found\n")
    assert run(world, str(path), "--name=../x").err == "orbit: import-dir: not a repository name: ../x\n"


def test_a_dry_run_changes_nothing(world: World) -> None:
    path = on_disk(world, "backend")
    world.git(path, "commit", "-q", "--allow-empty", "-m", "mine")
    fresh = world.base / "fresh"
    fresh.mkdir()
    done = run(world, "../src", "--dry-run", cwd=fresh)
    assert done == Outcome(
        0,
        f"would import backend from {path} (default branch: main)\n",
        f"orbit: backend: only {path} has 1 unpushed commits on main\n",
    )
    assert os.listdir(fresh) == []


def test_outside_a_project_it_makes_one(world: World) -> None:
    on_disk(world, "backend")
    fresh = world.base / "fresh"
    fresh.mkdir()
    assert run(world, "../src", cwd=fresh).code == 0
    assert sorted(os.listdir(fresh / ".repos")) == [".orbit", "README.md", "backend"]


def test_again_takes_only_what_is_new(world: World) -> None:
    first = on_disk(world, "backend")
    run(world, "../src")
    second = on_disk(world, "frontend")
    done = run(world, "../src")
    assert (done.code, done.out) == (0, f"imported frontend from {second} (default branch: main)\n")
    assert f"orbit: backend: same origin already in the pool, {first} is not imported\n" in done.err


def test_another_transport_is_the_same_origin(world: World) -> None:
    paths = [on_disk(world, "backend"), on_disk(world, "backend", "second")]
    for path, url in zip(paths, ("https://u:t@Example.com/team/a.git", "git@example.com:team/a"), strict=True):
        world.git(path, "remote", "set-url", "origin", url)
    done = run(world, "../src")
    assert done.out == f"imported a from {paths[0]} (default branch: main)\n"
    assert f"orbit: a: {paths[1]} has the same origin as {paths[0]}, imported once\n" in done.err


def test_a_name_that_is_taken_is_refused_and_the_others_go_on(world: World) -> None:
    world.clone("backend")
    taken, free = on_disk(world, "backend"), on_disk(world, "frontend")
    world.git(taken, "remote", "set-url", "origin", "https://u:secret@example.com/other/backend.git")
    done = run(world, "../src")
    assert (done.code, done.out) == (1, f"imported frontend from {free} (default branch: main)\n")
    assert (
        f"orbit: backend: already in the pool (.repos/backend), with another origin than {taken}: "
        f"another name: orbit import-dir {taken} --name NAME\n"
    ) in done.err
    assert "secret" not in done.err


def test_two_with_one_name(world: World) -> None:
    paths = [on_disk(world, "backend", "a"), on_disk(world, "frontend", "b")]
    for path in paths:
        world.git(path, "remote", "set-url", "origin", f"https://example.com/{path.name}/Utils.git")
    done = run(world, "../src")
    assert (done.code, done.out) == (1, f"imported Utils from {paths[0]} (default branch: main)\n")
    assert f"orbit: Utils: {paths[1]} and {paths[0]} both have this name: another name: " in done.err


def test_what_cannot_be_taken_is_named_and_the_others_go_on(world: World) -> None:
    good = on_disk(world, "good")
    src = world.base / "src"
    (src / "broken" / ".git").mkdir(parents=True)
    world.git(src, "init", "-q", "lonely")
    (src / "dangling").mkdir()
    (src / "dangling/.git").write_text("gitdir: /gone\n")
    (src / "link").symlink_to(world.clone("pooled"))
    (src / "other").symlink_to(world.origin("elsewhere").path)
    elsewhere = world.origins["elsewhere"].path
    done = run(world, "../src")
    assert (done.code, done.out) == (1, f"imported good from {good} (default branch: main)\n")
    assert done.err.splitlines() == [
        f"orbit: {src}/other: a symbolic link to {elsewhere}, not followed: import-dir {elsewhere}",
        f"orbit: {src}/broken: its git config cannot be read (it is missing)",
        f"orbit: {src}/dangling: not a repository that git could read (/gone is not there)",
        f"orbit: {src}/lonely: it has no remote, so nothing to follow: "
        f"orbit clone {src}/lonely takes it with itself as the origin",
    ]


def test_linked_worktrees_and_submodules_are_not_taken_twice(world: World) -> None:
    path = on_disk(world, "backend", "z-main")
    linked = world.base / "src" / "a-linked"
    world.git(path, "worktree", "add", "-q", "-b", "side", str(linked))
    world.git(path, "submodule", "--quiet", "add", world.origin("inner").url, "inner")
    done = run(world, "../src", str(path))
    assert done.out == f"imported backend from {path} (default branch: main)\n"
    assert f"orbit: {linked}: a worktree of {path}, imported once\n" in done.err
    assert f"orbit: {path}/inner: a submodule of {path}, not imported by itself\n" in done.err


def test_a_linked_worktree_alone_is_taken(world: World) -> None:
    path = on_disk(world, "backend")
    world.git(path, "worktree", "add", "-q", "-b", "side", f"{world.base}/linked")
    done = run(world, "../linked")
    assert done.out == f"imported backend from {world.base}/linked (default branch: main)\n"


def test_the_projects_own_are_refused(world: World) -> None:
    world.clone()
    world.workspace()
    tree = world.worktree()
    world.git(world.pool / "backend", "worktree", "add", "-q", "--detach", f"{world.base}/outside")
    where = f"lies in the project, {world.root}, where every directory is a workspace: make the project elsewhere: "
    for given in (".", ".repos", ".repos/backend", "task-01", str(tree)):
        done = run(world, given)
        assert (done.code, done.out) == (1, "")
        target = os.path.realpath(world.root / given)
        assert done.err == f"orbit: {given}: {where}in an empty directory, orbit import-dir {target}\n"
    done = run(world, "../outside")
    assert done == Outcome(1, "", f"orbit: {world.base}/outside: a worktree of this project's own pool\n")


def test_a_directory_above_the_project_is_searched_without_it(world: World) -> None:
    world.clone("pooled")
    world.workspace()
    world.worktree(name="pooled")
    path = on_disk(world, "backend")
    assert run(world, str(world.base)).out == f"imported backend from {path} (default branch: main)\n"


def test_where_a_new_project_would_hold_the_clones(world: World) -> None:
    on_disk(world, "backend")
    done = run(world, ".", cwd=world.base / "src")
    assert (done.code, done.out) == (1, "")
    assert "lies in the place of the new project" in done.err
    assert os.listdir(world.base / "src") == ["backend"]


def test_what_is_no_directory(world: World) -> None:
    (world.base / "file").write_text("")
    (world.base / "nothing").mkdir()
    done = run(world, "../gone", "../file", "../nothing", "")
    assert done == Outcome(
        1,
        "",
        "orbit: ../gone: no such directory\norbit: ../file: not a directory\n"
        "orbit: ../nothing: no git repository in it, nor in the 2 levels of directories below\n"
        "orbit: (empty): no such directory\n",
    )
    assert run(world).code == 2


def held_up(world: World, script: str) -> dict[str, str | None]:
    """An environment in which git waits where it writes the files of a new clone."""
    settings = world.base / "filter"
    settings.write_text(f'[filter "slow"]\n\tsmudge = "{script.replace(chr(34), chr(92) + chr(34))}"\n')
    return {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "include.path", "GIT_CONFIG_VALUE_0": str(settings)}


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_import_leaves_nothing(world: World, ending: signal.Signals) -> None:
    world.origin("backend", {".gitattributes": "*.txt filter=slow\n", "a.txt": "a"})
    path = on_disk(world, "backend")
    before = digest(path)
    gate = Gate(world.base)
    with environment(held_up(world, gate.script)):
        process = start_orbit(world, "import-dir", str(path), cwd=world.root)
        gate.wait()
    if ending == signal.SIGKILL:
        kill(process)
    else:
        process.send_signal(ending)
    gate.close()
    process.wait()
    assert digest(path) == before
    assert "backend" not in pool_names(world)
    if ending != signal.SIGKILL:
        assert os.listdir(world.pool) == []
    assert run(world, str(path)).code == 0
    assert pool_names(world) == [".orbit", "README.md", "backend"]


def test_a_hint_can_be_pasted(world: World) -> None:
    world.origin("backend")
    world.git(world.base, "init", "-q", "a clone")
    done = run(world, "../a clone")
    assert done.err == (
        f"orbit: {world.base}/a clone: it has no remote, so nothing to follow: "
        f"orbit clone '{world.base}/a clone' takes it with itself as the origin\n"
    )

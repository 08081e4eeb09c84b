"""One clone: what is refused before git sees it, what is left when it fails, what is in place when it does not."""

from __future__ import annotations

import errno
import fcntl
import os
import threading
from pathlib import Path

import pytest

import lfs
from orbit.errors import OrbitError
from orbit.git.files import read_symref
from orbit.places import Project
from orbit.pool.clone import CloneRequest, Staging, checked_request, clone_one, require_free_name, sweep
from orbit.pool.index import IndexEntry, read_index, record_entry
from world import World, environment, run_git

URL = "https://example.com/team/backend.git"


@pytest.fixture
def project(world: World) -> Project:
    return Project(str(world.root))


def asked(world: World, url: str, **options: str) -> CloneRequest:
    return CloneRequest(url=url, directory=str(world.base), **options)


def left(world: World) -> list[str]:
    """Everything in the pool and beside it."""
    return sorted(str(path.relative_to(world.root)) for path in (*world.root.iterdir(), *world.pool.iterdir()))


@pytest.mark.parametrize(
    ("url", "name"),
    [
        (URL, "backend"),
        ("git@example.com:team/back.end.git", "back.end"),
        ("/srv/git/backend.git/", "backend"),
        ("https://user:token@example.com/backend", "backend"),
    ],
)
def test_the_name_comes_from_the_url(url: str, name: str) -> None:
    assert checked_request(CloneRequest(url=url, directory="/")).name == name


def test_a_given_name_stands() -> None:
    assert checked_request(CloneRequest(url=URL, directory="/", name="other")).name == "other"


NAME_RULE = "(letters, digits, '.', '_', '-', not first '.' or '-')"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"url": ""}, "a URL cannot be empty"),
        ({"url": "--upload-pack=touch made"}, "URL refused: --upload-pack=touch made: a URL cannot begin with '-'"),
        (
            {"url": "ext::sh -c touch% made"},
            "URL refused: ext::sh -c touch% made: the transport ext:: is refused, it runs a program",
        ),
        ({"url": "fd::7"}, "URL refused: fd::7: the transport fd:: is refused, it runs a program"),
        ({"url": "a\nb"}, "URL refused: a b: a URL cannot hold control characters"),
        ({"push": "ext::x"}, "--push refused: ext::x: the transport ext:: is refused, it runs a program"),
        ({"push": "-x"}, "--push refused: -x: a URL cannot begin with '-'"),
        ({"branch": "-x"}, "--branch refused: a value cannot begin with '-'"),
        ({"filter": "--x"}, "--filter refused: a value cannot begin with '-'"),
        ({"depth": "-1"}, "--depth refused: a value cannot begin with '-'"),
        ({"depth": "0"}, "--depth must be a positive decimal integer, not 0"),
        ({"depth": "1x"}, "--depth must be a positive decimal integer, not 1x"),
        ({"depth": "9" * 5000}, "--depth must be a positive decimal integer, not " + "9" * 5000),
        (
            {"depth": "\N{ARABIC-INDIC DIGIT ONE}"},
            "--depth must be a positive decimal integer, not \N{ARABIC-INDIC DIGIT ONE}",
        ),
        ({"url": "https://example.com"}, f"not a repository name: (empty) {NAME_RULE}"),
        ({"url": "https://user:secret@example.com"}, f"not a repository name: (empty) {NAME_RULE}"),
        ({"url": "https://example.com/a b"}, f"not a repository name: a b {NAME_RULE}"),
        ({"url": "https://example.com/.hidden"}, f"not a repository name: .hidden {NAME_RULE}"),
        ({"name": "../up"}, f"not a repository name: ../up {NAME_RULE}"),
        ({"name": "-x"}, f"not a repository name: -x {NAME_RULE}"),
        ({"name": "caf\xe9"}, f"not a repository name: caf\xe9 {NAME_RULE}"),
        ({"name": "a\x1b[31mb"}, f"not a repository name: ab {NAME_RULE}"),
    ],
)
def test_refused_before_git_sees_it(fields: dict[str, str], message: str) -> None:
    with pytest.raises(OrbitError) as caught:
        checked_request(CloneRequest(**{"url": URL, "directory": "/", **fields}))
    assert caught.value.message == message
    named = "not a repository name" in message
    assert caught.value.hint == ("choose one with: orbit clone URL --name NAME" if named else "")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Backend", "already in the pool (.repos/Backend)"),
        ("backend", "the pool has Backend, names may not differ by case only"),
        ("plain", "already in the pool (.repos/plain)"),
        ("README.md", "already in the pool (.repos/README.md)"),
        ("readme.MD", "the pool has README.md, names may not differ by case only"),
    ],
)
def test_a_name_is_taken_in_any_case(world: World, project: Project, name: str, message: str) -> None:
    world.clone("Backend")
    (world.pool / "plain").mkdir()
    with pytest.raises(OrbitError) as caught:
        require_free_name(project, name)
    assert (caught.value.context, caught.value.message) == (name, message)


def test_a_name_is_free_where_there_is_no_pool(tmp_path: Path) -> None:
    require_free_name(Project(str(tmp_path)), "backend")


def test_a_clone_is_complete(world: World, project: Project) -> None:
    origin = world.origin()
    origin.branch("other")
    cloned = clone_one(project, asked(world, origin.url))
    clone = world.pool / "backend"
    assert (cloned.name, cloned.branch, cloned.notices) == ("backend", "main", ())
    assert left(world) == [".repos", ".repos/.orbit", ".repos/README.md", ".repos/backend"]
    assert world.git(clone, "branch", "--all", "--format=%(refname)").split("\n") == [
        "refs/heads/main",
        "refs/remotes/origin/HEAD",
        "refs/remotes/origin/main",
    ]
    config = {"remote.origin.fetch": "+refs/heads/*:refs/remotes/origin/*", "fetch.prune": "true"}
    for key, value in {**config, "push.default": "upstream", "branch.main.merge": "refs/heads/main"}.items():
        assert world.git(clone, "config", "--local", "--get-all", key) == value
    assert read_index(project).entries == {"backend": IndexEntry(url=origin.url, head=origin.sha())}
    assert not (world.pool / ".backend.md").exists()


@pytest.mark.parametrize(
    ("mode", "fetch"),
    [("once", "+refs/heads/*:refs/remotes/origin/*"), ("never", "+refs/heads/main:refs/remotes/origin/main")],
)
def test_managed_config_is_a_setting(world: World, project: Project, mode: str, fetch: str) -> None:
    (world.pool / ".orbit").write_text(f"[git]\n\tfetchAllBranches = {mode}\n")
    clone_one(project, asked(world, world.origin().url))
    assert world.git(world.pool / "backend", "config", "--get-all", "remote.origin.fetch") == fetch


def test_a_chosen_branch_is_tracked(world: World, project: Project) -> None:
    origin = world.origin()
    origin.branch("release/1.x")
    tip = origin.commit({"x": "x"}, branch="release/1.x")
    cloned = clone_one(project, asked(world, origin.url, branch="release/1.x"))
    clone = world.pool / "backend"
    assert cloned.branch == "release/1.x"
    assert read_symref(str(clone / ".git"), "refs/remotes/origin/HEAD") == "refs/remotes/origin/release/1.x"
    assert world.git(clone, "config", "orbit.branch") == "release/1.x"
    assert read_index(project).entries["backend"].head == tip


def test_options_reach_git(world: World, project: Project) -> None:
    origin = world.origin()
    world.git(origin.path, "config", "uploadpack.allowFilter", "true")
    url = f"file://{origin.url}"
    push = "https://user:token@example.com/fork.git"
    clone_one(project, asked(world, url, name="shallow", depth="1", push=push))
    clone_one(project, asked(world, url, name="blobless", filter="blob:none"))
    shallow = world.pool / "shallow"
    assert world.git(shallow, "rev-list", "--count", "HEAD") == "1"
    assert world.git(shallow, "remote", "get-url", "--push", "origin") == push
    assert world.git(world.pool / "blobless", "config", "remote.origin.partialclonefilter") == "blob:none"
    assert "token" not in (world.pool / ".orbit").read_text()


def test_credentials_stay_in_git_s_own_config(world: World, project: Project) -> None:
    url = f"file://user:secret@localhost{world.origin().url}"
    rewrite = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": f"url.{world.remotes}/.insteadOf"}
    with environment({**rewrite, "GIT_CONFIG_VALUE_0": f"file://user:secret@localhost{world.remotes}/"}):
        clone_one(project, asked(world, url))
    assert world.git(world.pool / "backend", "config", "remote.origin.url") == url
    assert read_index(project).entries["backend"].url == f"file://localhost{world.origins['backend'].url}"
    assert "secret" not in (world.pool / ".orbit").read_text()


def test_an_empty_remote_is_accepted(world: World, project: Project) -> None:
    origin = world.origin("empty", empty=True)
    cloned = clone_one(project, asked(world, origin.url))
    assert (cloned.branch, cloned.notices) == ("main", ())
    assert read_index(project).entries == {"empty": IndexEntry(url=origin.url)}
    fetch = world.git(world.pool / "empty", "config", "remote.origin.fetch")
    assert fetch == "+refs/heads/*:refs/remotes/origin/*"


def test_lfs_that_is_not_installed_does_not_stop_a_clone(world: World, project: Project) -> None:
    url = world.origin("media", lfs.FILES).url
    with lfs.configured_and_missing(world):
        clone_one(project, asked(world, url))
    assert (world.pool / "media" / "a.bin").read_text() == "pointer\n"


def unclear(world: World, case: str) -> tuple[CloneRequest, str]:
    """A remote that gives the pool no branch to follow, and what is said of it."""
    origin = world.origin()
    side = world.git(origin.path, "commit-tree", "-m", "Side", "-p", "main", "main^{tree}")
    if case == "tag":
        world.git(origin.path, "tag", "v1")
        return asked(world, origin.url, branch="v1"), "v1 is a tag, the pool follows branches"
    if case == "HEAD of nothing":
        world.git(origin.path, "symbolic-ref", "HEAD", "refs/heads/gone")
        why = "its default branch gone does not exist (the remote has main)"
    elif case == "many branches":
        for number in range(6):
            origin.branch(f"b{number}")
        world.git(origin.path, "symbolic-ref", "HEAD", "refs/heads/gone")
        why = "its default branch gone does not exist (the remote has b0, b1, b2, b3, b4, ...)"
    else:
        world.git(origin.path, "update-ref", "--no-deref", "HEAD", side)
        why = "it names none (the remote has main)"
    return asked(world, origin.url), f"which branch to follow is not clear, {why}"


@pytest.mark.parametrize("case", ["tag", "HEAD of nothing", "many branches", "detached HEAD"])
def test_a_clone_that_would_follow_no_branch(world: World, project: Project, case: str) -> None:
    request, message = unclear(world, case)
    with pytest.raises(OrbitError) as caught:
        clone_one(project, request)
    assert (caught.value.context, caught.value.message) == ("backend", message)
    assert caught.value.hint == ("" if case == "tag" else "choose one with: orbit clone URL --branch NAME")
    assert left(world) == [".repos"]


def test_a_card_that_outlived_its_clone_is_not_called_fresh(world: World, project: Project) -> None:
    world.origin()
    (world.pool / ".backend.md").write_text("# backend\n\nWhat it is.\n")
    record_entry(project, "backend", IndexEntry(head="1" * 40, brief="What it is."))
    clone_one(project, asked(world, world.origins["backend"].url))
    assert read_index(project).entries["backend"].head == "1" * 40


@pytest.mark.parametrize("obstacle", ["no file can be replaced", "no lock can be made"])
def test_an_index_that_cannot_be_written_does_not_undo_the_clone(world: World, project: Project, obstacle: str) -> None:
    if obstacle == "no lock can be made":
        (world.pool / ".orbit").symlink_to("/nowhere/index")
    else:
        (world.pool / ".orbit.new").mkdir()
    cloned = clone_one(project, asked(world, world.origin().url))
    (notice,) = cloned.notices
    assert notice.line.startswith("orbit: .repos/.orbit: cannot be used (backend is not recorded, cannot be ")
    assert (world.pool / "backend" / "README.md").exists()
    assert read_index(project).entries == {}


def test_the_project_comes_last(world: World) -> None:
    """A clone that fails makes none, and one that works leaves nothing else."""
    root = world.base / "fresh"
    root.mkdir()
    project = Project(str(root))
    with pytest.raises(OrbitError):
        clone_one(project, asked(world, "/nowhere/backend"))
    assert list(root.iterdir()) == []
    seen: list[list[str]] = []
    clone_one(project, asked(world, f"file://{world.origin().url}"), lambda _: seen.append(os.listdir(root)))
    assert seen
    assert all(len(names) == 1 and names[0].startswith(".clone-") for names in seen)
    assert os.listdir(root) == [".repos"]
    assert sorted(os.listdir(root / ".repos")) == [".orbit", "README.md", "backend"]


def test_the_first_of_two_has_the_name(world: World, project: Project) -> None:
    """Both began when it was free; the second finds it taken at the last moment, and leaves nothing."""
    url = f"file://{world.origin().url}"
    again: list[str] = []

    def meanwhile(_: str) -> None:
        if not again:
            again.append("once")
            clone_one(project, asked(world, url, name="Backend"))

    with pytest.raises(OrbitError, match="the pool has Backend, names may not differ by case only"):
        clone_one(project, asked(world, url), meanwhile)
    assert left(world) == [".repos", ".repos/.orbit", ".repos/Backend", ".repos/README.md"]
    assert set(read_index(project).entries) == {"Backend"}


def test_many_at_once_all_arrive(world: World, project: Project) -> None:
    url = world.origin().url
    names = [f"r{number}" for number in range(8)]
    threads = [
        threading.Thread(target=clone_one, args=(project, asked(world, url, name=name)))
        for name in [*names, "r0", "R1"]
    ]
    problems: list[str] = []
    threading.excepthook, before = lambda args: problems.append(str(args.exc_value)), threading.excepthook
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    threading.excepthook = before
    assert len(problems) == 2, problems
    assert {name.lower() for name in read_index(project).entries} == set(names)
    assert len(left(world)) == 3 + len(names)


def staging_directory(parent: Path, name: str) -> Path:
    path = parent / name
    (path / "backend" / ".git").mkdir(parents=True)
    return path


def test_what_a_killed_clone_left_is_swept(world: World, project: Project) -> None:
    dead = staging_directory(world.pool, ".clone-12345-0123abcd")
    alive = staging_directory(world.pool, ".clone-12346-0123abcd")
    (world.pool / ".clone-card.md").write_text("the card of a repository called clone-card")
    (world.pool / ".clone-link").symlink_to(world.base)
    holding = os.open(alive, os.O_RDONLY)
    fcntl.flock(holding, fcntl.LOCK_EX)
    assert sweep(project.pool) == [dead.name]
    assert sorted(path.name for path in world.pool.iterdir()) == [
        ".clone-12346-0123abcd",
        ".clone-card.md",
        ".clone-link",
    ]
    os.close(holding)
    assert sweep(project.pool) == [alive.name]
    assert world.base.exists()
    assert sweep(f"{project.pool}/missing") == []


def test_the_next_clone_sweeps_and_touches_nothing_of_the_user_s(world: World) -> None:
    root = world.base / "fresh"
    root.mkdir()
    staging_directory(root, ".clone-12345-0123abcd")
    mine = [".clone-notes", ".clone-1-0123abcd.txt", ".clone-x-0123abcd", ".clone-1-0123ABCD", ".clone-12345-"]
    for name in mine:
        staging_directory(root, name)
    clone_one(Project(str(root)), asked(world, world.origin().url))
    assert sorted(os.listdir(root)) == sorted([*mine, ".repos"])


def test_a_staging_directory_goes_whatever_happens(world: World) -> None:
    staging = Staging(str(world.pool))

    def work() -> None:
        with staging:
            (Path(staging.path) / "half").mkdir()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        work()
    assert os.listdir(world.pool) == []
    with pytest.raises(OrbitError, match=r"cannot clone into it \(No such file or directory\)"), Staging("/nowhere"):
        pass


def test_a_template_of_the_user_s_comes_with_the_clone(world: World, project: Project) -> None:
    """It is the user's own wish about every clone; only what runs during orbit's checkout does not."""
    template = world.base / "template"
    (template / "hooks").mkdir(parents=True)
    hook = template / "hooks" / "post-checkout"
    hook.write_text(f"#!/bin/sh\ntouch {world.base}/ran\nexit 1\n")
    hook.chmod(0o755)
    with environment({"GIT_TEMPLATE_DIR": str(template)}):
        clone_one(project, asked(world, world.origin().url))
    assert (world.pool / "backend" / ".git" / "hooks" / "post-checkout").exists()
    assert not (world.base / "ran").exists()


def test_a_repository_of_another_object_format(world: World, project: Project) -> None:
    path = world.remotes / "modern.git"
    run_git(world.remotes, "init", "-q", "--bare", "--object-format=sha256", str(path))
    tree = run_git(path, "hash-object", "-t", "tree", "-w", "--stdin")
    commit = run_git(path, "commit-tree", "-m", "First", tree)
    run_git(path, "update-ref", "refs/heads/main", commit)
    assert clone_one(project, asked(world, str(path))).branch == "main"
    assert read_index(project).entries["modern"].head == commit


def test_a_relative_push_url_starts_where_the_caller_stands(world: World, project: Project) -> None:
    world.origin()
    world.git(world.remotes, "init", "-q", "--bare", "fork.git")
    clone_one(project, asked(world, "remotes/backend.git", push="remotes/fork.git"))
    pushed = world.git(world.pool / "backend", "remote", "get-url", "--push", "origin")
    assert pushed == str(world.remotes / "fork.git")


def test_a_staging_directory_that_cannot_be_removed_does_not_undo_the_clone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What `rmtree` does not ignore. The next clone sweeps it."""

    def failing(descriptor: int) -> os.stat_result:
        raise OSError(errno.ESTALE, os.strerror(errno.ESTALE))

    with Staging(str(tmp_path)) as staging:
        Path(staging.path, "file").touch()
        monkeypatch.setattr(os, "fstat", failing)
    monkeypatch.undo()
    assert sweep(str(tmp_path)) == [os.path.basename(staging.path)]
    assert os.listdir(tmp_path) == []

"""One clone on disk taken into the pool: what the pool clone is, what the source still is, and what is refused."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import lfs
from disk import digest
from orbit.errors import OrbitError
from orbit.places import Project
from orbit.pool.index import read_index
from orbit.pool.intake import Source, read_source, take_in
from world import World, environment, fast_import


@pytest.fixture
def project(world: World) -> Project:
    return Project(str(world.root))


def clone(world: World, *words: str, url: str = "") -> Path:
    """A clone on disk, outside the project."""
    origin = world.origins.get("backend") or world.origin()
    world.git(world.base, "clone", "-q", *words, url or origin.url, "src")
    return world.base / "src"


def take(project: Project, path: Path) -> Source:
    source = read_source(str(path))
    take_in(project, source, read_index(project).settings)
    return source


def config(world: World, path: Path) -> list[str]:
    return sorted(world.git(path, "config", "--local", "--list").split("\n"))


def refs(world: World, path: Path) -> set[str]:
    return set(world.git(path, "for-each-ref", "--format=%(refname) %(objectname) %(symref)").split("\n"))


def test_it_is_what_clone_would_have_made(world: World, project: Project) -> None:
    path = clone(world)
    before = digest(path)
    cloned = world.orbit("clone", world.origins["backend"].url, "--name", "asked")
    assert cloned.code == 0
    take(project, path)
    assert digest(path) == before
    taken, asked = world.pool / "backend", world.pool / "asked"
    assert config(world, taken) == config(world, asked)
    assert refs(world, taken) == refs(world, asked)
    assert (taken / "src/app.py").read_bytes() == (asked / "src/app.py").read_bytes()
    assert world.git(taken, "status", "--porcelain", "--branch") == "## main...origin/main"
    entries = read_index(project).entries
    assert entries["backend"] == entries["asked"]
    world.git(taken, "fsck", "--strict", "--no-dangling")


def test_it_stands_on_its_own(world: World, project: Project) -> None:
    lender = clone(world)
    world.git(world.base, "clone", "-q", "--shared", str(lender), "borrower")
    borrower = world.base / "borrower"
    world.git(borrower, "remote", "set-url", "origin", world.origins["backend"].url)
    take(project, borrower)
    assert not (world.pool / "backend/.git/objects/info/alternates").exists()
    shutil.rmtree(lender)
    shutil.rmtree(borrower)
    world.git(world.pool / "backend", "fsck", "--strict", "--no-dangling")
    assert world.orbit("sync").out == "backend: already up to date\n"


def test_objects_are_shared_files(world: World, project: Project) -> None:
    path = clone(world, "--no-local")
    take(project, path)
    packs = list((world.pool / "backend/.git/objects/pack").glob("*.pack"))
    assert packs
    assert all(pack.samefile(path / ".git/objects/pack" / pack.name) for pack in packs)


def test_what_is_local_stays_and_is_named(world: World, project: Project) -> None:
    world.origin().branch("release/1.x")
    path = clone(world)
    world.git(path, "tag", "published")
    world.git(path, "checkout", "-q", "-b", "feat/x")
    for _ in range(2):
        world.git(path, "commit", "-q", "--allow-empty", "-m", "mine")
    world.git(path, "tag", "-m", "t", "mine")
    (path / "README.md").write_text("changed\n")
    world.git(path, "stash", "-q")
    before = digest(path)
    source = take(project, path)
    assert digest(path) == before
    assert source.local == ("2 unpushed commits on feat/x", "a stash", "1 tags on unpushed commits")
    names = {line.split(" ")[0] for line in refs(world, world.pool / "backend")}
    assert names == {
        *("refs/heads/main", "refs/tags/published"),
        *(f"refs/remotes/origin/{name}" for name in ("HEAD", "main", "release/1.x")),
    }


def test_the_pool_gets_what_was_fetched_last_not_what_is_checked_out(world: World, project: Project) -> None:
    path = clone(world)
    world.git(path, "commit", "-q", "--allow-empty", "-m", "mine")
    fetched = world.origins["backend"].commit({"new.txt": "new\n"})
    world.git(path, "fetch", "-q")
    later = world.origins["backend"].commit({"later.txt": "later\n"})
    take(project, path)
    assert world.git(world.pool / "backend", "rev-parse", "HEAD") == fetched != later
    assert (world.pool / "backend/new.txt").read_text() == "new\n"


def set_head(world: World, path: Path) -> None:
    world.git(path, "remote", "set-head", "origin", "trunk")


def follow(world: World, path: Path) -> None:
    world.git(path, "remote", "set-head", "origin", "--delete")
    world.git(path, "checkout", "-q", "-b", "work", "--track", "origin/trunk")


def check_out(world: World, path: Path) -> None:
    world.git(path, "remote", "set-head", "origin", "--delete")
    world.git(path, "checkout", "-q", "--no-track", "-b", "trunk", "origin/trunk")


def keep_only(world: World, path: Path) -> None:
    world.git(path, "remote", "set-head", "origin", "--delete")
    world.git(path, "update-ref", "-d", "refs/remotes/origin/main")
    world.git(path, "checkout", "-q", "--detach")


@pytest.mark.parametrize("settle", [set_head, follow, check_out, keep_only])
def test_the_branch_to_follow(world: World, project: Project, settle: object) -> None:
    world.origin().branch("trunk")
    world.origins["backend"].commit({"t": "t"}, branch="trunk")
    path = clone(world)
    assert callable(settle)
    settle(world, path)
    assert take(project, path).branch == "trunk"
    taken = world.pool / "backend"
    assert world.git(taken, "symbolic-ref", "HEAD") == "refs/heads/trunk"
    assert world.git(taken, "symbolic-ref", "refs/remotes/origin/HEAD") == "refs/remotes/origin/trunk"
    assert (taken / "t").read_text() == "t"


def test_which_branch_is_not_clear(world: World) -> None:
    world.origin().branch("trunk")
    path = clone(world)
    world.git(path, "remote", "set-head", "origin", "--delete")
    world.git(path, "checkout", "-q", "--detach")
    with pytest.raises(OrbitError, match=r"which branch to follow is not clear .origin has main, trunk.") as caught:
        read_source(str(path))
    assert caught.value.hint == f"git -C {path} remote set-head origin BRANCH settles it"


def test_credentials_stay_in_the_config_only(world: World, project: Project) -> None:
    path = clone(world)
    url = "https://me:token@example.com/team/service.git"
    world.git(path, "remote", "set-url", "origin", url)
    world.git(path, "remote", "set-url", "--push", "origin", "git@example.com:team/service.git")
    take(project, path)
    taken = world.pool / "service"
    assert world.git(taken, "config", "remote.origin.url") == url
    assert world.git(taken, "remote", "get-url", "--push", "origin") == "git@example.com:team/service.git"
    assert read_index(project).entries["service"].url == "https://example.com/team/service.git"
    assert "token" not in Path(project.index).read_text()


def test_a_relative_origin_becomes_absolute(world: World, project: Project) -> None:
    path = clone(world)
    world.git(path, "remote", "set-url", "origin", "../remotes/backend.git")
    take(project, path)
    assert world.git(world.pool / "backend", "config", "remote.origin.url") == world.origins["backend"].url
    assert world.orbit("sync").out == "backend: already up to date\n"


@pytest.mark.parametrize("url", ["ext::sh -c touch% made", "-oops", "fd::7"])
def test_an_origin_that_runs_a_program_is_refused(world: World, url: str) -> None:
    path = clone(world)
    world.git(path, "config", "remote.origin.url", url)
    with pytest.raises(OrbitError, match="its origin is refused"):
        read_source(str(path))


def test_the_only_remote_may_have_another_name(world: World, project: Project) -> None:
    path = clone(world, "-o", "upstream")
    assert take(project, path).remote == "upstream"
    names = {line.split(" ")[0] for line in refs(world, world.pool / "backend")}
    assert "refs/remotes/origin/main" in names
    assert not any("upstream" in name for name in names)


def test_without_an_origin(world: World) -> None:
    path = clone(world)
    world.git(path, "remote", "rename", "origin", "a")
    world.git(path, "remote", "add", "b", "/b")
    with pytest.raises(OrbitError, match=r"none of its remotes .a, b. is named origin"):
        read_source(str(path))
    for remote in "ab":
        world.git(path, "remote", "remove", remote)
    with pytest.raises(OrbitError, match="it has no remote, so nothing to follow"):
        read_source(str(path))


def test_an_empty_one(world: World, project: Project) -> None:
    url = world.origin("blank", empty=True).url
    path = clone(world, url=url)
    source = take(project, path)
    taken = world.pool / "blank"
    assert (source.branch, source.refs.branches) == ("main", {})
    assert world.git(taken, "symbolic-ref", "HEAD") == "refs/heads/main"
    assert config(world, taken) == sorted(
        [
            *("core.repositoryformatversion=0", "core.filemode=true", "core.bare=false", "core.logallrefupdates=true"),
            *(f"remote.origin.url={url}", "remote.origin.fetch=+refs/heads/*:refs/remotes/origin/*"),
            *("branch.main.remote=origin", "branch.main.merge=refs/heads/main"),
            *("fetch.prune=true", "push.default=upstream"),
        ]
    )


def test_nothing_was_ever_fetched(world: World) -> None:
    path = world.base / "new"
    world.git(world.base, "init", "-q", str(path))
    world.git(path, "remote", "add", "origin", "https://u:p@example.com/r.git")
    with pytest.raises(OrbitError, match="nothing was fetched yet") as caught:
        read_source(str(path))
    assert caught.value.hint == "orbit clone https://example.com/r.git"


def test_shallow_and_partial_clones_stay_so(world: World, project: Project) -> None:
    origin = world.origin()
    world.git(origin.path, "config", "uploadpack.allowFilter", "true")
    path = clone(world, "--depth=1", "--filter=blob:none", url=f"file://{origin.path}")
    take(project, path)
    taken = world.pool / "backend"
    assert world.git(taken, "rev-list", "--count", "HEAD") == "1"
    assert world.git(taken, "config", "remote.origin.partialclonefilter") == "blob:none"
    assert world.git(taken, "config", "extensions.partialclone") == "origin"
    new = origin.commit({"big": "b"})
    assert world.orbit("sync").out == "backend: fast-forwarded 1 commits → origin/main\n"
    assert world.git(taken, "rev-parse", "HEAD") == new


def test_another_object_format(world: World, project: Project) -> None:
    remote = world.remotes / "new.git"
    world.git(world.base, "init", "-q", "--bare", "--object-format=sha256", str(remote))
    fast_import(remote, "main", {"a": "a"}, "one", world.tick())
    take(project, clone(world, url=str(remote)))
    assert len(world.git(world.pool / "new", "rev-parse", "HEAD")) == 64
    assert world.orbit("sync").out == "new: already up to date\n"


def test_linked_worktrees_bare_and_mirrored_ones(world: World, project: Project) -> None:
    path = clone(world)
    world.git(path, "worktree", "add", "-q", "-b", "side", f"{world.base}/linked")
    assert read_source(f"{world.base}/linked").name == "backend"
    url = world.origins["backend"].url
    world.git(world.base, "clone", "-q", "--bare", url, "bare.git")
    with pytest.raises(OrbitError, match="a bare repository that keeps no branches of its origin") as caught:
        read_source(f"{world.base}/bare.git")
    assert caught.value.hint == f"orbit clone {url}"
    world.git(world.base, "clone", "-q", "--mirror", url, "mirror.git")
    take(project, world.base / "mirror.git")
    assert (world.pool / "backend/README.md").exists()


def test_a_submodule_named_outright(world: World, project: Project) -> None:
    top = world.base / "top"
    world.git(world.base, "init", "-q", str(top))
    world.git(top, "submodule", "--quiet", "add", world.origin().url, "inner")
    before = digest(top)
    take(project, top / "inner")
    assert digest(top) == before
    assert world.git(world.pool / "backend", "status", "--porcelain") == ""
    assert "core.worktree" not in "\n".join(config(world, world.pool / "backend"))


def lose_history(path: Path, world: World) -> None:
    tree = world.git(path, "rev-parse", "HEAD~1")
    world.git(path, "unpack-objects", "-q", stdin=b"".join(p.read_bytes() for p in packs(path)))
    (path / ".git/objects" / tree[:2] / tree[2:]).unlink()


def lose_a_file(path: Path, world: World) -> None:
    blob = world.git(path, "rev-parse", "HEAD:README.md")
    world.git(path, "unpack-objects", "-q", stdin=b"".join(p.read_bytes() for p in packs(path)))
    (path / ".git/objects" / blob[:2] / blob[2:]).unlink()


def packs(path: Path) -> list[Path]:
    """The pack moved away, so that its objects can be unpacked."""
    found = list((path / ".git/objects/pack").iterdir())
    aside = path.parent / "aside"
    aside.mkdir()
    for file in found:
        file.rename(aside / file.name)
    return list(aside.glob("*.pack"))


@pytest.mark.parametrize(("harm", "message"), [(lose_history, "is not whole"), (lose_a_file, "writing the files")])
def test_one_that_is_not_whole_leaves_nothing(world: World, project: Project, harm: object, message: str) -> None:
    path = clone(world, "--no-local")
    assert callable(harm)
    harm(path, world)
    source = read_source(str(path))
    with pytest.raises(OrbitError, match=message):
        take_in(project, source, read_index(project).settings)
    assert os.listdir(world.pool) == []


def test_nothing_that_the_source_names_is_run(world: World, project: Project) -> None:
    path = clone(world)
    made = world.base / "made"
    run = f"touch {made}; false"
    for name in ("post-checkout", "reference-transaction", "post-index-change", "pre-auto-gc", "post-merge"):
        hook = path / ".git/hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\n{run}\n")
        hook.chmod(0o755)
    (path / ".git/info").mkdir(exist_ok=True)
    (path / ".git/info/attributes").write_text("* filter=evil diff=evil\n")
    for key, value in {
        "core.fsmonitor": run,
        "core.hooksPath": f"{path}/.git/hooks",
        "core.sshCommand": run,
        "core.pager": run,
        "core.editor": run,
        "core.askPass": run,
        "core.gitProxy": run,
        "core.alternateRefsCommand": run,
        "core.worktree": str(world.base),
        "uploadpack.packObjectsHook": run,
        "remote.origin.uploadpack": run,
        "remote.origin.vcs": "evil",
        "filter.evil.smudge": run,
        "filter.evil.clean": run,
        "filter.evil.process": run,
        "diff.evil.textconv": run,
        "gpg.program": run,
        "log.showSignature": "true",
        "credential.helper": f"!{run}",
        "alias.log": f"!{run}",
        "include.path": f"{world.base}/more",
        "url.ext::sh.insteadOf": "https://",
    }.items():
        world.git(path, "config", "--file", f"{path}/.git/config", key, value)
    before = digest(path)
    take(project, path)
    assert not made.exists()
    assert digest(path) == before
    assert world.git(world.pool / "backend", "status", "--porcelain") == ""
    kept = "\n".join(config(world, world.pool / "backend"))
    assert "touch" not in kept
    assert "evil" not in kept


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_another_owners_clone_is_copied(world: World, project: Project) -> None:
    path = clone(world)
    for directory, _, names in os.walk(path):
        for name in (directory, *(os.path.join(directory, name) for name in names)):
            os.chown(name, 65534, 65534)
    take(project, path)
    objects = [file for file in (world.pool / "backend/.git/objects").rglob("*") if file.is_file()]
    assert objects
    assert all((file.stat().st_nlink, file.stat().st_uid) == (1, os.geteuid()) for file in objects)


def test_large_files_stay_pointers_and_what_is_on_disk_comes_along(world: World, project: Project) -> None:
    world.origin().commit(lfs.FILES)
    path = clone(world)
    stored = path / ".git/lfs/objects/ab/cd/abcd"
    stored.parent.mkdir(parents=True)
    stored.write_text("large")
    with lfs.configured_and_missing(world):
        take(project, path)
    assert (world.pool / "backend/a.bin").read_text() == "pointer\n"
    assert (world.pool / "backend/.git/lfs/objects/ab/cd/abcd").samefile(stored)


def test_settings_decide_about_managed_config(world: World, project: Project) -> None:
    path = clone(world)
    assert world.orbit("config", "git.fetchAllBranches", "never").code == 0
    take(project, path)
    taken = world.pool / "backend"
    assert world.git(taken, "config", "remote.origin.fetch") == "+refs/heads/main:refs/remotes/origin/main"


def test_no_remote_is_asked(world: World, project: Project) -> None:
    path = clone(world)
    world.git(path, "remote", "set-url", "origin", "https://example.com/team/backend.git")
    with environment({"GIT_ALLOW_PROTOCOL": "none"}):
        take(project, path)
    assert (world.pool / "backend/README.md").exists()


@pytest.mark.parametrize(
    ("url", "directory", "name"),
    [
        ("https://example.com/team/service.git", "src", "service"),
        ("https://example.com", "src", "src"),
        ("https://example.com/~", "src", "src"),
    ],
)
def test_the_name(world: World, url: str, directory: str, name: str) -> None:
    path = clone(world)
    world.git(path, "remote", "set-url", "origin", url)
    assert read_source(str(path)).name == name
    assert read_source(str(path), "given").name == "given"


def test_no_usable_name(world: World) -> None:
    path = clone(world).rename(world.base / "my clone")
    world.git(path, "remote", "set-url", "origin", "https://example.com")
    with pytest.raises(OrbitError, match=r"neither its URL nor its directory has a usable name .none, my clone."):
        read_source(str(path))

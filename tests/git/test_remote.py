"""Talking to a remote: what it has, what is fetched, and how its failures read."""

from __future__ import annotations

from pathlib import Path

import pytest

from orbit.git.files import read_head, read_symref
from orbit.git.remote import (
    RemoteRefs,
    clone,
    default_branch,
    fetch_branches,
    fetch_refspec,
    find_refs,
    list_remote,
    set_default_branch,
)
from orbit.git.run import GitError
from world import SilentServer, World, environment, run_git

SEPARATOR = "\N{LINE SEPARATOR}"


def tracking(directory: Path) -> list[str]:
    return run_git(directory, "for-each-ref", "--format=%(refname:lstrip=3)", "refs/remotes/origin").split("\n")


def test_clone_takes_one_branch_and_a_relative_url_starts_at_the_parent(world: World) -> None:
    world.origin().branch("other")
    clone(str(world.remotes), "backend.git", str(world.base / "made"), [])
    assert tracking(world.base / "made") == ["HEAD", "main"]
    assert world.git(world.base / "made", "config", "remote.origin.url") == world.origins["backend"].url


@pytest.mark.parametrize(
    ("key", "value"),
    [("clone.defaultRemoteName", "upstream"), ("checkout.defaultRemote", "x"), ("submodule.recurse", "true")],
)
def test_clone_is_the_same_for_every_user(world: World, key: str, value: str) -> None:
    extra = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": key, "GIT_CONFIG_VALUE_0": value}
    with environment(extra):
        clone(str(world.base), world.origin().url, str(world.base / "made"), [])
    assert tracking(world.base / "made") == ["HEAD", "main"]


def test_a_user_s_hook_cannot_spoil_a_clone(world: World) -> None:
    hooks = world.base / "hooks"
    hooks.mkdir()
    (hooks / "post-checkout").write_text("#!/bin/sh\nexit 1\n")
    (hooks / "post-checkout").chmod(0o755)
    with environment({"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.hooksPath", "GIT_CONFIG_VALUE_0": str(hooks)}):
        clone(str(world.base), world.origin().url, str(world.base / "made"), [])
    assert (world.base / "made" / "README.md").exists()
    assert "hookspath" not in world.git(world.base / "made", "config", "--list", "--local").lower()


def test_progress_is_handed_on(world: World) -> None:
    heard: list[str] = []
    clone(str(world.base), f"file://{world.origin().url}", str(world.base / "made"), [], heard.append)
    assert any("Receiving objects" in line for line in heard)


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("/nowhere", "/nowhere: no such repository: repository '/nowhere' does not exist"),
        ("git://127.0.0.1:1/r", "git://127.0.0.1:1/r: cannot reach the remote: unable to connect to 127.0.0.1:"),
        (
            "http://user:secret@127.0.0.1:1/r",
            "http://127.0.0.1:1/r: cannot reach the remote: unable to access 'http://127.0.0.1:1/r/': ",
        ),
        ("a\x1b[31mb", "ab: no such repository: repository 'a?[31mb' does not exist"),
    ],
)
def test_a_clone_that_fails_says_why_and_shows_no_secret(world: World, url: str, message: str) -> None:
    with pytest.raises(GitError) as caught:
        clone(str(world.base), url, str(world.base / "made"), [])
    assert caught.value.context == "clone"
    assert caught.value.message.startswith(message)
    assert "secret" not in str(caught.value)
    assert not (world.base / "made").exists()


def test_a_server_that_falls_silent(world: World, silent_server: SilentServer) -> None:
    path = world.clone()
    world.git(path, "remote", "set-url", "origin", silent_server.url)
    with environment({"ORBIT_STALL_SECONDS": "1"}), pytest.raises(GitError) as caught:
        list_remote(str(path))
    assert str(caught.value) == "origin: asking for its branches: the remote stopped answering: no activity for 1 s"
    assert caught.value.kind == "stalled"


def test_what_a_remote_has(world: World) -> None:
    path = str(world.clone())
    origin = world.origins["backend"]
    tip = origin.sha()
    assert list_remote(path) == RemoteRefs({"main": tip}, "main")
    odd = ["release/1.x", "HEAD", "refs/heads/x", f"line{SEPARATOR}break", "caf\udce9", "heads/main"]
    for name in odd:
        world.git(origin.path, "update-ref", f"refs/heads/{name}", tip)
    world.git(origin.path, "update-ref", "refs/notes/refs/heads/not-a-branch", tip)
    world.git(origin.path, "tag", "v1")
    world.git(origin.path, "symbolic-ref", "HEAD", "refs/heads/release/1.x")
    assert list_remote(path) == RemoteRefs(dict.fromkeys(["main", *odd], tip), "release/1.x")


@pytest.mark.parametrize("target", ["refs/heads/gone", "refs/tags/v1"])
def test_a_head_that_names_no_branch_is_no_default(world: World, target: str) -> None:
    path = str(world.clone())
    origin = world.origins["backend"]
    world.git(origin.path, "tag", "v1")
    (origin.path / "HEAD").write_text(f"ref: {target}\n")
    assert list_remote(path).default == ""


def test_an_empty_remote_has_nothing(world: World) -> None:
    world.origin("empty", empty=True)
    world.git(world.base, "clone", "-q", world.origins["empty"].url, "made")
    assert list_remote(str(world.base / "made")) == RemoteRefs({}, "")


def test_refs_asked_for_by_name(world: World) -> None:
    path = str(world.clone())
    world.git(world.origins["backend"].path, "tag", "v1")
    tip = world.origins["backend"].sha()
    found = find_refs(path, ["refs/heads/main", "refs/tags/v1", "refs/heads/gone"])
    assert found == {"refs/heads/main": tip, "refs/tags/v1": tip}


def test_a_quick_look_is_given_up(world: World, silent_server: SilentServer) -> None:
    path = world.clone()
    assert find_refs(str(path), ["refs/heads/main"], within_seconds=60) == {
        "refs/heads/main": world.origins["backend"].sha()
    }
    world.git(path, "remote", "set-url", "origin", silent_server.url)
    with pytest.raises(GitError) as caught:
        find_refs(str(path), ["refs/heads/main"], within_seconds=0.2)
    assert str(caught.value) == "origin: looking for a ref: no answer within 0.2 s"
    world.git(path, "remote", "set-url", "origin", world.origins["backend"].url)
    assert list_remote(str(path)).default == "main"


def test_only_named_branches_come_and_no_tags(world: World) -> None:
    path = world.clone()
    origin = world.origins["backend"]
    origin.branch("wanted")
    tip = origin.commit({"x": "x"}, branch="wanted")
    world.git(origin.path, "tag", "v1", "wanted")
    origin.branch("unwanted", "wanted")
    fetch_branches(str(path), ["wanted", "main"])
    assert tracking(path) == ["HEAD", "main", "wanted"]
    assert world.git(path, "rev-parse", "origin/wanted") == tip
    assert world.git(path, "tag", "--list") == ""


def test_a_rewritten_branch_is_followed(world: World) -> None:
    path = world.clone()
    origin = world.origins["backend"]
    world.git(origin.path, "update-ref", "refs/heads/main", "main~2")
    fetch_branches(str(path), ["main"])
    assert world.git(path, "rev-parse", "origin/main") == origin.sha()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("fetch.recurseSubmodules", "true"),
        ("remote.origin.tagOpt", "--tags"),
        ("fetch.prune", "true"),
        ("remote.origin.fetch", "+refs/heads/*:refs/heads/*"),
        ("fetch.all", "true"),
        ("remote.origin.mirror", "true"),
    ],
)
def test_no_setting_widens_a_fetch(world: World, key: str, value: str) -> None:
    path = world.clone()
    origin = world.origins["backend"]
    origin.branch("other")
    tip = origin.commit({"x": "x"})
    world.git(origin.path, "tag", "v1", "main~1")
    world.git(path, "config", "--replace-all", key, value)
    world.git(path, "update-ref", "refs/remotes/origin/kept", "HEAD")
    fetch_branches(str(path), ["main"])
    assert world.git(path, "rev-parse", "origin/main") == tip
    assert tracking(path) == ["HEAD", "kept", "main"]
    assert world.git(path, "for-each-ref", "--format=%(refname)", "refs/heads", "refs/tags") == "refs/heads/main"


def test_a_branch_that_is_not_there(world: World) -> None:
    path = world.clone()
    with pytest.raises(GitError) as caught:
        fetch_branches(str(path), ["main", "gone"])
    assert caught.value.kind == "no-ref"
    assert str(caught.value) == "origin: fetching: no such ref: couldn't find remote ref refs/heads/gone"


def test_one_thing_by_refspec(world: World) -> None:
    path = world.clone()
    world.git(world.origins["backend"].path, "tag", "v1")
    fetch_refspec(str(path), "refs/tags/v1:refs/tags/v1")
    assert world.git(path, "tag", "--list") == "v1"


def test_the_tracked_branch_as_stored(world: World) -> None:
    path = world.clone()
    world.git(path, "update-ref", "refs/remotes/origin/release/1.x", "HEAD")
    set_default_branch(str(path), "release/1.x")
    assert read_symref(str(path / ".git"), "refs/remotes/origin/HEAD") == "refs/remotes/origin/release/1.x"
    assert default_branch(str(path)) == "release/1.x"


def without_stored_default(world: World) -> Path:
    path = world.clone()
    world.git(path, "symbolic-ref", "--delete", "refs/remotes/origin/HEAD")
    return path


def test_the_default_is_asked_for_and_kept(world: World) -> None:
    path = without_stored_default(world)
    world.git(path, "checkout", "-q", "--detach")
    assert default_branch(str(path)) == "main"
    assert read_symref(str(path / ".git"), "refs/remotes/origin/HEAD") == "refs/remotes/origin/main"


def test_a_default_that_was_never_fetched_is_named_and_not_kept(world: World) -> None:
    path = without_stored_default(world)
    origin = world.origins["backend"]
    origin.branch("trunk")
    world.git(origin.path, "symbolic-ref", "HEAD", "refs/heads/trunk")
    assert default_branch(str(path)) == "trunk"
    assert read_symref(str(path / ".git"), "refs/remotes/origin/HEAD") == ""


def test_offline_the_clone_s_own_branch_has_to_do(world: World) -> None:
    path = without_stored_default(world)
    world.git(path, "remote", "set-url", "origin", "git://127.0.0.1:1/r")
    assert default_branch(str(path)) == "main"
    world.git(path, "remote", "remove", "origin")
    assert default_branch(str(path)) == "main"
    assert read_symref(str(path / ".git"), "refs/remotes/origin/HEAD") == ""


def test_offline_and_detached_there_is_no_telling(world: World) -> None:
    path = without_stored_default(world)
    world.git(path, "remote", "set-url", "origin", "git://127.0.0.1:1/r")
    world.git(path, "checkout", "-q", "--detach")
    with pytest.raises(GitError, match="asking for its branches: cannot reach the remote"):
        default_branch(str(path))


def test_an_empty_clone_has_the_name_of_its_unborn_branch(world: World) -> None:
    world.origin("empty", empty=True)
    path = world.clone("empty")
    head = read_head(str(path))
    assert head is not None
    assert default_branch(str(path)) == head.branch


def test_no_repository_has_no_default(world: World) -> None:
    assert default_branch(str(world.base)) == ""

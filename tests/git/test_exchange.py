"""One branch, fetched and pushed: what moves, what the user's settings may not do, and how refusals read."""

from __future__ import annotations

from pathlib import Path

import pytest

from orbit.git.exchange import Address, BehindError, Pushed, drop_ref, drop_unreachable, fetch_branch, push_branch
from orbit.git.run import GitError
from world import SilentServer, World, environment, fast_import, run_git

MAIN, REF = "refs/heads/main", "refs/orbit/theirs"


@pytest.fixture
def own(world: World) -> Path:
    path = world.base / "own.git"
    run_git(world.base, "init", "-q", "--bare", str(path))
    fast_import(path, "main", {"backend.md": "one\n"}, "one", world.tick())
    return path


@pytest.fixture
def remote(world: World) -> Path:
    path = world.remotes / "cards.git"
    run_git(world.remotes, "init", "-q", "--bare", str(path))
    return path


def address(path: Path | str) -> Address:
    return Address(str(path), "there")


def refs(path: Path) -> list[str]:
    return run_git(path, "for-each-ref", "--format=%(refname)").split()


def tip(path: Path) -> str:
    return run_git(path, "rev-parse", "main")


def test_push_then_fetch(world: World, own: Path, remote: Path) -> None:
    first = tip(own)
    assert push_branch(str(own), address(remote), first, MAIN) == Pushed("", True)
    assert push_branch(str(own), address(remote), first, MAIN) == Pushed(first, False)
    second = fast_import(own, "main", {"web.md": "x\n"}, "two", world.tick())
    pushed = push_branch(str(own), address(remote), second, MAIN)
    assert pushed.moved
    assert first.startswith(pushed.before)
    assert pushed.before
    run_git(own, "tag", "-a", "-m", "x", "v1", "main")
    third = fast_import(remote, "main", {"web.md": "y\n"}, "three", world.tick())
    assert fetch_branch(str(own), address(remote), MAIN, REF) == third
    assert (refs(own), refs(remote)) == (["refs/heads/main", REF, "refs/tags/v1"], ["refs/heads/main"])
    drop_ref(str(own), REF)
    drop_ref(str(own), REF)
    assert REF not in refs(own)


def test_never_by_force(world: World, own: Path, remote: Path) -> None:
    theirs = fast_import(remote, "main", {"web.md": "y\n"}, "other", world.tick())
    for _ in range(2):
        with pytest.raises(BehindError, match="there has cards that are not here yet, nothing was pushed"):
            push_branch(str(own), address(remote), tip(own), MAIN)
        assert tip(remote) == theirs
        fetch_branch(str(own), address(remote), MAIN, REF)


def test_the_users_settings_and_hooks_have_no_say(world: World, own: Path, remote: Path) -> None:
    hooks = world.base / "hooks"
    hooks.mkdir()
    for name in ("pre-push", "reference-transaction", "post-merge"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {world.base}/ran-{name}\nexit 1\n")
        (hooks / name).chmod(0o755)
    settings = {
        "core.hooksPath": str(hooks),
        "core.logAllRefUpdates": "always",
        "push.followTags": "true",
        "push.gpgSign": "true",
        "fetch.prune": "true",
        "remote.pushDefault": "nowhere",
        "push.recurseSubmodules": "only",
        "fetch.recurseSubmodules": "true",
    }
    env: dict[str, str | None] = {"GIT_CONFIG_COUNT": str(len(settings))}
    for number, (key, value) in enumerate(settings.items()):
        env |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    run_git(own, "tag", "-a", "-m", "x", "v1", "main")
    with environment(env):
        assert push_branch(str(own), address(remote), tip(own), MAIN).moved
        fetch_branch(str(own), address(remote), MAIN, REF)
    assert refs(remote) == [MAIN]
    assert [path.name for path in world.base.iterdir() if path.name.startswith("ran-")] == []
    assert not (own / "FETCH_HEAD").exists()
    assert not (own / "logs").exists()


def test_hostile_objects_are_refused_as_they_arrive(world: World, own: Path, remote: Path) -> None:
    blob = run_git(remote, "hash-object", "-w", "--stdin", stdin=b"x\n")
    tree = run_git(
        remote,
        "hash-object",
        "-w",
        "-t",
        "tree",
        "--literally",
        "--stdin",
        stdin=b"100644 .git\0" + bytes.fromhex(blob),
    )
    commit = run_git(remote, "commit-tree", "-m", "x", tree)
    run_git(remote, "update-ref", MAIN, commit)
    with pytest.raises(GitError, match="pulling from there: "):
        fetch_branch(str(own), address(remote), MAIN, REF)
    assert refs(own) == [MAIN]


def test_a_new_remote_has_no_branch(own: Path, remote: Path) -> None:
    with pytest.raises(GitError) as caught:
        fetch_branch(str(own), address(remote), MAIN, REF)
    assert caught.value.kind == "no-ref"


@pytest.mark.parametrize(
    ("hook", "reason"),
    [
        ("pre-receive", "refused: pre-receive hook declined (Only on working days)"),
        ("update", "refused: hook declined (Only on working days)"),
    ],
)
def test_what_the_remote_says(own: Path, remote: Path, hook: str, reason: str) -> None:
    path = remote / "hooks" / hook
    path.parent.mkdir(exist_ok=True)
    path.write_text("#!/bin/sh\necho 'Only on working \033[31mdays' >&2\nexit 1\n")
    path.chmod(0o755)
    with pytest.raises(GitError) as caught:
        push_branch(str(own), address(remote), tip(own), MAIN)
    assert caught.value.message == f"pushing to there: {reason}"
    assert refs(remote) == []


def test_a_checked_out_branch(world: World, own: Path) -> None:
    run_git(world.base, "init", "-q", "work")
    with pytest.raises(GitError, match="refused: branch is currently checked out"):
        push_branch(str(own), address(world.base / "work"), tip(own), MAIN)


def test_another_push_at_the_same_moment(world: World, own: Path, remote: Path) -> None:
    """The remote's branch moves between its answer and ours: the second try finds the truth."""
    push_branch(str(own), address(remote), tip(own), MAIN)
    second = fast_import(own, "main", {"web.md": "x\n"}, "two", world.tick())
    other = world.base / "other.git"
    run_git(world.base, "clone", "-q", "--bare", str(remote), str(other))
    faster = fast_import(other, "main", {"api.md": "x\n"}, "faster", world.tick())
    hook = remote / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    # Objects of a push are in quarantine, where refs cannot be written: the faster one comes by plain file.
    run_git(remote, "fetch", "-q", str(other), "main:refs/heads/kept")
    hook.write_text(f"#!/bin/sh\necho {faster} > {remote}/refs/heads/main\n")
    hook.chmod(0o755)
    with pytest.raises(BehindError):
        push_branch(str(own), address(remote), second, MAIN)
    assert tip(remote) == faster


def test_a_silent_server(own: Path, silent_server: SilentServer) -> None:
    there = address(silent_server.url)
    says = "there: the remote stopped answering: no activity for 1 s"
    with environment({"ORBIT_STALL_SECONDS": "1"}):
        with pytest.raises(GitError, match=says):
            fetch_branch(str(own), there, MAIN, REF)
        with pytest.raises(GitError, match=says):
            push_branch(str(own), there, tip(own), MAIN)


def test_what_was_fetched_by_mistake_takes_no_room(world: World, own: Path) -> None:
    origin = world.origin(files={"large.bin": bytes(range(256)) * 100})
    before = run_git(own, "cat-file", "--batch-all-objects", "--batch-check")
    fetch_branch(str(own), address(origin.url), MAIN, REF)
    drop_unreachable(str(own), REF)
    assert run_git(own, "cat-file", "--batch-all-objects", "--batch-check") == before
    assert refs(own) == [MAIN]

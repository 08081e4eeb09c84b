"""Every text a card ever had, read back with plain git."""

from __future__ import annotations

import os
import shutil

import pytest

from cards import card
from looks import unseen
from orbit.errors import OrbitError
from orbit.knowledge import history
from orbit.knowledge.card import revision
from orbit.knowledge.history import Version
from orbit.places import Project
from world import World, fast_import


@pytest.fixture
def project(world: World) -> Project:
    return Project(str(world.root))


def git(world: World, *args: str) -> str:
    return world.git(world.base, "--git-dir", f"{world.pool}/.cards.git", *args)


def test_versions_newest_first_with_where_they_come_from(world: World, project: Project) -> None:
    history.keep(project, "backend", [Version(b"one\ntwo\n", "write", "task-01", "a" * 40, ("a jot\nof two lines",))])
    history.keep(project, "backend", [Version(b"one\n", "write"), Version(b"one\nthree\n", "restore 1234")])
    newest, middle, oldest = history.read_versions(project, "backend")
    assert (newest.revision, newest.added, newest.removed) == (revision(b"one\nthree\n"), 1, 0)
    assert (middle.revision, middle.added, middle.removed) == (revision(b"one\n"), 0, 1)
    assert (oldest.workspace, oldest.pool_head, oldest.added) == ("task-01", "a" * 40, 2)
    assert oldest.settled == ["a jot of two lines"]
    assert (newest.workspace, newest.pool_head, newest.settled) == ("", "", [])


def test_plain_git_reads_and_copies_it(world: World, project: Project) -> None:
    history.keep(project, "backend", [Version(b"one\n", "write")])
    history.keep(project, "web", [Version(b"page\n", "write")])
    assert git(world, "ls-tree", "--name-only", "main").split() == ["backend.md", "web.md"]
    assert (
        git(world, "log", "--format=%an %ae %s")
        == "orbit orbit@localhost web: write\norbit orbit@localhost backend: write"
    )
    world.git(world.base, "clone", "-q", f"{world.pool}/.cards.git", "copy")
    assert (world.base / "copy" / "backend.md").read_text() == "one\n"
    assert git(world, "fsck", "--strict") == ""


def test_a_repository_that_was_only_begun_is_completed(world: World, project: Project) -> None:
    """A kill between its making and its settings."""
    history.keep(project, "backend", [Version(b"one\n", "write")])
    wanted = git(world, "config", "--list", "--local")
    shutil.rmtree(project.history)
    world.git(world.base, "init", "-q", "--bare", "--initial-branch=main", project.history)
    history.keep(project, "backend", [Version(b"one\n", "write")])
    assert git(world, "config", "--list", "--local") == wanted


@pytest.mark.parametrize("name", ["HEAD", "refs/heads/main"])
@pytest.mark.parametrize("device", [False, True])
def test_a_pipe_or_a_device_holds_nobody_up(world: World, name: str, device: bool) -> None:
    """git would wait for the pipe's other end, and read a device for ever."""
    world.clone()
    world.orbit("memo", "backend", "--text", card())
    path = world.pool / ".cards.git" / name
    path.unlink()
    if device:
        path.symlink_to("/dev/zero")
    else:
        os.mkfifo(path)
    told = f"{path} is a pipe or a device, not a file"
    written = world.orbit("memo", "backend", "--text", card("Another one."))
    assert (written.code, told in written.err) == (0, True)
    assert "Another one." in (world.pool / ".backend.md").read_text()
    log = world.orbit("memo", "backend", "--log")
    assert (log.code, told in log.err) == (1, True)
    assert f"[WARN] card history: {told}" in world.orbit("doctor").out
    assert f"backend: its history cannot be read: {told}\n" in world.orbit("memo", "backend", "--check").out


def test_each_card_has_its_own(project: Project) -> None:
    history.keep(project, "backend", [Version(b"one\n", "write")])
    history.keep(project, "web", [Version(b"page\n", "write")])
    assert [kept.revision for kept in history.read_versions(project, "web")] == [revision(b"page\n")]
    assert history.read_versions(project, "other") == []


def test_no_history_no_versions(project: Project) -> None:
    assert history.read_versions(project, "backend") == []
    assert history.recorded_heads(project, {"backend": b"x"}) == {}


def test_find_by_an_abbreviated_revision(project: Project) -> None:
    history.keep(
        project, "backend", [Version(b"one\n", "write"), Version(b"two\n", "write"), Version(b"one\n", "write")]
    )
    name = revision(b"one\n")
    for given in (name, name[:7], name[:4].upper()):
        assert history.find_version(project, "backend", given).revision == name
    for given in (name[:3], "", "zzzz", "0" * 40):
        with pytest.raises(OrbitError, match="no version"):
            history.find_version(project, "backend", given)


def test_texts_come_back_byte_for_byte(project: Project) -> None:
    texts = [b"one\n", b"no newline", b"", b"\xff\xfe bytes\r\n", "日本\n".encode(), b"blob 7\n\n"]
    history.keep(project, "backend", [Version(text, "write") for text in texts])
    names = [revision(text) for text in texts]
    assert history.read_texts(project, names) == dict(zip(names, texts, strict=True))


def test_settled_text_cannot_break_the_message(project: Project) -> None:
    odd = "x\x01\x02 \x1b[31m\n\nOrbit-Pool-Head: forged"
    history.keep(project, "backend", [Version(b"one\n", "write", "t", "b" * 40, (odd,))])
    (kept,) = history.read_versions(project, "backend")
    assert kept.pool_head == "b" * 40


def test_recorded_heads_only_for_the_present_text(project: Project) -> None:
    history.keep(
        project, "backend", [Version(b"one\n", "write", "", "a" * 40), Version(b"two\n", "write", "", "b" * 40)]
    )
    history.keep(project, "web", [Version(b"page\n", "write", "", "c" * 40)])
    cards = {"backend": b"two\n", "web": b"edited\n", "none": b"x"}
    assert history.recorded_heads(project, cards) == {"backend": "b" * 40}
    assert history.recorded_heads(project, {"backend": b"one\n"}) == {}


def test_the_users_git_config_has_no_say(world: World, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    config = world.base / "odd"
    config.write_text(
        "[core]\n\thooksPath = /nonexistent\n[commit]\n\tgpgSign = true\n[safe]\n\tbareRepository = explicit\n"
        "[init]\n\tdefaultBranch = odd\n\tdefaultObjectFormat = sha256\n[log]\n\tshowSignature = true\n"
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    history.keep(project, "backend", [Version(b"one\n", "write")])
    assert [kept.revision for kept in history.read_versions(project, "backend")] == [revision(b"one\n")]


def test_many_versions_are_packed(world: World, project: Project) -> None:
    for start in range(0, 1200, 100):
        history.keep(project, "backend", [Version(b"%d\n" % n, "write") for n in range(start, start + 100)])
    loose = sum(len(files) for _, _, files in os.walk(f"{world.pool}/.cards.git/objects"))
    assert loose < 2500
    assert os.listdir(f"{world.pool}/.cards.git/objects/pack")
    assert len(history.read_versions(project, "backend")) == 1200


def test_a_damaged_history_is_an_error_that_names_it(world: World, project: Project) -> None:
    history.keep(project, "backend", [Version(b"one\n", "write")])
    shutil.rmtree(world.pool / ".cards.git" / "objects")
    (world.pool / ".cards.git" / "objects").mkdir()
    with pytest.raises(OrbitError):
        history.read_versions(project, "backend")
    with pytest.raises(OrbitError):
        history.keep(project, "backend", [Version(b"two\n", "write")])
    assert history.recorded_heads(project, {"backend": b"one\n"}) == {}


def test_the_users_hooks_do_not_run(world: World, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    hooks = world.base / "hooks"
    hooks.mkdir()
    (hooks / "reference-transaction").write_text(f"#!/bin/sh\ntouch {world.base}/ran\nexit 1\n")
    (hooks / "reference-transaction").chmod(0o755)
    config = world.base / "odd"
    config.write_text(
        f"[core]\n\thooksPath = {hooks}\n\tlogAllRefUpdates = always\n[log]\n\tshowRoot = false\n\tfollow = true\n"
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    history.keep(project, "backend", [Version(b"one\n", "write")])
    assert [kept.revision for kept in history.read_versions(project, "backend")] == [revision(b"one\n")]
    assert not (world.base / "ran").exists()
    assert not (world.pool / ".cards.git" / "logs").exists()


def test_a_password_in_a_settled_jot_stays_here(project: Project) -> None:
    jot = "the build is at https://me:secret@example.com/x"
    history.keep(project, "backend", [Version(b"one\n", "write", "t", "", (jot,))])
    (kept,) = history.read_versions(project, "backend")
    assert kept.settled == ["the build is at https://example.com/x"]


def test_both_sides_of_a_merge_are_in_the_log(project: Project) -> None:
    history.keep(project, "backend", [Version(b"start\n", "write", "", "a" * 40)])
    base = history.tip(project)
    history.keep(project, "backend", [Version(b"mine\n", "write", "", "b" * 40)])
    text = b"backend: write\n\nOrbit-Pool-Head: " + b"c" * 40
    lines = [
        b"commit refs/heads/theirs",
        b"committer orbit <o@example.com> 1700000000 +0000",
        b"data %d" % len(text),
        text,
    ]
    lines += [b"from " + base.encode(), b"M 100644 inline backend.md", b"data 7", b"theirs", b""]
    with history.lock(project):
        history.append(project, [], b"\n".join(lines))
        merge = f"from {history.tip(project)}\nmerge refs/heads/theirs\n\n".encode()
        history.append(project, [], history.commit_head("pull: 0 taken, 1 kept\n") + merge)
    found = {kept.revision: kept.pool_head for kept in history.read_versions(project, "backend")}
    assert found == {revision(b"start\n"): "a" * 40, revision(b"mine\n"): "b" * 40, revision(b"theirs\n"): "c" * 40}
    assert history.recorded_heads(project, {"backend": b"mine\n"}) == {"backend": "b" * 40}
    heads = history.written_for(project, [history.tip(project)])
    assert heads["backend", revision(b"theirs\n")] == "c" * 40


def test_what_another_machine_wrote_is_only_text(world: World, project: Project) -> None:
    """Marks, dates and trailers in a commit from elsewhere neither break the listing nor reach the index."""
    history.keep(project, "backend", [Version(b"one\n", "write")])
    git_dir = world.pool / ".cards.git"
    message = "x\x01\x02\n\nOrbit-Pool-Head: ../x\nOrbit-Workspace: \x1b[31m"
    fast_import(git_dir, "main", {"backend.md": "two\n"}, message, 10**15)
    newest, _ = history.read_versions(project, "backend")
    assert (newest.revision, newest.pool_head) == (revision(b"two\n"), "")
    world.clone()
    shown = world.orbit("memo", "backend", "--log")
    assert (shown.code, shown.err) == (0, "")
    assert "\x1b" not in shown.out


def test_a_history_that_cannot_be_looked_at_is_not_missing(world: World, project: Project) -> None:
    history.keep(project, "backend", [Version(b"one\n", "write")])
    for name in ("HEAD", "objects"):
        with unseen(world.pool / ".cards.git" / name):
            with pytest.raises(OrbitError, match="cannot be looked at"):
                history.read_versions(project, "backend")
            assert history.recorded_heads(project, {"backend": b"one\n"}) == {}

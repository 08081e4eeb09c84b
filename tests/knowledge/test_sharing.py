"""Which remote is meant, what a pull and a push leave behind, and who keeps what."""

from __future__ import annotations

from pathlib import Path

import pytest

from cards import card
from orbit.errors import OrbitError
from orbit.git.exchange import Address
from orbit.knowledge import history
from orbit.knowledge.sharing import find_remote, keep_found
from orbit.places import Project
from shared_pools import all_objects, another_pool, card_of, cards_remote, conflict_line, rev, write
from world import Outcome, World, fast_import, run_git


@pytest.fixture
def remote(world: World) -> Path:
    world.clone()
    return cards_remote(world)


@pytest.fixture
def other(world: World, remote: Path) -> World:
    return another_pool(world, "other", "backend")


@pytest.fixture
def project(world: World) -> Project:
    return Project(str(world.root))


def pull(pool: World, remote: Path) -> Outcome:
    return pool.orbit("memo", "--pull", str(remote))


def push(pool: World, remote: Path) -> Outcome:
    return pool.orbit("memo", "--push", str(remote))


@pytest.mark.parametrize(
    "url",
    [
        "https://user:secret@example.com/cards.git",
        "ssh://git@example.com/cards.git",
        "git@example.com:team/cards.git",
        "gh:team/cards",
        "file:///srv/cards.git",
    ],
)
def test_a_url_goes_to_git_as_it_is(project: Project, url: str) -> None:
    found = find_remote(project, url, "/nowhere")
    assert found.url == url
    assert "secret" not in found.shown


def test_a_path_starts_where_the_caller_stands(world: World, remote: Path, project: Project) -> None:
    (world.base / "a:b").mkdir()
    assert find_remote(project, "remotes/cards.git", str(world.base)) == Address(str(remote), "remotes/cards.git")
    assert find_remote(project, "./a:b", str(world.base)).url == f"{world.base}/./a:b"
    assert find_remote(project, str(remote), "/").url == str(remote)
    for given in ("cards.git", "./none"):
        with pytest.raises(OrbitError, match=f"no such remote or path: {given}"):
            find_remote(project, given, str(world.base))


def test_a_remote_of_the_history_by_name(world: World, remote: Path, project: Project) -> None:
    write(world, "Stores orders.")
    git_dir = f"{world.pool}/.cards.git"
    world.git(world.base, "--git-dir", git_dir, "remote", "add", "team", str(remote))
    assert find_remote(project, "team", "/") == Address("team", "team")
    assert world.orbit("memo", "--push", "team").out == "pushed backend (brief: Stores orders.)\n1 cards pushed\n"
    assert world.orbit("memo", "--pull", "team") == (0, "nothing new\n", "")
    refused = world.orbit("memo", "--pull", "taem")
    assert refused.err == "orbit: memo: no such remote or path: taem\norbit: memo: remotes of .cards.git: team\n"
    world.git(world.base, "--git-dir", git_dir, "remote", "set-url", "--push", "team", "ext::sh -c id")
    assert (
        world.orbit("memo", "--push", "team").err == "orbit: memo: the transport ext:: is refused, it runs a program\n"
    )


@pytest.mark.parametrize("given", ["ext::sh -c id", "fd::3", "--upload-pack=id", "-x", "", "a\nb"])
def test_what_git_must_not_see(world: World, remote: Path, given: str) -> None:
    for way in ("--pull", "--push"):
        done = world.orbit("memo", f"{way}={given}")
        assert (done.code, done.out) == (1, "")
        assert done.err.count("\n") == 1
    assert not (world.pool / ".cards.git").exists()


def test_a_new_remote(world: World, remote: Path) -> None:
    done = pull(world, remote)
    says = f"orbit: {remote}: no cards there yet, it has no branch main: memo --push {remote}\n"
    assert done == (0, "nothing new\n", says)
    refused = push(world, remote)
    hint = "orbit: memo: write one with: orbit memo REPO\n"
    assert refused == (1, "", f"orbit: memo: there is no card yet, nothing was pushed\n{hint}")
    write(world, "Stores orders.")
    assert push(world, remote).code == 0
    assert push(world, remote) == (0, "nothing to push\n", "")


def test_histories_that_began_apart(world: World, remote: Path, other: World) -> None:
    world.clone("web")
    mine, page = write(world, "Mine."), write(world, "The shop.", "web")
    theirs = write(other, "Theirs.")
    push(world, remote)
    assert pull(other, remote).err.startswith(conflict_line(theirs, mine))
    assert other.orbit("memo", "backend", "--restore", rev(theirs)).code == 0
    assert push(other, remote).code == 0
    assert pull(world, remote).out == "pulled backend (brief: Theirs.)\n1 cards pulled\n"
    assert (card_of(world), card_of(world, "web")) == (theirs, page)
    assert run_git(remote, "ls-tree", "--name-only", "main").split() == ["backend.md", "web.md"]


@pytest.mark.parametrize("answer", ["mine", "theirs", "both", "by hand"])
def test_any_answer_closes_a_conflict(world: World, remote: Path, other: World, answer: str) -> None:
    theirs = write(world, "Theirs.")
    push(world, remote)
    mine = write(other, "Mine.")
    line = conflict_line(mine, theirs)
    for said in ("nothing new, 1 to merge\n", "nothing new, 1 to merge\n"):
        assert pull(other, remote) == (0, said, line)
    assert push(other, remote).code == 1
    unmerged = f"backend: a pull found another text, not merged yet: memo backend --show {rev(theirs)[:12]}\n"
    assert unmerged in other.orbit("memo", "backend", "--check").out
    assert unmerged not in world.orbit("memo", "backend", "--check").out
    assert other.orbit("memo", "backend", "--refresh").code == 0
    assert push(other, remote).code == 1
    text = {"mine": mine, "theirs": theirs}.get(answer, card("Both."))
    if answer == "by hand":
        (other.pool / ".backend.md").write_text(text)
    elif answer == "both":
        assert other.orbit("memo", "backend", "--text", text, "--expect", rev(mine)).code == 0
    else:
        assert other.orbit("memo", "backend", "--text", text).code == 0
    assert pull(other, remote).out == "nothing new\n"
    assert unmerged not in other.orbit("memo", "backend", "--check").out
    assert push(other, remote).code == 0
    assert pull(world, remote).code == 0
    assert card_of(world) == card_of(other) == text
    assert "to merge" not in pull(world, remote).out


def test_a_conflict_moves_on_with_their_text(world: World, remote: Path, other: World) -> None:
    first = write(world, "First.")
    push(world, remote)
    mine = write(other, "Mine.")
    assert pull(other, remote).err == conflict_line(mine, first)
    second = write(world, "Second.")
    push(world, remote)
    assert pull(other, remote) == (0, "nothing new, 1 to merge\n", conflict_line(mine, second))
    write(world, "Mine.")
    push(world, remote)
    assert pull(other, remote) == (0, "nothing new\n", "")
    assert push(other, remote).code == 0


def test_a_criss_cross_of_two_remotes(world: World, remote: Path, other: World) -> None:
    """Each takes what the other had, at the same time: no invented conflict, and both texts stay."""
    world.clone("web")
    other.clone("web")
    write(world, "Start.")
    push(world, remote)
    pull(other, remote)
    second = cards_remote(world, "second")
    a, b = write(world, "A."), write(other, "The shop.", "web")
    push(world, remote)
    push(other, second)
    assert pull(world, second).out == "pulled web (brief: The shop.)\n1 cards pulled\n"
    assert pull(other, remote).out == "pulled backend (brief: A.)\n1 cards pulled\n"
    newest = write(world, "Newest.")
    assert push(world, remote).code == 0
    assert push(other, second).code == 0
    assert pull(world, second).out == "nothing new\n"
    assert pull(other, remote).out == "pulled backend (brief: Newest.)\n1 cards pulled\n"
    assert (card_of(other), card_of(other, "web")) == (newest, b)
    assert a != newest


def test_hand_edits_are_kept_first(world: World, remote: Path, other: World) -> None:
    write(world, "First.")
    push(world, remote)
    pull(other, remote)
    edited = card("By hand.")
    (world.pool / ".backend.md").write_text(edited)
    done = push(world, remote)
    assert done == (0, "pushed backend (brief: By hand.)\n1 cards pushed\n", hand_edit(edited))
    mine = card("By another hand.")
    (other.pool / ".backend.md").write_text(mine)
    assert pull(other, remote).err == hand_edit(mine) + conflict_line(mine, edited)
    assert card_of(other) == mine


def hand_edit(text: str) -> str:
    return f"orbit: backend: edited by hand, kept as {rev(text)}\n"


def test_cards_older_than_the_history_are_kept_without_a_word(world: World, remote: Path, project: Project) -> None:
    (world.pool / ".backend.md").write_text(card())
    assert keep_found(project) == []
    assert keep_found(project) == []
    assert [kept.revision[:12] for kept in history.read_versions(project, "backend")] == [rev(card())]


def test_a_card_deleted_here_comes_back(world: World, remote: Path, other: World) -> None:
    text = write(world, "First.")
    push(world, remote)
    (world.pool / ".backend.md").unlink()
    assert push(world, remote).out == "nothing to push\n"
    assert pull(world, remote).out == "pulled backend (brief: First.)\n1 cards pulled\n"
    assert card_of(world) == text
    assert pull(other, remote).code == 0


def test_a_card_deleted_here_and_changed_on_both_sides(world: World, remote: Path, other: World) -> None:
    theirs = write(world, "Theirs.")
    push(world, remote)
    mine = write(other, "Mine.")
    (other.pool / ".backend.md").unlink()
    assert pull(other, remote) == (0, "pulled backend (brief: Theirs.)\n1 cards pulled\n", "")
    assert card_of(other) == theirs
    assert other.orbit("memo", "backend", "--show", rev(mine)).out == mine
    assert pull(other, remote) == (0, "nothing new\n", "")


def test_a_card_deleted_there_is_kept_and_told_once(world: World, remote: Path) -> None:
    text = write(world, "First.")
    push(world, remote)
    fast_import(remote, "main", {"backend.md": None, "web.md": "# web\n\nThe shop.\n"}, "gone", world.tick())
    told = "orbit: backend: the remote no longer has this card, kept here\n"
    assert pull(world, remote).err.startswith(told)
    assert card_of(world) == text
    assert pull(world, remote) == (0, "nothing new\n", "")
    assert push(world, remote).out == "pushed backend (brief: First.)\n1 cards pushed\n"


def test_cards_of_other_pools_pass_through(world: World, remote: Path, other: World) -> None:
    """A pool that lacks a repository neither deletes its card nor stands in the way of its next version."""
    other.clone("web")
    write(other, "The shop.", "web")
    push(other, remote)
    write(world, "Stores orders.")
    waits = f"orbit: {remote}: 1 cards wait for their repositories (web): clone URL, memo --pull {remote}\n"
    assert pull(world, remote) == (0, "nothing new\n", waits)
    assert pull(world, remote) == (0, "nothing new\n", "")
    assert not (world.pool / ".web.md").exists()
    assert push(world, remote).out == "pushed backend (brief: Stores orders.)\n1 cards pushed\n"
    newer = write(other, "The new shop.", "web")
    pull(other, remote)
    push(other, remote)
    pull(world, remote)
    world.clone("web")
    assert pull(world, remote).out == "pulled web (brief: The new shop.)\n1 cards pulled\n"
    assert card_of(world, "web") == newer


def test_nobody_is_stopped_by_a_card_of_a_repository_that_is_gone(world: World, remote: Path, other: World) -> None:
    for pool in (world, other):
        pool.clone("web")
    write(world, "The shop.", "web")
    push(world, remote)
    write(other, "Another shop.", "web")
    (other.pool / "web").rename(world.base / "away")
    assert "to merge" not in pull(other, remote).out
    assert push(other, remote).code == 0
    assert b"Another shop." in all_objects(remote)
    assert pull(world, remote).out == "nothing new\n"


def test_two_pools_without_a_repository_between(world: World, remote: Path, other: World) -> None:
    """One may pull from the other; pushed into its history, the cards would not be written there."""
    theirs = write(other, "Theirs.")
    history_of_other = other.pool / ".cards.git"
    assert pull(world, history_of_other).out == "pulled backend (brief: Theirs.)\n1 cards pulled\n"
    mine = write(world, "Mine.")
    refused = push(world, history_of_other)
    assert refused.code == 1
    assert f"{history_of_other} is the history of a pool, nothing was pushed" in refused.err
    (world.base / "alias.git").symlink_to(history_of_other)
    refused = push(world, world.base / "alias.git")
    assert "refused: deny updating a hidden ref" in refused.err
    assert card_of(other) == theirs
    assert pull(other, world.pool / ".cards.git").out == "pulled backend (brief: Mine.)\n1 cards pulled\n"
    assert card_of(other) == mine


def test_a_merge_by_plain_git_is_a_version(world: World, remote: Path, other: World) -> None:
    write(world, "Theirs.")
    push(world, remote)
    write(other, "Mine.")
    copy = world.base / "copy"
    run_git(world.base, "clone", "-q", str(remote), str(copy))
    run_git(copy, "fetch", "-q", str(other.pool / ".cards.git"), "main")
    run_git(copy, "merge", "-q", "--allow-unrelated-histories", "-s", "ours", "FETCH_HEAD")
    merged = card("Merged by hand.")
    (copy / "backend.md").write_text(merged)
    run_git(copy, "commit", "-q", "-a", "--amend", "-m", "Merged by hand")
    run_git(copy, "push", "-q", "origin", "HEAD:main")
    assert pull(other, remote).out == "pulled backend (brief: Merged by hand.)\n1 cards pulled\n"
    log = other.orbit("memo", "backend", "--log").out
    assert sorted(line.split("  ")[-1].strip() for line in log.splitlines()) == ["Merged by hand.", "Mine.", "Theirs."]
    assert other.orbit("memo", "backend", "--show", rev(merged)).out == merged


def test_a_shallow_remote_is_one_line(world: World, remote: Path) -> None:
    write(world, "One.")
    write(world, "Two.")
    push(world, remote)
    run_git(world.base, "clone", "-q", "--bare", "--depth=1", f"file://{remote}", str(world.base / "shallow"))
    (world.pool / ".cards.git").rename(world.base / "away")
    shallow = world.base / "shallow"
    says = f"orbit: memo: pulling from {shallow}: git took nothing, it may be a shallow clone\n"
    assert pull(world, shallow) == (1, "", says)


def test_a_remote_of_another_object_format_is_one_line(world: World, remote: Path) -> None:
    write(world, "One.")
    run_git(world.base, "init", "-q", "--bare", "--object-format=sha256", "long.git")
    done = push(world, world.base / "long.git")
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert "hash algorithm" in done.err


def test_a_card_with_a_password_in_it_is_told(world: World, remote: Path) -> None:
    secret = card("See https://me:t0ken@example.com/x for more.")
    written = world.orbit("memo", "backend", "--text", secret)
    assert "orbit: backend: a URL with credentials: memo backend --check\n" in written.err
    done = push(world, remote)
    assert "orbit: backend: the card that was pushed holds a URL with credentials: change them" in done.err
    assert "t0ken" not in done.err


def test_a_damaged_history_is_one_line(world: World, remote: Path) -> None:
    (world.pool / ".cards.git").write_text("in the way")
    for done in (pull(world, remote), push(world, remote)):
        assert (done.code, done.out) == (1, "")
        assert ".cards.git" in done.err or "there is no card yet" in done.err

"""Pools that share their cards through a real server: nothing is lost, a conflict is named, nothing secret leaves."""

from __future__ import annotations

import getpass
import random
import socket
import threading
from collections.abc import Iterator

import pytest

from cards import card
from orbit.knowledge.history import read_versions
from orbit.places import Project
from processes import finish, start
from servers import Server, git_daemon, http_is_missing, smart_http
from shared_pools import all_objects, another_pool, card_of, cards_remote, conflict_line, rev, write
from world import World, run_git

LOGIN = "deploy-bot:s3cr3t-Pa55"


@pytest.fixture
def server(world: World) -> Iterator[Server]:
    if http_is_missing():
        pytest.skip("this git was built without http")
    cards_remote(world)
    with smart_http(world.remotes) as running:
        running.mood.password = LOGIN
        yield running


def test_two_pools_and_a_third_from_scratch(world: World, server: Server) -> None:
    """Different cards and the same card improved at once; then a newcomer gets everything."""
    url = server.url("cards", user=LOGIN)
    shown = server.url("cards")
    for name in ("backend", "web", "tools"):
        world.clone(name)
    other = another_pool(world, "other", "backend", "web")
    first, page = write(world, "Stores orders."), write(world, "The shop.", "web")
    done = world.orbit("memo", "--push", url)
    says = "shared 2 cards with all their versions, the names of workspaces and the jots they settled"
    out = "pushed backend (brief: Stores orders.)\npushed web (brief: The shop.)\n2 cards pushed\n"
    assert done == (0, out, f"orbit: {shown}: {says}\n")

    mine = write(other, "Stores orders and invoices.")
    refused = other.orbit("memo", "--push", url)
    assert refused.code == 1
    assert f"{shown} has cards that are not here yet, nothing was pushed\n" in refused.err
    assert f"orbit: memo: orbit memo --pull {shown}, then push again\n" in refused.err
    pulled = other.orbit("memo", "--pull", url)
    assert pulled == (0, "pulled web (brief: The shop.)\n1 cards pulled, 1 to merge\n", conflict_line(mine, first))
    assert (card_of(other), card_of(other, "web")) == (mine, page)
    assert other.orbit("memo", "backend", "--show", rev(first)).out == first
    blocked = other.orbit("memo", "--push", url)
    assert (blocked.code, blocked.out) == (1, "")
    assert "1 cards were changed on both sides and are not merged yet (backend), nothing was pushed" in blocked.err

    tools = write(world, "Odds and ends.", "tools")
    merged = card("Stores orders, and invoices since May.")
    done = other.orbit("memo", "backend", "--expect", rev(mine), "--text", merged)
    assert done.code == 0
    assert other.orbit("memo", "--pull", url) == (0, "nothing new\n", "")
    assert other.orbit("memo", "--push", url).out.splitlines()[-1] == "1 cards pushed"
    pulled = world.orbit("memo", "--pull", url)
    assert pulled.out == "pulled backend (brief: Stores orders, and invoices since May.)\n1 cards pulled\n"
    assert world.orbit("memo", "--push", url).out == "pushed tools (brief: Odds and ends.)\n1 cards pushed\n"

    third = another_pool(world, "third", "backend", "tools")
    pulled = third.orbit("memo", "--pull", url)
    assert pulled.out.splitlines()[-1] == "2 cards pulled"
    waits = f"1 cards wait for their repositories (web): clone URL, memo --pull {shown}"
    assert pulled.err == f"orbit: {shown}: {waits}\n"
    assert (card_of(third), card_of(third, "tools")) == (merged, tools)
    for text in (first, mine, merged):
        assert third.orbit("memo", "backend", "--show", rev(text)).out == text
    third.clone("web")
    assert third.orbit("memo", "--pull", url).out == "pulled web (brief: The shop.)\n1 cards pulled\n"
    assert card_of(third, "web") == page
    roster = {row["name"]: row for row in third.orbit("repos", "--json").json()}
    assert {name: row["staleness"] for name, row in roster.items()} == dict.fromkeys(
        ("backend", "tools", "web"), "fresh"
    )


def test_nothing_secret_leaves(world: World, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever surrounds a pool: passwords of clones and of the remote, who works there and where, on which machine."""
    config = world.base / "user"
    config.write_text(
        "[user]\n\tname = Planted Person\n\temail = planted@example.com\n\tsigningKey = PLANTEDKEY\n"
        "[core]\n\tlogAllRefUpdates = always\n[push]\n\tfollowTags = true\n[commit]\n\tgpgSign = true\n"
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Planted Person")
    monkeypatch.setenv("GIT_COMMITTER_EMAIL", "planted@example.com")
    world.origin()
    assert world.orbit("clone", server.url("backend", user=LOGIN)).code == 0
    task = world.workspace("fix-login")
    token = "see https://ci-user:t0ken-Pl4nted@example.com/build"
    assert world.orbit("jot", "backend", token, cwd=task).code == 0
    assert world.orbit("jot", "backend", "--pop", cwd=task).code == 0
    assert world.orbit("memo", "backend", "--text", card(), cwd=task).code == 0
    (world.pool / ".backend.md").write_text(card("By hand."))
    other = another_pool(world, "other", "backend")
    write(other, "Another.")
    url = server.url("cards", user=LOGIN)
    for pool in (world, other):
        pool.orbit("memo", "--pull", url)
        pool.orbit("memo", "backend", "--text", card("Merged."))
        assert pool.orbit("memo", "--push", url).code == 0
        (pool.pool / ".backend.md").write_text(card("By hand again."))
        assert pool.orbit("memo", "--push", url).code == 0
    secrets = ["s3cr3t-Pa55", "deploy-bot", "t0ken-Pl4nted", "ci-user", "Planted", "planted", "PLANTEDKEY"]
    secrets += [str(world.base), world.base.name, socket.gethostname(), "127.0.0.1"]
    if len(getpass.getuser()) > 4:  # "root" may be any word
        secrets.append(getpass.getuser())
    sent = all_objects(world.remotes / "cards.git")
    assert b"https://example.com/build" in sent
    assert [secret for secret in secrets if secret.encode() in sent] == []
    assert run_git(world.remotes / "cards.git", "for-each-ref", "--format=%(refname)") == "refs/heads/main"
    for pool in (world, other):
        kept = [
            path for path in (pool.pool / ".cards.git").rglob("*") if path.is_file() and "objects" not in path.parts
        ]
        assert kept
        assert not [path for path in kept for secret in secrets if secret.encode() in path.read_bytes()]


@pytest.mark.parametrize("fault", ["password", "missing", "closed", "dropped", "silent", "no receive-pack"])
def test_a_remote_that_does_not_do_it(world: World, server: Server, fault: str) -> None:
    """One line with the reason; the pool and its history are as they were, and no password is told."""
    world.clone()
    text = write(world, "Stores orders.")
    before = run_git(world.pool / ".cards.git", "rev-parse", "main")
    url = server.url("cards", user=LOGIN)
    if fault == "password":
        server.mood.password = "deploy-bot:another"
    elif fault == "missing":
        url = server.url("none", user=LOGIN)
    elif fault == "closed":
        url = f"http://{LOGIN}@127.0.0.1:1/cards.git"
    elif fault == "dropped":
        server.mood.cut_after = 20
    elif fault == "silent":
        server.mood.silent = True
    else:
        run_git(world.remotes / "cards.git", "config", "http.receivepack", "false")
    for way in ("--pull", "--push"):
        done = world.orbit("memo", way, url, env={"ORBIT_STALL_SECONDS": "1", "GIT_TRACE_CURL": "1"})
        if fault == "no receive-pack" and way == "--pull":
            assert done.code == 0
            continue
        doing = "pulling from" if way == "--pull" else "pushing to"
        assert (done.code, done.out) == (1, "")
        assert done.err.startswith(f"orbit: memo: {doing} http://127.0.0.1:"), done.err
        assert done.err.count("\n") == 1
        assert "deploy-bot" not in done.err
        assert "s3cr3t" not in done.err
    assert card_of(world) == text
    assert run_git(world.pool / ".cards.git", "for-each-ref", "--format=%(objectname) %(refname)") == (
        f"{before} refs/heads/main"
    )
    assert [path.name for path in world.pool.iterdir() if path.name.endswith(".lock")] == []


def test_a_server_that_only_reads(world: World) -> None:
    cards_remote(world)
    world.clone()
    write(world, "Stores orders.")
    with git_daemon(world.remotes) as server:
        assert world.orbit("memo", "--pull", server.url("cards")).code == 0
        done = world.orbit("memo", "--push", server.url("cards"))
    assert (done.code, done.out) == (1, "")
    assert "service not enabled" in done.err


def test_ctrl_c_while_it_waits(world: World, server: Server) -> None:
    world.clone()
    write(world, "Stores orders.")
    server.mood.silent = True
    for way in ("--pull", "--push"):
        calls = server.mood.calls
        process = start(world.root, "memo", way, server.url("cards", user=LOGIN))
        while server.mood.calls == calls:
            assert process.poll() is None
        process.send_signal(2)
        assert finish(process).code == 130
    assert [path.name for path in world.pool.iterdir() if path.name.endswith(".lock")] == []
    server.mood.silent = False
    assert world.orbit("memo", "--push", server.url("cards", user=LOGIN)).code == 0


def test_cards_are_written_while_others_are_pulled(world: World) -> None:
    """Whatever falls between two steps of a pull: each text is a version, and the newest is on disk."""
    remote = cards_remote(world)
    world.clone()
    other = another_pool(world, "other", "backend")
    sent = [write(other, "Theirs 0.")]
    assert other.orbit("memo", "--push", str(remote)).code == 0
    written: list[str] = []

    def keep_writing() -> None:
        for number in range(12):
            text = card(f"Mine {number}.")
            if world.orbit_process("memo", "backend", "--text", text).code == 0:
                written.append(text)

    writer = threading.Thread(target=keep_writing)
    writer.start()
    rounds = 0
    while writer.is_alive() or rounds == 0:
        rounds += 1
        done = world.orbit_process("memo", "--pull", str(remote))
        assert done.code == 0, done.err
        sent.append(write(other, f"Theirs {rounds}."))
        assert other.orbit("memo", "--push", str(remote)).code == 0, rounds
    writer.join()
    assert len(written) == 12
    kept = [version.revision[:12] for version in read_versions(Project(str(world.root)), "backend")]
    assert {rev(text) for text in written} <= {*kept}
    assert run_git(world.pool / ".cards.git", "show", "main:backend.md") + "\n" == card_of(world)
    assert run_git(world.pool / ".cards.git", "fsck", "--strict") == ""


@pytest.mark.parametrize("seed", range(3))
def test_whatever_three_pools_do(world: World, seed: int) -> None:
    """Writes, hand edits, pulls and pushes in any order: in the end all have one text, and every text is a version."""
    chance = random.Random(seed)
    remote = str(cards_remote(world))
    world.clone()
    world.clone("web")
    pools = [world, *(another_pool(world, name, "backend", "web") for name in ("second", "third"))]
    texts: dict[str, set[str]] = {"backend": set(), "web": set()}

    def write_somewhere(number: int, pool: World, repo: str) -> None:
        text = card(f"Text {number}.", repo=repo)
        if chance.random() < 0.3:
            (pool.pool / f".{repo}.md").write_text(text)
            assert pool.orbit("memo", "--push", remote).code in (0, 1)  # refused, but kept
        else:
            assert pool.orbit("memo", repo, "--text", text).code == 0
        texts[repo].add(rev(text))

    for number in range(14):
        pool, repo = chance.choice(pools), chance.choice(["backend", "web"])
        way = chance.choice(["write", "write", "--pull", "--push"])
        if way == "write":
            write_somewhere(number, pool, repo)
        else:
            assert pool.orbit("memo", way, remote).code in (0, 1)
    for number, pool in enumerate([*pools, *pools]):
        assert pool.orbit("memo", "--pull", remote).code == 0
        for repo in texts:
            if "to merge" in pool.orbit("memo", "--pull", remote).out:
                write_somewhere(100 + number, pool, repo)
        pushed = pool.orbit("memo", "--push", remote)
        assert pushed.code == 0 or "no card yet" in pushed.err, pushed.err
    for pool in pools:
        assert pool.orbit("memo", "--pull", remote).code == 0
        assert "to merge" not in pool.orbit("memo", "--pull", remote).out
        for repo, written in texts.items():
            kept = read_versions(Project(str(pool.root)), repo)
            assert {version.revision[:12] for version in kept} == written
    tips = {run_git(pool.pool / ".cards.git", "rev-parse", "main^{tree}") for pool in pools}
    assert len(tips) == 1
    for repo, written in texts.items():
        assert len({card_of(pool, repo) for pool in pools if written}) <= 1

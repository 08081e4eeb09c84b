"""A password in a remote's URL: git works with it, and nothing that orbit prints or keeps for itself shows it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cards import card
from servers import Server, http_is_missing, smart_http
from terminal import orbit_at_terminal
from world import Outcome, World, run_git

USER, PASSWORD = "deploy-bot", "s3cr3t-Pa55"
LOGIN = f"{USER}:{PASSWORD}"

pytestmark = pytest.mark.skipif(http_is_missing(), reason="this git was built without http")


@pytest.fixture
def server(world: World) -> Iterator[Server]:
    with smart_http(world.remotes) as running:
        running.mood.password = LOGIN
        yield running


@pytest.fixture
def task(world: World, server: Server) -> Path:
    """Two repositories by their URLs with a password, one with a card, both in a workspace."""
    for name in ("backend", "frontend"):
        world.origin(name)
        assert_hidden(world.orbit("clone", server.url(name, user=LOGIN)), 0)
    made = world.orbit("new", "Make it work", "--name", "task")
    assert made.code == 0, made.err
    place = world.root / "task"
    assert_hidden(world.orbit("memo", "backend", "--text", card("backend"), cwd=place), 0)
    assert_hidden(world.orbit("add", "backend", "frontend", cwd=place), 0)
    return place


def assert_hidden(done: Outcome, code: int | None = None) -> None:
    assert code is None or done.code == code, done
    for secret in (PASSWORD, USER):
        assert secret not in done.out + done.err, done


def kept_by_orbit(world: World) -> dict[str, bytes]:
    """Every file of the project that is orbit's own: what lies in a repository belongs to git."""
    found = {}
    for path in world.root.rglob("*"):
        inside = path.relative_to(world.root).parts
        cloned = inside[0] == ".repos" and len(inside) > 2 and not inside[1].startswith(".")
        if path.is_file() and not cloned:
            found[str(path.relative_to(world.root))] = path.read_bytes()
    return found


READING = [
    ("repos",),
    ("repos", "--urls"),
    ("repos", "--no-urls"),
    ("repos", "--json"),
    ("repos", "--urls", "--json"),
    ("info", "backend"),
    ("info", "backend", "frontend"),
    ("info", "backend", "--json"),
    ("info", "frontend", "--json"),
    ("context",),
    ("context", "--startup"),
    ("context", "--prime"),
    ("context", "--reignite"),
    ("context", "--json"),
    ("context", "--startup", "--json"),
    ("context", "--prime", "--json"),
    ("context", "--reignite", "--json"),
    ("doctor",),
    ("doctor", "--json"),
    ("status",),
    ("status", "--json"),
    ("config",),
    ("jot", "backend", "--list", "--json"),
    ("memo", "backend", "--check"),
    ("done", "--json"),
]


@pytest.fixture
def at_work(world: World, task: Path) -> Path:
    """What makes every surface talk: a stale card, upstream ahead, a jot, a dirty worktree."""
    for name in ("backend", "frontend"):
        world.origins[name].commit()
    assert_hidden(world.orbit("sync"), 0)
    assert_hidden(world.orbit("jot", "backend", "The port is 8080", cwd=task), 0)
    (task / "backend" / "new").write_text("x")
    return task


def test_no_reading_command_shows_it(world: World, at_work: Path) -> None:
    for words in READING:
        for place in (at_work / "backend", at_work, world.root):
            assert_hidden(world.orbit(*words, cwd=place))
    shown = world.orbit("repos", "--urls").out
    assert "http://127.0.0.1:" in shown


def test_the_metadata_may_be_lost_and_made_again(world: World, at_work: Path) -> None:
    """Rebuilt from the clones' own config, which has the password."""
    (world.pool / ".orbit").unlink()
    assert_hidden(world.orbit("repos"), 0)
    assert "http://127.0.0.1:" in (world.pool / ".orbit").read_text()
    (world.pool / ".orbit").write_text("[broken\n")
    for words in (("repos", "--urls"), ("doctor", "--fix"), ("memo",), ("repos", "--json")):
        assert_hidden(world.orbit(*words))
    assert_kept_nowhere(world)


def assert_kept_nowhere(world: World) -> None:
    files = kept_by_orbit(world)
    assert ".repos/.orbit" in files
    for name, data in files.items():
        assert PASSWORD.encode() not in data, name
        assert USER.encode() not in data, name


def test_no_file_of_orbit_keeps_it(world: World, at_work: Path) -> None:
    for words in READING:
        world.orbit(*words, cwd=at_work)
    assert_kept_nowhere(world)


def test_git_goes_on_with_it(world: World, server: Server, at_work: Path) -> None:
    """The clone's own config has the whole URL; fetch, add --ref, switch, and the user's own git use it."""
    url = server.url(user=LOGIN)
    assert run_git(world.pool / "backend", "config", "remote.origin.url") == url
    backend = world.origins["backend"]
    backend.branch("topic")
    assert_hidden(world.orbit("switch", "topic", cwd=at_work / "backend"), 0)
    assert_hidden(world.orbit("switch", "-c", "fresh", cwd=at_work / "backend"), 0)
    run_git(at_work / "backend", "fetch", "-q", "origin")
    world.git(backend.path, "tag", "v1", "main~1")
    world.workspace("other")
    assert_hidden(world.orbit("add", "backend", "--ref", "v1", cwd=world.root / "other"), 0)
    backend.commit()
    synced = world.orbit("sync", "--json")
    assert_hidden(synced, 0)
    assert [row["state"] for row in synced.json()] == ["forwarded", "current"]


@pytest.mark.parametrize("debug", ["", "1"])
@pytest.mark.parametrize("fault", ["password", "missing", "closed", "dropped", "silent"])
def test_no_failure_tells_it(world: World, server: Server, task: Path, fault: str, debug: str) -> None:
    """Also with git's own tracing on, and with the traceback that ORBIT_DEBUG asks for."""
    if fault == "password":
        server.mood.password = "deploy-bot:another"
    elif fault == "missing":
        for name in ("backend", "frontend"):
            (world.remotes / f"{name}.git").rename(world.remotes / f"{name}.away")
    elif fault == "closed":
        for name in ("backend", "frontend"):
            url = f"http://{LOGIN}@127.0.0.1:1/{name}.git"
            world.git(world.pool / name, "config", "remote.origin.url", url)
    elif fault == "dropped":
        server.mood.cut_after = 20
    else:
        server.mood.silent = True
    env = {"ORBIT_STALL_SECONDS": "1", "ORBIT_DEBUG": debug}
    if debug:
        env |= {"GIT_TRACE": "1", "GIT_TRACE_CURL": "1", "GIT_CURL_VERBOSE": "1"}
    world.workspace("other")
    target = run_git(world.pool / "backend", "config", "remote.origin.url")
    for words, place in (
        (("sync",), world.root),
        (("sync", "--json"), world.root),
        (("add", "backend", "--ref", "v1"), world.root / "other"),
        (("switch", "topic"), task / "backend"),
        (("clone", target, "--name", "again"), world.root),
        (("clone", target, target), world.root),
    ):
        done = world.orbit(*words, cwd=place, env=env)
        assert done.code == 1, (words, done)
        assert "orbit: " in done.err
        assert_hidden(done)
    assert_kept_nowhere(world)


def test_no_progress_line_shows_it(world: World, server: Server) -> None:
    """On a terminal git's own lines are passed on while it works, on a pipe there is one line for each repository."""
    urls = []
    for name in ("backend", "frontend", "third"):
        world.origin(name, {"large.bin": bytes(range(256)) * 4000})
        urls.append(server.url(name, user=LOGIN))
    traced = {"GIT_TRACE": "1", "GIT_TRACE_CURL": "1"}
    for words in (("clone", urls[0]), ("clone", *urls[1:]), ("sync",)):
        done = orbit_at_terminal(*words, cwd=world.root, columns=2000, env=traced if words[0] == "sync" else {})
        assert done.err
        assert_hidden(done, 0)
    assert_hidden(world.orbit_process("clone", *urls, "--branch", "main"), 1)
    traced_clone = orbit_at_terminal("clone", urls[0], "--name", "again", cwd=world.root, columns=2000, env=traced)
    assert_hidden(traced_clone, 0)
    assert_hidden(world.orbit_process("sync"), 0)


@pytest.mark.parametrize("password", ["p%40ss%2Fs3cr3t-Pa55", "s3cr3t-Pa55%3A%C3%A4"])
def test_encoded_passwords(world: World, server: Server, password: str) -> None:
    from urllib.parse import unquote

    server.mood.password = f"{USER}:{unquote(password)}"
    world.origin()
    assert_hidden(world.orbit("clone", server.url(user=f"{USER}:{password}")), 0)
    assert_hidden(world.orbit("sync"), 0)
    server.mood.password = "nobody:nothing"
    assert_hidden(world.orbit("sync"), 1)
    assert_hidden(world.orbit("repos", "--urls", "--json"), 0)
    assert_kept_nowhere(world)


def test_a_push_url_and_a_rewritten_url(world: World, server: Server) -> None:
    """`--push` takes one as well, and `insteadOf` in the user's config may hold it."""
    world.origin()
    pushed = world.orbit("clone", server.url(user=LOGIN), "--push", server.url("fork", user=LOGIN))
    assert_hidden(pushed, 0)
    settings = world.base / "user-config"
    settings.write_text(
        f'[url "http://{LOGIN}@127.0.0.1:{server.port}/"]\n\tinsteadOf = http://127.0.0.1:{server.port}/\n'
    )
    rewritten = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "include.path", "GIT_CONFIG_VALUE_0": str(settings)}
    world.origin("frontend")
    assert_hidden(world.orbit("clone", server.url("frontend"), env=rewritten), 0)
    assert_hidden(world.orbit("sync", env=rewritten), 0)
    server.mood.password = "nobody:nothing"
    failed = world.orbit("sync", env=rewritten)
    assert_hidden(failed, 1)
    assert failed.err.count("Authentication failed for 'http://127.0.0.1:") == 2
    for words in (("repos", "--urls"), ("repos", "--json"), ("doctor",)):
        assert_hidden(world.orbit(*words, env=rewritten))
    assert_kept_nowhere(world)


def test_a_mistyped_url_is_not_repeated_with_its_password(world: World) -> None:
    world.clone()
    workspace = world.workspace()
    world.worktree()
    secret = "https://user:hunter2@example.com/a.git"
    calls = (
        [secret],
        ["help", secret],
        ["add", secret],
        ["add", "backend", secret],
        ["info", secret],
        ["sync", secret],
        ["memo", secret, "--check"],
        ["status", secret],
        ["switch", "backend", secret],
        ["switch", secret, "main"],
        ["jot", secret, "text"],
        ["jot", "backend", "text", secret],
        ["config", secret],
        ["context", secret],
        ["completion", secret],
        ["repos", secret],
        ["repos", "--limit", secret],
        ["new", "goal", "--name", secret],
        ["done", "--pr", f"ftp{secret}"],
    )
    for words in calls:
        done = world.orbit(*words, cwd=workspace)
        assert "hunter2" not in done.out + done.err, words

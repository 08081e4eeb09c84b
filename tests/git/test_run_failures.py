"""How git's failures are told apart, and what of its words reaches the user."""

from __future__ import annotations

import http.server
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from orbit.git.run import Finished, GitError, change, checked, failure_kind, first_error_line, network, observe
from world import World


@pytest.fixture
def clone(world: World) -> str:
    return str(world.clone())


class Refusing(http.server.BaseHTTPRequestHandler):
    """Answers every request with the number that the path begins with."""

    def do_GET(self) -> None:
        self.send_response(int(self.path.split("/")[1]))
        self.send_header("WWW-Authenticate", 'Basic realm="x"')
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Refusing) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def fails(directory: str, *arguments: str) -> GitError:
    with pytest.raises(GitError) as caught:
        checked(network(directory, arguments), "backend", "cannot fetch")
    return caught.value


def test_kinds_of_failure_over_http(clone: str, web: str) -> None:
    assert shutil.which("git-remote-http", path=observe(clone, ["--exec-path"]).text), "git without http"
    for status, kind in ((401, "credentials"), (403, "credentials"), (404, "no-repository"), (500, "unreachable")):
        failure = fails(clone, "fetch", web.replace("//", "//user:token@", 1 if status == 500 else 0) + f"/{status}/r")
        assert failure.kind == kind, failure
        assert "token" not in str(failure)


def test_kinds_of_failure_of_other_transports(world: World, clone: str) -> None:
    cases = [
        (("fetch", "git://127.0.0.1:1/r"), "unreachable"),
        (("fetch", "/nowhere"), "no-repository"),
        (("clone", "/nowhere", "made"), "no-repository"),
        (("fetch", "origin", "gone"), "no-ref"),
        (("fetch", "origin", "1" * 40), "no-ref"),
        (("clone", "-b", "gone", world.origin("other").url, "made"), "no-ref"),
        (("rev-parse", "--verify", "gone"), "no-ref"),
        (("no-such-command",), "other"),
    ]
    for arguments, kind in cases:
        failure = fails(clone, *arguments)
        assert failure.kind == kind, (arguments, failure)
        assert failure.git_code > 0


def test_a_held_lock_is_no_fault_of_the_remote(world: World, clone: str) -> None:
    held = [
        ("config.lock", ("config", "a.b", "c")),
        ("index.lock", ("add", ".")),
        ("refs/heads/main.lock", ("update-ref", "refs/heads/main", "HEAD~1")),
    ]
    for name, arguments in held:
        lock = Path(clone) / ".git" / name
        lock.touch()
        done = change(clone, arguments)
        lock.unlink()
        assert failure_kind(done.err) == "lock", (name, done)


@pytest.mark.parametrize(
    ("err", "kind", "line"),
    [
        (
            b"ssh: Could not resolve hostname no.example: Name or service not known\n"
            b"fatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\n",
            "unreachable",
            "ssh: Could not resolve hostname no.example: Name or service not known",
        ),
        (
            b"Host key verification failed.\r\nfatal: Could not read from remote repository.\n",
            "host-key",
            "Host key verification failed.",
        ),
        (
            b"git@h.example: Permission denied (publickey).\r\nfatal: Could not read from remote repository.\n",
            "credentials",
            "git@h.example: Permission denied (publickey).",
        ),
        (
            b"ERROR: Repository not found.\nfatal: Could not read from remote repository.\n",
            "no-repository",
            "Repository not found.",
        ),
        (
            b"Cloning into 'x'...\nfatal: Could not read from remote repository.\n",
            "other",
            "Could not read from remote repository.",
        ),
        (
            b"remote: Repository not found.\nfatal: repository 'https://u:t@h.example/r/' not found\n",
            "no-repository",
            "repository 'https://h.example/r/' not found",
        ),
        (
            b"fatal: could not read Username for 'https://h.example': terminal prompts disabled\n",
            "credentials",
            "could not read Username for 'https://h.example': terminal prompts disabled",
        ),
        (
            b"fatal: unable to access 'https://h.example/r/': Operation too slow. Less than 1 bytes/sec transferred\n",
            "stalled",
            "unable to access 'https://h.example/r/': Operation too slow. Less than 1 bytes/sec transferred",
        ),
        (
            b"Receiving objects:  50% (1/2)\rerror: RPC failed; curl 18 transfer closed\nfatal: early EOF\n",
            "unreachable",
            "RPC failed; curl 18 transfer closed",
        ),
        (
            b"hint: do this\nwarning: that\nerror: The following files would be overwritten:\n\ta.txt\nAborting\n",
            "other",
            "The following files would be overwritten: a.txt",
        ),
        (b"error: could not write config file .git/config: Permission denied\n", "other", None),
        (b"fatal: bad \x1b[31mcolour\x1b[0m \xff\n", "other", "bad colour \N{REPLACEMENT CHARACTER}"),
        (b"hint: only hints\n", "other", ""),
        (b"", "other", ""),
    ],
)
def test_what_git_says_when_it_fails(err: bytes, kind: str, line: str | None) -> None:
    assert failure_kind(err) == kind
    if line is not None:
        assert first_error_line(err) == line


def test_checked() -> None:
    good = Finished(0, b"", b"error: ignored\n")
    assert checked(good, "backend", "cannot fetch") is good
    with pytest.raises(GitError) as caught:
        checked(Finished(128, b"", b"fatal: couldn't find remote ref x\n"), "backend", "cannot fetch")
    error = caught.value
    assert str(error) == "backend: cannot fetch: no such ref: couldn't find remote ref x"
    assert (error.kind, error.git_code, error.first_line) == ("no-ref", 128, "couldn't find remote ref x")
    with pytest.raises(GitError, match=r"^backend: cannot fetch: git exited with 3$"):
        checked(Finished(3, b"", b""), "backend", "cannot fetch")

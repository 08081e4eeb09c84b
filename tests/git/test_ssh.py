"""Knocking at ssh servers: which URLs mean one, how many at once, what being turned away looks like."""

from __future__ import annotations

import threading

import pytest

from orbit.errors import OrbitError
from orbit.git.run import GitError
from orbit.git.ssh import Doors, ssh_host, turned_away


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("git@example.com:team/backend.git", "example.com"),
        ("example.com:backend", "example.com"),
        ("ssh://git@example.com:2222/team/backend", "example.com"),
        ("git+ssh://example.com/backend", "example.com"),
        ("SSH://example.com/backend", "example.com"),
        ("[2001:db8::1]:backend", "[2001:db8::1]"),
        ("https://example.com/team/backend.git", ""),
        ("git://example.com/backend", ""),
        ("file:///srv/backend.git", ""),
        ("/srv/backend.git", ""),
        ("./a:b", ""),
        ("backend", ""),
        ("", ""),
    ],
)
def test_host(url: str, host: str) -> None:
    assert ssh_host(url) == host


@pytest.mark.parametrize(
    ("problem", "answer"),
    [
        (("unreachable", "kex_exchange_identification: Connection closed by remote host"), True),
        (("unreachable", "Connection closed by 192.0.2.1 port 22"), True),
        (("unreachable", "ssh_exchange_identification: read: Connection reset by peer"), True),
        (("unreachable", "ssh: Could not resolve hostname no.example"), False),
        (("credentials", "git@example.com: Permission denied (publickey)."), False),
    ],
)
def test_turned_away(problem: tuple[str, str], answer: bool) -> None:
    kind, line = problem
    assert turned_away(GitError("x", "y", kind=kind, git_code=128, first_line=line)) is answer


def test_what_is_no_failure_of_git_was_not_turned_away() -> None:
    assert not turned_away(OrbitError("x", "Connection closed by remote host"))
    assert not turned_away(None)


def test_eight_at_once_for_one_host_and_no_limit_elsewhere() -> None:
    urls = ["git@example.com:r"] * 12 + ["git@other.example:r"] + ["https://example.com/r"] * 12
    doors = Doors(urls)
    inside: list[str] = []
    most = {"ssh": 0, "all": 0}
    counting = threading.Lock()
    # 8 of the full host, the other host's one and the 12 without a door can be inside together, and must be.
    together = threading.Barrier(8 + 1 + 12, timeout=20)

    def visit(url: str) -> None:
        with counting:
            inside.append(url)
            most["ssh"] = max(most["ssh"], inside.count("git@example.com:r"))
            most["all"] = max(most["all"], len(inside))
        if not released.is_set():
            together.wait()
            released.set()
        with counting:
            inside.remove(url)

    released = threading.Event()
    threads = [threading.Thread(target=doors.through, args=(url, lambda u=url: visit(u))) for url in urls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)
    assert not inside
    assert most == {"ssh": 8, "all": 21}


def test_the_result_comes_through_and_a_failure_frees_the_place() -> None:
    doors = Doors(["git@example.com:r"])

    def fail() -> int:
        raise OrbitError("x", "y")

    for _ in range(20):
        with pytest.raises(OrbitError):
            doors.through("git@example.com:r", fail)
    assert doors.through("git@example.com:r", lambda: 1) == 1
    assert doors.through("/srv/r", lambda: 2) == 2

"""The pipes and the end of a process, without git: `cat` and `sh` are enough."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from orbit.errors import OrbitError
from orbit.git import child as module
from orbit.git.child import Child


@contextmanager
def started(script: str, *, feed: bytes = b"", own_group: bool = False) -> Iterator[Child]:
    child = Child(own_group=own_group)
    try:
        child.pipes.extend((os.pipe(), os.pipe(), os.pipe()))
        ends = (child.pipes[2][0], child.pipes[0][1], child.pipes[1][1])
        actions = [(os.POSIX_SPAWN_DUP2, end, number) for number, end in enumerate(ends)]
        group: dict[str, Any] = {"setpgroup": 0} if own_group else {}
        child.pids.append(os.posix_spawnp("sh", ["sh", "-c", script], os.environ, file_actions=actions, **group))
        child.converse(child.pipes, feed)
        yield child
    finally:
        child.end()


def converse(child: Child) -> int:
    while child.is_talking():
        child.listen()
    return child.wait()


def until_it_speaks(child: Child) -> None:
    while not child.listen():
        assert child.is_talking()


def test_conversation() -> None:
    with started("cat; echo problem >&2; exit 3", feed=b"x" * 1_000_000) as child:
        assert converse(child) == 3
        assert (len(child.out), bytes(child.err)) == (1_000_000, b"problem\n")
        assert child.wait() == 3


def test_ended_by_a_signal() -> None:
    with started("kill -TERM $$") as child:
        assert converse(child) == -signal.SIGTERM


def test_what_was_said_before_the_end_is_kept_while_a_helper_holds_the_pipes() -> None:
    with started("sleep 1000 & echo $!") as child:
        while not child.has_ended():
            child.listen()
        os.kill(int(child.out), signal.SIGKILL)
        assert child.wait() == 0


def test_end_is_gentle_first() -> None:
    with started("trap 'echo bye; exit 5' TERM; echo ready; while :; do sleep 0.01; done", own_group=True) as child:
        until_it_speaks(child)
        child.end()
        assert child.wait() in (5, -signal.SIGTERM)
    child.end()


@pytest.mark.parametrize("own_group", [True, False])
def test_end_is_certain(monkeypatch: pytest.MonkeyPatch, own_group: bool) -> None:
    monkeypatch.setattr(module, "_GRACE_SECONDS", 0.0)
    with started("trap '' TERM; echo ready; while :; do :; done", own_group=own_group) as child:
        until_it_speaks(child)
        child.end()
        assert child.wait() == -signal.SIGKILL


def test_a_stopped_process_ends_too() -> None:
    with started("echo ready; kill -STOP $$; echo woken", own_group=True) as child:
        until_it_speaks(child)
        child.end()
        assert child.wait() == -signal.SIGTERM


def test_an_exit_status_that_somebody_else_took_is_never_success() -> None:
    with started("exit 0") as child:
        os.waitpid(child.pid, 0)
        with pytest.raises(OrbitError, match="SIGCHLD"):
            child.wait()

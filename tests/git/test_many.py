"""Side by side: order, errors as values, Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import pytest

from orbit.errors import OrbitError
from orbit.git.many import jobs, side_by_side
from orbit.git.patience import stop_asked
from orbit.git.run import observe
from world import SilentServer, World


def test_results_keep_the_order_of_the_items(world: World) -> None:
    clones = [str(world.clone(name)) for name in ("one", "two", "three", "four", "five")]
    found = side_by_side(lambda clone: observe(clone, ["rev-parse", "--show-toplevel"]).text, clones, 3)
    assert found == clones
    assert side_by_side(len, [], 3) == []


def test_they_do_run_side_by_side() -> None:
    meeting = threading.Barrier(4, timeout=30)
    assert set(side_by_side(lambda _: meeting.wait(), range(4), 4)) == {0, 1, 2, 3}


@pytest.mark.parametrize(("items", "count"), [(range(3), 1), (range(1), 8)])
def test_no_thread_where_none_is_needed(items: range, count: int) -> None:
    here = threading.get_ident()
    assert set(side_by_side(lambda _: threading.get_ident(), items, count)) == {here}


@pytest.mark.parametrize("count", [1, 4])
def test_an_error_of_one_item_is_its_result(count: int) -> None:
    def halved(number: int) -> int:
        if number % 2:
            raise OrbitError("number", f"{number} is odd")
        return number // 2

    found = side_by_side(halved, range(6), count)
    assert [str(value) for value in found] == [
        "0",
        "number: 1 is odd",
        "1",
        "number: 3 is odd",
        "2",
        "number: 5 is odd",
    ]


@pytest.mark.parametrize("count", [1, 2])
def test_a_defect_ends_all_of_them(count: int) -> None:
    begun = []

    def broken(number: int) -> None:
        begun.append(number)
        raise ZeroDivisionError(number)

    with pytest.raises(ZeroDivisionError):
        side_by_side(broken, range(1000), count)
    assert len(begun) < 1000


def test_an_interrupt_ends_calls_to_remotes_and_begins_no_more(world: World, silent_server: SilentServer) -> None:
    script = (
        "import sys\n"
        "from orbit.git.many import side_by_side\n"
        "from orbit.git.run import network\n"
        "def ask(number):\n"
        "    try:\n"
        "        network(sys.argv[1], ['ls-remote', sys.argv[2]])\n"
        "    finally:\n"
        "        print('undone', number, flush=True)\n"
        "try:\n"
        "    side_by_side(ask, range(50), 2)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
    )
    command = [sys.executable, "-c", script, str(world.clone()), silent_server.url]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert silent_server.connected.wait(30)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=30)
    lines = out.decode().splitlines()
    assert (running.returncode, err) == (0, b"")
    assert lines[-1] == "interrupted"
    assert 1 <= len(lines) - 1 <= 2


def test_a_caller_who_is_asked_to_stop_ends_all_of_them() -> None:
    begun: list[int] = []

    def work(number: int) -> None:
        begun.append(number)
        asked.set()
        assert asked.wait(30)
        while not stop_asked.get()():
            pass

    asked = threading.Event()
    token = stop_asked.set(asked.is_set)
    try:
        with pytest.raises(KeyboardInterrupt):
            side_by_side(work, range(50), 2)
    finally:
        stop_asked.reset(token)
    assert 1 <= len(begun) <= 2


@pytest.mark.parametrize("value", ["", "0", "-3", "four", "1.5", "٣", "9" * 30])
def test_jobs_by_default(value: str) -> None:
    cores = jobs(value, network=False)
    assert 1 <= cores <= (os.cpu_count() or 1)
    assert jobs(value, network=True) == min(max(4 * cores, 16), 32)


@pytest.mark.parametrize("network", [True, False])
def test_jobs_as_asked(network: bool) -> None:
    assert jobs("3", network) == 3
    assert jobs("100", network) == 100

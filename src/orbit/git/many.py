"""Many git calls side by side, in threads that mostly wait for a process.

Contract: concepts.md, Environment (ORBIT_JOBS); git.md, Many at once.
"""

from __future__ import annotations

import os
import time
from _thread import allocate_lock, start_new_thread

from orbit.errors import OrbitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _thread import LockType
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    Item = TypeVar("Item")
    Outcome = TypeVar("Outcome")

# Waiting for a remote costs no core: on a small machine four for each would leave most of the time unused.
_LEAST_FOR_NETWORK, _MOST_FOR_NETWORK = 16, 32
_PATIENCE_SECONDS = 0.1
_PAUSE_SECONDS = 0.01


def jobs(env_value: str, network: bool) -> int:
    """How many run at once: ORBIT_JOBS when it is a whole number above 0, else what suits remotes or this machine."""
    if env_value.isascii() and env_value.isdecimal() and len(env_value) < 6 and int(env_value):
        return int(env_value)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(max(4 * cores, _LEAST_FOR_NETWORK), _MOST_FOR_NETWORK) if network else cores


def side_by_side(function: Callable[[Item], Outcome], items: Sequence[Item], jobs: int) -> list[Outcome | OrbitError]:
    """`function` of every item, in their order; an OrbitError takes the place of the result and stops no other item.

    Any other exception, Ctrl-C and a `stop_asked` of the caller's end all of them: what has not begun is dropped, calls
    to a remote are ended, and what the others do to leave nothing half-made is waited for.
    """
    if jobs <= 1 or len(items) <= 1:
        return [_outcome(function, item) for item in items]
    from orbit.git.patience import stop_asked  # a single item, the common case, needs no thread

    results: dict[int, Outcome | OrbitError] = {}
    indices = iter(range(len(items)))
    gates = [allocate_lock() for _ in items[:jobs]]
    choosing = allocate_lock()
    alive: list[bool] = []
    stop: list[BaseException] = []
    outer = stop_asked.get()

    def work(gate: LockType) -> None:
        alive.append(True)
        stop_asked.set(lambda: bool(stop))
        try:
            while not stop:
                with choosing:
                    index = next(indices, None)
                if index is None:
                    break
                results[index] = _outcome(function, items[index])
        except BaseException as defect:  # raised again where the caller sees it
            stop.append(defect)
        finally:
            alive.pop()
            gate.release()

    try:
        for gate in gates:
            gate.acquire()
            start_new_thread(work, (gate,))
        for gate in gates:
            # A Ctrl-C just before the wait would not end one without a limit.
            while not gate.acquire(timeout=_PATIENCE_SECONDS):
                if outer():
                    raise KeyboardInterrupt
    except BaseException as problem:
        stop.append(problem)
        _wait_for_all(alive)
        raise
    if stop:
        raise stop[0]
    return [results[index] for index in range(len(items))]


def _wait_for_all(alive: list[bool]) -> None:
    """A thread that has not come as far as `alive` sees that it should stop before it begins anything."""
    while alive:
        try:
            time.sleep(_PAUSE_SECONDS)
        except KeyboardInterrupt:
            continue


def _outcome(function: Callable[[Item], Outcome], item: Item) -> Outcome | OrbitError:
    try:
        return function(item)
    except OrbitError as problem:
        return problem

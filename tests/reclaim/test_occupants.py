from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from orbit.reclaim.occupants import Occupant, inside, read_occupants


def test_a_process_in_a_directory_is_seen_where_it_is(tmp_path: Path) -> None:
    root = os.path.realpath(tmp_path)
    place = tmp_path / "task-01" / "backend"
    place.mkdir(parents=True)
    words = [sys.executable, "-c", "print(flush=True); input()"]
    with subprocess.Popen(words, cwd=place, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert [(one.pid, one.cwd) for one in read_occupants(root)] == [(process.pid, f"{root}/task-01/backend")]
        os.rename(tmp_path / "task-01", tmp_path / "moved")
        assert [one.cwd for one in read_occupants(root)] == [f"{root}/moved/backend"]
        assert read_occupants(f"{root}/mov") == ()
        process.kill()
    assert read_occupants(root) == ()


def test_at_or_below_a_directory() -> None:
    people = tuple(Occupant(number, "sh", path) for number, path in enumerate(("/r/a", "/r/a/b", "/r/ab", "/r")))
    assert [one.pid for one in inside(people, "/r/a")] == [0, 1]

"""What `orbit hook` costs on 1,000 clones, each event beside a bare interpreter.

usage: python benchmarks/hook.py [--clones 1000] [--rounds 21] [--orbit PATH]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from timing import Case, Programs, paired, table

from pool import add_task, build_pool

_GOAL = "buyers get two mails when an order is billed twice"


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory(prefix="orbit-bench-") as scratch:
        root, outside = Path(scratch) / "root", Path(scratch) / "outside"
        build_pool(root, options.clones)
        outside.mkdir()
        task = add_task(root, "task-01", 0, _GOAL)
        cases = [
            _case("session-start", "session-start", task, source="startup"),
            _case("session-start, resumed", "session-start", task, source="resume"),
            _case("outside a workspace", "session-start", outside, source="startup"),
            _case("pre-tool, orbit info", "pre-tool", task, **_shell("orbit info billing-service-00000")),
            _case("pre-tool, orbit prune", "pre-tool", task, **_shell("orbit prune")),
            _case("pre-tool, ls", "pre-tool", task, **_shell("ls -la")),
        ]
        programs = Programs(str(Path(options.orbit).parent / "python"), options.orbit)
        print(table(f"hooks, {options.clones} clones", paired(programs, cases, options.rounds)), end="")


def _case(name: str, event: str, place: Path, **said: object) -> Case:
    """Without an id of the session nothing counts as sent: each round is answered in full."""
    stdin = json.dumps({"cwd": str(place), **said})
    return Case(name, ("hook", event, "--host", "claude"), place, stdin=stdin)


def _shell(command: str) -> dict[str, object]:
    return {"tool_name": "Bash", "tool_input": {"command": command}}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clones", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--orbit", default=str(Path(sys.executable).parent / "orbit"), help="the script to time")
    return parser.parse_args()


if __name__ == "__main__":
    main()

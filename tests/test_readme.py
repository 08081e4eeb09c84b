"""The five minutes of the README, typed into a shell in the project that `orbit try` makes."""

from __future__ import annotations

import re
from pathlib import Path

from orbit.workspace import playground
from typed import matches, steps, type_in
from world import World

_PAGE = Path(__file__).parents[1] / "README.md"
_TOUR = _PAGE.read_text(encoding="utf-8").partition("## Five minutes")[2].partition("## Where to go next")[0]
_BLOCKS = re.findall(r"^```\n(\$ .*?)```", _TOUR, re.DOTALL | re.MULTILINE)


def test_the_tour_is_what_it_prints(world: World) -> None:
    programs = world.base / "bin"
    _, here = type_in("orbit try play && cd play/task-01", world.base, programs)
    root = here.parent
    (here / "card.md").write_text(playground.ORDERS_CARD)
    seen = []
    for command, shown in (step for block in _BLOCKS for step in steps(block)):
        if command.startswith("orbit sync"):
            playground.commit_upstream(str(root), "orders", playground.LATER, "Somebody else's commit")
        printed, here = type_in(command, here, programs)
        assert matches(shown.rstrip("\n") + "\n" if shown.strip() else "", printed), f"$ {command}\n{printed}"
        seen.append(command.split()[1])
    assert set(seen) >= {"repos", "add", "jot", "context", "memo", "sync", "info", "done"}

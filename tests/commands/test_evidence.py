"""What `info`, reignite, `memo` and `memo --check` say about the paths that a card names."""

from __future__ import annotations

import pytest

from shapes import json_of
from world import World

CARD = "# backend\n\nServes the API.\n\n## When to add (roles)\n\n- The API\n\n## How to use\n\n"
CARD += "- `cmd/server/main.go`: where it starts\n- `README.md`: how to run it\n"


@pytest.fixture
def carded(world: World) -> World:
    world.origin(files={"cmd/server/main.go": "package main\n"})
    world.clone()
    assert world.orbit("memo", "backend", "--text", CARD).code == 0
    return world


def test_an_entry_point_that_sync_moves_away(carded: World) -> None:
    assert "memo" not in carded.orbit("info", "backend").err
    carded.origins["backend"].commit({"cmd/server/main.go": None, "cmd/api/main.go": "package main\n"})
    carded.orbit("sync")
    told = carded.orbit("info", "backend").err.splitlines()
    assert told[1] == (
        "orbit: backend: memo is 1 commits behind HEAD; 1 of 2 paths it names is gone "
        "(cmd/server/main.go, now cmd/api/main.go): memo backend with what changed, "
        "or memo backend --refresh if the card still holds"
    )
    (evidence,) = [json_of("info", carded.orbit("info", "backend", "--json"))["evidence"]]
    assert evidence == {
        "paths": [
            {"path": "cmd/server/main.go", "state": "missing", "now": "cmd/api/main.go"},
            {"path": "README.md", "state": "ok"},
        ],
        "commits": 1,
    }


def test_when_nothing_it_names_changed_refresh_is_named_first(carded: World) -> None:
    carded.origins["backend"].commit({"docs/x.md": "x\n"})
    carded.orbit("sync")
    assert carded.orbit("info", "backend").err.splitlines()[1] == (
        "orbit: backend: memo is 1 commits behind HEAD; nothing it names changed: "
        "memo backend --refresh, or memo backend if its roles changed"
    )


def test_a_fresh_card_that_names_what_is_not_there(carded: World) -> None:
    written = carded.orbit("memo", "backend", "--text", CARD + "- `src/none.py`: never was\n")
    assert "orbit: backend: not at HEAD: src/none.py: memo backend --check" in written.err.splitlines()
    told = carded.orbit("info", "backend").err.splitlines()
    assert told[1] == "orbit: backend: 1 of 3 paths it names is gone (src/none.py): memo backend"
    checked = carded.orbit("memo", "backend", "--check")
    assert (checked.code, checked.out) == (1, "backend: not at the pool's HEAD: src/none.py\n")


def test_reignite_has_it_inside_the_block(carded: World) -> None:
    carded.workspace()
    tree = carded.worktree()
    carded.origins["backend"].commit({"README.md": "changed\n"})
    carded.orbit("sync")
    block = carded.orbit("context", "--startup", cwd=tree).out
    assert "memo is 1 commits behind HEAD; 1 of 2 paths it names changed (README.md): memo backend" in block
    value = json_of("context", carded.orbit("context", "--reignite", "--json", cwd=tree))
    assert [path["state"] for path in value["worktrees"][0]["evidence"]["paths"]] == ["ok", "changed"]


def test_the_roster_does_not_compute_it(carded: World) -> None:
    carded.origins["backend"].commit({"cmd/server/main.go": None})
    carded.orbit("sync")
    assert "paths it names" not in carded.orbit("repos").err


def test_a_blobless_clone_offline(world: World) -> None:
    world.origin(files={"cmd/server/main.go": "package main\n"})
    assert world.orbit("clone", f"file://{world.origins['backend'].path}", "--filter", "blob:none").code == 0
    world.orbit("memo", "backend", "--text", CARD)
    world.origins["backend"].path.rename(world.base / "gone.git")
    done = world.orbit("info", "backend")
    assert done.code == 0
    assert "gone" not in done.err

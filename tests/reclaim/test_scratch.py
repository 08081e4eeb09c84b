from __future__ import annotations

from pathlib import Path

from orbit.reclaim.scratch import Scratch, sweep
from world import World


def test_a_repository_is_made_only_when_needed_and_goes_again(world: World) -> None:
    clone = world.clone()
    place = world.base / "scratch"
    tip = world.git(clone, "rev-parse", "main")
    with Scratch(str(place), str(clone / ".git")):
        assert not place.exists()
    with Scratch(str(place), str(clone / ".git")) as scratch:
        assert scratch.is_upstream(tip, world.git(clone, "rev-parse", "main~1"))
        [made] = place.iterdir()
        assert (made / "objects" / "info" / "alternates").read_text() == f"{clone}/.git/objects\n"
    assert list(place.iterdir()) == []


def test_what_cannot_be_told_is_no(world: World) -> None:
    clone = world.clone()
    tip = world.git(clone, "rev-parse", "main")
    with Scratch(str(world.base / "scratch"), str(clone / ".git")) as scratch:
        assert not scratch.is_upstream(tip, "1" * 40)
        assert not scratch.is_upstream("1" * 40, tip)
    odd = world.base / "odd\nname"
    with Scratch(str(world.base / "scratch"), str(odd)) as scratch:
        assert not scratch.is_upstream(tip, tip)
    blocked = world.base / "file"
    blocked.write_text("")
    with Scratch(str(blocked), str(clone / ".git")) as scratch:
        assert not scratch.is_upstream(tip, tip)


def test_what_a_killed_prune_left_is_swept(tmp_path: Path) -> None:
    (tmp_path / "prune-abc" / "objects").mkdir(parents=True)
    (tmp_path / "orbit-1.sqlite").write_text("x")
    sweep(str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["orbit-1.sqlite"]
    sweep(str(tmp_path / "missing"))

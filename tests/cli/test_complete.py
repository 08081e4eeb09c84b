"""The hidden call behind a press of Tab."""

from __future__ import annotations

import pytest

from orbit.cli.help import short_help
from world import World

BREAKS = " \t\n\"'@><=;|&(:"
INFO = "some:repo --json"


@pytest.fixture
def pool(world: World) -> World:
    for name in ("backend", "batch", "frontend"):
        world.clone(name)
    return world


def asked(world: World, *words: str) -> list[str]:
    done = world.orbit("complete", *words)
    assert (done.code, done.err) == (0, "")
    return done.out.splitlines()


def test_zsh_and_fish_choose_by_themselves(pool: World) -> None:
    assert asked(pool, "zsh", INFO, "batch", "") == ["backend", "frontend"]
    assert asked(pool, "fish", "--ref=a|b", "--ref=") == ["a", "b"]


def test_bash_gets_what_fits_quoted(pool: World) -> None:
    assert asked(pool, "bash", INFO, "orbit info ba", BREAKS) == ["backend", "batch"]
    assert asked(pool, "bash", INFO, "orbit info backend ba", BREAKS) == ["batch"]
    pool.workspace("it's $5")
    for typed, shown in (
        ("it", r"it\'s\ \$5"),
        ("'it", "it'\\''s $5"),
        ('"it', r"it's \$5"),
        ("it\\'s", r"it\'s\ \$5"),
    ):
        assert asked(pool, "bash", "one:workspace", f"orbit status {typed}", BREAKS) == [shown]


def test_bash_replaces_only_what_follows_its_last_break(pool: World) -> None:
    shape = "--ref=a=b|a=c"
    assert asked(pool, "bash", shape, "orbit add --ref=", BREAKS) == ["a=b", "a=c"]
    assert asked(pool, "bash", shape, "orbit add --ref=a=", BREAKS) == ["b", "c"]
    assert asked(pool, "bash", shape, "orbit add --ref=a=", " ") == ["--ref=a=b", "--ref=a=c"]


@pytest.mark.parametrize("kind", ["file", "dir"])
def test_paths_are_left_to_the_shell(pool: World, kind: str) -> None:
    assert asked(pool, "bash", f"--from={kind}", "orbit clone --from=x", BREAKS) == [f"\t{kind}"]
    assert asked(pool, "zsh", f"--from={kind}", "--from", "") == [f"\t{kind}"]


@pytest.mark.parametrize("words", [["bash", INFO, "orbit"], ["nosh", "", ""], ["zsh", "many:nothing", "\udcff"]])
def test_an_odd_call_is_answered_with_nothing(pool: World, words: list[str]) -> None:
    assert asked(pool, *words) == []


def test_outside_a_project_and_in_a_root_that_is_none_there_is_silence(world: World) -> None:
    for cwd, env in ((world.base, {}), (world.root, {"ORBIT_ROOT": "/nowhere"})):
        assert world.orbit("complete", "zsh", INFO, "", cwd=cwd, env=env) == (0, "", "")


@pytest.mark.parametrize("words", [[], ["bash"], ["--help"], ["zsh", INFO]])
def test_a_person_is_led_to_completion(world: World, words: list[str]) -> None:
    done = world.orbit("complete", *words)
    assert (done.code, done.out) == (2, "")
    assert "no such command: complete, did you mean completion?" in done.err


def test_it_is_in_no_help(world: World) -> None:
    assert "complete " not in short_help()

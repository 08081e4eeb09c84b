from __future__ import annotations

import pytest

from world import World


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_is_the_same_everywhere(world: World, shell: str) -> None:
    done = world.orbit("completion", shell, cwd=world.base)
    assert (done.code, done.err) == (0, "")
    assert done.out.isascii()
    assert done == world.orbit("completion", shell)


def test_an_unknown_shell_is_told_which_there_are(world: World) -> None:
    assert world.orbit("completion", "sh") == (
        2,
        "",
        "orbit: completion: no script for this shell: sh\norbit: completion: orbit completes in bash, zsh, fish\n",
    )

from __future__ import annotations

import pytest

from world import World


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_is_the_same_everywhere(world: World, shell: str) -> None:
    done = world.orbit("completion", shell, cwd=world.base)
    assert (done.code, done.err) == (0, "")
    assert done.out.isascii()
    assert done == world.orbit("completion", shell)


def test_an_unknown_shell_names_the_nearest(world: World) -> None:
    assert world.orbit("completion", "zhs").err == (
        "orbit: completion: no script for this shell: zhs\norbit: completion: did you mean zsh?\n"
    )
    refused = world.orbit("completion", "powershell")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.endswith("orbit completes in bash, zsh, fish\n")

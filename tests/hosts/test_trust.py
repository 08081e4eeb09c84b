from __future__ import annotations

import os
from pathlib import Path

import pytest

from hosts.programs import change_state, surroundings
from orbit.errors import OrbitError
from orbit.hosts.trust import Hooks, ask_hooks, read_hooks, without_trust


def hook(event: str, status: str, key: str = "orbit@orbit-workspaces:hooks/codex.json:x:0:0", **more: object) -> object:
    return {"key": key, "eventName": event, "trustStatus": status, **more}


def test_whose_hooks_run() -> None:
    hooks = [
        hook("sessionStart", "trusted"),
        hook("permissionRequest", "modified"),
        hook("subagentStart", "untrusted"),
        hook("stop", "managed"),
        hook("preToolUse", "trusted", enabled=False),
        hook("other", "untrusted", "another@market:hooks.json:x:0:0"),
    ]
    found = read_hooks({"data": [{"hooks": hooks[:2]}, {"hooks": hooks[2:]}]})
    assert found.known == ("sessionStart", "permissionRequest", "subagentStart", "stop", "preToolUse")
    assert found.untrusted == ("permissionRequest", "subagentStart", "preToolUse")


@pytest.mark.parametrize("result", [None, {}, {"data": 1}, {"data": [{"hooks": [{"key": "orbit@orbit-workspaces:"}]}]}])
def test_another_form_of_answer(result: object) -> None:
    with pytest.raises(OrbitError, match="cannot be read"):
        read_hooks(result)


def test_it_is_asked_of_the_program(tmp_path: Path) -> None:
    env = surroundings(tmp_path, "codex")
    program = str(tmp_path / "programs/codex")
    assert ask_hooks(program, env, "/", 30.0) == Hooks((), ())
    (Path(env["HOME"]) / "state-codex").write_text("{}")
    change_state(env, "codex", tree="/x")
    assert ask_hooks(program, env, "/", 30.0) == Hooks(("sessionStart",), ("sessionStart",))
    assert ask_hooks(program, {**env, "TRUST": "trusted"}, "/", 30.0).untrusted == ()
    assert os.path.exists(program)


_OURS = '[hooks.state."orbit@orbit-workspaces:hooks/codex.json:session_start:0:0"]\ntrusted_hash = "sha256:1"\n'
_THEIRS = '[hooks.state."other@market:h.json:stop:0:0"]\ntrusted_hash = "sha256:2"\n'


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('model = "x"\n', 'model = "x"\n'),
        ("", ""),
        (_OURS, ""),
        (f'model = "x"\n\n[hooks.state]\n\n{_OURS}\n{_OURS}', 'model = "x"\n'),
        (f"[hooks.state]\n\n{_OURS}\n{_THEIRS}", f"[hooks.state]\n\n{_THEIRS}"),
        (f'{_OURS}\n[tui]\ntheme = "dark"\n', '[tui]\ntheme = "dark"\n'),
        (f"{_THEIRS}\n\n", f"{_THEIRS}\n\n"),
    ],
)
def test_trust_that_is_for_nothing_any_more_goes(text: str, left: str) -> None:
    assert without_trust(text) == left

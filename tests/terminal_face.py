"""orbit in this process as at a terminal: a person who has typed the answers already."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping

from orbit.cli.main import run
from orbit.cli.render import Streams
from orbit.places import World as Surroundings
from world import Outcome, World, as_text


def at_terminal(world: World, words: list[str], typed: str, env: Mapping[str, str]) -> Outcome:
    out, err = io.BytesIO(), io.BytesIO()
    streams = Streams(stdin=io.BytesIO(typed.encode()), out=out, err=err, in_terminal=True)
    surroundings = Surroundings(cwd=os.path.realpath(world.root), env=dict(env))
    code = run(words, surroundings, streams)
    return Outcome(code, as_text(out.getvalue()), as_text(err.getvalue()))

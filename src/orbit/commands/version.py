"""`orbit version`."""

from __future__ import annotations

from orbit import __version__
from orbit.commands.arguments import Usage
from orbit.commands.result import Call, Result

USAGE = Usage(
    forms=("orbit version",),
    about="Prints the version. Also: orbit --version, orbit -v.",
    arguments=(),
    examples=(("orbit version", "orbit 0.1.0"), ("orbit -v", "the same")),
    related=("doctor",),
)


def run(call: Call) -> Result:  # noqa: ARG001  every verb is called alike
    return Result(text=f"orbit {__version__}")

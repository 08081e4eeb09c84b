"""An ssh server that is too busy at first: it closes the door before anybody logs in, then lets the same caller in."""

from __future__ import annotations

from world import World

_PROGRAM = """#!/bin/sh
for command; do :; done
echo "$command" >>{log}
if [ "$(grep -cxF "$command" {log})" = 1 ]; then
    echo 'kex_exchange_identification: Connection closed by remote host' >&2
    echo 'Connection closed by 192.0.2.1 port 22' >&2
    exit 255
fi
exec sh -c "$command"
"""


def busy_server(world: World) -> dict[str, str]:
    """The environment in which `host:/path` is such a server for the repositories of this machine."""
    program = world.base / "ssh"
    program.write_text(_PROGRAM.format(log=world.base / "calls"))
    program.chmod(0o755)
    return {"GIT_SSH_COMMAND": str(program), "GIT_SSH_VARIANT": "simple"}


def calls(world: World) -> list[str]:
    """What was asked of it, in order."""
    return (world.base / "calls").read_text().splitlines()

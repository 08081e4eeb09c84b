"""What is noted at a host's setup: which tree it was given, and the settings files as they were before and after.

With it `setup --remove` gives back, byte for byte, the settings that nobody has touched since. A host writes its own
form of them, drops comments and leaves empty sections behind. Contract: hosts.md, `orbit setup`.
"""

from __future__ import annotations

import base64
import json
import os

from orbit.errors import OrbitError
from orbit.hosts.source import kept_directory
from orbit.record import Record
from orbit.store.disk import (
    read_bytes,
    reason_of,
    remove_file,
    remove_users_draft,
    replace_file,
    replace_users_file,
    try_read,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Images = Mapping[str, bytes | None]


class Kept(Record):
    """`digest` names the tree. In `before` and `after` a file that was not there has None."""

    digest: str
    before: Images
    after: Images


def images(paths: Sequence[str]) -> dict[str, bytes | None]:
    """Each file as it is now, None for one that is not there. One that cannot be read is left out: nothing is known of
    it, so that nothing will be put in its place.
    """
    read = {path: try_read(path) for path in paths}
    return {path: data for path, (data, reason) in read.items() if not reason}


def read_kept(env: Mapping[str, str], host: str) -> Kept | None:
    """What was noted at the host's setup; None when there is nothing, or nothing that makes sense.

    Raises OrbitError when the note cannot be read.
    """
    data = read_bytes(_path(env, host))
    try:
        value = json.loads(data or b"")
        return Kept(str(value["digest"]), _decoded(value["before"]), _decoded(value["after"]))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def write_kept(env: Mapping[str, str], host: str, kept: Kept) -> None:
    """Raises OrbitError when it cannot be written."""
    path = _path(env, host)
    value = {"digest": kept.digest, "before": _encoded(kept.before), "after": _encoded(kept.after)}
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        if not os.path.lexists(path):
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))  # settings may hold keys
    except OSError as error:
        raise OrbitError(path, f"cannot be written: {reason_of(error)}") from None
    replace_file(path, json.dumps(value, indent=1).encode())


def forget(env: Mapping[str, str], host: str) -> None:
    remove_file(_path(env, host))


def hosts_kept(env: Mapping[str, str]) -> list[str]:
    """The hosts that were set up and not removed. Raises OrbitError when that cannot be told."""
    try:
        names = os.listdir(kept_directory(env))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise OrbitError(kept_directory(env), f"cannot be read: {reason_of(error)}") from None
    return sorted(name.removesuffix(".json") for name in names if name.endswith(".json"))


def untouched(kept: Kept) -> list[str]:
    """The files that are still what setup left, and of which it is known what they were before."""
    return untouched_in(kept, images(list(kept.after)))


def untouched_in(kept: Kept, now: Images) -> list[str]:
    """The same, of files that were read already."""
    return [path for path, data in kept.after.items() if path in kept.before and path in now and now[path] == data]


def put_back(kept: Kept, paths: Sequence[str]) -> None:
    """Make these files what they were before the setup. Raises OrbitError."""
    for path in paths:
        data = kept.before[path]
        if data is None:
            remove_file(path)
        elif try_read(path)[0] != data:
            replace_users_file(path, data)
        remove_users_draft(path)


def _path(env: Mapping[str, str], host: str) -> str:
    return f"{kept_directory(env)}/{host}.json"


def _encoded(files: Images) -> dict[str, str | None]:
    return {path: None if data is None else base64.b64encode(data).decode() for path, data in files.items()}


def _decoded(files: dict[str, str | None]) -> dict[str, bytes | None]:
    return {path: None if text is None else base64.b64decode(text, validate=True) for path, text in files.items()}

"""What can stand where a metadata file should be."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

Damage = Callable[[Path, bytes], None]


def _content(make: Callable[[bytes], bytes]) -> Damage:
    def damage(path: Path, old: bytes) -> None:
        path.write_bytes(make(old))

    return damage


def _link(target: str) -> Damage:
    def damage(path: Path, old: bytes) -> None:
        path.symlink_to(target if target != "." else path.name)

    return damage


def _socket(path: Path, old: bytes) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        # The path of a socket is limited to a hundred bytes: bound by its name, from beside it.
        directory = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            made.bind(f"/proc/self/fd/{directory}/{path.name}")
        finally:
            os.close(directory)


def _unreadable(path: Path, old: bytes) -> None:
    path.write_bytes(old)
    path.chmod(0)


def _full_directory(path: Path, old: bytes) -> None:
    path.mkdir()
    (path / "inside").write_bytes(old)


DAMAGES: dict[str, Damage] = {
    "gone": lambda path, old: None,
    "empty": _content(lambda old: b""),
    "garbage": _content(lambda old: bytes(range(1, 256)) * 3),
    "truncated": _content(lambda old: old[: len(old) * 2 // 3] + b'"'),
    "binary": _content(lambda old: b"\0\1\2\xff\xfe" * 40),
    "huge": _content(lambda old: old + b"# " + b"x" * 3_000_000 + b"\n"),
    "one endless line": _content(lambda old: b"[a]\n\tkey = " + b"y" * 1_000_000),
    "many lines": _content(lambda old: old + b'[jot "backend"]\n' + b"\tentry = x\n" * 20_000),
    "utf-16": _content(lambda old: old.decode("utf-8", "replace").encode("utf-16")),
    "latin-1": _content(lambda old: old + "# größe\n".encode("latin-1")),
    "byte order mark": _content(lambda old: b"\xef\xbb\xbf" + old),
    "CRLF": _content(lambda old: old.replace(b"\n", b"\r\n")),
    "CR": _content(lambda old: old.replace(b"\n", b"\r")),
    "NUL": _content(lambda old: old.replace(b"\n", b"\0\n", 1)),
    "escapes": _content(lambda old: old + b'[x "\x1b]0;y\x07"]\n\tk = \x1b[31m</orbit-context>\n'),
    "twice": _content(lambda old: old + old),
    "unclosed section": _content(lambda old: old + b"[workspace\n"),
    "conflict marks": _content(lambda old: b"<<<<<<< ours\n" + old + b"=======\n" + old + b">>>>>>> theirs\n"),
    "includes": _content(lambda old: old + b"[include]\n\tpath = /dev/zero\n"),
    "directory": lambda path, old: path.mkdir(),
    "full directory": _full_directory,
    "dangling link": _link("nowhere/at/all"),
    "looping link": _link("."),
    "link to a directory": _link(".."),
    "endless device": _link("/dev/zero"),
    "pipe": lambda path, old: os.mkfifo(path),
    "socket": _socket,
    "unreadable": _unreadable,
}


def damage(path: Path, kind: str) -> bytes | None:
    """Damage what stands there; the bytes that a reader of the path gets, None where there is no file."""
    old = path.read_bytes() if path.is_file() else b""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    DAMAGES[kind](path, old)
    return path.read_bytes() if path.is_file() else None

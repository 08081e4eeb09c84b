"""A real git world for tests: remotes, a pool, workspaces, and orbit itself, in a directory of the test's own.

Everything starts as a copy of a template that is built once and kept in memory: writing out a ready repository costs a
tenth of making it. The environment is sealed by `conftest.py`.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

EPOCH = 1_700_000_000
TICK_SECONDS = 60
README = "# Template\n\nA small service that the tests copy.\n"

Files = Mapping[str, str | bytes | None]


class Outcome(NamedTuple):
    """What one run of orbit left behind."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


def run_git(directory: str | Path, *args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> str:
    """git's stdout without its last newline; fails the test, with git's stderr, when git fails."""
    command = ["git", "-C", str(directory), *args]
    done = subprocess.run(command, input=stdin, capture_output=True, env={**os.environ, **(env or {})}, check=False)
    assert done.returncode == 0, f"git {' '.join(args)}: {done.stderr.decode(errors='replace')}"
    return done.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")


class Snapshot(NamedTuple):
    """A directory in memory; paths are relative."""

    directories: list[str]
    files: list[tuple[str, bytes]]

    @classmethod
    def of(cls, top: Path) -> Snapshot:
        below = sorted(top.rglob("*"))
        directories = [str(path.relative_to(top)) for path in below if path.is_dir()]
        return cls(directories, [(str(path.relative_to(top)), path.read_bytes()) for path in below if path.is_file()])

    def write(self, top: Path) -> None:
        os.mkdir(top)
        for name in self.directories:
            os.mkdir(f"{top}/{name}")
        for name, data in self.files:
            with open(f"{top}/{name}", "wb", buffering=0) as file:
                file.write(data)


class Template(NamedTuple):
    """A bare remote with three commits on main, and the pool clone of it whose URL is `url`."""

    origin: Snapshot
    clone: Snapshot
    url: str


def build_template(directory: Path) -> Template:
    """Packed and without samples or logs, so that a copy is a dozen files."""
    origin, clone = directory / "origin.git", directory / "clone"
    run_git(directory, "init", "-q", "--bare", "--template=", str(origin))
    changes: list[Files] = [{"README.md": README}, {"src/app.py": "print(1)\n"}, {"src/app.py": "print(2)\n"}]
    for number, files in enumerate(changes):
        fast_import(origin, "main", files, f"Commit {number + 1}", EPOCH + number * TICK_SECONDS)
    run_git(origin, "-c", "repack.writeBitmaps=false", "repack", "-adq")
    run_git(origin, "pack-refs", "--all")
    clone_repository(str(origin), clone)
    shutil.rmtree(clone / ".git" / "logs")
    return Template(Snapshot.of(origin), Snapshot.of(clone), str(origin))


def clone_repository(url: str, path: Path) -> None:
    """As orbit clones: one branch, the map of all branches, managed config."""
    run_git(path.parent, "clone", "-q", "--template=", "--single-branch", "-o", "origin", "--", url, str(path))
    run_git(path, "config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*")
    run_git(path, "config", "fetch.prune", "true")
    run_git(path, "config", "push.default", "upstream")


def fast_import(repository: Path, branch: str, files: Files, message: str, when: int) -> str:
    """One commit on a branch of a bare repository, in one process; a value of None deletes the file."""
    ref = f"refs/heads/{branch}"
    packed = repository / "packed-refs"
    born = (repository / ref).exists() or (packed.exists() and f" {ref}\n" in packed.read_text())
    text = message.encode()
    lines = [b"commit %b" % ref.encode(), b"mark :1", b"committer Tester <tester@example.com> %d +0000" % when]
    lines.append(b"data %d\n%b" % (len(text), text))
    if born:
        lines.append(b"from %b^0" % ref.encode())
    for name, content in files.items():
        path = os.fsencode(name)
        if content is None:
            lines.append(b"D %b" % path)
            continue
        data = content.encode() if isinstance(content, str) else content
        lines.append(b"M 100644 inline %b\ndata %d\n%b" % (path, len(data), data))
    lines.append(b"get-mark :1\n")
    return run_git(repository, "fast-import", "--quiet", "--cat-blob-fd=1", stdin=b"\n".join(lines))


class Origin:
    """A remote repository (bare). `untouched`: still what the template is."""

    def __init__(self, world: World, name: str, path: Path, *, untouched: bool) -> None:
        self.world = world
        self.name = name
        self.path = path
        self.untouched = untouched

    @property
    def url(self) -> str:
        return str(self.path)

    def commit(self, files: Files | None = None, message: str = "Change", branch: str = "main") -> str:
        """The new commit; without files an empty one."""
        self.untouched = False
        return fast_import(self.path, branch, files or {}, message, self.world.tick())

    def branch(self, name: str, at: str = "main") -> str:
        """A new branch at a revision, which is returned as a commit."""
        self.untouched = False
        self.world.git(self.path, "branch", "--", name, at)
        return self.sha(name)

    def sha(self, revision: str = "main") -> str:
        return self.world.git(self.path, "rev-parse", "--verify", f"{revision}^{{commit}}")


class World:
    """The project root of one test, with its remotes beside it. `tick` moves the clock that git's dates come from."""

    def __init__(self, directory: Path, template: Template) -> None:
        self.template = template
        self.base = directory
        self.root = directory / "root"
        self.pool = self.root / ".repos"
        self.remotes = directory / "remotes"
        self.origins: dict[str, Origin] = {}
        self.now = EPOCH + 3600
        self.pool.mkdir(parents=True)
        self.remotes.mkdir()
        self.tick()

    def tick(self, seconds: int = TICK_SECONDS) -> int:
        """The time (epoch seconds) of whatever git makes next."""
        self.now += seconds
        os.environ["GIT_AUTHOR_DATE"] = os.environ["GIT_COMMITTER_DATE"] = f"{self.now} +0000"
        return self.now

    def git(self, directory: str | Path, *args: str, stdin: bytes = b"") -> str:
        """git's stdout; fails the test when git fails."""
        self.tick()
        return run_git(directory, *args, stdin=stdin)

    def origin(self, name: str = "backend", files: Files | None = None, *, empty: bool = False) -> Origin:
        """The remote of that name: the template's commits, one more with `files`, or nothing at all."""
        path = self.remotes / f"{name}.git"
        if empty:
            run_git(self.remotes, "init", "-q", "--bare", "--template=", str(path))
        else:
            self.template.origin.write(path)
        made = self.origins[name] = Origin(self, name, path, untouched=not empty)
        if files:
            made.commit(files)
        return made

    def clone(self, name: str = "backend") -> Path:
        """The pool clone of a remote as it is now; the remote is made when there is none."""
        origin = self.origins.get(name) or self.origin(name)
        path = self.pool / name
        if not origin.untouched:
            clone_repository(origin.url, path)
            return path
        self.template.clone.write(path)
        config = path / ".git" / "config"
        config.write_text(config.read_text().replace(self.template.url, origin.url))
        return path

    def workspace(self, name: str = "task-01") -> Path:
        """A bare directory, which is all that a workspace needs to be one."""
        path = self.root / name
        path.mkdir()
        return path

    def worktree(self, workspace: str = "task-01", name: str = "backend", branch: str = "main") -> Path:
        """A worktree as `add` makes it: scoped branch, upstream written afterwards. The clone must be there."""
        path = self.root / workspace / name
        scoped = f"ws/{workspace}/{branch}"
        self.git(self.pool / name, "worktree", "add", "-q", "--no-track", "-b", scoped, str(path), f"origin/{branch}")
        self.git(self.pool / name, "branch", "-q", f"--set-upstream-to=origin/{branch}", scoped)
        return path

    def populated(self) -> Path:
        """Clones of backend and frontend, a worktree of backend in task-01; that workspace."""
        self.clone()
        self.clone("frontend")
        path = self.workspace()
        self.worktree()
        return path

    def orbit(
        self,
        *args: str,
        cwd: str | Path | None = None,
        stdin: str | bytes | None = None,
        env: Mapping[str, str] | None = None,
    ) -> Outcome:
        """orbit in this process, from the root unless told otherwise."""
        from orbit.cli.main import run
        from orbit.cli.render import Streams
        from orbit.places import World as Surroundings

        out, err = io.BytesIO(), io.BytesIO()
        streams = Streams(stdin=io.BytesIO(as_bytes(stdin)), out=out, err=err)
        self.tick()
        with environment(env or {}):
            surroundings = Surroundings(cwd=os.path.realpath(cwd or self.root), env=dict(os.environ))
            code = run(list(args), surroundings, streams)
        return Outcome(code, as_text(out.getvalue()), as_text(err.getvalue()))

    def orbit_process(
        self,
        *args: str,
        cwd: str | Path | None = None,
        stdin: str | bytes | None = None,
        env: Mapping[str, str] | None = None,
    ) -> Outcome:
        """orbit as a process of its own, where a process is the point."""
        self.tick()
        done = subprocess.run(
            [sys.executable, "-m", "orbit", *args],
            cwd=cwd or self.root,
            input=as_bytes(stdin),
            capture_output=True,
            env={**os.environ, **(env or {})},
            timeout=120,
            check=False,
        )
        return Outcome(done.returncode, as_text(done.stdout), as_text(done.stderr))


def as_bytes(text: str | bytes | None) -> bytes:
    return text.encode() if isinstance(text, str) else text or b""


def as_text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


@contextmanager
def environment(changes: Mapping[str, str | None]) -> Iterator[None]:
    """os.environ with some variables set, or unset by None, for a while: the git layer reads it there."""
    before = {name: os.environ.get(name) for name in changes}
    try:
        _set(changes)
        yield
    finally:
        _set(before)


def _set(values: Mapping[str, str | None]) -> None:
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


class SilentServer:
    """A port on the loopback that takes connections and never says a word; `connected` is set by the first."""

    def __init__(self) -> None:
        self.connected = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._taken: list[socket.socket] = []
        self.url = f"git://127.0.0.1:{self._listener.getsockname()[1]}/repository"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                self._taken.append(self._listener.accept()[0])
            except OSError:
                return
            self.connected.set()

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()
        for connection in self._taken:
            connection.close()


def sealed_environment(home: Path) -> dict[str, str | None]:
    """What separates the tests from the machine: nothing of the user's git, editor, clock or orbit reaches them."""
    settings = home / "gitconfig"
    settings.write_text(
        "[user]\n\tname = Tester\n\temail = tester@example.com\n"
        "[init]\n\tdefaultBranch = main\n"
        '[protocol "file"]\n\tallow = always\n'
        "[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n"
        "[core]\n\tfsync = none\n[fastimport]\n\tunpackLimit = 1\n"
    )
    inherited = [name for name in os.environ if name.startswith(("GIT_", "ORBIT_", "SSH_", "XDG_"))]
    inherited += [name for name in os.environ if name.lower().endswith("_proxy")]
    inherited += ["VISUAL", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE"]
    return {
        **dict.fromkeys(inherited),
        "HOME": str(home / "home"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": str(settings),
        "GIT_CEILING_DIRECTORIES": str(home.parent),
        "GIT_EDITOR": "false",
        "EDITOR": "false",
        "GIT_AUTHOR_DATE": f"{EPOCH} +0000",
        "GIT_COMMITTER_DATE": f"{EPOCH} +0000",
        "TZ": "UTC",
        "TERM": "dumb",
    }

"""The only door to git: one environment policy, one stall rule, one error class.

`observe` reads and never reaches the network, `change` writes locally, `network` may talk to a remote. `subprocess`
would cost more at start-up than git itself, so processes are started with `posix_spawn`. Contract: git.md, How git is
used; refinements.md, 16 to 20 and 23.
"""

from __future__ import annotations

import os
import time
from _thread import allocate_lock
from itertools import starmap

from orbit.errors import OrbitError
from orbit.git.endless import refuse_endless, refuse_endless_refs
from orbit.git.urls import redact_urls
from orbit.record import Record
from orbit.text import safe_line, shortened

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Callable, Mapping, Sequence
    from functools import partial
    from typing import Any

    from orbit.git.child import Child
else:  # what `signal` and `functools` are made of: importing those costs more than starting git
    import _signal
    from _functools import partial

_LOCATION_VARIABLES = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_PREFIX",
    "GIT_NAMESPACE",
    "GIT_SHALLOW_FILE",
    "GIT_GRAFT_FILE",
)
_TRACES = ("GIT_TRACE", "GIT_CURL_VERBOSE")
_POLICY = {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GCM_INTERACTIVE": "never", "GIT_ADVICE": "0"}
_NO_NETWORK = {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1"}
_SSH = "ssh -o BatchMode=yes -o ConnectTimeout=15 -o ServerAliveInterval=15"
_STABLE_OUTPUT = ("-c", "core.quotePath=false", "-c", "color.ui=never", "-c", "log.showSignature=false")
# For a repository of orbit's own: the user's hooks are for theirs, and a reflog would hold the user's name.
OWN = ("-c", "core.hooksPath=/dev/null", "-c", "core.logAllRefUpdates=false")
# They search for no repository, and `init` would fill the one named by --git-dir instead of its argument.
_REPOSITORY_MAKERS = ("clone", "init")
_NETWORK_SETTINGS = r"^(core\.sshcommand|http\.(.*\.)?lowspeed(limit|time))$"
_STALL_SECONDS = 60
_TICKS_BEFORE_DOUBT = 20  # two seconds
_IGNORED_BY_PYTHON = (_signal.SIGPIPE, _signal.SIGXFSZ)
_LINE_LIMIT = 400

# macOS has no atomic close-on-exec pipe: a git started meanwhile by another thread would hold it open.
_starting = allocate_lock()

# (kind, substrings of git's stderr under LC_ALL=C that all occur), first match wins: a fault of this machine before the
# remote's, and what the remote answered before the general loss of connection that often follows it.
_FAILURES: tuple[tuple[str, tuple[bytes, ...]], ...] = (
    ("lock", (b".lock': File exists",)),  # lockfile.c, every lock but the config's
    ("lock", (b"could not lock config file", b"File exists")),  # config.c
    ("host-key", (b"Host key verification failed",)),  # ssh, also for a changed key
    ("credentials", (b"could not read Username",)),  # credential.c, prompts being off
    ("credentials", (b"could not read Password",)),
    ("credentials", (b"Authentication failed",)),  # http.c
    ("credentials", (b"Permission denied (",)),  # ssh: the methods it tried follow; a file's denial has no bracket
    ("credentials", (b"Too many authentication failures",)),  # sshd
    ("credentials", (b"The requested URL returned error: 401",)),  # curl
    ("credentials", (b"The requested URL returned error: 403",)),
    ("no-repository", (b"fatal: repository '",)),  # http.c "not found", clone.c "does not exist"
    ("no-repository", (b"does not appear to be a git repository",)),  # a path, served or local
    ("no-repository", (b"repository not exported",)),  # git daemon
    ("no-repository", (b"remote error: no such repository",)),  # git daemon --informative-errors
    ("no-repository", (b"ERROR: Repository not found",)),  # GitHub and Gitea over ssh
    ("no-repository", (b"The project you were looking for could not be found",)),  # GitLab over ssh
    ("no-repository", (b"The requested URL returned error: 404",)),
    ("no-ref", (b"couldn't find remote ref",)),  # fetch
    ("no-ref", (b"fatal: Remote branch ", b" not found in upstream ")),  # clone --branch
    ("no-ref", (b"not our ref",)),  # upload-pack, asked for an object name
    ("no-ref", (b"Server does not allow request for unadvertised object",)),
    ("no-ref", (b"invalid reference",)),  # checkout, switch, worktree add
    ("no-ref", (b"Needed a single revision",)),  # rev-parse --verify
    ("stalled", (b"Operation too slow",)),  # curl, http.lowSpeedLimit
    ("unreachable", (b"Could not resolve ",)),  # ssh "hostname", curl "host" and "proxy"
    ("unreachable", (b"unable to look up ",)),  # connect.c, git://
    ("unreachable", (b"unable to connect to ",)),
    ("unreachable", (b"Failed to connect to ",)),  # curl
    ("unreachable", (b"Connection refused",)),
    ("unreachable", (b"Connection timed out",)),
    ("unreachable", (b"Operation timed out",)),  # the same on macOS
    ("unreachable", (b"Connection reset by ",)),
    ("unreachable", (b"Connection closed by ",)),  # ssh, before authentication
    ("unreachable", (b"Network is unreachable",)),
    ("unreachable", (b"No route to host",)),
    ("unreachable", (b"hung up unexpectedly",)),  # pkt-line.c
    ("unreachable", (b"early EOF",)),  # index-pack: dropped half way
    ("unreachable", (b"RPC failed",)),  # remote-curl.c
    ("unreachable", (b"unable to access '",)),  # http.c: TLS and everything else that curl tells
)
_IN_WORDS = {
    "unreachable": "cannot reach the remote",
    "credentials": "the remote needs credentials",
    "host-key": "host key unknown",
    "no-repository": "no such repository",
    "no-ref": "no such ref",
    "lock": "another git process holds a lock",
    "stalled": "the remote stopped answering",
}


class Finished(Record):
    """What one git call left: exit status (negative: the signal that ended it), stdout, stderr."""

    code: int
    out: bytes
    err: bytes

    @property
    def text(self) -> str:
        """stdout as text without its last newline; bytes that are not UTF-8 survive as surrogates."""
        return self.out.decode("utf-8", "surrogateescape").removesuffix("\n")


class GitError(OrbitError):
    """git said no: `kind` as told by `failure_kind`, `git_code` its exit status, `first_line` its own words."""

    def __init__(self, context: str, message: str, *, kind: str, git_code: int, first_line: str) -> None:
        super().__init__(context, message)
        self.kind = kind
        self.git_code = git_code
        self.first_line = first_line


def observe(directory: str, args: Sequence[str], *, stdin: bytes = b"") -> Finished:
    """Read only: takes no optional lock; neither a remote nor the promisor of a blobless clone is asked.

    Raises OrbitError when git does not live to answer: that would be taken for a no.
    """
    answer = _local(directory, args, {**_NO_NETWORK, "GIT_OPTIONAL_LOCKS": "0"}, stdin)
    if answer.code < 0:
        raise OrbitError("git", f"git {_verb(args)} was ended by signal {-answer.code}")
    return answer


def change(
    directory: str, args: Sequence[str], *, stdin: bytes = b"", extra_env: Mapping[str, str] | None = None
) -> Finished:
    """Write locally. Every transport is off: a checkout that may have to fetch blobs is a `network` call."""
    return _local(directory, args, {**_NO_NETWORK, **(extra_env or {})}, stdin)


def network(directory: str, args: Sequence[str], *, on_progress: Callable[[str], None] | None = None) -> Finished:
    """Talk to a remote, in a process group of its own that is ended whole on a stall and on Ctrl-C.

    The caller asks git for `--progress`; each line of stderr goes to `on_progress`, made safe. The last argument of
    `clone` is its target. Raises GitError of kind "stalled" after ORBIT_STALL_SECONDS without activity.
    """
    from orbit.git.child import Child  # commands that only read files, the hot ones, start nothing
    from orbit.git.patience import Silence, stop_asked  # only calls to a remote are watched

    limit = stall_seconds(os.environ.get("ORBIT_STALL_SECONDS", ""))
    options, extra = _network_policy(directory, limit)
    child = Child(own_group=True)
    try:
        _start(child, directory, (*options, *args), extra)
        silence = Silence(limit, child.pid, _pack_directories(directory, args), time.monotonic())
        shown = 0
        while child.is_talking():
            if stop_asked.get()():
                raise KeyboardInterrupt
            if child.listen():
                silence.heard(time.monotonic())
                shown = _show_progress(child.err, shown, on_progress) if on_progress else 0
            elif child.has_ended():
                break
            elif silence.is_over_limit(time.monotonic()):
                line = f"no activity for {limit} s"
                raise GitError("git", f"{_verb(args)}: {line}", kind="stalled", git_code=-15, first_line=line)
        return Finished(child.wait(), bytes(child.out), bytes(child.err))
    finally:
        child.end()


def checked(finished: Finished, context: str, doing: str) -> Finished:
    """The same call when git succeeded. Raises GitError, `CONTEXT: DOING: why`, with git's first error line."""
    if finished.code == 0:
        return finished
    kind = failure_kind(finished.err)
    line = first_error_line(finished.err)
    if not line:
        line = f"git exited with {finished.code}" if finished.code > 0 else f"git was ended by signal {-finished.code}"
    why = f"{_IN_WORDS[kind]}: {line}" if kind in _IN_WORDS else line
    raise GitError(context, f"{doing}: {why}", kind=kind, git_code=finished.code, first_line=line)


def git_version() -> tuple[int, int, int]:
    """The git on PATH, (0, 0, 0) when it does not tell. Raises OrbitError when there is none or it fails."""
    words = checked(observe("/", ["version"]), "git", "asking for its version").text.split()
    numbers = [int(part) for part in (words[2] if len(words) > 2 else "").split(".")[:3] if part.isdecimal()]
    major, minor, patch = (*numbers, 0, 0, 0)[:3]
    return major, minor, patch


def stall_seconds(value: str) -> int:
    """ORBIT_STALL_SECONDS: whole seconds above 0; anything else counts as unset. Contract: concepts.md, Environment."""
    return int(value) if value.isascii() and value.isdecimal() and len(value) < 8 and int(value) else _STALL_SECONDS


def failure_kind(err: bytes) -> str:
    """unreachable, credentials, host-key, no-repository, no-ref, lock, stalled or other, from git's stderr."""
    for kind, marks in _FAILURES:
        if all(mark in err for mark in marks):
            return kind
    return "other"


def first_error_line(err: bytes) -> str:
    """git's first `fatal:` or `error:` without that word, safe to show and without credentials; "" if there is none.

    Where git only says that it could not read, the line before it (ssh's or the host's) has the reason.
    """
    lines = [line.strip() for line in err.decode("utf-8", "replace").replace("\r", "\n").split("\n")]
    lines = [line for line in lines if line and not line.startswith(("hint:", "remote:", "warning:", "Cloning into "))]
    for position, line in enumerate(lines):
        if line.startswith(("fatal: ", "error: ")):
            found = line[7:]
            if found.startswith("Could not read from remote repository") and position:
                found = lines[position - 1].removeprefix("ERROR: ")
            elif found.endswith(":") and position + 1 < len(lines):
                found = f"{found} {lines[position + 1]}"
            return shortened(safe_line(redact_urls(found)), _LINE_LIMIT)
    return ""


def _local(directory: str, args: Sequence[str], extra: Mapping[str, str], stdin: bytes) -> Finished:
    from orbit.git.child import Child  # commands that only read files, the hot ones, start nothing

    child = Child(own_group=False)
    try:
        _start(child, directory, args, extra, stdin)
        silent = 0
        while child.is_talking():
            if child.listen():
                silent = 0
            elif child.has_ended():
                break
            else:
                silent += 1
                if silent == _TICKS_BEFORE_DOUBT:
                    refuse_endless_refs(_git_directory(directory))
        return Finished(child.wait(), bytes(child.out), bytes(child.err))
    finally:
        child.end()


def _start(child: Child, directory: str, args: Sequence[str], extra: Mapping[str, str], stdin: bytes = b"") -> None:
    options, ceiling = _address(directory, args)
    env = dict(os.environ)
    for name in _LOCATION_VARIABLES:
        env.pop(name, None)
    # A trace to a file is the user's; one to stderr would be taken for what git says, and curl's names who logs in.
    for name in [n for n in env if n.startswith(_TRACES) and not env[n].startswith("/")]:
        del env[name]
    env.update(_POLICY)
    if ceiling:
        above = env.get("GIT_CEILING_DIRECTORIES")
        env["GIT_CEILING_DIRECTORIES"] = f"{above}:{ceiling}" if above else ceiling
    env.update(extra)
    argv = ("git", *_STABLE_OUTPUT, "-C", directory, *options, *args)
    try:
        with _starting:
            _spawn(child, argv, env, stdin)
    except (FileNotFoundError, PermissionError):
        raise OrbitError("git", "git is not on PATH: install git 2.31 or newer") from None
    except OSError as problem:
        raise OrbitError("git", f"cannot start git: {problem.strerror}") from None
    except ValueError:
        raise OrbitError("git", "cannot start git: an argument holds a NUL or half a character") from None


def _address(directory: str, args: Sequence[str]) -> tuple[tuple[str, ...], str]:
    """(options, ceiling) with which git takes the repository at `directory` and never one that encloses it.

    A git directory is named outright, as `safe.bareRepository=explicit` demands; so is everything below a path with a
    colon, which GIT_CEILING_DIRECTORIES cannot express. Raises EndlessError where git would read for ever.
    """
    physical = os.path.realpath(directory)
    found = _git_directory(physical)
    if found:
        refuse_endless(found)
    if found == physical:
        return (f"--git-dir={physical}",), ""
    ceiling = os.path.dirname(physical)
    if ":" not in ceiling or _verb(args) in _REPOSITORY_MAKERS:
        return (), ceiling
    work_tree = (f"--work-tree={physical}",) if found else ()
    return (f"--git-dir={physical}/.git", *work_tree), ""


def _git_directory(path: str) -> str:
    """What git takes for the repository: the `.git` in a checkout, a git directory itself, "" for neither."""
    if os.path.lexists(f"{path}/.git"):
        return f"{path}/.git"
    bare = os.path.lexists(f"{path}/HEAD") and (os.path.isdir(f"{path}/objects") or os.path.isfile(f"{path}/commondir"))
    return path if bare else ""


def _verb(args: Sequence[str]) -> str:
    position = 0
    while position < len(args) and args[position].startswith("-"):
        position += 2 if args[position] == "-c" else 1
    return args[position] if position < len(args) else "git"


def _network_policy(directory: str, limit: int) -> tuple[tuple[str, ...], dict[str, str]]:
    """(options, environment) for what the user has not settled: silent ssh, the end of a dead http transfer."""
    settled = observe(directory, ["config", "-z", "--name-only", "--get-regexp", _NETWORK_SETTINGS]).text
    options: tuple[str, ...] = ()
    if "lowspeed" not in settled and not {"GIT_HTTP_LOW_SPEED_LIMIT", "GIT_HTTP_LOW_SPEED_TIME"} & os.environ.keys():
        options = ("-c", "http.lowSpeedLimit=1", "-c", f"http.lowSpeedTime={limit}")
    quiet_ssh = "core.sshcommand" not in settled and not {"GIT_SSH_COMMAND", "GIT_SSH"} & os.environ.keys()
    return options, {"GIT_SSH_COMMAND": _SSH} if quiet_ssh else {}


def _pack_directories(directory: str, args: Sequence[str]) -> tuple[str, ...]:
    """Where a pack that is being received grows, of a clone with a work tree and of a bare one."""
    repository = os.path.join(directory, args[-1]) if _verb(args) == "clone" else directory
    return f"{repository}/.git/objects/pack", f"{repository}/objects/pack"


def _show_progress(err: bytearray, shown: int, on_progress: Callable[[str], None]) -> int:
    """Hand over every line that is complete after offset `shown`; the new offset."""
    end = max(err.rfind(b"\n", shown), err.rfind(b"\r", shown)) + 1
    for line in err[shown:end].replace(b"\r", b"\n").split(b"\n"):
        text = safe_line(redact_urls(line.decode("utf-8", "replace"))).strip()
        if text:
            on_progress(text)
    return max(end, shown)


def _spawn(child: Child, argv: tuple[str, ...], env: dict[str, str], stdin: bytes) -> None:
    """Start git with `child` knowing of all that is made, at every moment.

    The interpreter heeds Ctrl-C between any two of its own steps, so making and noting have to be one: a pipe that got
    lost would stay open, a process id that got lost would leave git running.
    """
    wanted = 3 if stdin else 2
    child.pipes.extend(starmap(os.pipe, ((),) * wanted))
    if min(map(min, child.pipes)) <= 2:
        # The caller of orbit closed standard streams: let two pipes keep their places.
        child.pipes.extend(starmap(os.pipe, ((), ())))
    pipes = [pipe for pipe in child.pipes if min(pipe) > 2][:wanted]
    (_, out), (_, err), *feed = pipes
    stdin_action: tuple[object, ...] = (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0)
    if feed:
        stdin_action = (os.POSIX_SPAWN_DUP2, feed[0][0], 0)
    how: dict[str, Any] = {
        "file_actions": (stdin_action, (os.POSIX_SPAWN_DUP2, out, 1), (os.POSIX_SPAWN_DUP2, err, 2)),
        "setsigdef": _IGNORED_BY_PYTHON,
    }
    if child.own_group:
        how["setpgroup"] = 0
    child.pids.extend(map(partial(os.posix_spawnp, "git", argv, **how), (env,)))
    child.converse(pipes, stdin)

"""Choose the verb, read its words, run it, render the result: the one broad `except` and the one exit status.

Contract: concepts.md, Output and Exit status; commands.md.
"""

from __future__ import annotations

import gc
import os
import sys

from orbit.cli.render import Streams, write_error, write_guidance, write_interrupted, write_payload, write_text
from orbit.commands import TABLE
from orbit.commands.arguments import read_words
from orbit.errors import OrbitError
from orbit.places import World, read_world

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import NoReturn

    from orbit.commands.arguments import Words

_ALIASES = {"--version": "version", "-v": "version", "-V": "version", "--help": "help", "-h": "help"}
_PIPE_CLOSED, _INTERRUPTED = 141, 130
# A roster of thousands is many values and no cycle: looking for some every 700 costs a tenth of the call.
_COLLECT_EVERY = 200_000
_TIDIES_UP = frozenset(("atexit", "threading"))


class Ended(KeyboardInterrupt):
    """Asked to end by SIGTERM or SIGHUP: what Ctrl-C undoes is undone then too."""

    def __init__(self, signal_number: int) -> None:
        super().__init__()
        self.signal_number = signal_number


def main() -> int:
    """The console entry: real streams and surroundings."""
    gc.set_threshold(_COLLECT_EVERY)
    streams = _real_streams()
    _set_signals()
    return run(sys.argv[1:], None, streams)


def leave(status: int) -> NoReturn:
    """End the process at once: to free value by value what the system takes back as a whole costs half a bare start.

    What has something to do at the end, a library with threads or an exit handler, gets its turn.
    """
    if not _TIDIES_UP.isdisjoint(sys.modules):
        sys.exit(status)
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            continue
    os._exit(status)


def _set_signals() -> None:
    """End alike however we are asked to; and do not inherit that children are to vanish unseen."""
    import _signal as signals  # type: ignore[import-not-found]  # the C half: `signal` itself imports enum, a third of a bare start

    def end(number: int, _: object) -> None:
        raise Ended(number)

    for number in (signals.SIGTERM, signals.SIGHUP):
        if signals.getsignal(number) == signals.SIG_DFL:
            signals.signal(number, end)
    if signals.getsignal(signals.SIGCHLD) == signals.SIG_IGN:
        signals.signal(signals.SIGCHLD, signals.SIG_DFL)


def run(argv: list[str], world: World | None, streams: Streams) -> int:
    """One call, in the given surroundings or the real ones; never raises for what a user can cause.

    A host that calls its hook is told of no failure, since it would show it to the user or drop the session's start.
    """
    if argv[:1] == ["hook"] and not streams.in_terminal and os.environ.get("ORBIT_DEBUG") != "1":
        _run(argv, world, streams.replace(err=_Void()))
        return 0
    return _run(argv, world, streams)


def _run(argv: list[str], world: World | None, streams: Streams) -> int:
    try:
        return _dispatch(argv, world or read_world(), streams)
    except OrbitError as error:
        write_error(streams, error)
        return error.code
    except BrokenPipeError:
        return _PIPE_CLOSED
    except Ended as end:
        return 128 + end.signal_number
    except KeyboardInterrupt:
        write_interrupted(streams)
        return _INTERRUPTED
    except Exception as error:  # the one broad except: a traceback is for ORBIT_DEBUG only
        if os.environ.get("ORBIT_DEBUG") == "1":
            import traceback  # debugging only

            write_text(streams, traceback.format_exc(), error=True)
        else:
            write_error(streams, _unexpected(error))
        return 1


def _unexpected(error: Exception) -> OrbitError:
    if isinstance(error, OSError):
        where = f" ({error.filename})" if error.filename else ""
        return OrbitError("system", f"{error.strerror or error}{where}")
    return OrbitError("internal", f"{type(error).__name__}: {error}", "ORBIT_DEBUG=1 shows where")


def _dispatch(argv: list[str], world: World, streams: Streams) -> int:
    verb = _ALIASES.get(argv[0], argv[0]) if argv else "help"
    if verb == "complete" and len(argv) > 3:
        from orbit.cli.complete import answer  # a press of Tab: no verb for people, so it is not in the table

        write_text(streams, answer(argv[1:], world))
        return 0
    if verb not in TABLE:
        from orbit.cli.help import answer_help  # help and typos only

        return answer_help(verb, argv[1:], streams)
    module = _module(verb)
    words = read_words(module.USAGE.arguments, argv[1:])
    if words is None:
        from orbit.cli.help import explain  # help and wrong usage only

        words = explain(verb, module.USAGE, argv[1:], streams)
        if words is None:
            return 0
    return _run_verb(verb, module, words, world, streams)


def _module(verb: str) -> ModuleType:
    name = f"orbit.commands.{TABLE[verb][0]}"
    __import__(name)
    return sys.modules[name]


def _run_verb(verb: str, module: ModuleType, words: Words, world: World, streams: Streams) -> int:
    from orbit.cli.face import TerminalFace  # not for help
    from orbit.commands.result import Call

    if words.flag("json_schema"):
        from orbit.commands.schemas import schema_text  # asked for only

        write_text(streams, schema_text(verb))
        return 0
    face = TerminalFace(world, streams)
    call = Call(world=world, words=words, face=face, started_ms=_started_ms())
    try:
        result = module.run(call)
    finally:
        face.put_away()
    try:
        write_payload(streams, result, as_json=words.flag("json"))
    finally:
        # What was done is said even when its payload reached nobody.
        write_guidance(streams, result)
    if result.after is None:
        return int(result.code)
    ending = result.after()
    write_guidance(streams, ending)
    return int(ending.code)


def _started_ms() -> int:
    import time  # built in

    return time.time_ns() // 1_000_000


class _Closed:
    """stdout or stderr that was closed before the start: like a pipe whose reader has gone."""

    def write(self, _: bytes, /) -> int:
        raise BrokenPipeError

    def fileno(self) -> int:
        raise OSError


class _Void:
    """Where nobody listens."""

    def write(self, data: bytes, /) -> int:
        return len(data)

    def fileno(self) -> int:
        raise OSError


def _real_streams() -> Streams:
    """The process's own streams, unbuffered, so that a write that returns has been taken.

    A closed one gives way to the null device: its descriptor must not go to the next file opened.
    """
    closed = [stream is None for stream in (sys.stdin, sys.stdout, sys.stderr)]
    for _ in range(sum(closed)):
        os.open(os.devnull, os.O_RDONLY)
    out_terminal = _is_terminal(1)
    return Streams(
        stdin=open(0, "rb", closefd=False),
        out=_Closed() if closed[1] else open(1, "wb", buffering=0, closefd=False),
        err=_Closed() if closed[2] else open(2, "wb", buffering=0, closefd=False),
        in_terminal=_is_terminal(0),
        out_terminal=out_terminal,
        err_terminal=_is_terminal(2) and os.environ.get("TERM") != "dumb",
        columns=_columns() if out_terminal else 0,
        colour=_colour(out_terminal),
    )


def _is_terminal(descriptor: int) -> bool:
    try:
        return os.isatty(descriptor)
    except OSError:
        return False


def _columns() -> int:
    """Width of the terminal: COLUMNS is honoured before the terminal is asked, and 80 stands for one that is silent."""
    given = os.environ.get("COLUMNS", "")
    if given.isascii() and given.isdecimal() and len(given) < 6 and int(given):
        return int(given)
    try:
        return os.get_terminal_size(1).columns or 80
    except OSError:
        return 80


def _colour(terminal: bool) -> bool:
    """NO_COLOR, then FORCE_COLOR (0 forces it off), then what the terminal can. An empty variable counts as unset."""
    env = os.environ
    if env.get("NO_COLOR"):
        return False
    forced = env.get("FORCE_COLOR")
    return forced != "0" if forced else terminal and env.get("TERM") != "dumb"

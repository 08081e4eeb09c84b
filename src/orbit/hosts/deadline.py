"""Work that ends in time: what a host waits for must not hold up its user. Contract: hosts.md, `orbit hook`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Callable
else:
    import _signal  # what `signal` is made of: importing that imports enum, a third of a bare start

# The unwinding gets so long before it is interrupted as well: it may be waiting for a git that does not end.
_UNWIND_SECONDS = 0.3


class Late(KeyboardInterrupt):
    """Time is up. Undone like a Ctrl-C: everything that must not stay half-made knows that one."""


def ended_in_time(work: Callable[[], None], seconds: float) -> bool:
    """Do the work for at most so long; whether it came to its end. Without an alarm clock (another thread than the
    main one) it takes what it takes.
    """
    try:
        try:
            before = _signal.signal(_signal.SIGALRM, _ring)
        except ValueError:
            work()
            return True
        try:
            _signal.setitimer(_signal.ITIMER_REAL, seconds, _UNWIND_SECONDS)
            work()
        finally:
            _signal.setitimer(_signal.ITIMER_REAL, 0)
            _signal.signal(_signal.SIGALRM, before)
    except Late:
        _signal.setitimer(_signal.ITIMER_REAL, 0)
        return False
    return True


def _ring(_number: int, _frame: object) -> None:
    raise Late

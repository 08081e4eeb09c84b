"""ssh servers turn callers away when too many knock at once: a few at a time for each host, and one more try, alone.

Contract: refinements.md, 23.
"""

from __future__ import annotations

from orbit.git.run import GitError
from orbit.git.urls import short_url

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    Outcome = TypeVar("Outcome")

_AT_ONCE = 8  # OpenSSH's MaxStartups drops callers from the tenth that has not logged in yet
_SCHEMES = ("ssh", "git+ssh", "ssh+git")
_TURNED_AWAY = ("Connection closed by ", "Connection reset by ")


def ssh_host(url: str) -> str:
    """The host that git reaches over ssh for this URL, "" when it takes another way."""
    scheme, separator, _ = url.partition("://")
    if separator:
        return short_url(url).partition("/")[0] if scheme.lower() in _SCHEMES else ""
    host, colon, _ = url.partition(":")
    return short_url(url).partition("/")[0] if colon and "/" not in host else ""


def turned_away(problem: object) -> bool:
    """Whether the connection was closed before anybody logged in, which says nothing about the repository."""
    return (
        isinstance(problem, GitError)
        and problem.kind == "unreachable"
        and any(words in problem.first_line for words in _TURNED_AWAY)
    )


class Doors:
    """For each ssh host as many at once as it bears; everything else passes."""

    def __init__(self, urls: Iterable[str]) -> None:
        import threading  # pool-wide work only

        self._doors = {host: threading.BoundedSemaphore(_AT_ONCE) for host in map(ssh_host, urls) if host}

    def through(self, url: str, function: Callable[[], Outcome]) -> Outcome:
        """Call `function` when there is room at the URL's host."""
        door = self._doors.get(ssh_host(url))
        if door is None:
            return function()
        with door:
            return function()

"""Repository URLs: what may be used, what may be shown, and the short forms of both.

Contract: git.md (option-like values and helpers are refused); concepts.md, Output (credentials); commands.md, repos.
"""

from __future__ import annotations

import os

_HELPER_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-.")
# Their user is an account name that everybody shares (`git@`), not a secret.
_SHELL_SCHEMES = ("ssh", "git+ssh", "ssh+git")


def _authority_end(rest: str) -> int:
    """Where `user:password@host:port` ends in what follows `://`."""
    end = min((at for at in map(rest.find, "/?#") if at >= 0), default=len(rest))
    host, colon, port = rest[:end].rpartition(":")
    if colon and "@" not in rest[:end] and "[" not in host and port.strip("0123456789") and "@" in rest[end:]:
        # Not a port, so the slash belongs to a password that nobody percent-encoded.
        return rest.rindex("@") + 1
    return end


def redact_url(url: str) -> str:
    """The URL without credentials; `ssh://git@host` and `git@host:path` keep their user, never a password."""
    scheme, separator, rest = url.partition("://")
    if not separator or "@" not in rest:
        return url
    end = _authority_end(rest)
    user, at, _ = rest[:end].rpartition("@")
    if not at:
        return url
    kept = ""
    if scheme.rpartition(":")[2].lower() in _SHELL_SCHEMES:
        kept = f"{user.partition(':')[0]}@"
    return f"{scheme}://{kept}{rest[len(user) + 1 :]}"


def redact_urls(text: str) -> str:
    """Any text with the credentials of every URL in it taken out."""
    if "://" not in text or "@" not in text:
        return text
    import re  # only text that holds a URL with a user needs it

    return re.sub(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s<>]+", lambda found: redact_url(found[0]), text)


def _host_and_path(url: str) -> tuple[str, str]:
    """("", path) for a local path and file URL; (host, path) without user and port for everything else."""
    scheme, separator, rest = redact_url(url).partition("://")
    if separator:
        if scheme.lower() == "file":
            return "", rest[rest.find("/") :] if "/" in rest else rest
        authority, _, path = rest.partition("/")
        host = authority.rpartition("@")[2]
        name, colon, port = host.rpartition(":")
        return (name if colon and not port.strip("0123456789") else host), path
    host, colon, path = _split_scp(url)
    return (host.rpartition("@")[2], path.lstrip("/")) if colon else ("", url)


def _split_scp(url: str) -> tuple[str, str, str]:
    """`host:path`, by git's rule: the colon comes before any slash; a host in brackets may hold colons itself."""
    bracket = url.find("]:") if url.partition("@")[2].startswith("[") or url.startswith("[") else -1
    colon = bracket + 1 if bracket >= 0 else url.find(":")
    slash = url.find("/")
    if colon < 0 or 0 <= slash < colon:
        return "", "", url
    return url[:colon], ":", url[colon + 1 :]


def _without_suffix(path: str) -> str:
    path = path.rstrip("/")
    return path[:-4].rstrip("/") if path.endswith(".git") else path


def short_url(url: str) -> str:
    """`host/owner/name` without scheme, user, port and `.git`. A local path stays the path it is."""
    host, path = _host_and_path(url)
    if not host:
        return path
    path = _without_suffix(path)
    return f"{host}/{path}" if path else host


def is_local(url: str) -> bool:
    """Whether git takes it for a path on this machine."""
    return "://" not in url and not _split_scp(url)[1]


def absolute_url(url: str, directory: str) -> str:
    """The URL as `git clone` stores it: a relative path, which starts in `directory`, made absolute."""
    if not is_local(url) or url.startswith("~"):
        return url
    return os.path.normpath(os.path.join(directory, url))


def origin_key(url: str) -> str:
    """The same for two URLs of one repository, whatever transport and user they name and how they end."""
    if is_local(url):
        return _without_suffix(os.path.realpath(url))
    host, path = _host_and_path(url)
    return f"{host.lower()}:{_without_suffix(path).lstrip('/')}" if host else _without_suffix(os.path.realpath(path))


def repo_name_from_url(url: str) -> str:
    """The last part of the path without `.git`; "" when the URL names only a host."""
    return _without_suffix(_host_and_path(url)[1]).rpartition("/")[2]


def refused_transport(url: str) -> str:
    """Why git must not see this URL, or "": an option in disguise, or `helper::address`, which runs a program."""
    if not url:
        return "the URL is empty"
    if url[0] == "-":
        return "a URL cannot begin with '-'"
    if any(character < " " or character == "\x7f" for character in url):
        return "a URL cannot hold control characters"
    helper, separator, _ = url.partition("::")
    if separator and _HELPER_CHARACTERS.issuperset(helper):
        return f"the transport {helper}:: is refused, it runs a program"
    return ""

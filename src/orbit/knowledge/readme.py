"""A repository's README: where a brief or `info` falls back to while there is no card.

Contract: commands.md, info; knowledge.md, Brief; refinements.md 18.
"""

from __future__ import annotations

import os

from orbit.knowledge.card import revision
from orbit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.store.cache import Cache

_SUFFIXES = (".md", ".markdown", ".rst", ".adoc", ".org", ".rdoc", ".txt", "")
_RANK = {f"readme{suffix}": rank for rank, suffix in enumerate(_SUFFIXES)}
_FOLDERS = ("", ".github", "docs")
_READ_BYTES = 128 * 1024
_README_KIND, _CARD_KIND = "readme-brief-1", "card-brief-1"


class Readme(Record):
    """`name` is the path inside the repository; `data` its first 128 KiB, `whole` when that is all of it."""

    name: str
    data: bytes
    whole: bool


def _by_rank(names: list[str]) -> list[str]:
    """The file names that are a README's, the one to show first."""
    known = [name for name in names if name.lower() in _RANK]
    return sorted(known, key=lambda name: (_RANK[name.lower()], name))


def find_readme(checkout: str) -> str:
    """The path of the README in the working tree, relative to it; "" when there is none."""
    for folder in _FOLDERS:
        directory = f"{checkout}/{folder}" if folder else checkout
        try:
            names = os.listdir(directory)
        except OSError:
            continue
        for name in _by_rank(names):
            path = f"{directory}/{name}"
            # Neither a FIFO nor a device: it could block for ever.
            if os.path.isfile(path) and _inside(checkout, folder, path):
                return f"{folder}/{name}" if folder else name
    return ""


def _inside(checkout: str, folder: str, path: str) -> bool:
    """A symlink, of the file or its folder, counts only if it stays in the repository and out of git's own files."""
    if not os.path.islink(path) and not (folder and os.path.islink(f"{checkout}/{folder}")):
        return True
    top = os.path.realpath(checkout) + "/"
    target = os.path.realpath(path)
    return target.startswith(top) and ".git" not in target[len(top) :].lower().split("/")


def read_readme(checkout: str) -> Readme | None:
    """The README of the working tree, else of HEAD (two git processes at most, never the network)."""
    name = find_readme(checkout)
    if not name:
        return _from_head(checkout)
    data = _read_start(f"{checkout}/{name}")
    return None if data is None else _readme(name, data)


def _readme(name: str, data: bytes) -> Readme:
    return Readme(name, data[:_READ_BYTES], len(data) <= _READ_BYTES)


def _from_head(checkout: str) -> Readme | None:
    from orbit.git.run import observe  # a README in the working tree, as nearly all are, needs no process

    listed = observe(checkout, ["ls-tree", "-z", "--name-only", "HEAD", "--", "./", ".github/", "docs/"])
    if listed.code != 0:
        return None
    paths = [os.fsdecode(path) for path in listed.out.split(b"\0") if path]
    names = [
        f"{folder}/{name}" if folder else name
        for folder in _FOLDERS
        for name in _by_rank([os.path.basename(path) for path in paths if os.path.dirname(path) == folder])
    ]
    if not names:
        return None
    # git follows the symlinks that stay in the tree; a blob that a partial clone lacks is not fetched.
    wanted = "".join(f"HEAD:{name}\n" for name in names).encode()
    rest = observe(checkout, ["cat-file", "--batch", "--follow-symlinks"], stdin=wanted).out
    for name in names:
        header, _, rest = rest.partition(b"\n")
        words = header.split(b" ")  # `ID blob SIZE`, `symlink SIZE` for one that leaves the tree, `NAME missing`
        if not words[-1].isdigit():
            continue
        size = int(words[-1])
        if words[1] == b"blob":
            return _readme(name, rest[:size])
        rest = rest[size + 1 :]
    return None


def _read_start(path: str) -> bytes | None:
    """One byte more than is used, which tells whether that is all."""
    try:
        with open(path, "rb") as file:
            return file.read(_READ_BYTES + 1)
    except OSError:
        return None


class BriefSource:
    """Briefs for a whole pool: each README is parsed once and remembered by its identity, each card by its text."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._known: dict[str, str] | None = None
        self._readmes: dict[str, str] = {}
        self._cards: dict[str, str] = {}

    def readme(self, repo: str, checkout: str) -> str:
        """The brief of a clone's README, "" when there is none."""
        name = find_readme(checkout)
        if not name:
            return ""
        path = f"{checkout}/{name}"
        try:
            seen = os.stat(path)
        except OSError:
            return ""
        identity = f"{name}\n{seen.st_mtime_ns}\n{seen.st_size}\n{seen.st_ino}\n"
        if self._known is None:
            self._known = self._cache.get(_README_KIND)
        kept = self._known.get(repo, "")
        if kept.startswith(identity):
            return kept[len(identity) :]
        brief = readme_brief_of(name, _read_start(path))
        self._readmes[repo] = identity + brief
        return brief

    def card(self, data: bytes) -> str:
        """The brief of a card's text, "" when it has none."""
        key = revision(data)
        kept = self._cache.look_up(_CARD_KIND, (key,)).get(key)
        if kept is not None:
            return kept
        from orbit.knowledge.memo import brief_of  # only a card that the index does not describe is read

        brief = self._cards[key] = brief_of(data)
        return brief

    def remember(self) -> None:
        """Keep what was parsed in this call."""
        self._cache.put(_README_KIND, self._readmes)
        self._cache.put(_CARD_KIND, self._cards)


def readme_brief_of(name: str, data: bytes | None) -> str:
    """The brief of a README's bytes."""
    from orbit.knowledge.brief.extract import decode, readme_brief  # the parser is loaded only when a README is new

    text = None if data is None else decode(data)
    return "" if text is None else readme_brief(text, name)

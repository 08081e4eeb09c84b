"""What is said about the index, its clones, the metadata files and the settings. Contract: guidance.md."""

from __future__ import annotations

from orbit.guidance.notice import Notice


def index_rebuilt(entries: int, *, written: bool) -> Notice:
    """any command that reads the index: it was missing or damaged and was made again from the clones"""
    return Notice("index-rebuilt", "index", f"rebuilt from {entries} clones" + ("" if written else " (not written)"))


def metadata_damaged(path: str, reason: str, kept: str = "") -> Notice:
    """a metadata file cannot be read; the work goes on without it"""
    return Notice("metadata-damaged", path, f"cannot be used ({reason})" + (f", kept as {kept}" if kept else ""))


def stale_lock_removed(note: str) -> Notice:
    """a lock left by a process that no longer lives was removed"""
    return Notice("stale-lock-removed", "lock", note)


def index_out_of_sync(repo: str) -> Notice:
    """`repos`: the card has a brief that the index lacks"""
    return Notice("index-out-of-sync", repo, "index out of sync with the card", f"memo {repo} --refresh")


def more_out_of_sync(count: int) -> Notice:
    """`repos`: more than five cards are out of step with the index; the rest is counted"""
    return Notice("more-out-of-sync", "repos", f"{count} more cards are out of step with the index", "memo")


def not_a_repository(name: str) -> Notice:
    """`repos`: a directory in the pool is not a git repository and is skipped"""
    return Notice("not-a-repository", name, "skipped, this directory in the pool is not a git repository")


def pool_empty() -> Notice:
    """`repos`, prime: nothing has been cloned yet"""
    return Notice("pool-empty", "pool", "no repositories yet", "clone URL")


def no_match(words: str) -> Notice:
    """`repos WORD…`: nothing matches"""
    return Notice("no-match", "repos", f"nothing matches {words}")


def bad_setting(key: str, value: str, default: str) -> Notice:
    """a stored setting breaks its rule; the default is used"""
    return Notice("bad-setting", "config", f"{key} = {value} is not valid, using {default}", f"config {key} VALUE")


def default_shown(key: str) -> Notice:
    """`config KEY`: nothing is stored, the value is the default"""
    return Notice("default-shown", key, "(default)")


def nothing_set() -> Notice:
    """`config`: no setting is stored"""
    return Notice("nothing-set", "config", "nothing is set, every key (orbit config --help) has its default")


def nested_root_ignored(inner: str, outer: str) -> Notice:
    """the nearest `.repos/` lies inside a repository of an outer project; the outer root is used"""
    return Notice("nested-root-ignored", "project", f"ignoring .repos in {inner}, it lies inside the project {outer}")


def origin_missing(repo: str) -> Notice:
    """`sync`, `add`: a pool clone made by hand has no remote named origin"""
    return Notice("origin-missing", repo, "the pool clone has no remote named origin, working with what it has")

"""`orbit config`: project settings. Contract: commands.md, config."""

from __future__ import annotations

from orbit.commands.arguments import Usage, flag, positional
from orbit.commands.place import in_project, root_notices
from orbit.commands.result import Result
from orbit.errors import OrbitError, UsageError
from orbit.git.run import checked, observe
from orbit.guidance import pool_notices
from orbit.pool.clones import list_clones
from orbit.pool.index import change_settings, read_index
from orbit.store.settings import KEYS, Key, find_key, split_key
from orbit.store.syntax import Set
from orbit.text import nearest, safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from orbit.commands.result import Call
    from orbit.places import Project
    from orbit.pool.index import Index

_LIMITS = ("memo.minLines", "memo.maxLines")

USAGE = Usage(
    forms=("orbit config", "orbit config KEY", "orbit config KEY VALUE", "orbit config KEY --unset"),
    about="""Lists what is set in the project, prints one setting, or changes it. Values are checked when written.

"""
    + "\n".join(f"  {key.name:<27}{key.default or '-':<9}{key.meaning}" for key in KEYS),
    arguments=(
        positional("KEY", "a setting", "optional", completes="config-key"),
        positional("VALUE", "its new value", "optional", completes="config-value"),
        flag("--unset", "go back to the default"),
    ),
    examples=(
        ("orbit config memo.maxLines 20", "a higher ceiling for cards"),
        ("orbit config memo.maxLines --unset", "back to the default"),
    ),
    related=("memo", "jot"),
)


def run(call: Call) -> Result:
    here = in_project(call)
    name, value = call.words.one("key"), call.words.one("value")
    unset = call.words.flag("unset")
    if unset and (name is None or value is not None):
        raise UsageError("config", "--unset takes a KEY and no value")
    index = read_index(here.project)
    notices = [*root_notices(here), *index.notices]
    if name is None:
        lines = [f"{key.name}={index.settings.text(key.name)}" for key in KEYS if _is_stored(index, key)]
        if not lines and index.state != "damaged":
            notices.append(pool_notices.nothing_set())
        return Result(text="\n".join(lines), notices=notices)
    key = _known(name)
    if value is None and not unset:
        if not _is_stored(index, key):
            notices.append(pool_notices.default_shown(key.name))
        return Result(text=index.settings.text(key.name), notices=notices)
    _require_allowed(here.project, index, key, value)
    section, _, spelled = key.name.partition(".")
    values = () if value is None else (value,)
    told = change_settings(here.project, (Set(section, None, spelled, values),))
    # Read again: a damaged file is whole now, and a bad value may have been replaced.
    notices = [*root_notices(here), *told, *read_index(here.project).notices]
    return Result(text="" if unset else f"{key.name}={value}", notices=notices)


def _known(name: str) -> Key:
    if name.lower().startswith("repos."):
        raise OrbitError("config", "repos.* is the index, not a setting", "orbit memo repairs it")
    key = find_key(name)
    if key is None:
        close = nearest(name, [known.name for known in KEYS], 1)
        hint = f"did you mean {close[0]}?" if close else "orbit config --help lists the keys"
        raise OrbitError("config", f"no such setting: {safe_line(name) or '(empty)'}", hint)
    return key


def _is_stored(index: Index, key: Key) -> bool:
    section, short = split_key(key.name)
    return index.config.get(section, None, short) is not None


def _own_value(index: Index, name: str) -> str:
    """What is stored for this key alone, if it is sound; two that contradict each other are both not in force."""
    key = next(key for key in KEYS if key.name == name)
    section, short = split_key(name)
    stored = index.config.get(section, None, short)
    return key.default if stored is None or key.problem(stored) else stored


def _require_allowed(project: Project, index: Index, key: Key, value: str | None) -> None:
    """Raises OrbitError when the value breaks the key's rule, or two settings would contradict each other."""
    new = key.default if value is None else value
    problem = key.problem(new) if value is not None else ""
    if problem:
        raise OrbitError("config", f"{key.name} {problem}")
    if key.name in _LIMITS:
        low, high = (int(new if name == key.name else _own_value(index, name)) for name in _LIMITS)
        if low > high:
            raise OrbitError("config", f"memo.minLines ({low}) cannot be above memo.maxLines ({high})")
    if key.name == "branch.prefix" and new != index.settings.text("branch.prefix"):
        _require_no_branches(project, index.settings.text("branch.prefix"))


def _require_no_branches(project: Project, prefix: str) -> None:
    """Branches under the old prefix would be orphans: nothing would know whose they are."""
    held = []
    for name in list_clones(project).clones:
        words = ["for-each-ref", "--format=x", f"refs/heads/{prefix}/"]
        listed = checked(observe(project.clone(name), words), name, "listing its branches")
        count = len(listed.out.splitlines())
        if count:
            held.append(f"{name}: {count}")
    if held:
        raise OrbitError("config", f"branch.prefix cannot change while branches carry {prefix}/ ({', '.join(held)})")

"""Setting one host up, or taking orbit out of it again: the steps as they are shown, and the same steps done.

Contract: hosts.md, `orbit setup`.
"""

from __future__ import annotations

import os

import orbit
from orbit.errors import OrbitError
from orbit.hosts import kept, opencode
from orbit.hosts.clients import CLIENTS, filled, home_of
from orbit.hosts.look import judged, listed, working_directory
from orbit.hosts.run import reason_of, run_client
from orbit.hosts.source import PACKAGED, drop_tree, is_current, tree_digest, tree_place, write_tree
from orbit.hosts.trust import without_trust
from orbit.record import Record
from orbit.store.disk import read_bytes, replace_users_file, try_read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from orbit.hosts.clients import Act
    from orbit.hosts.look import State

ACT_SECONDS = 180.0
_MARK = "orbit hook "  # in the hooks of an extension that is ours


class Step(Record):
    """`text` says what `act` does; `act` raises OrbitError."""

    text: str
    act: Callable[[], None]


def install_steps(state: State, env: Mapping[str, str]) -> list[Step]:
    """What makes a host have what this orbit carries; nothing when it has it. Raises OrbitError when it must not."""
    if state.state == "current":
        return []
    if _is_foreign(state):
        raise OrbitError(state.host, "has an extension named orbit that is not this one, nothing was changed")
    if state.host == "opencode":
        entry, path = opencode.plugin_entry(tree_place(env)), opencode.settings_file(env)
        return [Step(f"edit {path}: name {entry}", lambda: opencode.add_entries(env, tree_place(env)))]
    ways = CLIENTS[state.host].ways
    return [_step(act, state, env) for act in (ways.update if state.installed else ways.install)]


def remove_steps(state: State, env: Mapping[str, str]) -> list[Step]:
    """What takes orbit out of a host again; nothing when it is not there."""
    if state.installed is None:
        return []
    if _is_foreign(state):
        raise OrbitError(state.host, "has an extension named orbit that is not this one, nothing was changed")
    if state.host == "opencode":
        path = opencode.settings_file(env)
        return [Step(f"edit {path}: name it no more", lambda: opencode.remove_entries(env))]
    return [_step(act, state, env) for act in CLIENTS[state.host].ways.remove]


def tree_steps(env: Mapping[str, str]) -> list[Step]:
    """What comes first for every host: the tree in the place from which they install."""
    if is_current(env):
        return []
    return [Step(f"write {tree_place(env)} (orbit {orbit.__version__})", lambda: write_tree(env))]


def _step(act: Act, state: State, env: Mapping[str, str]) -> Step:
    words = filled(act, tree_place(env))
    shown = " ".join([*(f"{name}={value}" for name, value in act.env), CLIENTS[state.host].program, *words])

    def run() -> None:
        answer = run_client([state.program, *words], {**env, **dict(act.env)}, working_directory(env), ACT_SECONDS)
        if answer.code != 0 and not act.may_fail:
            raise OrbitError(state.host, f"{shown}: {reason_of(answer)}")

    return Step(f"run {shown}", run)


def _is_foreign(state: State) -> bool:
    """Extensions go by their bare name: one that runs no hook of ours is somebody else's."""
    if state.host not in ("gemini", "qwen") or state.installed is None or not state.installed.path:
        return False
    hooks, _ = try_read(f"{state.installed.path}/hooks/hooks.json")
    return hooks is not None and _MARK.encode() not in hooks


def settings_of(host: str, env: Mapping[str, str]) -> list[str]:
    """The settings files that setting this host up changes."""
    client = CLIENTS[host]
    if host == "opencode":
        return [opencode.settings_file(env)]
    return [os.path.join(home_of(client, env), name) for name in client.settings]


def install(state: State, steps: list[Step], env: Mapping[str, str]) -> State:
    """Do the steps, note what was there before, and have the host itself confirm. Raises OrbitError."""
    settings = settings_of(state.host, env)
    now = {path: read_bytes(path) for path in settings}  # one that cannot be read could not be given back
    note = kept.Kept("", _before(state, kept.read_kept(env, state.host), now), now)
    kept.write_kept(env, state.host, note)
    note = _act(steps, note, state.host, env).replace(digest=tree_digest(PACKAGED))
    kept.write_kept(env, state.host, note)
    found = confirmed(state, env)
    # Only now: some hosts add to their settings as they list.
    kept.write_kept(env, state.host, note.replace(after=kept.images(settings)))
    return found


def _before(state: State, earlier: kept.Kept | None, now: kept.Images) -> kept.Images:
    """What the settings were before orbit came, as far as it is known: of a host that has orbit only where nobody else
    has changed them since the setup, or since it was cut short.
    """
    known = {path: earlier.before[path] for path in kept.untouched_in(earlier, now)} if earlier else {}
    return known if state.installed is not None else {**now, **known}


def _act(steps: Sequence[Step], note: kept.Kept, host: str, env: Mapping[str, str]) -> kept.Kept:
    """Do the steps. Each is noted: after a failure the next call still tells orbit's doing from everybody else's."""
    for step in steps:
        step.act()
        note = note.replace(after=kept.images(list(note.before)))
        kept.write_kept(env, host, note)
    return note


def confirmed(state: State, env: Mapping[str, str]) -> State:
    """The host's own word that it has what this orbit carries. Raises OrbitError when it does not give it."""
    client = CLIENTS[state.host]
    found = judged(state.host, state.program, state.version, listed(client, state.program, env, thorough=True), env)
    if found.installed is None:
        raise OrbitError(state.host, "does not list orbit although nothing failed")
    if found.state != "current":
        told = found.problem or {
            "off": "lists orbit as disabled",
            "elsewhere": f"uses orbit from {found.installed.source}, not from {tree_place(env)}",
        }.get(found.state, f"lists orbit {found.installed.version}, not {orbit.__version__}")
        raise OrbitError(state.host, told)
    return found


def remove(state: State, steps: list[Step], env: Mapping[str, str]) -> None:
    """Do the steps, give the settings back as they were, and have the host itself confirm. Raises OrbitError."""
    noted = kept.read_kept(env, state.host)
    clean = kept.untouched(noted) if noted else []
    every = [*steps, *_own_steps(state.host, env)]
    if noted:
        note = noted.replace(before={path: noted.before[path] for path in clean})
        _act(every, note, state.host, env)
        kept.put_back(note, clean)
    else:
        for step in every:
            step.act()
    if steps and listed(CLIENTS[state.host], state.program, env, thorough=False) is not None:
        raise OrbitError(state.host, "still lists orbit although nothing failed")
    let_go(state.host, env)


def let_go(host: str, env: Mapping[str, str]) -> None:
    """The host needs the tree no more; with the last one it goes."""
    kept.forget(env, host)
    if not kept.hosts_kept(env):
        drop_tree(env)


def _own_steps(host: str, env: Mapping[str, str]) -> list[Step]:
    """What a removal does by itself beside the host's own commands."""
    if host != "codex":
        return []
    path = f"{home_of(CLIENTS['codex'], env)}/config.toml"
    return [Step(f"edit {path}: its hooks are trusted no more", lambda: _forget_trust(path))]


def _forget_trust(path: str) -> None:
    before = (read_bytes(path) or b"").decode("utf-8", "surrogateescape")
    after = without_trust(before)
    if after != before:
        replace_users_file(path, after.encode("utf-8", "surrogateescape"))

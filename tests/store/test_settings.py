from __future__ import annotations

import pytest

from orbit.store.settings import (
    KEYS,
    BadSetting,
    Settings,
    find_key,
    parse_explore,
    positive,
    read_settings,
    split_key,
)
from orbit.store.syntax import parse

DEFAULTS = {
    "memo.minLines": "4",
    "memo.maxLines": "16",
    "memo.maxBytes": "4096",
    "jot.bufferSize": "4",
    "explore.paths": ".:1",
    "branch.prefix": "ws",
    "git.fetchAllBranches": "always",
    "git.fetchPrune": "always",
    "git.pushUpstreamByDefault": "always",
    "agent.recommend": "",
    "context.rosterLimit": "50",
    "context.maxBytes": "9000",
    "prune.keepDays": "30",
}


def settings(text: str) -> Settings:
    return read_settings(parse(text))


def test_the_known_keys_and_their_defaults() -> None:
    found = settings("")
    assert [key.name for key in KEYS] == list(DEFAULTS)
    assert {name: found.text(name) for name in DEFAULTS} == DEFAULTS
    assert found.bad == ()
    assert all(key.meaning for key in KEYS)


@pytest.mark.parametrize("name", DEFAULTS)
def test_keys_compare_without_case(name: str) -> None:
    for spelled in (name, name.lower(), name.upper()):
        key = find_key(spelled)
        assert key is not None
        assert key.name == name
        assert split_key(spelled) == tuple(name.lower().split("."))


@pytest.mark.parametrize("name", ["", "memo", "memo.", "memo.min", "repos.backend.url", "memo.minLines.x"])
def test_unknown_keys(name: str) -> None:
    assert find_key(name) is None


POSITIVE = ["memo.minLines", "memo.maxLines", "memo.maxBytes", "jot.bufferSize", "context.rosterLimit"]
MANAGED = ["git.fetchAllBranches", "git.fetchPrune", "git.pushUpstreamByDefault"]


@pytest.mark.parametrize("name", [*POSITIVE, "context.maxBytes", "prune.keepDays"])
@pytest.mark.parametrize(
    ("value", "good"),
    [
        *((value, True) for value in ("1", "16", "007", "999999999")),
        *((value, False) for value in ("", "0", "000", "-1", "+1", "1.5", "1e3", "0x10", "4k", " 4", "4 ", "1_000")),
        *((value, False) for value in ("٤", "²", "1000000000", "9" * 5000, "four", "4\n")),
    ],
)
def test_positive_numbers(name: str, value: str, *, good: bool) -> None:
    key = find_key(name)
    assert key is not None
    assert (key.problem(value) == "") is good
    assert (positive(value) == "") is good


@pytest.mark.parametrize("name", MANAGED)
def test_managed_config(name: str) -> None:
    key = find_key(name)
    assert key is not None
    assert [key.problem(value) for value in ("always", "once", "never")] == ["", "", ""]
    for value in ("", "Always", "true", "yes", "always "):
        assert key.problem(value) == "must be always, once or never"


@pytest.mark.parametrize("value", ["ws", "agent", "my-team", "v1.2", "été", "a@b", "X"])
def test_good_prefixes(value: str) -> None:
    key = find_key("branch.prefix")
    assert key is not None
    assert key.problem(value) == ""


BAD_PREFIXES = ["", "-x", ".x", "x.", "x.lock", "a/b", "a..b", "a b", "a~b", "a^b", "a:b", "a?b", "a*b", "a[b", "a\\b"]


@pytest.mark.parametrize("value", [*BAD_PREFIXES, "@", "a@{b", "a\x1bb", "a\tb", "a\u202eb", "\udcff"])
def test_bad_prefixes(value: str) -> None:
    key = find_key("branch.prefix")
    assert key is not None
    assert key.problem(value) == "must be one segment of a git ref"


@pytest.mark.parametrize(
    ("value", "paths"),
    [
        (".:1", ((".", 1),)),
        (".:1,src:2", ((".", 1), ("src", 2))),
        (" .:1 , docs/api:3 ", ((".", 1), ("docs/api", 3))),
        ("C:x:2", (("C:x", 2),)),
        ("", ()),
        (".", ()),
        (".:0", ()),
        (".:-1", ()),
        (":1", ()),
        (".:1,", ()),
        (".:1,,src:2", ()),
        ("/etc:1", ()),
        ("../other:1", ()),
        ("src/../../x:1", ()),
        (".:" + "9" * 5000, ()),
    ],
)
def test_explore_paths(value: str, paths: tuple[tuple[str, int], ...]) -> None:
    key = find_key("explore.paths")
    assert key is not None
    assert parse_explore(value) == paths
    assert (key.problem(value) == "") is bool(paths)


def test_stored_values_are_in_force() -> None:
    text = "[MEMO]\n\tMINLINES = 2\n\tmaxlines = 30\n[agent]\n\trecommend = helper --fast\n[memo]\n\tminLines = 3\n"
    found = settings(text)
    assert found.bad == ()
    assert (found.number("memo.minLines"), found.number("memo.maxLines")) == (3, 30)
    assert found.text("agent.recommend") == "helper --fast"
    assert found.number("jot.bufferSize") == 3


def test_the_jot_buffer_has_a_size_of_its_own_when_it_is_set() -> None:
    assert settings("[jot]\n\tbufferSize = 9\n").number("jot.bufferSize") == 9


def test_a_subsection_is_no_setting() -> None:
    assert settings('[memo "x"]\n\tminLines = 9\n').number("memo.minLines") == 4


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        ("[memo]\n\tmaxLines = many\n", BadSetting("memo.maxLines", "many", "16")),
        ("[memo]\n\tmaxLines\n", BadSetting("memo.maxLines", "", "16")),
        ("[memo]\n\tminLines = $(rm -rf .)\n", BadSetting("memo.minLines", "$(rm -rf .)", "4")),
        ("[jot]\n\tbufferSize = 0\n", BadSetting("jot.bufferSize", "0", "memo.minLines")),
        ("[agent]\n\trecommend =\n", BadSetting("agent.recommend", "", "none")),
        ("[branch]\n\tprefix = a/b\n", BadSetting("branch.prefix", "a/b", "ws")),
        ("[git]\n\tfetchPrune = maybe\n", BadSetting("git.fetchPrune", "maybe", "always")),
        ("[memo]\n\tminLines = 20\n", BadSetting("memo.minLines", "20", "4")),
        ("[memo]\n\tmaxLines = 3\n", BadSetting("memo.maxLines", "3", "16")),
        (
            "[memo]\n\tminLines = 9\n\tmaxLines = 8\n",
            BadSetting("memo.minLines", "9 above memo.maxLines = 8", "4 and 16"),
        ),
    ],
)
def test_a_bad_stored_value_falls_back_with_one_warning(text: str, bad: BadSetting) -> None:
    found = settings(text)
    assert found.bad == (bad,)
    assert {name: found.text(name) for name in DEFAULTS} == DEFAULTS

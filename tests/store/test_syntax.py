from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orbit.store.syntax import Append, Change, Config, Drop, Set, SyntaxProblem, apply, parse
from store.gitconfig import Pair, documents, git_config, git_list, good_documents, our_list, pairs_of


def with_blanks(pairs: list[Pair] | None) -> list[Pair] | None:
    """git before 2.45 turns other white space inside an unquoted value into blanks."""
    if pairs is None:
        return None
    return [(name, value and value.replace("\t", " ").replace("\r", " ")) for name, value in pairs]


@settings(max_examples=150, deadline=None)
@given(documents)
def test_a_document_reads_as_git_reads_it(text: str) -> None:
    assert with_blanks(our_list(text)) == with_blanks(git_list(text))


@settings(max_examples=150, deadline=None)
@given(good_documents)
def test_a_good_document_reads_as_git_reads_it(text: str) -> None:
    assert our_list(text) == git_list(text)


@pytest.mark.parametrize(
    "text",
    [
        "k = v\n",
        "[a]k=v",
        "[a][b] k = v\n",
        "\ufeff[a]\nk\n",
        "[a]\r\nk = v\r\nj\r\n",
        '[a "x=y"]\n\tk = 1\n',
        "[a]\n\tk = a\\\n  b # c\n\tj = 1\n",
        "# only a comment",
        "",
        "\ufeff",
        # refused
        "[a\nk = v\n",
        "[a]\n9k = v\n",
        "[a]\nk v\n",
        "[a]\nk # c\n",
        '[a]\nk = "v\n',
        "[a]\nk = \\x\n",
        '[a"]\n',
        "x\ufeff[a]\n",
        "\ufeff\ufeff[a]\n",
        "[a]\n\udcff = 1\n",
        "\uff01",
        "[a]\nk\r",
        "= v\n",
        "]\n",
    ],
)
def test_odd_documents(text: str) -> None:
    assert our_list(text) == git_list(text)


def test_nul_is_refused() -> None:
    with pytest.raises(SyntaxProblem) as caught:
        parse("[a]\n\tk = v\0\n")
    assert caught.value.line == 2


def test_entries_say_where_they_stand() -> None:
    text = '# top\n[a "S"] k = 1\n\tKey = "x # y" ; z\n\tm = a\\\n b\n\n  n'
    config = parse(text)
    assert [text[entry.start : entry.end] for entry in config.entries] == [
        " k = 1\n",
        '\tKey = "x # y" ; z\n',
        "\tm = a\\\n b\n",
        "  n",
    ]
    assert [(entry.section, entry.subsection, entry.key, entry.value) for entry in config.entries] == [
        ("a", "S", "k", "1"),
        ("a", "S", "key", "x # y"),
        ("a", "S", "m", "a b"),
        ("a", "S", "n", None),
    ]


def test_lookups() -> None:
    config = parse('[a]\nk = 1\nn\n[A "S"]\nk = 2\n[b "T"]\n[a]\nk = 3\nEnd = 4\n[a "s"]\nk = 5\n[a "empty"]\n')
    assert config.get("a", None, "k") == "3"
    assert config.get("A", None, "END") == "4"
    assert config.get("a", None, "n") == ""
    assert config.get("a", "S", "k") == "2"
    assert config.get("a", "x", "k") is None
    assert config.get("a", None, "x") is None
    assert config.get_all("a", None, "K") == ["1", "3"]
    assert config.get_all("a", None, "n") == [""]
    assert config.get_all("a", "x", "k") == []
    assert config.keys("a", None) == ["k", "n", "end"]
    assert config.subsections("a") == ["S", "s"]
    assert config.table("a") == {"S": {"k": "2"}, "s": {"k": "5"}}
    assert config.table("b") == {}


BASE = """\
# kept
[workspace]
\tgoal = old ; why
\tcreated=1
[jot "r"]
\tentry = one
\tentry = two
\t; between
\tentry = three

[unknown "X"]
  odd   =   "va\\"lue"
[pr]
\turl = u
"""


@pytest.mark.parametrize(
    ("changes", "old", "new"),
    [
        ([Set("workspace", None, "goal", ("new",))], "goal = old ; why", "goal = new ; why"),
        ([Set("workspace", None, "goal", ("a;b",))], "goal = old ; why", 'goal = "a;b" ; why'),
        ([Set("workspace", None, "created", ("2",))], "created=1", "created=2"),
        ([Set("workspace", None, "Status", ("done",))], "created=1\n", "created=1\n\tStatus = done\n"),
        ([Append("jot", "r", "entry", "four")], "= three\n", "= three\n\tentry = four\n"),
        ([Append("jot", "r", "popped", "x")], "= three\n", "= three\n\tpopped = x\n"),
        ([Append("jot", "R", "entry", "x")], "= u\n", '= u\n[jot "R"]\n\tentry = x\n'),
        ([Set("jot", "r", "entry", ("one", "2", "three"))], "= two", "= 2"),
        ([Set("jot", "r", "entry", ("two", "three"))], "\tentry = one\n", ""),
        ([Set("jot", "r", "entry", ("one", "two"))], "\tentry = three\n", ""),
        ([Set("jot", "r", "entry", ("one", "three"))], "\tentry = two\n", ""),
        ([Set("jot", "r", "entry", ("one", "two", "three", "4"))], "= three\n", "= three\n\tentry = 4\n"),
        ([Set("pr", None, "url", ())], "[pr]\n\turl = u\n", ""),
        ([Set("pr", None, "url", ()), Set("pr", None, "n", ("1",))], "\turl = u\n", "\tn = 1\n"),
        ([Set("pr", None, "url", ()), Append("pr", None, "url", "w")], "url = u", "url = w"),
        ([Append("pr", None, "n", "1"), Set("pr", None, "n", ())], "", ""),
        (
            [Set("jot", "r", "entry", ())],
            "\tentry = one\n\tentry = two\n\t; between\n\tentry = three\n",
            "\t; between\n",
        ),
        ([Set("unknown", "X", "odd", ("1",))], '"va\\"lue"', "1"),
        ([Set("unknown", "X", "odd", ('va"lue',))], "", ""),
        ([Set("none", None, "k", ())], "", ""),
        ([Drop("none", None)], "", ""),
        ([Drop("pr", None)], "[pr]\n\turl = u\n", ""),
        ([Drop("PR", None), Set("pr", None, "url", ("w",))], "url = u", "url = w"),
        (
            [Drop("jot", "r")],
            '[jot "r"]\n\tentry = one\n\tentry = two\n\t; between\n\tentry = three\n\n',
            "",
        ),
        ([Set("pr", None, "n", ("1",)), Drop("pr", None)], "[pr]\n\turl = u\n", ""),
    ],
)
def test_changes(changes: list[Change], old: str, new: str) -> None:
    assert old in BASE
    changed = apply(parse(BASE), changes)
    assert changed.text == BASE.replace(old, new, 1)
    assert changed.entries == parse(changed.text).entries


@pytest.mark.parametrize(
    ("text", "changes", "expected"),
    [
        ("", [Set("a", "x\\y", "k", ("",))], '[a "x\\\\y"]\n\tk = \n'),
        ("# c", [Set("a", None, "k", ("v",))], "# c\n[a]\n\tk = v\n"),
        ("[a] # c", [Set("a", None, "k", ("v",))], "[a] # c\n\tk = v\n"),
        ("[a][b] k = 1", [Set("a", None, "k", ("v",))], "[a]\n\tk = v\n[b] k = 1"),
        ("[a][b] k = 1\n", [Set("b", None, "k", ())], "[a]\n"),
        ("[a] [b]\n[c]\n", [Drop("a", None)], " [b]\n[c]\n"),
        ("[a] [b]\n[c]\n", [Drop("b", None)], "[a]\n[c]\n"),
        ("[a] k = 1 # c\n[b]\n", [Set("a", None, "k", ())], "[b]\n"),
        ("[a]\n\tk = 1\\\n", [Set("a", None, "j", ("2",))], "[a]\n\tk = 1\\\n\n\tj = 2\n"),
        ("[a]\n\tk = 1\\", [Set("b", None, "j", ("2",))], "[a]\n\tk = 1\\\n\n[b]\n\tj = 2\n"),
        ("[a]\n\tk\n", [Set("a", None, "k", ("",))], "[a]\n\tk = \n"),
        ("[a]\r\n\tk\r\n\tj =\r\n", [Set("a", None, "k", ("1",)), Set("a", None, "j", ("2",))], None),
        ("[a]\n\tk =# c\n", [Set("a", None, "k", ("1",))], "[a]\n\tk = 1 # c\n"),
        ("[a.b]\n\tk = 1\n", [Set("a", "b", "k", ("2",))], "[a.b]\n\tk = 2\n"),
        ("[a]\nk = 1\n[b]\n[a]\nj = 1\n", [Set("a", None, "k", ())], "[b]\n[a]\nj = 1\n"),
        ("[a]\nk = 1\n[b]\n[a]\n", [Append("a", None, "k", "2")], "[a]\nk = 1\n[b]\n[a]\n\tk = 2\n"),
    ],
)
def test_changes_to_odd_texts(text: str, changes: list[Change], expected: str | None) -> None:
    if expected is None:
        expected = "[a]\r\n\tk = 1\r\n\tj = 2\r\n"
    changed = apply(parse(text), changes)
    assert changed.text == expected
    assert pairs_of(changed) == git_list(changed.text)


def test_no_change_gives_the_document_back() -> None:
    config = parse(BASE)
    assert apply(config, []) is config
    assert apply(config, [Set("workspace", None, "goal", ("old",))]) is config


@pytest.mark.parametrize(
    "change",
    [
        Set("a b", None, "k", ("v",)),
        Set("", None, "k", ("v",)),
        Set("a.b", None, "k", ("v",)),
        Set("a\u212a", None, "k", ("v",)),
        Set("a", "x\ny", "k", ("v",)),
        Drop("a", "\0"),
        Set("a", None, "9k", ("v",)),
        Set("a", None, " k", ("v",)),
        Append("a", None, "k=", "v"),
        Append("a", None, "", "v"),
        Append("a", None, "k", "\0"),
    ],
)
def test_what_git_cannot_hold_is_refused(change: Change) -> None:
    with pytest.raises(ValueError, match=r"not a|NUL"):
        apply(parse("[a]\n"), [change])


any_value = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=30)
tricky_value = st.lists(
    st.sampled_from(
        [" ", "#", ";", '"', "\\", "\n", "\t", "\b", "\r", "\r\n", "\x1b", "é", "🚀", "v", "=", "[a]", "\udcfe"]
    )
).map("".join)


@settings(max_examples=25, deadline=None)
@given(st.lists(any_value | tricky_value, min_size=20, max_size=60))
def test_git_reads_the_values_that_we_write(values: list[str]) -> None:
    written = apply(parse(""), [Set("a", 's "\\', "k", tuple(values))])
    assert written.get_all("a", 's "\\', "k") == values
    listed = git_list(written.text)
    assert listed == [('a.s "\\.k', value) for value in values]


@settings(max_examples=40)
@given(st.lists(any_value | tricky_value, min_size=1, max_size=2))
def test_we_read_the_values_that_git_writes(values: list[str]) -> None:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "config")
        for value in values:
            # An old git writes a carriage return at the end of a value so that it reads it back without.
            assert git_config(path, "--add", "a.S.key", value.replace("\r", "")) is not None
        text = path.read_bytes().decode("utf-8", "surrogateescape")
    assert parse(text).get_all("a", "S", "key") == [value.replace("\r", "") for value in values]


sections = st.sampled_from([("a", None), ("a", "s"), ("b", "S t"), ("c", None), ("d", 'new "\\')])
keys = st.sampled_from(["k", "Key", "j"])
short_values = st.sampled_from(["v", "", " x ", "a#b", "é", "\n", "q q", "1"])
changes = st.lists(
    st.one_of(
        st.builds(
            lambda section, key, values: Set(*section, key, tuple(values)),
            sections,
            keys,
            st.lists(short_values, max_size=3),
        ),
        st.builds(lambda section, key, value: Append(*section, key, value), sections, keys, short_values),
        st.builds(lambda section: Drop(*section), sections),
    ),
    max_size=6,
)

Model = dict[tuple[str, str | None, str], list[str | None]]


def model_of(config: Config) -> Model:
    model: Model = {}
    for entry in config.entries:
        model.setdefault((entry.section, entry.subsection, entry.key), []).append(entry.value)
    return model


def changed_model(model: Model, changes: Sequence[Change]) -> Model:
    model = {name: list(values) for name, values in model.items()}
    for change in changes:
        if isinstance(change, Drop):
            model = {name: values for name, values in model.items() if name[:2] != (change.section, change.subsection)}
        elif isinstance(change, Set):
            model[change.section, change.subsection, change.key.lower()] = list(change.values)
        else:
            model.setdefault((change.section, change.subsection, change.key.lower()), []).append(change.value)
    return {name: values for name, values in model.items() if values}


def untouched_lines(config: Config, changes: Sequence[Change]) -> list[str]:
    """The text of the entries that no change names."""
    named = {(change.section, change.subsection, getattr(change, "key", "").lower()) for change in changes}
    dropped = {name[:2] for name in named if not name[2]}
    return [
        config.text[entry.start : entry.end].strip("\n")
        for entry in config.entries
        if (entry.section, entry.subsection, entry.key) not in named
        and (entry.section, entry.subsection) not in dropped
    ]


def comments_of(config: Config) -> list[str]:
    text, at, found = config.text, 0, []
    for start, end in [*((entry.start, entry.end) for entry in config.entries), (len(text), 0)]:
        found += [line.strip() for line in text[at:start].split("\n") if line.lstrip().startswith(("#", ";"))]
        at = end
    return found


@settings(max_examples=400, deadline=None)
@given(good_documents, changes)
def test_changes_do_what_the_model_says(text: str, changes: list[Change]) -> None:
    try:
        config = parse(text)
    except SyntaxProblem:
        return
    changed = apply(config, changes)
    assert model_of(changed) == changed_model(model_of(config), changes)
    assert untouched_lines(changed, changes) == untouched_lines(config, changes)
    if not any(isinstance(change, Drop) for change in changes):
        assert comments_of(changed) == comments_of(config)


@settings(max_examples=80, deadline=None)
@given(good_documents, changes)
def test_git_reads_what_changes_leave(text: str, changes: list[Change]) -> None:
    try:
        changed = apply(parse(text), changes)
    except SyntaxProblem:
        return
    assert pairs_of(changed) == git_list(changed.text)


@settings(max_examples=100, deadline=None)
@given(good_documents, changes)
def test_a_second_time_changes_nothing(text: str, changes: list[Change]) -> None:
    """Sets that are already so touch no byte."""
    try:
        config = parse(text)
    except SyntaxProblem:
        return
    sets = {
        (change.section, change.subsection, change.key.lower()): change for change in changes if isinstance(change, Set)
    }
    once = apply(config, list(sets.values()))
    assert apply(once, list(sets.values())) is once


def test_many_changes_take_one_pass() -> None:
    rows = 2000
    changes = [Set("repos", f"r{i}", key, (f"{key} {i}",)) for i in range(rows) for key in ("url", "brief")]
    config = apply(parse(""), changes)
    assert config.table("repos") == {f"r{i}": {"url": f"url {i}", "brief": f"brief {i}"} for i in range(rows)}
    assert apply(config, changes) is config
    assert apply(config, [Drop("repos", f"r{i}") for i in range(rows)]).text == ""

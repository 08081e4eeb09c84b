"""git's own reading of a config text, ours under the same names, and generated texts to compare them on."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from hypothesis import strategies as st

from orbit.store.syntax import Config, SyntaxProblem, parse

GIT_ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "LC_ALL": "C",
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_DIR": "/nonexistent",
}
Pair = tuple[str, str | None]


def git_config(path: Path, *arguments: str) -> bytes | None:
    """What `git config --file` prints; None when it refuses the file."""
    command = ["git", "config", "--file", os.fspath(path), *arguments]
    run = subprocess.run(command, capture_output=True, check=False, env=GIT_ENVIRONMENT, cwd=path.parent)
    assert run.returncode == 0 or b"bad config" in run.stderr, run.stderr
    return None if run.returncode else run.stdout


def git_list(text: str) -> list[Pair] | None:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "config")
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        listed = git_config(path, "-z", "--list")
    if listed is None:
        return None
    pairs = (item.partition("\n") for item in listed.decode("utf-8", "surrogateescape").split("\0")[:-1])
    return [(name, value if newline else None) for name, newline, value in pairs]


def our_list(text: str) -> list[Pair] | None:
    try:
        config = parse(text)
    except SyntaxProblem:
        return None
    return pairs_of(config)


def pairs_of(config: Config) -> list[Pair]:
    """Our entries under git's names for them."""
    pairs = []
    for entry in config.entries:
        names = [entry.section, entry.subsection, entry.key]
        headless = not entry.section and entry.subsection is None
        pairs.append((".".join(name for name in names[2 if headless else 0 :] if name is not None), entry.value))
    return pairs


# White space inside unquoted values is a blank here: git before 2.45 turns any other into one.
good_pieces = st.sampled_from(
    [
        *("v", " ", "  ", "=", "[a]", "é", "🚀", "\udcff", "\x01", "\v", "\x7f", "\ufeff", "\N{LINE SEPARATOR}"),
        *('"q q"', '"\t"', '" # "', "\\n", "\\t", "\\b", "\\\\", '\\"', "#", ";", "\\\n", "\\\r\n"),
    ]
)
pieces = good_pieces | st.sampled_from(['"', "\\x", "\\"])
names = st.sampled_from(["a", "B", "a-b", "a9", "x.y", "A.", "é", ""])
subsections = st.sampled_from(
    ["", "s", "S t", "x.y", '\\"', "\\\\", "\\q", "]", "#;", "é🚀", "\udcff", "\r", '"', "\\\n"]
)
headers = st.one_of(
    st.builds("[{}]".format, names),
    st.builds('[{}{}"{}"]'.format, names, st.sampled_from([" ", "  ", "\t", " \r", ""]), subsections),
)
values = st.lists(pieces, max_size=8).map("".join) | st.text(st.sampled_from('abcXYZ ="\\#;éß'), max_size=12)
entries = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["\t", "", " ", "  ", "\r"]),
    st.sampled_from(["k", "Key", "k-9", "9k", "k_k", "ключ"]),
    st.sampled_from([" = ", "=", "\t=", " =\t", ""]),
    values,
)
comments = st.sampled_from(["# c", "; [x]", "  # k = v", "#\\", ";"])
lines = st.one_of(headers, entries, comments, st.builds("{} {}".format, headers, entries), st.sampled_from(["", " "]))
endings = st.sampled_from(["\n", "\n", "\n", "\r\n", ""])
documents = st.builds(
    "{}{}".format, st.sampled_from(["", "", "\ufeff"]), st.lists(st.builds("{}{}".format, lines, endings)).map("".join)
)


# Nearly always good: long ones would else be refused for one line or another.
good_entries = st.builds(
    "{}{}{}\n".format,
    st.sampled_from(["\t", "", " "]),
    st.sampled_from(["k", "Key", "j"]),
    st.just("") | st.lists(good_pieces, max_size=6).map(lambda parts: " = " + "".join(parts)),
)
good_headers = st.sampled_from(
    ["[a]", "[A]", '[a "s"]', "[a.s]", '[b "S t"]', '[b "\\"x\\\\"]', "[c] # note", "[a] [c]"]
)
good_lines = st.one_of(
    good_entries,
    st.builds("{}\n".format, good_headers),
    st.builds("{} {}".format, good_headers.filter(lambda header: "#" not in header), good_entries),
    st.builds("{}\n".format, comments),
    st.sampled_from(["\n", "  \n", "\r\n"]),
)
good_documents = st.builds(
    lambda start, lines, cut: start + "".join(lines)[: -1 if cut else None],
    st.sampled_from(["", "[a]\n", "\ufeff[b]"]),
    st.lists(good_lines, max_size=12),
    st.booleans(),
)

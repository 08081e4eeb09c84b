from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hosts.approval import ALLOWED
from orbit.hosts.words import simple_words

# Where the text between the shell and the program can be told apart: NUL ends a word, SOH a command.
DUMP = "#!/bin/sh\nfor word; do printf '%s\\0' \"$word\"; done\nprintf '\\001'\n"
SHELLS = [
    (name, options)
    for name, options in (("sh", ()), ("dash", ()), ("bash", ("--norc",)), ("zsh", ("-f",)), ("fish", ("-N",)))
    if shutil.which(name)
]
TRICKY = "orbit a-=_/.'\"\\ \t\n$`{}*?[]~!#%^;&|()<>@,:é\u00a0\r\0"


@pytest.fixture(scope="module")
def bait(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory where a pattern would match, with a stand-in for orbit that shows its words."""
    directory = tmp_path_factory.mktemp("shells")
    for name in ("a", "backend", "text.py"):
        (directory / name).touch()
    bin_directory = directory / "bin"
    bin_directory.mkdir()
    for name in ("orbit", "a"):
        (bin_directory / name).write_text(DUMP)
        (bin_directory / name).chmod(0o755)
    return directory


def run_shell(command: list[str], script: str, bait: Path) -> subprocess.CompletedProcess[bytes]:
    shell = shutil.which(command[0])
    assert shell is not None
    return subprocess.run(
        [shell, *command[1:]],
        input=script.encode(),
        cwd=bait,
        env={"PATH": f"{bait}/bin", "HOME": str(bait), "LC_ALL": "C.UTF-8"},
        capture_output=True,
        timeout=60,
        check=False,
    )


def words_of(dump: bytes) -> list[list[str]]:
    """The words behind `orbit`, of each command that was run."""
    commands = dump.decode().split("\x01")
    assert commands.pop() == ""
    return [command.split("\0")[:-1] for command in commands]


def read(line: str) -> list[str]:
    words = simple_words(line)
    assert words is not None, line
    return words


@pytest.mark.parametrize(("name", "options"), SHELLS, ids=[name for name, _ in SHELLS])
def test_a_shell_sees_the_same_words(name: str, options: tuple[str, ...], bait: Path) -> None:
    for line, why in ALLOWED:
        expected = read(line)[1:]
        if name == "fish" and "\\\\" in line:
            expected = [word.replace("\\\\", "\\") for word in expected]  # its other escape in single quotes
        done = run_shell([name, *options, "-c", line], "", bait)
        assert (done.returncode, done.stderr) == (0, b""), (line, why)
        assert words_of(done.stdout) == [expected], (line, why)


@pytest.mark.parametrize("name", [name for name, _ in SHELLS])
def test_a_shell_finds_nothing_wrong(name: str, bait: Path) -> None:
    for line, _ in ALLOWED:
        assert run_shell([name, "-n"], line, bait).stderr == b"", line


def test_an_interactive_shell_puts_no_history_in(bait: Path) -> None:
    if not shutil.which("bash"):
        pytest.skip("no bash here")
    lines = [line for line, _ in ALLOWED if "\t" not in line]  # which completes at a prompt
    script = "set -o history -o histexpand; PS1= PS2=\n" + "".join(f"{line}\n" for line in lines)
    done = run_shell(["bash", "--norc", "--noprofile", "--noediting", "-i"], script, bait)
    assert words_of(done.stdout) == [read(line)[1:] for line in lines]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(TRICKY, max_size=14), min_size=40, max_size=60))
def test_what_is_read_is_what_a_shell_reads(bait: Path, texts: list[str]) -> None:
    lines = {f"orbit {text}": words for text in texts if (words := simple_words(f"orbit {text}")) is not None}
    for name, options in SHELLS:
        if name != "fish":
            done = run_shell([name, *options], "".join(f"{line}\n" for line in lines), bait)
            assert (words_of(done.stdout), done.stderr) == ([words[1:] for words in lines.values()], b""), name


def is_text(text: str) -> bool:
    return text.replace("\n", "").replace("\t", "").isprintable()


TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("\n\t'\"\\$`;"), max_size=30)


def single(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def double(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


@given(st.lists(TEXTS.filter(is_text), max_size=5))
def test_single_quotes_carry_every_text(texts: list[str]) -> None:
    """But one with a backslash before a quote of any kind."""
    line = " ".join(["orbit", *map(single, texts)])
    if any("\\'" in text or text.endswith("\\") for text in texts):
        assert simple_words(line) is None
    else:
        assert simple_words(line) == ["orbit", *texts]


@given(TEXTS.filter(is_text))
def test_double_quotes_carry_what_nothing_expands(text: str) -> None:
    expected = None if set(text) & set("$`{}*?[~!") or text.count("\\\n") else [text]
    if expected is not None:
        assert simple_words(double(text)) == expected
    elif set(text) & set("$`{}*?[~!"):
        assert simple_words(double(text)) is None


@given(st.text(TRICKY, max_size=30))
def test_an_operator_outside_quotes_is_never_taken(text: str) -> None:
    for mark in ";&|()$`<>\n\r\0#{}*?[]~!%^":
        assert simple_words(f"{text} {mark} x") is None or text.count("'") or text.count('"')
        assert simple_words(f"orbit {mark}") is None


def test_no_words() -> None:
    assert simple_words("") == []
    assert simple_words(" \t ") == []
    assert simple_words("''") == [""]

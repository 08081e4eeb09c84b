from __future__ import annotations

import os
from pathlib import Path

import pytest

from hosts.approval import ALLOWED, ASKED
from orbit.commands import TABLE
from orbit.commands.approval import allows
from orbit.hosts import approve

# What each verb of the tiers takes and nobody lets an agent do unasked.
SOMEBODY_DECIDES = {"doctor": {"fix"}, "sync": {"force", "branch"}, "memo": {"edit", "pull", "push"}}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    path = Path(os.path.realpath(tmp_path)) / "task-01"
    (path / "sub").mkdir(parents=True)
    (path / "card.md").write_text("# backend\n")
    (path / "inner.md").symlink_to("card.md")
    (path.parent / "outside.md").write_text("a secret\n")
    (path.parent / "task-01-other").mkdir()
    (path.parent / "task-01-other" / "card.md").write_text("# backend\n")
    (path / "link.md").symlink_to("../outside.md")
    (path / "away").symlink_to("..")
    os.mkfifo(path / "pipe")
    return path


def test_the_corpus_is_large_and_says_each_line_once() -> None:
    lines = [line for line, _ in (*ALLOWED, *ASKED)]
    assert len(lines) == len(set(lines)) >= 300
    assert all(why for _, why in (*ALLOWED, *ASKED))


@pytest.mark.parametrize(("line", "why"), ALLOWED, ids=range(len(ALLOWED)))
def test_what_runs_unasked(line: str, why: str, workspace: Path) -> None:
    assert allows(line.replace("WORKSPACE", str(workspace)), str(workspace)), why


@pytest.mark.parametrize(("line", "why"), ASKED, ids=range(len(ASKED)))
def test_what_somebody_is_asked(line: str, why: str, workspace: Path) -> None:
    assert not allows(line.replace("WORKSPACE", str(workspace)), str(workspace)), why


@pytest.mark.parametrize("tail", [";rm x", "&&id", "|sh", "\nid", " `id`", " $(id)", ">x", "&", " #x", " \\", "'", '"'])
def test_nothing_may_follow_a_line_that_is_allowed(tail: str, workspace: Path) -> None:
    for line, _ in ALLOWED:
        assert not allows(line.replace("WORKSPACE", str(workspace)) + tail, str(workspace)), line


@pytest.mark.parametrize("head", ["X=1 ", "cd /;", "./", "\\", "! ", "(", "{ ", "time ", "true|", "\n", "sudo "])
def test_nothing_may_precede_it(head: str, workspace: Path) -> None:
    for line, _ in ALLOWED:
        assert not allows(head + line.lstrip().replace("WORKSPACE", str(workspace)), str(workspace)), line


@pytest.mark.parametrize("word", ["--exec", "--exec=id", "--force", "--fix", "--branch=x", "--edit", "--unknown", "-z"])
def test_an_option_of_another_tier_is_never_unasked(word: str, workspace: Path) -> None:
    for line, _ in ALLOWED:
        if " --" not in line.replace(" --json", ""):
            assert not allows(f"{line} {word}", str(workspace)), line


def test_a_file_needs_a_workspace_to_be_in(workspace: Path) -> None:
    line = f"orbit memo backend --file {workspace}/card.md"
    assert allows(line, str(workspace))
    assert not allows(line, "")
    assert not allows(line, str(workspace / "sub"))


def test_every_argument_of_a_tier_has_been_thought_about() -> None:
    """A new option is asked until somebody decides here or there."""
    for verb in approve.UNASKED.keys() & TABLE.keys():
        module = __import__(f"orbit.commands.{TABLE[verb][0]}", fromlist=["USAGE"])
        known = {argument.key for argument in module.USAGE.arguments}
        undecided = known - approve.UNASKED[verb] - SOMEBODY_DECIDES.get(verb, set())
        assert (verb, undecided) == (verb, set())
        assert (verb, approve.UNASKED[verb] - known) == (verb, set())


def test_only_a_line_that_could_be_allowed_is_read() -> None:
    def read(verb: str, argv: list[str]) -> dict[str, tuple[str, ...]]:
        raise AssertionError(f"asked about {verb} {argv}")

    for line in ("git status", "orbit prune", "orbit repos; id", "orbit new x", "orbit", "orbit  "):
        assert not approve.allows(line, "", read)


def test_words_that_the_verb_does_not_take_are_not_allowed() -> None:
    assert not approve.allows("orbit repos", "", lambda verb, argv: None)

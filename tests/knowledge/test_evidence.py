"""Whether what a card names is still there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counted_git import counted_git
from orbit.knowledge.evidence import Evidence, PathState, looks_like_path, named_paths, read_evidence, repository_path
from orbit.places import Project
from orbit.store.cache import Cache
from world import World

FILES = {"cmd/server/main.go": "package main\n", "api/v1.proto": "v1\n", "docs/a.md": "a\n", "Makefile": "all:\n"}


def evidence(world: World, text: str, stored: str, *, cache: Cache | None = None) -> Evidence:
    project = Project(str(world.root))
    clone = project.clone("backend")
    head = world.git(clone, "rev-parse", "HEAD")
    return read_evidence(clone, stored, head, text.encode(), cache or Cache(project.cache))


@pytest.fixture
def stored(world: World) -> str:
    """A pool clone that got commits since: a file moved, one changed, one gone for good."""
    sha = world.origin(files=FILES).sha()
    world.clone()
    world.origins["backend"].commit(
        {"cmd/server/main.go": None, "cmd/api/main.go": "package main\n", "api/v1.proto": "v2\n", "docs/a.md": None}
    )
    assert world.orbit("sync").code == 0
    return sha


def test_ok_changed_missing_and_moved(world: World, stored: str) -> None:
    found = evidence(world, "`Makefile` `api/` `api/v1.proto:12` `cmd/server/main.go` `docs/a.md` `README.md`", stored)
    assert found.paths == (
        PathState("Makefile", "ok"),
        PathState("api/", "changed"),
        PathState("api/v1.proto:12", "changed"),
        PathState("cmd/server/main.go", "missing", "cmd/api/main.go"),
        PathState("docs/a.md", "missing"),
        PathState("README.md", "ok"),
    )
    assert found.of("missing") == ["cmd/server/main.go, now cmd/api/main.go", "docs/a.md"]
    assert not found.untouched


def test_untouched(world: World, stored: str) -> None:
    assert evidence(world, "see `Makefile` and `src/`", stored).untouched


def test_globs(world: World, stored: str) -> None:
    found = evidence(world, "`api/*.proto` `src/*.py` `web/*.ts`", stored)
    assert [path.state for path in found.paths] == ["changed", "ok", "missing"]


def test_a_name_without_slash_or_dot_counts_only_when_it_exists(world: World, stored: str) -> None:
    assert [path.path for path in evidence(world, "`Makefile` `OrderService` `orbit add`", stored).paths] == [
        "Makefile"
    ]


def test_a_stored_commit_that_is_gone_compares_nothing(world: World, stored: str) -> None:
    found = evidence(world, "`Makefile` `none/such`", "0" * 39 + "1")
    assert [path.state for path in found.paths] == ["ok", "missing"]
    assert not found.untouched


def test_no_paths_no_git(world: World, stored: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    project = Project(str(world.root))
    assert read_evidence(project.clone("backend"), stored, "a" * 40, b"no path", Cache(project.cache)) == Evidence()


def test_a_remembered_answer_starts_no_git(world: World, stored: str) -> None:
    text = "# backend\n\nServes.\n\n- `Makefile`: first\n- `api/`: the shape\n"
    assert world.orbit("memo", "backend", "--text", text).code == 0
    first = world.orbit("info", "backend")
    with counted_git(world.base) as calls:
        assert world.orbit("info", "backend") == first
    assert calls.lines == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a `b` and ``c `d` e``", ("b", "c `d` e")),
        ("```\n`not`\n```\n`yes`", ("yes",)),
        ("`a` `a` `b", ("a",)),
        ("` `", ()),
    ],
)
def test_names_in_backticks(text: str, names: tuple[str, ...]) -> None:
    assert named_paths(text) == names


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("src/a.py", "src/a.py"),
        ("./src/", "src"),
        ("src/a.py:12", "src/a.py"),
        ("src/a.py:12-20", "src/a.py"),
        ('"a b.txt"', "a b.txt"),
        ("https://example.com/a", ""),
        ("/etc/passwd", ""),
        ("../other", ""),
        ("--flag", ""),
        ("TODO/path", ""),
        ("~/x", ""),
    ],
)
def test_a_name_as_a_path(name: str, path: str) -> None:
    assert repository_path(name) == path


@pytest.mark.parametrize(
    ("path", "expected"),
    [("a/b", True), ("main.go", True), (".env", True), ("Makefile", False), ("f(x).y", False), ("a b/c", False)],
)
def test_what_looks_like_a_path(path: str, expected: bool) -> None:
    assert looks_like_path(path) is expected


@given(st.text())
def test_any_text_has_names_that_are_safe_to_ask_for(text: str) -> None:
    for name in named_paths(text):
        path = repository_path(name)
        assert not path.startswith(("/", "-", ":", "../"))

"""Generated cards, READMEs and damaged metadata files: a clear end, harmless output, a brief of at most 120 characters.

`make soak`: 10,000 texts and 1,000 damaged files.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orbit.knowledge.brief.extract import LIMIT, card_brief, decode, readme_brief
from orbit.text import framed, safe_line, safe_text
from reliability.amount import SOAK, drawn
from reliability.hostile import BYTES, HOSTILE, harmful
from reliability.scene import Scene, built, reading
from world import Template

TEXTS = 5_000 if SOAK else 60  # of each of the two kinds
FILES = 1_000 if SOAK else 40

_PIECES = [
    "# Title",
    "## When to add",
    "===",
    "---",
    "***",
    "- item",
    "1. one",
    "> quote",
    "```sh",
    "~~~",
    "    code",
    "| a | b |",
    "|---|---|",
    "[x]: https://example.com",
    "![badge](https://img.example.com/x.svg)",
    "[![a](b)](c)",
    "<p align='center'>",
    "</p>",
    "<!--",
    "-->",
    "<img src=x>",
    "<h1>T</h1>",
    ".. image:: x",
    "=====",
    ":toc:",
    "* A",
    "#+TITLE: x",
    "{{toc}}",
    "---\ntitle: x\n---",
    "&amp;&#27;[31m",
    "&#x202e;",
    "It is a service that stores orders.",
    "Ein Dienst.",
    "注文を保存するサービス。",
    "e.g. this, i.e. that. Next",
    "a" * 200,
    "word " * 60,
    "\\",
    "`",
    *(text[:500] for text in HOSTILE.values()),
]
_TEXT = st.lists(st.one_of(st.sampled_from(_PIECES), st.text(max_size=20)), max_size=8)
_JOINED = st.builds(
    lambda parts, between: between.join(parts), _TEXT, st.sampled_from(["\n", "\n\n", "\r\n", " ", "\r"])
)
_NAMES = st.sampled_from(
    ["README.md", "README", "readme.rst", "README.txt", "README.adoc", "README.org", "ReadMe.html", "README.x"]
)


@settings(max_examples=TEXTS, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=_JOINED, name=_NAMES)
def test_any_readme_and_card(text: str, name: str) -> None:
    for brief in (readme_brief(text, name), card_brief(text)):
        assert len(brief) <= LIMIT
        assert "\n" not in brief
        assert harmful(safe_line(brief)) == []
        assert brief == safe_line(brief)
    assert harmful(safe_text(text)) == []
    shown = framed(text).lower()
    assert "</orbit-context" not in shown
    assert "<orbit-context" not in shown


@settings(max_examples=TEXTS, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.one_of(
        st.binary(max_size=300), st.sampled_from(list(BYTES.values())), _JOINED.map(lambda text: text.encode("utf-16"))
    ),
    _NAMES,
)
def test_any_bytes(data: bytes, name: str) -> None:
    text = decode(data)
    if text is not None:
        assert harmful(safe_line(readme_brief(text, name))) == []
    assert len(card_brief(data.decode("utf-8", "replace"))) <= LIMIT


@pytest.fixture(scope="module")
def scene(template: Template, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with built(template, tmp_path_factory.mktemp("scene")) as made:
        root = made.world.root
        yield made._replace(words={**made.words, **reading(root, root / "task-01")})


def mangled(chance: random.Random, data: bytes) -> bytes:
    """The file after a few accidents."""
    for _ in range(chance.randint(1, 4)):
        at, size = chance.randrange(len(data) + 1), chance.choice([1, 1, 2, 8, 60])
        piece = chance.choice(
            [
                b"",
                bytes([chance.randrange(256)]) * size,
                data[at : at + size] * 3,
                b'"',
                b"\\",
                b"[",
                b"]",
                b"=",
                b"\n",
                b"\0",
                b"\r",
                b"#",
                b";",
                b'[jot "',
                b"\xff\xfe",
                chance.choice(list(HOSTILE.values()))[:300].encode("utf-8", "replace"),
            ]
        )
        data = data[:at] + piece + data[at + chance.choice([0, size]) :]
    return data


NAMES = (
    "status",
    "context",
    "repos",
    "info",
    "goal",
    "jot",
    "jot --pop",
    "done",
    "memo",
    "config",
    "config --list",
    "doctor",
    "add",
    "sync",
)


def test_damaged_metadata(scene: Scene) -> None:
    """Any accident to an index, a card or a workspace's metadata, and any command on it. Nothing of it gets lost."""
    chance = drawn()
    wrong = []
    for number in range(FILES):
        if number % 4 == 0:
            scene.restore()
        path = scene.world.root / chance.choice([".repos/.orbit", "task-01/.orbit", ".repos/.backend.md"])
        data = mangled(chance, path.read_bytes() if path.exists() else b"[a]\n")
        path.write_bytes(data)
        name = chance.choice(NAMES)
        outcome = scene.run(name)
        where = f"{number} {path.name} {name}: {outcome.code} {outcome.err[:300]!r} {data[:400]!r}"
        if outcome.code not in (0, 1) or "internal: " in outcome.err or "Traceback" in outcome.err:
            wrong.append(f"no clear end: {where}")
        if harmful(outcome.out) or harmful(outcome.err):
            wrong.append(f"harmful output: {where}")
        kept = {copy.read_bytes() for copy in path.parent.glob(f"{path.name}.damaged-*")}
        begun_anew = f"{path.relative_to(scene.world.root)}: cannot be used (damaged, begun anew)"
        if begun_anew in outcome.err and data not in kept:
            wrong.append(f"not kept: {where}")
    assert not wrong, "\n" + "\n".join(wrong)

from __future__ import annotations

import importlib
import importlib.util
import inspect
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from orbit import guidance
from orbit.commands import TABLE
from orbit.commands.arguments import Usage
from orbit.guidance import Notice

_REPOSITORY = Path(__file__).resolve().parents[1]


def _generator() -> ModuleType:
    path = _REPOSITORY / "docs" / "generate_warnings.py"
    spec = importlib.util.spec_from_file_location("generate_warnings", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GENERATOR = _generator()
LINES: dict[str, Callable[..., Notice]] = GENERATOR.notices()


def test_the_document_is_what_the_module_says() -> None:
    written = (_REPOSITORY / "docs" / "spec-warnings.md").read_text(encoding="utf-8")
    assert written == GENERATOR.page(), "run: python docs/generate_warnings.py"


@pytest.mark.parametrize("name", LINES)
def test_each_line_keeps_the_form(name: str) -> None:
    notice = GENERATOR.example(LINES[name])
    assert notice.name == name.replace("_", "-")
    subject, fact = re.escape(notice.subject), re.escape(notice.fact)
    assert re.fullmatch(f"orbit: {subject}: {fact}(: .+)?", notice.line)
    assert notice.line.isascii()
    assert notice.line.isprintable()
    assert not notice.line.endswith((".", "!", " "))
    assert "orbit " not in notice.next
    assert "None" not in notice.line
    assert ": " not in notice.fact or name in ("config_restored", "sync_failed"), "a second colon looks like a step"


@pytest.mark.parametrize("name", LINES)
def test_each_line_says_when_it_appears(name: str) -> None:
    when = inspect.getdoc(LINES[name]) or ""
    assert re.fullmatch(r"[^\n]+[^.\n]", when)
    assert "|" not in when


@pytest.mark.parametrize("name", LINES)
def test_each_line_is_used(name: str) -> None:
    source = _REPOSITORY / "src" / "orbit"
    used = re.compile(rf"\bguidance\.{name}\b|from orbit\.guidance import .*\b{name}\b")
    files = (path for path in source.rglob("*.py") if path.name != "guidance.py")
    assert any(used.search(path.read_text(encoding="utf-8")) for path in files)


def test_next_steps_are_commands_that_exist() -> None:
    wrong = []
    for make in LINES.values():
        steps = GENERATOR.example(make).next
        for verb, option in re.findall(r"\b([a-z]+)(?: [a-zA-Z]+)? (-{1,2}[a-z]+)", steps):
            usage = _usage_of(verb)
            known = {name for a in usage.arguments for name in (a.name, a.short)} if usage else set()
            if option not in known:
                wrong.append(f"{verb} {option}")
    assert not wrong, ", ".join(wrong)


def _usage_of(verb: str) -> Usage | None:
    if verb not in TABLE:
        return None
    found: Usage = importlib.import_module(f"orbit.commands.{TABLE[verb][0]}").USAGE
    return found


def test_names_are_unique() -> None:
    names = [GENERATOR.example(make).name for make in LINES.values()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("notice", "line"),
    [
        (guidance.memo_behind("r", 5), "orbit: r: memo is 5 commits behind HEAD: {renew}"),
        (guidance.memo_behind("r", 1), "orbit: r: memo is 1 commits behind HEAD: {renew}"),
        (guidance.memo_behind("r", 5, at_least=True), "orbit: r: memo is 5 commits behind HEAD (at least): {renew}"),
        (
            guidance.memo_behind("r", 5, dropped=2),
            "orbit: r: memo is 5 commits behind HEAD (history rewritten, 2 dropped): {renew}",
        ),
        (guidance.memo_distance_unknown("r", "why"), "orbit: r: memo distance unknown, why: {renew}"),
        (guidance.remote_ahead("r", 3, "main"), "orbit: r: 3 new commits on origin/main: sync r"),
        (guidance.jots_building("r", 3), "orbit: r: 3 jots (building)"),
        (guidance.jots_overflow("r", 5), "orbit: r: 5 jots (overflow): jot r --pop, merge, memo r"),
        (
            guidance.explore_scope("r", ". (depth 1)", missing=False),
            "orbit: r: memo thin: explore . (depth 1), then memo r before done",
        ),
        (
            guidance.explore_scope("r", ". (depth 1)", missing=True),
            "orbit: r: memo thin (no card yet): explore . (depth 1), then memo r before done",
        ),
        (
            guidance.memo_over_budget("r", "24 of 16 lines"),
            "orbit: r: memo over budget, 24 of 16 lines: curate once, then memo r",
        ),
        (guidance.card_budget(4, 16), "orbit: done: card budget is 4~16 lines: curate, do not append"),
        (
            guidance.only_memo_survives(),
            "orbit: done: only memo survives done, jots and notes go with the workspace",
        ),
        (guidance.popped_in_flight("r", 2), "orbit: r: 2 popped, not merged: memo r, or jot r --requeue"),
        (guidance.index_rebuilt(2, written=True), "orbit: index: rebuilt from 2 clones"),
        (guidance.index_rebuilt(2, written=False), "orbit: index: rebuilt from 2 clones (not written)"),
        (guidance.metadata_damaged("w/.orbit", "bad"), "orbit: w/.orbit: cannot be used (bad)"),
        (guidance.metadata_damaged("w/.orbit", "bad", "k"), "orbit: w/.orbit: cannot be used (bad), kept as k"),
        (guidance.readme_shown("r", "README", cut=False), "orbit: r: no memo yet, showing README"),
        (guidance.readme_shown("r", "README", cut=True), "orbit: r: no memo yet, showing README (cut)"),
        (
            guidance.config_restored("r", "k", "", "true", "git.x"),
            "orbit: r: k: unset -> true put back, config git.x once stops it",
        ),
        (guidance.item_failed("r", "bad", ""), "orbit: r: bad"),
    ],
)
def test_what_each_says(notice: Notice, line: str) -> None:
    renew = "memo r with what changed, or memo r --refresh if the card still holds"
    assert notice.line == line.format(renew=renew)


def test_fixed_phrases_that_commands_compose_are_spelled_to_the_letter() -> None:
    composed = (_REPOSITORY / "src" / "orbit" / "commands" / "done.py").read_text(encoding="utf-8")
    composed += (_REPOSITORY / "src" / "orbit" / "guidance.py").read_text(encoding="utf-8")
    for phrase in ("jots remain (pop + merge)", "memo thin (explore + write)", "memo over budget (curate once)"):
        assert phrase in composed

from __future__ import annotations

import importlib
import importlib.util
import inspect
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from orbit.commands import TABLE
from orbit.commands.arguments import Usage
from orbit.guidance.notice import Notice

_REPOSITORY = Path(__file__).resolve().parents[2]


def _generator() -> ModuleType:
    path = _REPOSITORY / "docs" / "generate_warnings.py"
    spec = importlib.util.spec_from_file_location("generate_warnings", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GENERATOR = _generator()
# They quote a config key or git's own words.
_QUOTING = (
    *("config_restored", "config_would_be_restored", "not_fetched", "step_failed", "sync_failed"),
    *("host_failed", "host_unknown"),
)
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
    assert ": " not in notice.fact or name in _QUOTING, "a second colon looks like a step"


@pytest.mark.parametrize("name", LINES)
def test_each_line_says_when_it_appears(name: str) -> None:
    when = inspect.getdoc(LINES[name]) or ""
    assert re.fullmatch(r"[^\n]+[^.\n]", when)
    assert "|" not in when


@pytest.mark.parametrize("name", LINES)
def test_each_line_is_used(name: str) -> None:
    source = _REPOSITORY / "src" / "orbit"
    used = re.compile(rf"\b[a-z]+_notices\.{name}\b")
    files = (path for path in source.rglob("*.py") if path.parent.name != "guidance")
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


def test_fixed_phrases_that_commands_compose_are_spelled_to_the_letter() -> None:
    composed = (_REPOSITORY / "src" / "orbit" / "commands" / "done.py").read_text(encoding="utf-8")
    composed += "".join(path.read_text(encoding="utf-8") for path in (_REPOSITORY / "src/orbit/guidance").glob("*.py"))
    for phrase in ("jots remain (pop + merge)", "memo thin (explore + write)", "memo over budget (curate once)"):
        assert phrase in composed

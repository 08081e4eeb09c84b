"""Documents that cannot drift: what they show is compared with the program."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from cards import card
from orbit.commands import TABLE
from shared_pools import another_pool, cards_remote, write
from world import World

REPOSITORY = Path(__file__).parents[1]
PAGES = sorted([*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").glob("*.md")])
COMMAND = re.compile(r"`orbit ([a-z]+(?:-[a-z]+)*)")
TEST = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def generator(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, REPOSITORY / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_command_reference_is_what_the_commands_say() -> None:
    written = (REPOSITORY / "docs" / "commands.md").read_text(encoding="utf-8")
    assert written == generator("generate_commands").page(), "run: make docs"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_named_exists(page: Path) -> None:
    named = set(COMMAND.findall(page.read_text(encoding="utf-8")))
    assert named <= {*TABLE, "help"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_inside_leads_somewhere(page: Path) -> None:
    targets = LINK.findall(page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(words, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr  # with --quiet a warning would not count
    assert (tmp_path / "site" / "PRINCIPLES.html").is_file()


def test_every_test_that_a_page_names_exists() -> None:
    named = [match for page in PAGES for match in TEST.findall(page.read_text(encoding="utf-8"))]
    assert named
    missing = []
    for file, function in named:
        path = REPOSITORY / file
        if not path.is_file() or (function and f"def {function}(" not in path.read_text(encoding="utf-8")):
            missing.append(f"{file}::{function}")
    assert missing == []


def test_every_source_file_that_the_promises_name_exists() -> None:
    page = (REPOSITORY / "docs" / "spec-knowledge.md").read_text(encoding="utf-8")
    named = re.findall(r"`([a-z]+/[a-z_]+\.py)`", page)
    assert named
    assert [name for name in named if not (REPOSITORY / "src" / "orbit" / name).is_file()] == []


def test_the_recipe_for_sharing_does_what_it_shows(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two pools that really share: each command of the page, in its order, says what stands below it."""
    remote = cards_remote(world)
    settings = world.base / "user"
    settings.write_text(f'[url "{remote.parent}/"]\n\tinsteadOf = git@example.com:team/\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    world.clone()
    other = another_pool(world, "other", "backend")
    write(world, "The service that stores orders.")
    write(other, "Stores invoices.")
    (other.root / "merged.md").write_text(card("The service that stores orders and invoices."))
    page = (REPOSITORY / "docs" / "concepts.md").read_text(encoding="utf-8")
    section = page.partition("## Sharing cards")[2].partition("\n## ")[0]
    blocks = re.findall(r"```\n(\$ orbit .*?)```", section, re.DOTALL)
    assert len(blocks) == 3
    for pool, block in zip((world, other, world), blocks, strict=True):
        for step in block.split("$ orbit ")[1:]:
            command, _, shown = step.partition("\n")
            done = pool.orbit(*command.split())
            assert (done.code, done.out + done.err) == (0, shown)


def test_the_recording_is_what_the_loop_prints() -> None:
    made = generator("generate_recording")
    written = (REPOSITORY / "docs" / "recording.svg").read_text(encoding="utf-8")
    assert written == made.picture(made.scenes(made.transcript())), "run: make docs"

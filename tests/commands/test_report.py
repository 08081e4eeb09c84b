"""`orbit report`: as text at any width, as JSON, as a page; what it refuses, and that it changes nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cards import card
from disk import digest
from orbit.cli.table import sections_text, width
from orbit.commands.report import report_json, report_sections
from orbit.page.file import MARK
from reports import full_report
from shapes import json_of
from world import World


@pytest.fixture
def project(world: World) -> World:
    """A stale card, one repository without a card, one that is damaged, a workspace with jots and work."""
    for name in ("backend", "broken", "web"):
        world.origin(name)
        world.clone(name)
    world.orbit("memo", "backend", stdin=card().replace("- src/app0.py", "- `src/app.py`"))
    world.origins["backend"].commit({"src/app.py": "print(3)\n"})
    world.orbit("sync", "backend")
    world.orbit("new", "Take vouchers", "--name", "task-01")
    tree = world.worktree()
    world.orbit("jot", "a discovery", cwd=tree)
    (tree / "new.txt").write_text("new")
    (world.pool / "broken/.git/HEAD").unlink()
    return world


def test_as_text(project: World) -> None:
    done = project.orbit("report")
    assert (done.code, done.err) == (0, "")
    parts = done.out.split("\n\n")
    assert parts[0] == "Cards\n  3 repositories: 1 stale, 1 without a card, 1 damaged"
    assert parts[1].splitlines() == [
        "Stale cards, the ones to look at first",
        "  REPO     BEHIND  EVIDENCE",
        "  backend  1       changed: src/app.py",
    ]
    assert parts[2].splitlines() == [
        "Cards to write or cut",
        "  REPO    STATE    BRIEF",
        "  broken  damaged  git cannot read this clone",
        "  web     none     A small service that the tests copy.",
    ]
    assert parts[3].splitlines()[-1].split() == ["task-01", "backend", "1", "0", "-"]
    assert parts[4].splitlines()[-1].split() == ["task-01", "backend", "main", "0", "1", "-"]
    assert parts[5].splitlines()[-1].endswith("Take vouchers")
    assert parts[7].startswith("Disk\n  pool ")


def test_from_everywhere_in_the_project_and_nowhere_else(project: World) -> None:
    whole = project.orbit("report", "--json").json()
    for place in ("task-01", "task-01/backend", ".repos"):
        assert project.orbit("report", "--json", cwd=project.root / place).json()["cards"] == whole["cards"]
    outside = project.orbit("report", cwd=project.base)
    assert (outside.code, outside.out) == (1, "")
    assert outside.err.startswith("orbit: ")


def test_json(project: World) -> None:
    value = json_of("report", project.orbit("report", "--json"))
    assert value["counts"] == {"ok": 0, "stale": 1, "thin": 0, "over": 0, "none": 1, "damaged": 1}
    backend, broken, web = value["cards"]
    assert (backend["state"], backend["memoBehind"], backend["error"]) == ("stale", 1, None)
    assert backend["evidence"] == {"paths": [{"path": "src/app.py", "state": "changed"}], "commits": 1}
    assert (broken["error"], web["state"]) == ("git cannot read this clone", "none")
    assert value["growth"][0]["cards"] == 1
    assert value["disk"]["pool"] >= sum(one["bytes"] for one in value["cards"])


def test_json_of_everything_has_the_shape() -> None:
    import json

    from jsonschema import Draft202012Validator

    from orbit.commands.schemas import schema_text

    Draft202012Validator(json.loads(schema_text("report"))).validate(report_json(full_report()))


def test_as_a_page(project: World) -> None:
    done = project.orbit("report", "--html", "r.html", cwd=project.base)
    assert done.code == 1
    done = project.orbit("report", "--html", "../r.html")
    target = project.base / "r.html"
    assert (done.code, done.out, done.err) == (0, f"wrote {target}\n", "")
    page = target.read_bytes()
    assert page.startswith(MARK)
    assert b"Take vouchers" in page
    assert project.orbit("report", "--html", str(target)).code == 0


@pytest.mark.parametrize(
    ("given", "code", "err"),
    [
        ("", 2, "orbit: report: --html takes the name of a file\n"),
        (".", 1, "orbit: report: ROOT is a directory, name a file in it\n"),
        ("gone/r.html", 1, "orbit: report: no such directory: ROOT/gone\n"),
        (".repos/.orbit", 1, "orbit: report: ROOT/.repos/.orbit is there and is no report, it is not overwritten\n"),
    ],
)
def test_what_is_refused_changes_nothing(project: World, given: str, code: int, err: str) -> None:
    before = digest(project.root)
    done = project.orbit("report", f"--html={given}")
    assert (done.code, done.out, done.err) == (code, "", err.replace("ROOT", str(project.root)))
    assert digest(project.root) == before


def test_only_the_cache_is_written(project: World) -> None:
    project.orbit("report")
    before = digest(project.root)
    project.orbit("report")
    after = digest(project.root)
    assert [name for name in after if after[name] != before.get(name) and "/.cache" not in name] == []


def test_no_remote_is_asked(project: World) -> None:
    for name in ("backend", "web"):
        project.git(project.pool / name, "remote", "set-url", "origin", "ext::sh -c 'touch made'")
    assert project.orbit("report").code == 0
    assert not list(project.base.rglob("made"))


def test_an_empty_pool(world: World) -> None:
    out = world.orbit("report").out
    assert out.startswith("Cards\n  no repositories yet\n\nDisk\n  pool ")


def test_a_history_that_cannot_be_read_is_one_line(project: World) -> None:
    for file in (project.pool / ".cards.git/objects").rglob("*"):
        if file.is_file():
            file.unlink()
    done = project.orbit("report")
    assert done.code == 0
    assert done.err.startswith("orbit: report: the history of the cards cannot be read (reading the cards' history")
    assert "Growth" not in done.out


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_every_line_fits_the_terminal(columns: int) -> None:
    lines = sections_text(report_sections(full_report()), columns=columns).splitlines()
    assert [line for line in lines if width(line) > columns] == []


def test_nothing_hostile_reaches_a_terminal() -> None:
    assert "\u202e" not in sections_text(report_sections(full_report()))


def test_long_lists_are_cut_and_counted() -> None:
    report = full_report()
    many = tuple(report.cards[3].replace(name=f"repo-{number:03}") for number in range(50))
    text = sections_text(report_sections(report.replace(cards=many)))
    assert "Stale cards, the ones to look at first (30 more in --html)\n" in text
    assert text.count("repo-0") < 30


def test_the_page_is_written_where_the_caller_stands(project: World) -> None:
    done = project.orbit("report", "--html", "r.html", cwd=project.root / "task-01")
    assert done.out == f"wrote {project.root}/task-01/r.html\n"
    assert Path(f"{project.root}/task-01/r.html").exists()
    assert "r.html" in os.listdir(project.root / "task-01")

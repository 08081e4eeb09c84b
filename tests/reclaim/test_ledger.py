from __future__ import annotations

from pathlib import Path

import pytest

from orbit.errors import OrbitError
from orbit.places import Project
from orbit.reclaim import ledger
from orbit.reclaim.ledger import Entry
from orbit.reclaim.plan import Branch, Tree

BRANCH = Branch("backend", "ws/t/main", "1" * 40, "merged", upstream="main", review="not kept")
TREE = Tree("backend", "backend", "backend", "ws/t/main", {"HEAD": "2" * 40})
ENTRY = Entry("t", 1_700_000_000, ledger.PLANNED, True, (BRANCH,), (TREE,), {".": "a", "backend": "b"})


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / ".repos").mkdir()
    return Project(str(tmp_path))


def test_what_was_noted_is_read_back(project: Project) -> None:
    ledger.write(project, ENTRY)
    assert ledger.read(project, "t", ENTRY.epoch) == ENTRY.replace(branches=(BRANCH.replace(review=""),))
    ledger.write(project, ENTRY.replace(stage=ledger.CHECKED))
    found = ledger.read(project, "t", ENTRY.epoch)
    assert found is not None
    assert found.stage == ledger.CHECKED


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b'{"stage": "x"}', b'{"stage":"x","forced":1,"branches":[{"no":1}]}']
)
def test_a_damaged_note_is_none(project: Project, data: bytes) -> None:
    ledger.write(project, ENTRY)
    Path(ledger.directory_of(project, "t", ENTRY.epoch), "plan.json").write_bytes(data)
    assert ledger.read(project, "t", ENTRY.epoch) is None


def test_names_that_are_not_utf_8_survive(project: Project) -> None:
    odd = Tree("backend", "backend", "caf\udce9", "ws/t/main", {})
    ledger.write(project, ENTRY.replace(trees=(odd,)))
    found = ledger.read(project, "t", ENTRY.epoch)
    assert found is not None
    assert found.trees == (odd,)


def test_the_oldest_comes_first(project: Project) -> None:
    for name, epoch in (("b", 3), ("a", 5), ("a", 1)):
        ledger.write(project, ENTRY.replace(workspace=name, epoch=epoch))
    (Path(project.pool) / ".reclaimed" / "a" / "notes").mkdir()
    assert ledger.entries(project) == [("a", 1), ("b", 3), ("a", 5)]


def test_each_reclamation_has_a_second_of_its_own(project: Project) -> None:
    ledger.write(project, ENTRY)
    assert ledger.free_epoch(project, "t", ENTRY.epoch) == ENTRY.epoch + 1
    assert ledger.free_epoch(project, "u", ENTRY.epoch) == ENTRY.epoch


def test_what_can_be_brought_back(project: Project) -> None:
    """A name that is taken is offered only where a restore was interrupted."""
    for name, epoch, stage in (
        ("free", 3, ledger.CLEARED),
        ("free", 4, ledger.CLEARED),
        ("taken", 5, ledger.CLEARED),
        ("half", 6, ledger.CLEARED),
        ("half", 7, ledger.RESTORING),
    ):
        ledger.write(project, ENTRY.replace(workspace=name, epoch=epoch, stage=stage))
    for name in ("taken", "half"):
        Path(project.workspace(name)).mkdir()
    assert ledger.restorable(project) == ["free", "half"]


def test_forgetting_leaves_no_empty_directories(project: Project) -> None:
    ledger.write(project, ENTRY)
    ledger.write(project, ENTRY.replace(epoch=5))
    ledger.forget(project, "t", 5)
    assert ledger.entries(project) == [("t", ENTRY.epoch)]
    ledger.forget(project, "t", ENTRY.epoch)
    assert not (Path(project.pool) / ".reclaimed").exists()
    ledger.forget(project, "t", ENTRY.epoch)


def test_the_metadata_is_kept_beside_it(project: Project, tmp_path: Path) -> None:
    ledger.write(project, ENTRY)
    metadata = tmp_path / "orbit"
    metadata.write_bytes(b"[workspace]\n\tgoal = x\n")
    ledger.keep_metadata(project, ENTRY, str(metadata))
    assert Path(ledger.directory_of(project, "t", ENTRY.epoch), ".orbit").read_bytes() == metadata.read_bytes()
    with pytest.raises(OrbitError, match="it is gone"):
        ledger.keep_metadata(project, ENTRY, str(tmp_path / "missing"))


def test_where_the_commits_are_held() -> None:
    start = "refs/orbit/reclaimed/t/1700000000"
    assert ENTRY.kept_refs("backend") == {
        f"{start}/ws/t/main": "1" * 40,
        f"{start}/HEAD/backend/backend/HEAD": "2" * 40,
    }
    assert ENTRY.kept_refs("other") == {}
    assert ENTRY.repos == ["backend"]

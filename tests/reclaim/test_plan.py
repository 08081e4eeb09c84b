"""The decision is a pure function: of what was seen, and of force."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orbit.reclaim.plan import (
    GHOST,
    KEEP,
    LIVE,
    PARTIAL,
    REMOVE,
    UNMERGED,
    VERDICTS,
    Branch,
    Reason,
    Target,
    Tree,
    changed_parts,
    decide,
    has_work,
    word_for,
)

MERGED = Branch("backend", "ws/t/main", "1" * 40, "merged")
OPEN = Branch("backend", "ws/t/open", "2" * 40, UNMERGED)
HELD = Branch("backend", "ws/t/held", "3" * 40, UNMERGED, holder="/elsewhere")
DIRTY = Reason("backend", "1 uncommitted changes")
LOCKED = Reason("backend", "locked", final=True)


@pytest.mark.parametrize(
    ("branches", "guards", "force", "action", "deleted", "forced"),
    [
        ((MERGED,), (), False, REMOVE, (MERGED,), False),
        ((), (), False, REMOVE, (), False),
        ((MERGED, OPEN), (), False, KEEP, (), False),
        ((MERGED, OPEN), (), True, REMOVE, (MERGED, OPEN), True),
        ((MERGED,), (DIRTY,), False, KEEP, (), False),
        ((MERGED,), (DIRTY,), True, REMOVE, (MERGED,), True),
        ((MERGED,), (LOCKED,), True, KEEP, (), False),
        ((MERGED, HELD), (), False, REMOVE, (MERGED,), False),
        ((MERGED, HELD), (), True, REMOVE, (MERGED,), False),
    ],
)
def test_a_workspace_goes_wholly_or_not_at_all(
    branches: tuple[Branch, ...],
    guards: tuple[Reason, ...],
    force: bool,
    action: str,
    deleted: tuple[Branch, ...],
    forced: bool,
) -> None:
    step = decide(Target("t", LIVE, branches, guards=guards), force=force)
    assert (step.action, step.deleted, step.forced) == (action, deleted, forced)


@pytest.mark.parametrize(
    ("branches", "guards", "force", "action", "deleted"),
    [
        ((MERGED,), (), False, REMOVE, (MERGED,)),
        ((MERGED, OPEN), (), False, PARTIAL, (MERGED,)),
        ((OPEN,), (), False, KEEP, ()),
        ((MERGED, OPEN), (), True, REMOVE, (MERGED, OPEN)),
        ((MERGED, HELD), (), True, PARTIAL, (MERGED,)),
        ((MERGED,), (LOCKED,), True, KEEP, ()),
    ],
)
def test_branches_of_a_ghost_go_one_by_one(
    branches: tuple[Branch, ...], guards: tuple[Reason, ...], force: bool, action: str, deleted: tuple[Branch, ...]
) -> None:
    step = decide(Target("t", GHOST, branches, guards=guards), force=force)
    assert (step.action, step.deleted) == (action, deleted)


def test_a_ghost_with_nothing_but_a_registration_is_work() -> None:
    step = decide(Target("t", GHOST, trees=(Tree("backend", "backend", "backend"),)), force=False)
    assert step.action == REMOVE
    assert has_work([step])


_BRANCHES = st.builds(
    Branch,
    repo=st.sampled_from(["a", "b"]),
    name=st.sampled_from(["ws/t/1", "ws/t/2", "ws/t/3"]),
    sha=st.just("1" * 40),
    verdict=st.sampled_from(list(VERDICTS)),
    holder=st.sampled_from(["", "/x"]),
)
_GUARDS = st.builds(Reason, repo=st.just("a"), text=st.just("x"), final=st.booleans())
_TARGETS = st.builds(
    Target,
    name=st.just("t"),
    kind=st.sampled_from([LIVE, GHOST]),
    branches=st.lists(_BRANCHES, max_size=4).map(tuple),
    guards=st.lists(_GUARDS, max_size=2).map(tuple),
)


@given(_TARGETS, st.booleans())
def test_what_always_holds(target: Target, force: bool) -> None:
    step = decide(target, force=force)
    assert not any(branch.holder for branch in step.deleted)
    assert sorted(map(repr, (*step.deleted, *step.kept))) == sorted(map(repr, target.branches))
    if not force:
        assert not any(branch.verdict == UNMERGED for branch in step.deleted)
        assert not step.forced
    if any(reason.final for reason in target.guards):
        assert step.action == KEEP
        assert not step.deleted
    if target.kind == LIVE and step.action == KEEP:
        assert step.reasons
        assert not step.deleted


def test_how_grounds_are_named() -> None:
    assert word_for(OPEN, forced=True) == "forced"
    assert word_for(MERGED, forced=True) == "merged"
    assert word_for(MERGED.replace(verdict="content"), forced=False) == "content upstream"
    assert word_for(MERGED.replace(verdict="pr-merged"), forced=False) == "PR merged"


def test_parts_that_changed() -> None:
    assert changed_parts({".": "1", "a": "2"}, {".": "1", "a": "2"}) == []
    assert changed_parts({".": "1", "a": "2"}, {".": "1", "a": "3", "b": "4"}) == ["a", "b"]

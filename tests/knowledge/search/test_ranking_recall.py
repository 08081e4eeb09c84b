"""The measurement of benchmarks/relevance.py, pinned: what a task needs is named, in a pool that makes it hard."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def relevance() -> ModuleType:
    path = Path(__file__).parents[3] / "benchmarks" / "relevance.py"
    spec = importlib.util.spec_from_file_location("relevance", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["relevance"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("goals", "first", "most", "margin"),
    [
        ("goals.txt", 10, 0.60, 0.35),
        ("goals.txt", 50, 0.80, 0.35),
        ("goals_unseen.txt", 10, 0.40, 0.20),
        ("goals_unseen.txt", 50, 0.60, 0.15),
    ],
)
def test_the_ranking_beats_the_alphabet_and_substrings(
    relevance: ModuleType, goals: str, first: int, most: float, margin: float
) -> None:
    repos, asked = relevance.build_repos(), relevance.read_goals(goals)
    found = relevance.mean_recall(relevance.ranked, repos, asked, first)
    assert found >= most
    for other in (relevance.alphabetical, relevance.by_substring):
        assert found >= relevance.mean_recall(other, repos, asked, first) + margin


def test_the_pool_is_large_always_the_same_and_holds_what_is_asked_for(relevance: ModuleType) -> None:
    repos = relevance.build_repos()
    assert repos == relevance.build_repos()
    assert len(repos) >= 200
    names = {repo.name for repo in repos}
    assert len(names) == len(repos)
    goals = relevance.read_goals()
    assert len(goals) == 40
    for goal in [*goals, *relevance.read_goals("goals_unseen.txt")]:
        assert goal.right
        assert goal.right <= names


def test_no_goal_repeats_what_a_card_says(relevance: ModuleType) -> None:
    """No four words in a row."""
    said = set()
    for repo in relevance.build_repos():
        words = f"{repo.brief} {repo.card.decode()}".casefold().split()
        said |= {tuple(words[at : at + 4]) for at in range(len(words))}
    for goal in [*relevance.read_goals(), *relevance.read_goals("goals_unseen.txt")]:
        words = goal.text.casefold().split()
        assert not said & {tuple(words[at : at + 4]) for at in range(len(words) - 3)}, goal.text

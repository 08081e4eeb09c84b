"""How many of the repositories that a task needs the roster names, against alphabetical order and substring search.

A pool of some 250 cards is made from services.txt (the same each time) and asked the forty goals of goals.txt, then
those of goals_unseen.txt.

usage: python benchmarks/relevance.py [--each]
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

SEED = 4_127
_HERE = Path(__file__).parent
_WITHOUT_CARD = 0.15  # the share of repositories that have only a README
_TECH = ("Go", "Kotlin", "Python", "TypeScript", "Rust", "Java", "Elixir")
_TEAMS = ("Blue", "Harbour", "Nightshift", "Atlas", "Core", "Meadow")


class Repo(NamedTuple):
    """One repository as the ranking sees it; `card` is empty where there is only a README."""

    name: str
    brief: str
    card: bytes


class Goal(NamedTuple):
    text: str
    right: frozenset[str]


class Subject(NamedTuple):
    """What several repositories are about: `said` what they are, `roles` when they are needed."""

    title: str
    repos: tuple[tuple[str, str], ...]
    near: tuple[str, ...]
    said: tuple[str, ...]
    roles: tuple[str, ...]
    paths: tuple[str, ...]


class Draft(NamedTuple):
    """What is to be said in a card; `neighbour` is another repository, `elsewhere` what is its business."""

    name: str
    kind: str
    said: str
    roles: list[str]
    paths: list[str]
    neighbour: str
    elsewhere: str
    tech: str
    team: str


Ranking = Callable[[list[Repo], str], list[str]]


def read_goals(name: str = "goals.txt") -> list[Goal]:
    lines = (_HERE / name).read_text(encoding="utf-8").splitlines()
    parts = (line.split(" | ") for line in lines if " | " in line)
    return [Goal(text, frozenset(names.split())) for text, names in parts]


def build_repos() -> list[Repo]:
    """The pool, sorted by name."""
    subjects = {subject.title: subject for subject in _subjects()}
    chance = random.Random(SEED)
    made = [
        _repo(subject, place, subjects, chance) for subject in subjects.values() for place in range(len(subject.repos))
    ]
    return sorted(made)


def _subjects() -> Iterator[Subject]:
    text = (_HERE / "services.txt").read_text(encoding="utf-8")
    for block in text.split("\n\n"):
        title, *lines = [line for line in block.splitlines() if line and not line.startswith("#")] or [""]
        if not title:
            continue
        by_sign: dict[str, list[str]] = {sign: [] for sign in "=~*-&"}
        for line in lines:
            by_sign[line[0]].append(line[2:])
        repos = tuple((name, kind) for name, _, kind in (word.partition(":") for word in by_sign["="][0].split()))
        near = tuple(by_sign["~"][0].split())
        yield Subject(
            title, repos, near, tuple(by_sign["*"]), tuple(by_sign["-"]), tuple(" ".join(by_sign["&"]).split())
        )


def _repo(subject: Subject, place: int, subjects: dict[str, Subject], chance: random.Random) -> Repo:
    """The n-th repository of a subject says the n-th of what is said about it; its roles are drawn."""
    name, kind = subject.repos[place]
    said = subject.said[place % len(subject.said)]
    roles = chance.sample(subject.roles, k=min(len(subject.roles), chance.choice((1, 2, 2, 3))))
    beside = [subjects[title] for title in subject.near if title in subjects] or [subject]
    other = chance.choice(beside)
    neighbour = chance.choice(other.repos)[0]
    paths = chance.sample(subject.paths, k=min(2, len(subject.paths)))
    write = chance.choice((_advised, _corporate, _terse, _asking, _chatty))
    tech, team = chance.choice(_TECH), chance.choice(_TEAMS)
    draft = Draft(name, kind, said, roles, paths, neighbour, chance.choice(other.roles), tech, team)
    brief, card = write(draft)
    if chance.random() < _WITHOUT_CARD:
        return Repo(name, brief, b"")
    return Repo(name, brief, card.encode())


def _advised(d: Draft) -> tuple[str, str]:
    lines = "\n".join(f"- {role[0].upper()}{role[1:]}" for role in d.roles)
    starts = "\n".join(f"- `{path}`: start here" for path in d.paths)
    use = f"## How to use\n\n{starts}\n- With `{d.neighbour}` when the contract between both changes\n"
    top = f"# {d.name}\n\n{d.said}.\n\n{d.tech} {d.kind}.\n\n"
    return f"{d.said}.", f"{top}## When to add (roles)\n\n{lines}\n\n{use}"


def _corporate(d: Draft) -> tuple[str, str]:
    brief = f"{d.said} (maintained by team {d.team})"
    text = (
        f"{brief}\n\nThis {d.kind} is the system of record for its area. It should be added to a workspace if one of "
        f"the following concerns applies: {'; '.join(d.roles)}. It must not be added for: {d.elsewhere} "
        f"(see {d.neighbour}).\n\n"
        f"Relevant entry points are {' and '.join(d.paths)}. Changes require a review by team {d.team}.\n"
    )
    return brief, text


def _terse(d: Draft) -> tuple[str, str]:
    brief = f"{d.said[0].lower()}{d.said[1:]}"
    rest = f"{', '.join(d.roles)}.\n{' '.join(d.paths)}\ntalks to {d.neighbour}\n"
    return brief, f"{brief}\n\n{d.tech.lower()}, {d.kind}. {rest}"


def _asking(d: Draft) -> tuple[str, str]:
    text = (
        f"# {d.name}: {d.said}\n\n{d.said}.\n\n**Do I need it?** Yes for {' and for '.join(d.roles)}. Probably also "
        f"when {d.elsewhere} is the topic, together with {d.neighbour}.\n\n**Where do I begin?** In `{d.paths[0]}`.\n\n"
        f"**Who answers questions?** #{d.team.lower()}. It is written in {d.tech}.\n"
    )
    return f"{d.said}.", text


def _chatty(d: Draft) -> tuple[str, str]:
    brief = f"{d.kind.capitalize()} of team {d.team}: {d.said[0].lower()}{d.said[1:]}"
    text = (
        f"{brief}\n\nOld but works. We moved from a monolith to {d.tech} two years ago, so ignore the wiki. Reach "
        f"for it because of {d.roles[0]}.\n" + "".join(f"Also: {role}.\n" for role in d.roles[1:])
    )
    return brief, f"{text}Look at {d.paths[-1]} first. Errors of {d.neighbour} often turn out to be ours.\n"


# --- rankings --------------------------------------------------------------------------------------------------------


def alphabetical(repos: list[Repo], _: str) -> list[str]:
    return [repo.name for repo in repos]


def by_substring(repos: list[Repo], goal: str) -> list[str]:
    """How many words of the goal occur in name, brief or card; then by name."""
    words = set(goal.casefold().split())
    texts = {repo.name: f"{repo.name}\n{repo.brief}\n{repo.card.decode()}".casefold() for repo in repos}
    return sorted(texts, key=lambda name: (-sum(word in texts[name] for word in words), name))


def ranked(repos: list[Repo], goal: str) -> list[str]:
    """As orbit does, in an index of its own that lasts for this call."""
    from orbit.knowledge.search.ranking import rank

    with tempfile.TemporaryDirectory() as cache:
        found = rank(cache, repos, goal)
    return sorted((repo.name for repo in repos), key=lambda name: (-found.get(name, 0.0), name))


def recall(ranking: Ranking, repos: list[Repo], goal: Goal, most: int) -> float:
    """The share of the right repositories among the first `most`."""
    return len(goal.right & set(ranking(repos, goal.text)[:most])) / len(goal.right)


def mean_recall(ranking: Ranking, repos: list[Repo], goals: list[Goal], most: int) -> float:
    return sum(recall(ranking, repos, goal, most) for goal in goals) / len(goals)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--each", action="store_true", help="each goal, with what was not among the first ten")
    options = parser.parse_args()
    repos, goals = build_repos(), read_goals()
    print(f"{len(repos)} repositories; recall of the first 10 and 50")
    for title, asked in (("", goals), (" written afterwards", read_goals("goals_unseen.txt"))):
        print(f"{len(asked)} goals{title}")
        for name, ranking in (("alphabetical", alphabetical), ("substring", by_substring), ("orbit", ranked)):
            at10, at50 = (mean_recall(ranking, repos, asked, most) for most in (10, 50))
            print(f"  {name:<14} {at10:6.2f} {at50:6.2f}")
    for goal in goals if options.each else ():
        order = ranked(repos, goal.text)
        missed = ", ".join(f"{name} ({order.index(name) + 1})" for name in sorted(goal.right - set(order[:10])))
        print(f"{recall(ranked, repos, goal, 10):5.2f}  {goal.text}" + (f"  missed: {missed}" if missed else ""))


if __name__ == "__main__":
    main()

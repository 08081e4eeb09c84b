"""What becomes of each file that two sides of a shared history have differently."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orbit.git.tree import Entry
from orbit.knowledge.merging import Merge, is_card, looks_like_cards, merge_trees, merged_tree, repo_of

LINK, PROGRAM, DIRECTORY = "120000", "100755", "040000"
Trees = dict[str, Entry]


def entry(name: str, mode: str = "100644") -> Entry:
    return Entry(mode, name, 1)


def tree(**files: str) -> Trees:
    return {f"{repo}.md": entry(name) for repo, name in files.items()}


def decided(merge: Merge) -> tuple[list[str], list[str]]:
    return list(merge.taken), list(merge.conflicts)


@pytest.mark.parametrize(
    ("bases", "ours", "theirs", "taken", "conflicts"),
    [
        ([tree(a="1")], tree(a="1"), tree(a="2"), ["a.md"], []),
        ([tree(a="1")], tree(a="2"), tree(a="1"), [], []),
        ([tree(a="1")], tree(a="2"), tree(a="3"), [], ["a.md"]),
        ([tree(a="1")], tree(a="2"), tree(a="2"), [], []),
        ([tree()], tree(), tree(a="2"), ["a.md"], []),
        ([tree()], tree(a="2"), tree(), [], []),
        ([tree()], tree(a="2"), tree(a="3"), [], ["a.md"]),
        ([], tree(a="1", b="1"), tree(a="1", b="2", c="3"), ["c.md"], ["b.md"]),
        # After a criss-cross: a text that either base has is old.
        ([tree(a="1"), tree(a="2")], tree(a="3"), tree(a="2"), [], []),
        ([tree(a="1"), tree(a="2")], tree(a="1"), tree(a="3"), ["a.md"], []),
        ([tree(a="1"), tree(a="2")], tree(a="1"), tree(a="2"), [], ["a.md"]),
        # A card that one side no longer has is not gone from the other.
        ([tree(a="1")], tree(), tree(a="1"), ["a.md"], []),
        ([tree(a="1")], tree(), tree(a="2"), ["a.md"], []),
    ],
)
def test_cards(bases: list[Trees], ours: Trees, theirs: Trees, taken: list[str], conflicts: list[str]) -> None:
    merge = merge_trees(bases, ours, theirs)
    assert decided(merge) == (taken, conflicts)
    assert (merge.odd, merge.gone) == ((), ())


def test_a_card_that_they_lost_stays_and_is_told() -> None:
    merge = merge_trees([tree(a="1", b="1")], tree(a="1", b="2"), tree())
    assert decided(merge) == ([], [])
    assert merge.gone == ("a.md", "b.md")


@pytest.mark.parametrize("mode", [LINK, PROGRAM, DIRECTORY, "160000"])
def test_what_is_no_card_never_takes_the_place_of_one(mode: str) -> None:
    theirs = {"a.md": entry("2", mode), "b.md": entry("2", mode), "LICENSE": entry("2", mode)}
    merge = merge_trees([tree(a="1")], tree(a="1"), theirs)
    assert decided(merge) == (["LICENSE", "b.md"], [])
    assert merge.odd == ("LICENSE", "a.md", "b.md")
    assert merged_tree(tree(a="1"), merge)["a.md"] == entry("1")


def test_other_files_are_carried_along_and_told_once() -> None:
    base = {"LICENSE": entry("1")}
    changed = {"LICENSE": entry("2")}
    assert merge_trees([base], base, changed).taken == changed
    kept = merge_trees([base], changed, {"LICENSE": entry("3")})
    assert (decided(kept), kept.odd) == (([], []), ("LICENSE",))
    assert merge_trees([base], changed, base).odd == ()


@pytest.mark.parametrize("name", [".git", "..", '"quoted', "new\nline", "half\udce9", ".GIT"])
def test_dangerous_names_go_nowhere(name: str) -> None:
    assert merge_trees([], {}, {name: entry("1")}).taken == {}


@pytest.mark.parametrize(
    ("file", "repo"),
    [
        ("backend.md", "backend"),
        ("a.b_c-d.md", "a.b_c-d"),
        (".md", ""),
        (".hidden.md", ""),
        ("-x.md", ""),
        ("a b.md", ""),
        ("x/../y.md", ""),
        ("ü.md", ""),
        ("backend.txt", ""),
        ("backend.MD", ""),
        ("a" * 201 + ".md", ""),
    ],
)
def test_names_of_cards(file: str, repo: str) -> None:
    assert repo_of(file) == repo
    assert is_card(file, entry("1")) == bool(repo)
    assert not is_card(file, None)


def test_what_may_be_a_place_for_cards() -> None:
    assert looks_like_cards({})
    assert looks_like_cards(
        {**tree(a="1"), "README": entry("1"), "LICENSE": entry("1"), ".github": entry("1", DIRECTORY)}
    )
    assert not looks_like_cards({**tree(README="1"), "src": entry("1", DIRECTORY)})


names = st.sampled_from(["a.md", "b.md", "LICENSE"])
trees = st.dictionaries(names, st.sampled_from("123").map(entry))


@given(trees, trees, trees)
def test_nothing_of_ours_disappears_and_both_sides_see_one_conflict(base: Trees, ours: Trees, theirs: Trees) -> None:
    there, back = merge_trees([base], ours, theirs), merge_trees([base], theirs, ours)
    assert ours.keys() | theirs.keys() == merged_tree(ours, there).keys()
    assert there.conflicts.keys() == back.conflicts.keys()
    assert not there.taken.keys() & there.conflicts.keys()
    one, other = merged_tree(ours, there), merged_tree(theirs, back)
    cards = {f for f in one if repo_of(f)} - there.conflicts.keys()
    assert {f: one[f] for f in cards} == {f: other[f] for f in cards}

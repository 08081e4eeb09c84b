"""What stands where in a commit."""

from __future__ import annotations

import pytest

from orbit.git.run import GitError
from orbit.git.tree import REGULAR, Entry, find_objects, list_tree, top_entries
from world import World

FILES = {"src/a.py": "1\n", "src/deep/b.py": "2\n", "odd name\t.txt": "3\n", "[x].md": "4\n"}


@pytest.mark.parametrize("trees_only", [False, True])
def test_paths_of_two_commits(world: World, trees_only: bool) -> None:
    origin = world.origin(files=FILES)
    old = origin.sha()
    new = origin.commit({"src/a.py": "changed\n", "src/deep/b.py": None})
    clone = str(world.clone())
    paths = ["src/a.py", "src/deep/b.py", "src", "odd name\t.txt", "[x].md", "none", "src/none"]
    found = find_objects(clone, [new, old], paths, trees_only=trees_only)
    assert found is not None
    assert found[old]["src/a.py"] == world.git(clone, "rev-parse", f"{old}:src/a.py")
    assert found[old]["src"] == world.git(clone, "rev-parse", f"{old}:src")
    assert sorted(found[old]) == sorted(["src/a.py", "src/deep/b.py", "src", "odd name\t.txt", "[x].md"])
    assert sorted(found[new]) == sorted(["src/a.py", "src", "odd name\t.txt", "[x].md"])
    assert found[new]["src/a.py"] != found[old]["src/a.py"]
    assert found[new]["[x].md"] == found[old]["[x].md"]


@pytest.mark.parametrize("trees_only", [False, True])
def test_a_commit_that_is_not_there_is_no_answer(world: World, trees_only: bool) -> None:
    clone = str(world.clone())
    assert find_objects(clone, ["0" * 39 + "1"], ["README.md"], trees_only=trees_only) is None


def test_every_file_of_a_commit(world: World) -> None:
    world.origin(files=FILES)
    clone = str(world.clone())
    listed = list_tree(clone, "HEAD")
    assert listed is not None
    assert sorted(listed) == sorted([*FILES, "README.md", "src/app.py"])
    assert list_tree(clone, "none") is None


def test_the_top_of_a_commit(world: World) -> None:
    origin = world.origin(files={**FILES, "odd": "12345"})
    found = top_entries(str(origin.path), "main")
    assert sorted(found) == ["README.md", "[x].md", "odd", "odd name\t.txt", "src"]
    assert (found["src"].mode, found["src"].size) == ("040000", 0)
    assert found["odd"] == Entry(REGULAR, world.git(origin.path, "rev-parse", "main:odd"), 5)
    with pytest.raises(GitError):
        top_entries(str(origin.path), "0" * 40)

"""HEAD and refs from files, with git as the oracle and as the way out."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from looks import unseen
from orbit.errors import OrbitError
from orbit.git import files, reffiles
from orbit.git.files import (
    Head,
    common_dir,
    git_dir,
    head_names,
    is_shallow_or_grafted,
    list_refs,
    local_ref,
    read_head,
    read_ref,
    read_symref,
    ref_names,
    registration_of,
    registrations,
    tracked_branch,
)
from orbit.git.run import git_version
from store.faults import failing_for, system_error
from world import World, environment

SHA = "0123456789abcdef0123456789abcdef01234567"
OTHER = "f" * 40


@contextmanager
def no_git() -> Iterator[None]:
    """Whoever starts git here fails."""
    with environment({"PATH": "/nonexistent"}):
        yield


@pytest.fixture
def clone(world: World) -> Path:
    return world.clone()


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """The least that files.py reads: a checkout with nothing but `.git/HEAD`."""
    directory = tmp_path / "bare"
    (directory / ".git" / "refs" / "heads").mkdir(parents=True)
    (directory / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return directory


def head_by_git(world: World, checkout: Path) -> Head:
    return Head(world.git(checkout, "branch", "--show-current"), world.git(checkout, "rev-parse", "HEAD"))


def test_a_branch_loose_and_packed(world: World, clone: Path) -> None:
    expected = head_by_git(world, clone)
    assert expected.branch == "main"
    with no_git():
        assert read_head(str(clone)) == expected
    world.git(clone, "pack-refs", "--all")
    with no_git():
        assert read_head(str(clone)) == expected


def test_names_with_slashes_and_beyond_ascii(world: World, clone: Path) -> None:
    expected = world.origins["backend"].sha()
    for name in ("release/1.x", "feat/ünï", os.fsdecode(b"caf\xe9")):
        world.git(clone, "switch", "-q", "-c", name)
        with no_git():
            assert read_head(str(clone)) == Head(name, expected)


def test_detached(world: World, clone: Path) -> None:
    world.git(clone, "checkout", "-q", "--detach", "HEAD~1")
    expected = world.git(clone, "rev-parse", "HEAD")
    with no_git():
        assert read_head(str(clone)) == Head("", expected)


def test_unborn(world: World) -> None:
    world.origin("empty", empty=True)
    clone = world.clone("empty")
    with no_git():
        assert read_head(str(clone)) == Head("main", "")
        assert tracked_branch(str(clone)) == "main"


def test_a_linked_worktree(world: World, clone: Path) -> None:
    worktree = world.worktree()
    expected = head_by_git(world, worktree)
    with no_git():
        directory = git_dir(str(worktree))
        assert directory == f"{clone}/.git/worktrees/backend"
        assert common_dir(directory) == f"{clone}/.git"
        assert read_head(str(worktree)) == expected == Head("ws/task-01/main", expected.sha)
        assert tracked_branch(str(worktree)) == "main"
    (worktree / ".git").write_text("gitdir: ../../.repos/backend/.git/worktrees/backend\n")
    with no_git():
        assert read_head(str(worktree)) == expected


def test_refs_of_a_worktree_of_its_own(world: World, clone: Path) -> None:
    worktree = world.worktree()
    world.git(worktree, "commit", "-q", "--allow-empty", "-m", "here")
    world.git(worktree, "update-ref", "refs/worktree/mark", "HEAD")
    world.git(worktree, "update-ref", "refs/bisect/bad", "HEAD")
    directory, expected = git_dir(str(worktree)), world.git(worktree, "rev-parse", "HEAD")
    assert directory
    with no_git():
        for ref in ("HEAD", "refs/worktree/mark", "refs/bisect/bad", "refs/heads/ws/task-01/main"):
            assert read_ref(directory, ref) == expected
        assert read_ref(f"{clone}/.git", "refs/worktree/mark") == ""
        assert read_ref(directory, "refs/heads/main") == read_ref(f"{clone}/.git", "HEAD") != expected


def name_of(checkout: str) -> str | None:
    head = read_head(checkout)
    return None if head is None else head.sha


def test_many_heads_are_what_each_one_is(world: World, clone: Path, bare: Path, tmp_path: Path) -> None:
    for name in ("loose", "packed", "detached", "slashed", "gone", "odd", "linked", "sha256"):
        world.git(clone, "worktree", "add", "-q", "--detach", str(tmp_path / "tree" / name))
        world.git(tmp_path, "clone", "-q", str(clone), str(tmp_path / name))
    world.git(tmp_path / "packed", "pack-refs", "--all")
    world.git(tmp_path / "detached", "switch", "-q", "--detach")
    world.git(tmp_path / "slashed", "switch", "-q", "-c", "feature/x-1")
    world.git(tmp_path / "gone", "symbolic-ref", "HEAD", "refs/heads/nothing")
    (tmp_path / "odd" / ".git" / "HEAD").write_text("ref:  refs/heads/main  \n")
    branch = tmp_path / "linked" / ".git" / "refs" / "heads" / "main"
    branch.rename(branch.with_name("other"))
    branch.symlink_to("other")
    (tmp_path / "sha256" / ".git" / "refs" / "heads" / "main").write_text("a" * 64 + "\n")
    places = [*sorted(str(path.parent) for path in tmp_path.glob("**/.git")), str(tmp_path), str(tmp_path / "none")]
    found = list(head_names(places))
    assert found == [name_of(place) for place in places]
    assert len(set(found)) > 3


@pytest.mark.parametrize("content", ["", SHA, SHA[:39] + "\n", "x" * 40 + "\n", SHA[:20] + "\n" + SHA[:19] + "\n"])
def test_a_ref_that_is_no_object_name_is_no_head(bare: Path, content: str) -> None:
    (bare / ".git" / "refs" / "heads" / "main").write_text(content)
    assert list(head_names([str(bare)])) == [name_of(str(bare))]


def test_a_worktree_whose_registration_is_gone(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: /nowhere/.git/worktrees/x\n")
    assert git_dir(str(tmp_path)) == "/nowhere/.git/worktrees/x"
    assert read_head(str(tmp_path)) is None


@pytest.mark.parametrize("content", [None, "", "gitdir:x\n", "nonsense\n"])
def test_no_repository(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / ".git").write_text(content)
    assert git_dir(str(tmp_path)) is None
    assert read_head(str(tmp_path)) is None
    assert tracked_branch(str(tmp_path)) == ""


def test_no_repository_inside_a_repository(world: World) -> None:
    world.git(world.base, "init", "-q", str(world.root))
    (world.pool / "broken" / ".git").mkdir(parents=True)
    assert read_head(str(world.pool / "broken")) is None
    (world.pool / "broken" / ".git" / "HEAD").write_text("nonsense\n")
    assert read_head(str(world.pool / "broken")) is None


def test_object_names_of_sha256(world: World, tmp_path: Path) -> None:
    world.git(tmp_path, "init", "-q", "--object-format=sha256", "long")
    long = tmp_path / "long"
    world.git(long, "commit", "-q", "--allow-empty", "-m", "first")
    expected = head_by_git(world, long)
    assert len(expected.sha) == 64
    with no_git():
        assert read_head(str(long)) == expected
    world.git(long, "pack-refs", "--all")
    with no_git():
        assert read_head(str(long)) == expected


def test_reftable_is_left_to_git(world: World, tmp_path: Path) -> None:
    if git_version() < (2, 45, 0):
        pytest.skip("this git has no reftable")
    world.git(tmp_path, "init", "-q", "--ref-format=reftable", "tables")
    tables = tmp_path / "tables"
    assert read_head(str(tables)) == Head("main", "")
    world.git(tables, "commit", "-q", "--allow-empty", "-m", "first")
    expected = head_by_git(world, tables)
    assert read_head(str(tables)) == expected
    assert read_ref(f"{tables}/.git", "refs/heads/main") == expected.sha
    world.git(tables, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
    assert tracked_branch(str(tables)) == "trunk"
    assert not is_shallow_or_grafted(f"{tables}/.git")
    world.git(tables, "update-ref", f"refs/replace/{expected.sha}", expected.sha)
    assert is_shallow_or_grafted(f"{tables}/.git")


def test_what_is_not_understood_is_asked_of_git(world: World, clone: Path) -> None:
    expected = head_by_git(world, clone)
    head = clone / ".git" / "HEAD"
    head.write_text("ref:\trefs/heads/main\n")
    assert read_head(str(clone)) == expected
    head.unlink()
    head.symlink_to("refs/heads/main")
    assert read_head(str(clone)) == expected
    (clone / ".git" / "reftable").mkdir()
    assert read_ref(f"{clone}/.git", "refs/heads/gone") == ""
    with no_git(), pytest.raises(OrbitError, match="not on PATH"):
        read_ref(f"{clone}/.git", "refs/heads/gone")


def test_a_file_that_may_not_be_read_is_asked_of_git(world: World, clone: Path) -> None:
    (clone / ".git" / "packed-refs").unlink()
    (clone / ".git" / "packed-refs").symlink_to("packed-refs")
    assert read_ref(f"{clone}/.git", "refs/heads/gone") == ""
    assert is_shallow_or_grafted(f"{clone}/.git")


def test_chains_of_symbolic_refs(world: World, clone: Path) -> None:
    expected = world.origins["backend"].sha()
    for number in range(1, 4):
        world.git(clone, "symbolic-ref", f"refs/heads/link{number}", f"refs/heads/link{number - 1}")
    world.git(clone, "symbolic-ref", "refs/heads/link0", "refs/heads/main")
    with no_git():
        assert read_ref(f"{clone}/.git", "refs/heads/link3") == expected
    (clone / ".git/refs/heads/loop").write_text("ref: refs/heads/loop\n")
    assert read_ref(f"{clone}/.git", "refs/heads/loop") == ""


@pytest.mark.parametrize("target", ["../../../../secret", "refs/heads/../../../secret", "refs//heads/main", "/secret"])
def test_a_head_that_leaves_the_repository(world: World, clone: Path, target: str) -> None:
    (world.root / "secret").write_text(f"{SHA}\n")
    (clone / ".git" / "HEAD").write_text(f"ref: {target}\n")
    head = read_head(str(clone))
    assert head is None or head.sha == ""
    assert read_ref(f"{clone}/.git", target) == ""


@pytest.mark.parametrize("ref", ["", "-d", "--delete", "main", "refs/heads/main^", "HEAD~1:README.md", "refs/heads/"])
def test_what_is_no_full_ref_is_harmless(world: World, clone: Path, ref: str) -> None:
    before = world.git(clone, "for-each-ref")
    read_ref(f"{clone}/.git", ref)
    assert read_symref(f"{clone}/.git", ref) == ""
    assert world.git(clone, "for-each-ref") == before


def test_a_directory_left_where_a_packed_ref_is(bare: Path) -> None:
    (bare / ".git" / "refs" / "heads" / "main").mkdir()
    (bare / ".git" / "packed-refs").write_text(f"# pack-refs with: peeled \n{SHA} refs/heads/main\n^{OTHER}\n")
    with no_git():
        assert read_head(str(bare)) == Head("main", SHA)


def test_50_000_packed_refs(bare: Path) -> None:
    lines = [f"{number:040x} refs/heads/b{number:05}" for number in range(50_000)]
    (bare / ".git" / "packed-refs").write_text("\n".join(["# pack-refs with: sorted ", *lines, ""]))
    with no_git():
        for number in (0, 1, 31_234, 49_999):
            assert read_ref(f"{bare}/.git", f"refs/heads/b{number:05}") == f"{number:040x}"
        assert read_ref(f"{bare}/.git", "refs/heads/b0000") == ""
        assert read_ref(f"{bare}/.git", "refs/heads/b000001") == ""


COMPONENT = st.text("ab-_.é", min_size=1, max_size=4).filter(
    lambda part: part[0] not in ".-" and not part.endswith((".", ".lock")) and ".." not in part
)
REF = st.lists(COMPONENT, min_size=1, max_size=3).map("/".join)
NAME = st.text("0123456789abcdef", min_size=40, max_size=40)


TABLE = st.dictionaries(REF, NAME, max_size=12)


@given(packed=TABLE, asked=REF, peeled=st.booleans())
def test_packed_refs_as_a_table(
    tmp_path_factory: pytest.TempPathFactory, packed: dict[str, str], asked: str, peeled: bool
) -> None:
    directory = tmp_path_factory.mktemp("refs")
    lines = [f"{sha} refs/tags/{ref}\n" + (f"^{OTHER}\n" if peeled else "") for ref, sha in sorted(packed.items())]
    (directory / "packed-refs").write_bytes("".join(["# pack-refs with: peeled \n", *lines]).encode())
    for ref in (asked, *packed):
        assert read_ref(str(directory), f"refs/tags/{ref}") == packed.get(ref, "")


def test_symbolic_refs(world: World, clone: Path) -> None:
    directory = f"{clone}/.git"
    with no_git():
        assert read_symref(directory, "refs/remotes/origin/HEAD") == "refs/remotes/origin/main"
        assert read_symref(directory, "HEAD") == "refs/heads/main"
        assert read_symref(directory, "refs/heads/main") == ""
        assert read_symref(directory, "refs/remotes/other/HEAD") == ""
    (clone / ".git/refs/remotes/origin/HEAD").write_text("nonsense\n")
    assert read_symref(directory, "refs/remotes/origin/HEAD") == ""


def test_the_tracked_branch(world: World, clone: Path) -> None:
    world.git(clone, "switch", "-q", "-c", "topic")
    with no_git():
        assert tracked_branch(str(clone)) == "main"
    world.git(clone, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/release/1.x")
    with no_git():
        assert tracked_branch(str(clone)) == "release/1.x"
    world.git(clone, "symbolic-ref", "--delete", "refs/remotes/origin/HEAD")
    with no_git():
        assert tracked_branch(str(clone)) == "topic"
    world.git(clone, "checkout", "-q", "--detach")
    with no_git():
        assert tracked_branch(str(clone)) == ""


def test_complete_history(world: World, clone: Path) -> None:
    worktree = git_dir(str(world.worktree()))
    assert worktree
    with no_git():
        assert not is_shallow_or_grafted(f"{clone}/.git")
        assert not is_shallow_or_grafted(worktree)


def test_shallow(world: World) -> None:
    shallow = world.pool / "shallow"
    world.git(world.pool, "clone", "-q", "--depth=1", f"file://{world.origin().path}", str(shallow))
    with no_git():
        assert is_shallow_or_grafted(f"{shallow}/.git")


def test_grafts(clone: Path) -> None:
    (clone / ".git" / "info").mkdir(exist_ok=True)
    (clone / ".git" / "info" / "grafts").write_text(f"{SHA}\n")
    with no_git():
        assert is_shallow_or_grafted(f"{clone}/.git")


def test_replacements_loose_and_packed(world: World, clone: Path) -> None:
    worktree = git_dir(str(world.worktree()))
    assert worktree
    world.git(clone, "replace", "HEAD", "HEAD~1")
    with no_git():
        assert is_shallow_or_grafted(f"{clone}/.git")
    world.git(clone, "pack-refs", "--all")
    with no_git():
        assert is_shallow_or_grafted(worktree)


def test_reading_files_does_not_even_load_what_starts_git(clone: Path) -> None:
    script = (
        "import sys\n"
        "from orbit.git.files import read_head, tracked_branch\n"
        "read_head(sys.argv[1]); tracked_branch(sys.argv[1])\n"
        "print(*sorted({'orbit.git.run', 'orbit.git.child', 'select'} & sys.modules.keys()))\n"
    )
    shown = subprocess.run([sys.executable, "-c", script, str(clone)], capture_output=True, check=True)
    assert shown.stdout == b"\n"


def test_registrations_of_linked_worktrees(world: World) -> None:
    clone = world.clone()
    world.workspace()
    assert registrations(str(clone)) == []
    tree = world.worktree()
    registry = f"{clone}/.git/worktrees"
    assert registrations(str(clone)) == [(f"{registry}/backend", f"{tree}/.git")]
    assert registrations(str(tree)) == [(f"{registry}/backend", f"{tree}/.git")]
    assert registration_of(str(clone), str(tree)) == f"{registry}/backend"
    assert registration_of(str(clone), str(world.root)) == ""
    Path(registry, "backend", "gitdir").unlink()
    assert registrations(str(clone)) == [(f"{registry}/backend", "")]
    assert registrations(str(world.base)) == []


# --- lists of refs ---------------------------------------------------------------------------------------------------


def listed_by_git(world: World, clone: Path, below: str) -> dict[str, str]:
    out = world.git(clone, "for-each-ref", "--format=%(refname) %(objectname)%(if)%(symref)%(then) x%(end)", below)
    rows = (line.split(" ") for line in out.splitlines())
    return {row[0]: row[1] for row in rows if len(row) == 2}


def test_refs_below_a_prefix_loose_and_packed(world: World, clone: Path) -> None:
    for name in ("ws/a/one", "ws/a/two/deep", "wsx/a", "other"):
        world.git(clone, "branch", "-q", name)
    world.git(clone, "pack-refs", "--all")
    world.git(clone, "branch", "-q", "-f", "ws/a/one", "main~1")
    world.git(clone, "branch", "-q", "ws/b/new")
    world.git(clone, "symbolic-ref", "refs/heads/ws/link", "refs/heads/main")
    world.git(clone, "tag", "-a", "-m", "x", "v1")
    world.git(clone, "pack-refs", "--all")
    (clone / ".git" / "refs" / "heads" / "ws" / "c.lock").write_text("")
    with no_git():
        found = {below: list_refs(str(clone / ".git"), below) for below in ("refs/heads/ws/", "refs/heads/", "refs/")}
    for below, refs in found.items():
        assert refs == listed_by_git(world, clone, below)
    assert list_refs(str(clone / ".git"), "refs/nowhere/") == {}


def test_odd_files_are_left_to_git(world: World, clone: Path) -> None:
    world.git(clone, "branch", "-q", "ws/a")
    (clone / ".git" / "refs" / "heads" / "ws" / "odd").write_text("no object name\n")
    assert list(list_refs(str(clone / ".git"), "refs/heads/ws/")) == ["refs/heads/ws/a"]
    (clone / ".git" / "packed-refs").write_text("nonsense refs/heads/ws/x\n")
    with pytest.raises(OrbitError, match="listing refs/heads/ws/"):
        list_refs(str(clone / ".git"), "refs/heads/ws/")


def test_a_listed_linked_worktree_shows_the_shared_refs(world: World, clone: Path) -> None:
    world.workspace()
    directory = git_dir(str(world.worktree()))
    assert directory is not None
    assert list_refs(directory, "refs/heads/ws/") == listed_by_git(world, clone, "refs/heads/ws/")


def test_ref_names_are_those_that_git_lists(world: World, clone: Path) -> None:
    for name in ("ws/task-01/a", "ws/task-01/deep/b", "ws/task-02/c", "ws/task-01/packed"):
        world.git(clone, "branch", name)
    world.git(clone, "pack-refs", "--all")
    world.git(clone, "branch", "-D", "-q", "ws/task-01/packed")
    world.git(clone, "branch", "ws/task-01/loose")
    world.git(clone, "tag", "-m", "annotated", "v1")
    (clone / ".git" / "refs" / "heads" / "ws" / "task-01" / "loose.lock").touch()
    for under in ("refs/heads/", "refs/heads/ws/task-01/", "refs/tags/", "refs/remotes/origin/", "refs/none/"):
        by_git = world.git(clone, "for-each-ref", "--format=%(refname)", under).split()
        with no_git():
            assert ref_names(str(clone / ".git"), under) == [ref.removeprefix(under) for ref in by_git]


def test_ref_names_of_a_linked_worktree_are_the_clone_s(world: World, clone: Path) -> None:
    world.workspace()
    path = world.worktree()
    directory = git_dir(str(path))
    assert directory is not None
    with no_git():
        assert ref_names(directory, "refs/heads/ws/") == ["task-01/main"]


def test_refs_that_cannot_be_read_have_no_names(bare: Path) -> None:
    (bare / ".git" / "packed-refs").mkdir()
    (bare / ".git" / "refs" / "tags").write_text("no directory")
    assert ref_names(str(bare / ".git"), "refs/heads/") == []
    assert ref_names(str(bare / ".git"), "refs/tags/") == []


@pytest.mark.parametrize("name", ["HEAD", "packed-refs"])
def test_an_endless_device_is_no_file_of_git(world: World, name: str) -> None:
    clone = world.clone()
    (clone / ".git" / name).unlink(missing_ok=True)
    (clone / ".git" / name).symlink_to("/dev/zero")
    head = read_head(str(clone))
    assert (head is None) == (name == "HEAD")


@pytest.mark.parametrize("make", [lambda path: path.symlink_to("/dev/zero"), os.mkfifo])
def test_a_checkout_is_named_by_a_file_only(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / ".git")
    assert git_dir(str(tmp_path)) is None


@pytest.mark.parametrize("what", ["ws", "main"])
def test_refs_that_cannot_be_read_are_an_error(world: World, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    """git passes over such a directory, and over such a file, and ends well."""
    clone = world.clone()
    world.git(clone, "branch", "ws/task-01/main")
    module, call = (files, "scandir") if what == "ws" else (reffiles, "open")
    monkeypatch.setattr(module, "os", failing_for(f"/{what}", call, system_error(errno.EIO)))
    with pytest.raises(OrbitError, match=r"cannot be read \(Input/output error\)"):
        list_refs(str(clone / ".git"), "refs/heads/")


@pytest.mark.parametrize("call", ["open", "read"])
def test_a_link_that_one_read_fails_for_is_asked_of_git(
    world: World, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """Else the branch of a worktree would seem to have no commit yet."""
    world.clone()
    world.workspace()
    tree = world.worktree()
    expected = read_head(str(tree))
    directory = git_dir(str(tree))
    assert directory is not None
    failing_link = failing_for("commondir", call, system_error(errno.EIO))
    monkeypatch.setattr(reffiles, "os", failing_link)
    assert read_head(str(tree)) == expected
    assert read_ref(directory, "refs/heads/ws/task-01/main") == world.origins["backend"].sha()
    assert list_refs(directory, "refs/remotes/origin/")
    assert read_symref(directory, "HEAD") == "refs/heads/ws/task-01/main"


def test_a_git_directory_that_cannot_be_looked_at_is_one(world: World) -> None:
    clone = world.clone()
    with unseen(clone / ".git"):
        assert git_dir(str(clone)) == f"{clone}/.git"
        assert local_ref(str(clone), "refs/heads/main") == world.git(clone, "rev-parse", "HEAD")
    with unseen(clone / ".git" / "shallow"):
        assert is_shallow_or_grafted(f"{clone}/.git")
    with unseen(clone / ".git" / "reftable"):
        assert read_ref(f"{clone}/.git", "refs/heads/none") == ""


def test_a_branch_is_not_missing_where_there_is_no_telling(world: World) -> None:
    clone = world.clone()
    assert local_ref(str(clone), "refs/heads/none") == ""
    (clone / ".git").rename(clone / "git")
    (clone / ".git").write_text("no link\n")
    with pytest.raises(OrbitError, match=r"backend: its \.git cannot be read"):
        local_ref(str(clone), "refs/heads/main")

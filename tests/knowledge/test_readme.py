from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from counted_git import counted_git
from orbit.knowledge.card import revision
from orbit.knowledge.readme import BriefSource, Readme, find_readme, read_readme, readme_brief_of
from orbit.store.cache import Cache
from world import World, run_git

LIMIT = 128 * 1024
TEXT = "The shop answers every request.\n"


def put(directory: Path, *names: str) -> None:
    for name in names:
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{name}\n")


@pytest.mark.parametrize(
    ("names", "found"),
    [
        ((), ""),
        (("src/README.md", "READMEX.md", "README.pdf", "README.md.bak", "NOTREADME"), ""),
        *(((name,), name) for name in ("README", "README.md", "README.rst", "README.txt", "README.adoc", "README.org")),
        *(((name,), name) for name in ("README.markdown", "README.rdoc", "readme", "ReadMe.MD", "Readme.Rst")),
        *(((name,), name) for name in (".github/README.md", "docs/readme.txt", "docs/README")),
        (("README", "README.md", "README.rst", "README.txt"), "README.md"),
        (("README", "README.rst"), "README.rst"),
        (("README", "README.txt"), "README.txt"),
        (("docs/README.md", ".github/README", "README.txt"), "README.txt"),
        (("docs/README.md", ".github/README"), ".github/README"),
        (("Readme.md", "README.md"), "README.md"),
    ],
)
def test_which_file_is_the_readme(tmp_path: Path, names: tuple[str, ...], found: str) -> None:
    put(tmp_path, *names)
    assert find_readme(str(tmp_path)) == found
    assert read_readme(str(tmp_path)) == (Readme(found, f"{found}\n".encode(), True) if found else None)


def link(path: Path, target: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)


@pytest.mark.parametrize(
    ("links", "found"),
    [
        ({"README.md": "guide/start.md"}, "README.md"),
        ({"README": "README.md", "README.md": "guide/start.md"}, "README.md"),
        ({"docs": "guide"}, "docs/readme.txt"),
        ({"docs/README.md": "../guide/start.md"}, "docs/README.md"),
        ({"README.md": "../outside.md"}, ""),
        ({"README.md": "{outside}"}, ""),
        ({"README.md": "hop", "hop": "../outside.md"}, ""),
        ({"docs": ".."}, ""),
        ({".github": "{beside}"}, ""),
        ({"README.md": ".git/config"}, ""),
        ({"docs": ".git"}, ""),
        ({"README.md": "nowhere.md"}, ""),
        ({"README.md": "README.md"}, ""),
        ({"README.md": "guide"}, ""),
        ({"README.md": "/dev/zero"}, ""),
    ],
)
def test_a_symlink_counts_only_inside_the_repository(tmp_path: Path, links: dict[str, str], found: str) -> None:
    checkout = tmp_path / "checkout"
    put(checkout, "guide/start.md", "guide/readme.txt", ".git/config", ".git/README")
    put(tmp_path, "outside.md", "README.md", "beside/README.md")
    for name, target in links.items():
        link(checkout / name, target.format(outside=tmp_path / "outside.md", beside=tmp_path / "beside"))
    assert find_readme(str(checkout)) == found


def test_the_checkout_itself_may_be_reached_through_a_symlink(tmp_path: Path) -> None:
    put(tmp_path / "real", "guide.md")
    link(tmp_path / "real" / "README.md", "guide.md")
    link(tmp_path / "alias", "real")
    assert find_readme(str(tmp_path / "alias")) == "README.md"


def test_what_is_no_file_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "README.md").mkdir()
    os.mkfifo(tmp_path / "README.rst")
    put(tmp_path, "README.txt")
    assert find_readme(str(tmp_path)) == "README.txt"
    assert find_readme(str(tmp_path / "missing")) == ""


@pytest.mark.parametrize(("size", "whole"), [(LIMIT, True), (LIMIT + 1, False), (3 * LIMIT, False)])
def test_only_the_beginning_of_a_long_one_is_read(world: World, size: int, *, whole: bool) -> None:
    clone = world.clone()
    (clone / "README.md").write_bytes(b"x" * size)
    assert read_readme(str(clone)) == Readme("README.md", b"x" * min(size, LIMIT), whole)
    world.git(clone, "commit", "-q", "-a", "-m", "Long")
    (clone / "README.md").unlink()
    assert read_readme(str(clone)) == Readme("README.md", b"x" * min(size, LIMIT), whole)


# --- from HEAD -------------------------------------------------------------------------------------------------------


def committed(world: World, files: tuple[str, ...], links: dict[str, str]) -> Path:
    """A clone whose HEAD has these files and symlinks, and whose working tree has none of them."""
    clone = world.pool / "backend"
    run_git(world.pool, "init", "-q", str(clone))
    put(clone, "other.txt", *files)
    for name, target in links.items():
        link(clone / name, target)
    world.git(clone, "add", "--all")
    world.git(clone, "commit", "-q", "-m", "Files")
    for entry in clone.iterdir():
        if entry.name != ".git":
            shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
    return clone


@pytest.mark.parametrize(
    ("files", "links", "name", "data"),
    [
        (("README.md",), {}, "README.md", "README.md\n"),
        (("docs/readme.rst", "src/README.md"), {}, "docs/readme.rst", "docs/readme.rst\n"),
        ((".github/README", "docs/README.md"), {}, ".github/README", ".github/README\n"),
        (("README", "README.md/inside"), {}, "README", "README\n"),
        (("guide/start.md",), {"README.md": "guide/start.md"}, "README.md", "guide/start.md\n"),
        (("guide/README.md",), {"docs": "guide"}, "", ""),
        (("README.txt",), {"README.md": "../outside.md"}, "README.txt", "README.txt\n"),
        (("README.txt",), {"README.md": "/etc/passwd"}, "README.txt", "README.txt\n"),
        (("README.txt",), {"README.md": "nowhere"}, "README.txt", "README.txt\n"),
        (("README.txt",), {"README.md": "README.md"}, "README.txt", "README.txt\n"),
        (("README.txt",), {"README.md": "other.txt/x"}, "README.txt", "README.txt\n"),
        (("src/app.py",), {}, "", ""),
    ],
)
def test_the_readme_of_head(world: World, files: tuple[str, ...], links: dict[str, str], name: str, data: str) -> None:
    clone = committed(world, files, links)
    assert find_readme(str(clone)) == ""
    assert read_readme(str(clone)) == (Readme(name, data.encode(), True) if name else None)


def test_no_commit_no_readme(world: World) -> None:
    run_git(world.pool, "init", "-q", "empty")
    (world.pool / "plain").mkdir()
    assert read_readme(str(world.pool / "empty")) is None
    assert read_readme(str(world.pool / "plain")) is None


def test_a_blob_that_a_partial_clone_lacks_is_not_fetched(world: World, tmp_path: Path) -> None:
    origin = world.origin()
    run_git(origin.path, "config", "uploadpack.allowFilter", "true")
    clone = world.pool / "backend"
    url = f"file://{origin.path}"
    run_git(world.pool, "clone", "-q", "--filter=blob:none", "--no-checkout", url, str(clone))
    objects = run_git(clone, "count-objects", "-v")
    with counted_git(tmp_path) as calls:
        assert read_readme(str(clone)) is None
        assert not [line for line in calls.lines if " fetch " in line or "upload-pack" in line]
    assert run_git(clone, "count-objects", "-v") == objects
    world.git(clone, "checkout", "-q", "main")
    shutil.rmtree(origin.path)
    readme = read_readme(str(clone))
    assert readme is not None
    assert readme.name == "README.md"


# --- briefs ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def briefs(tmp_path: Path) -> Iterator[BriefSource]:
    cache = Cache(str(tmp_path / "cache"))
    yield BriefSource(cache)
    cache.close()


def another(tmp_path: Path) -> tuple[BriefSource, Cache]:
    cache = Cache(str(tmp_path / "cache"))
    return BriefSource(cache), cache


@pytest.mark.parametrize(
    ("data", "brief"),
    [
        (f"# Shop\n\n{TEXT}".encode(), TEXT.strip()),
        (f"\ufeff# Shop\n\n{TEXT}".encode(), TEXT.strip()),
        (b"", ""),
        (b"\0\1\2", ""),
        (None, ""),
    ],
)
def test_the_brief_of_bytes(data: bytes | None, brief: str) -> None:
    assert readme_brief_of("README.md", data) == brief


def test_a_readme_is_parsed_once(tmp_path: Path, briefs: BriefSource) -> None:
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    readme = checkout / "README.md"
    readme.write_text(f"# Shop\n\n{TEXT}")
    seen = readme.stat()
    assert briefs.readme("shop", str(checkout)) == TEXT.strip()
    briefs.remember()

    readme.write_text(f"# Shop\n\n{TEXT.replace('shop', 'SHOP')}")
    os.utime(readme, ns=(seen.st_mtime_ns, seen.st_mtime_ns))
    again, cache = another(tmp_path)
    assert again.readme("shop", str(checkout)) == TEXT.strip(), "the same file by all signs: not read again"
    assert again.readme("other", str(checkout)) == "The SHOP answers every request."
    cache.close()

    os.utime(readme, ns=(seen.st_mtime_ns + 1, seen.st_mtime_ns + 1))
    again, cache = another(tmp_path)
    assert again.readme("shop", str(checkout)) == "The SHOP answers every request."
    readme.unlink()
    assert again.readme("shop", str(checkout)) == ""
    cache.close()


def test_a_readme_that_says_nothing_is_remembered_too(tmp_path: Path, briefs: BriefSource) -> None:
    put(tmp_path / "checkout", "README.txt")
    (tmp_path / "checkout" / "README.txt").write_bytes(b"\0")
    assert briefs.readme("shop", str(tmp_path / "checkout")) == ""
    briefs.remember()
    _, cache = another(tmp_path)
    assert cache.get("readme-brief-1")["shop"].endswith("\n")
    cache.close()


def test_a_card_is_parsed_once_for_each_text(tmp_path: Path, briefs: BriefSource) -> None:
    data = f"# Shop\n\n{TEXT}".encode()
    assert briefs.card(data) == TEXT.strip()
    briefs.remember()
    again, cache = another(tmp_path)
    assert cache.get("card-brief-1") == {revision(data): TEXT.strip()}
    cache.put("card-brief-1", {revision(data): "from the cache"})
    assert again.card(data) == "from the cache"
    assert again.card(data + b"\nmore\n") == TEXT.strip()
    cache.close()


def test_without_a_usable_cache(tmp_path: Path) -> None:
    put(tmp_path, "cache", "checkout/README.md")
    (tmp_path / "checkout" / "README.md").write_text(f"# Shop\n\n{TEXT}")
    source, cache = another(tmp_path)
    assert source.readme("shop", str(tmp_path / "checkout")) == TEXT.strip()
    assert source.card(TEXT.encode()) == TEXT.strip()
    source.remember()
    cache.close()
    assert (tmp_path / "cache").read_text() == "cache\n"

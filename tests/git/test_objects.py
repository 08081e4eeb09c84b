"""Objects taken from another repository: linked or copied, borrowed ones too, and nothing that is no object."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from orbit.errors import OrbitError
from orbit.git.objects import copy_file, object_stores, take_file, take_objects, take_tree
from world import World


def objects(world: World, repository: Path) -> set[str]:
    words = ["cat-file", "--batch-check=%(objectname)", "--batch-all-objects"]
    return set(world.git(repository, *words).split())


def empty(world: World, name: str = "target") -> Path:
    path = world.base / name
    world.git(world.base, "init", "-q", "--bare", str(path))
    return path


@pytest.mark.parametrize("packed", [True, False])
def test_every_object_is_there_as_the_same_file(world: World, packed: bool) -> None:
    source = world.clone() / ".git"
    if not packed:
        pack = next((source / "objects" / "pack").glob("*.pack"))
        data = pack.read_bytes()
        for file in (source / "objects" / "pack").iterdir():
            file.unlink()
        world.git(source, "unpack-objects", "-q", stdin=data)
    target = empty(world)
    take_objects(str(source / "objects"), str(target / "objects"))
    assert objects(world, target) == objects(world, source) != set()
    pattern = "pack/*.pack" if packed else "??/*"
    taken = list((target / "objects").glob(pattern))
    assert taken
    assert all(file.stat().st_nlink == 2 for file in taken)


def test_what_is_borrowed_comes_along_through_a_chain_and_a_ring(world: World) -> None:
    lender = world.clone()
    middle, last = empty(world, "middle"), empty(world, "last")
    (middle / "objects/info/alternates").write_text(f"# a comment\n{lender}/.git/objects\n/gone\n")
    (last / "objects/info/alternates").write_text("../../middle/objects\n")
    (lender / ".git/objects/info/alternates").write_text(f"{last}/objects\n")
    assert object_stores(f"{last}/objects") == [f"{last}/objects", f"{middle}/objects", f"{lender}/.git/objects"]
    target = empty(world)
    take_objects(f"{last}/objects", f"{target}/objects")
    assert objects(world, target) == objects(world, lender) != set()
    assert not (target / "objects/info/alternates").exists()


def test_links_and_other_files_are_left(world: World, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("mine")
    source, target = empty(world, "source"), empty(world)
    name = "f" * 38
    (source / "objects/ff").mkdir()
    (source / "objects/ff" / name).symlink_to(secret)
    (source / "objects/ff/tmp_obj_x").write_text("half")
    (source / "objects/ee").symlink_to(tmp_path)
    (source / "objects/pack/pack-1.pack").symlink_to(secret)
    (source / "objects/pack/pack-2.keep").write_text("")
    (source / "objects/pack/tmp_pack_x").write_text("half")
    take_objects(f"{source}/objects", f"{target}/objects")
    assert [path.name for path in (target / "objects").rglob("*") if not path.is_dir() or path.is_symlink()] == []


def test_a_file_of_another_owner_is_copied(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_text("text")
    os.chown(source, 65534, 65534)
    assert take_file(str(source), str(target))
    assert target.read_text() == "text"
    assert (target.stat().st_nlink, target.stat().st_uid) == (1, 0)
    assert take_file(str(source), str(target))


def test_a_file_that_vanished_is_told(tmp_path: Path) -> None:
    assert not take_file(f"{tmp_path}/gone", f"{tmp_path}/new")
    assert not copy_file(f"{tmp_path}/gone", f"{tmp_path}/new")
    assert os.listdir(tmp_path) == []


def test_a_tree_keeps_its_shape(tmp_path: Path) -> None:
    inner = tmp_path / "source" / "ab" / "cd"
    inner.mkdir(parents=True)
    (inner / "abcd").write_text("large")
    take_tree(f"{tmp_path}/source", f"{tmp_path}/target")
    assert (tmp_path / "target/ab/cd/abcd").read_text() == "large"
    take_tree(f"{tmp_path}/gone", f"{tmp_path}/other")
    assert not (tmp_path / "other").exists()


def test_a_store_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(OrbitError, match="cannot take its objects: No such file or directory"):
        take_objects(f"{tmp_path}/gone", f"{tmp_path}/target")


def test_objects_that_cannot_be_listed_are_not_left_out(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    source, target = world.clone() / ".git" / "objects", empty(world) / "objects"
    listdir = os.listdir

    def failing(path: str) -> list[str]:
        if path.endswith("/pack"):
            raise OSError(errno.EIO, os.strerror(errno.EIO), path)
        return listdir(path)

    monkeypatch.setattr(os, "listdir", failing)
    with pytest.raises(OrbitError, match="cannot take its objects: Input/output error"):
        take_objects(str(source), str(target))

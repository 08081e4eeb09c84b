"""Qoder CLI: its sessions need an account, so that only what needs none is proven."""

from __future__ import annotations

import pytest

from beds import Notes
from drivers import Bed
from orbit.hosts.source import PACKAGED

pytestmark = pytest.mark.parametrize("bed", ["qoder"], indirect=True)


def test_a_it_calls_the_tree_valid(bed: Bed) -> None:
    done = bed.client("plugins", "validate", PACKAGED, cwd=bed.outside)
    assert done.code == 0, done.told()
    assert "valid" in done.out


def test_a_setup_and_its_own_listing(bed: Bed, notes: Notes) -> None:
    done = bed.orbit("setup", "qoder", "--yes")
    assert done.code == 0, done.told()
    listed = bed.client("plugins", "list", cwd=bed.outside)
    assert "orbit@orbit-workspaces" in listed.out, listed.told()
    assert "nothing to do" in bed.orbit("setup", "qoder", "--yes").out
    notes("a", "valid, installed, listed")


def test_g_removed(bed: Bed) -> None:
    done = bed.orbit("setup", "qoder", "--remove", "--yes")
    assert done.code == 0, done.told()
    assert "orbit" not in bed.client("plugins", "list", cwd=bed.outside).out
    assert not (bed.home / ".local/share/orbit").exists()
    assert not (bed.home / ".qoder/settings.json").exists()

"""Names of scoped branches."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orbit.pool.branches import is_scoped, scoped_branch, unscoped_name

segment = st.text(st.characters(exclude_characters="/", exclude_categories=("Cs",)), min_size=1, max_size=8)


@given(segment, segment, st.lists(segment, min_size=1, max_size=3).map("/".join))
def test_a_scoped_name_comes_apart_again(prefix: str, workspace: str, name: str) -> None:
    branch = scoped_branch(prefix, workspace, name)
    assert branch == f"{prefix}/{workspace}/{name}"
    assert is_scoped(prefix, workspace, branch)
    assert unscoped_name(prefix, workspace, branch) == name


@pytest.mark.parametrize(
    "branch", ["main", "ws", "ws/task-01", "ws/task-010/main", "ws/task-02/main", "other/ws/task-01/x", ""]
)
def test_anything_else_is_raw_and_keeps_its_name(branch: str) -> None:
    assert not is_scoped("ws", "task-01", branch)
    assert unscoped_name("ws", "task-01", branch) == branch

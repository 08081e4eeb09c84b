from __future__ import annotations

import pytest

from orbit.errors import DamagedError, OrbitError, UsageError


@pytest.mark.parametrize(("kind", "code"), [(OrbitError, 1), (DamagedError, 1), (UsageError, 2)])
def test_an_error_says_where_and_what_and_knows_its_exit_status(kind: type[OrbitError], code: int) -> None:
    error = kind("backend", "no such branch", "switch -c NAME makes one")
    assert isinstance(error, OrbitError)
    assert str(error) == "backend: no such branch"
    assert (error.context, error.message, error.hint) == ("backend", "no such branch", "switch -c NAME makes one")
    assert error.code == code


def test_a_hint_is_not_needed() -> None:
    assert OrbitError("a", "b").hint == ""

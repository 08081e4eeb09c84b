from __future__ import annotations

from orbit.hosts import names


def test_every_host_has_its_project_variables() -> None:
    assert tuple(names.PROJECT_VARIABLES) == names.HOSTS
    assert {*names.DROPS_RESUME, *names.KEEPS_NO_HISTORY} <= {*names.HOSTS}
    assert {*names.APPROVALS} < {*names.EVENTS}


def test_a_hosts_own_variable_comes_first() -> None:
    """Nearly all of them set Claude's too, for the sake of hooks written for it."""
    for host, variables in names.PROJECT_VARIABLES.items():
        if variables:
            assert variables[0].startswith(host.upper())

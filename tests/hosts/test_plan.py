from __future__ import annotations

import pytest

from orbit.hosts import names
from orbit.hosts.frame import WORKER
from orbit.hosts.plan import ALWAYS, FIRST, NEVER, ONCE, Plan, plan_of


@pytest.mark.parametrize("host", ["claude", "codex", "gemini", "qwen", "qoder", "cursor"])
def test_a_session_of_a_host_that_keeps_history(host: str) -> None:
    for source in ("", "startup", "new"):
        assert plan_of(names.SESSION_START, host, source) == Plan("startup", ONCE)
    for source in ("resume", "clear", "compact", "fork", "something new"):
        assert plan_of(names.SESSION_START, host, source) == Plan("", ALWAYS, forgets=True)
        assert plan_of(names.SESSION_RESUME, host, source) == Plan("", ALWAYS, forgets=True)


def test_a_host_that_drops_what_a_resume_prints_gets_it_with_the_next_prompt() -> None:
    assert plan_of(names.SESSION_START, "copilot", "new") == Plan("startup", ONCE)
    assert plan_of(names.SESSION_START, "copilot", "resume") == Plan("", NEVER, forgets=True)
    assert plan_of(names.SESSION_RESUME, "copilot", "") == Plan("", NEVER, forgets=True)
    assert plan_of(names.PROMPT, "copilot", "") == Plan("", FIRST)


def test_a_host_without_history_is_always_answered() -> None:
    assert plan_of(names.SESSION_START, "opencode", "") == Plan("startup", ALWAYS)
    assert plan_of(names.SESSION_RESUME, "opencode", "") == Plan("", ALWAYS, forgets=True)


def test_what_the_session_itself_is_sent_is_remembered() -> None:
    assert plan_of(names.SESSION_START, "claude", "startup").remembered
    assert plan_of(names.SESSION_START, "claude", "compact").remembered
    assert not plan_of(names.SUBAGENT_START, "claude", "").remembered
    assert not plan_of(names.SESSION_START, "opencode", "").remembered


@pytest.mark.parametrize("host", names.HOSTS)
def test_a_worker_is_always_briefed(host: str) -> None:
    assert plan_of(names.SUBAGENT_START, host, "startup") == Plan("", ALWAYS, lines=WORKER)

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from orbit.commands import TABLE
from orbit.hosts.clients import CLIENTS
from orbit.hosts.offers import VERBS, offers_of, take_back, write_offer


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"HOME": str(tmp_path)}


def test_only_two_hosts_need_one(env: dict[str, str]) -> None:
    assert [host for host in CLIENTS if offers_of(host, env)] == ["codex", "gemini"]


@pytest.mark.parametrize("host", ["codex", "gemini"])
def test_what_is_there(env: dict[str, str], host: str) -> None:
    (offer,) = offers_of(host, env)
    assert offer.state == "none"
    write_offer(offer)
    path = Path(offer.path)
    assert path.read_text() == offer.text
    assert offers_of(host, env)[0].state == "ours"
    path.write_text(offer.text.splitlines()[0] + "\nof another version\n")
    assert offers_of(host, env)[0].state == "older"
    path.write_text("mine\n")
    assert offers_of(host, env)[0].state == "theirs"
    take_back(offer)
    assert not path.parent.exists()


def test_a_directory_with_other_files_stays(env: dict[str, str]) -> None:
    (offer,) = offers_of("codex", env)
    write_offer(offer)
    (Path(offer.path).parent / "mine.rules").write_text("x")
    take_back(offer)
    assert (Path(offer.path).parent / "mine.rules").exists()


def test_no_verb_is_allowed_of_which_a_form_would_be_asked() -> None:
    """By the first words alone: every option of the verb must be one that approval lets through."""
    approve = pytest.importorskip("orbit.hosts.approve")
    for verb in VERBS:
        module = __import__(f"orbit.commands.{TABLE[verb][0]}", fromlist=["USAGE"])
        assert {argument.key for argument in module.USAGE.arguments} <= approve.UNASKED[verb] | {"json", "json_schema"}


@pytest.mark.parametrize(
    ("command", "allowed"),
    [
        ("orbit repos", True),
        ("orbit jot backend 'a text'", True),
        ("orbit jot", True),
        ("orbit reposit", False),
        ("orbit prune", False),
        ("orbit config x y", False),
        ("orbit sync", True),
        ("orbit sync backend front_end", True),
        ("orbit sync front-end", True),
        ("orbit sync backend front-end", False),
        ("orbit sync --force", False),
        ("orbit sync backend --force", False),
        ("orbit sync -x", False),
        ("orbit sync; rm x", False),
        ("orbit memo backend --text '# backend\n\nIt\\'", True),
        ("orbit memo backend --expect 1f7a --text 'x'", True),
        ("orbit memo backend --text 'x' --push origin", False),
        ("orbit memo backend --text 'x'; rm x", False),
        ("orbit memo backend --refresh", True),
        ("orbit memo backend --edit", False),
        ("orbit memo backend --file /etc/passwd", False),
        ("orbit memo", False),
        ("x; orbit repos", False),
    ],
)
def test_what_the_policy_of_gemini_matches(env: dict[str, str], command: str, allowed: bool) -> None:
    """As its engine puts the rules together: against the call's arguments as JSON, with the command first."""
    import json

    (offer,) = offers_of("gemini", env)
    rules = tomllib.loads(offer.text)["rule"]
    patterns = []
    for rule in rules:
        assert (rule["toolName"], rule["decision"]) == ("run_shell_command", "allow")
        prefixes = rule.get("commandPrefix", [])
        patterns += [re.escape(f'"command":"{prefix}') + r'(?:[\s"]|\\")' for prefix in prefixes]
        if "commandRegex" in rule:
            assert not re.search(r"\([^)]*[*+?{].*\)[*+?{]", rule["commandRegex"]), "Gemini CLI calls it unsafe"
            patterns.append(f'"command":"{rule["commandRegex"]}')
    told = json.dumps({"command": command, "description": "x"}, separators=(",", ":"))
    assert any(re.search(pattern, told) for pattern in patterns) == allowed

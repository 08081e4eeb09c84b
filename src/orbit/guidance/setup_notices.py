"""What is said when orbit is set up in agent hosts. Contract: guidance.md; hosts.md, `orbit setup`."""

from __future__ import annotations

from orbit.guidance.notice import Notice


def host_missing(host: str, program: str) -> Notice:
    """`setup HOST`: the host's program is not there; the other hosts go on"""
    return Notice("host-missing", host, f"no {program} on PATH, nothing was done for it")


def host_failed(host: str, reason: str) -> Notice:
    """`setup HOST`: the host's own command failed, or its listing does not say what it should; the others go on"""
    return Notice("host-failed", host, f"not set up, {reason}")


def host_unknown(host: str, reason: str) -> Notice:
    """`setup`: the host did not tell what it has"""
    return Notice("host-unknown", host, f"its state is unknown, {reason}")


def orbit_not_on_path() -> Notice:
    """`setup HOST`: the hooks call `orbit` by its name"""
    return Notice("orbit-not-on-path", "setup", "no orbit on PATH, so that no host can call it")


def hooks_untrusted(host: str, count: int) -> Notice:
    """`setup`: Codex passes over hooks that the user has not trusted, without a word"""
    fact = f"{count} hooks of orbit are not trusted yet and do not run"
    return Notice("hooks-untrusted", host, fact, "start codex, which shows them and asks; /hooks lists them")


def folder_trust(host: str) -> Notice:
    """`setup gemini`: what the user must know of Gemini CLI's folders"""
    return Notice("folder-trust", host, "extensions and their hooks work in folders that Gemini CLI trusts, no others")


def offer_left_alone(host: str, path: str) -> Notice:
    """`setup HOST`: a file that orbit would offer is there and is not from orbit"""
    return Notice("offer-left-alone", host, f"{path} is not from orbit and was left alone")


def by_hand(host: str, path: str) -> Notice:
    """`setup cursor`: a host without a command that installs"""
    return Notice("by-hand", host, "has no command that installs", f"add {path} as a plugin folder in its settings")

"""What of a URL may be shown, and which URLs git never sees."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orbit.git.urls import (
    absolute_url,
    origin_key,
    redact_url,
    redact_urls,
    refused_transport,
    repo_name_from_url,
    short_url,
)

REDACTED = [
    ("https://user:token@host.example/o/r.git", "https://host.example/o/r.git"),
    ("https://token@host.example/o/r.git", "https://host.example/o/r.git"),
    ("https://user:p@ss@host.example:8443/o/r", "https://host.example:8443/o/r"),
    ("https://user:pa/ss@host.example/o/r", "https://host.example/o/r"),
    ("https://user:p%40ss@host.example", "https://host.example"),
    ("HTTPS://user:token@host.example/o", "HTTPS://host.example/o"),
    ("git://user@host.example/o/r", "git://host.example/o/r"),
    ("ssh://git@host.example/o/r", "ssh://git@host.example/o/r"),
    ("ssh://git:secret@host.example:22/o/r", "ssh://git@host.example:22/o/r"),
    ("git+ssh://me@host.example/o/r", "git+ssh://me@host.example/o/r"),
    ("git@host.example:o/r.git", "git@host.example:o/r.git"),
    ("https://host.example/@scope/r", "https://host.example/@scope/r"),
    ("https://host.example:8443/@scope/r", "https://host.example:8443/@scope/r"),
    ("https://[2001:db8::1]:8443/@scope/r", "https://[2001:db8::1]:8443/@scope/r"),
    ("https://host.example?user=a@b", "https://host.example?user=a@b"),
    ("/srv/a@b/r.git", "/srv/a@b/r.git"),
    ("file:///srv/a@b", "file:///srv/a@b"),
    ("", ""),
]


@pytest.mark.parametrize(("url", "shown"), REDACTED)
def test_redact_url(url: str, shown: str) -> None:
    assert redact_url(url) == shown
    assert redact_url(shown) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("unable to access 'https://u:t@h.example/r/': 403", "unable to access 'https://h.example/r/': 403"),
        ("https://u:it's@h.example/ and ssh://git:x@h.example/", "https://h.example/ and ssh://git@h.example/"),
        ("<https://u:t@h.example/r>", "<https://h.example/r>"),
        ("mail me@h.example about https://h.example", "mail me@h.example about https://h.example"),
        ("no URL here", "no URL here"),
    ],
)
def test_redact_urls_in_text(text: str, shown: str) -> None:
    assert redact_urls(text) == shown


SECRET = st.text(st.characters(codec="utf-8", exclude_characters="/?#<>", exclude_categories=("Z", "C")), min_size=8)


@given(user=SECRET, password=SECRET)
def test_no_credential_survives(user: str, password: str) -> None:
    shown = redact_urls(f"fatal: unable to access 'https://{user}:{password}@example.com/r.git/': failed")
    assert shown == "fatal: unable to access 'https://example.com/r.git/': failed"


@given(st.text())
def test_any_text_is_taken(text: str) -> None:
    for function in (redact_url, redact_urls, short_url, repo_name_from_url, refused_transport):
        function(text)


NAMES = [
    ("https://user:token@host.example:8443/owner/name.git", "host.example/owner/name", "name"),
    ("https://host.example/owner/name/", "host.example/owner/name", "name"),
    ("https://host.example/owner/name.git/", "host.example/owner/name", "name"),
    ("ssh://git@host.example:2222/owner/name.git", "host.example/owner/name", "name"),
    ("git@host.example:owner/name.git", "host.example/owner/name", "name"),
    ("host.example:name.git", "host.example/name", "name"),
    ("host.example:/srv/name.git", "host.example/srv/name", "name"),
    ("git@[2001:db8::1]:owner/name", "[2001:db8::1]/owner/name", "name"),
    ("https://[2001:db8::1]:8443/owner/name", "[2001:db8::1]/owner/name", "name"),
    ("https://host.example/", "host.example", ""),
    ("https://host.example", "host.example", ""),
    ("git@host.example:", "host.example", ""),
    ("/srv/git/name.git", "/srv/git/name.git", "name"),
    ("/srv/git/name/", "/srv/git/name/", "name"),
    ("/srv/name/.git", "/srv/name/.git", "name"),
    ("../name", "../name", "name"),
    ("./a:b", "./a:b", "a:b"),
    ("file:///srv/git/name.git", "/srv/git/name.git", "name"),
    ("", "", ""),
]


@pytest.mark.parametrize(("url", "short", "name"), NAMES)
def test_short_url_and_name(url: str, short: str, name: str) -> None:
    assert (short_url(url), repo_name_from_url(url)) == (short, name)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "-u",
        "--upload-pack=touch x",
        "ext::sh -c id",
        "fd::17",
        "EXT::x",
        "foo+bar::x",
        "::x",
        "https://h/\nx",
        "a\x7f",
    ],
)
def test_refused(url: str) -> None:
    assert refused_transport(url)


@pytest.mark.parametrize(
    "url",
    ["https://host.example/o/r", "git@host.example:o/r", "/srv/a::b", "ssh://[::1]/r", "git@[::1]:r", "./x::y", "r"],
)
def test_not_refused(url: str) -> None:
    assert refused_transport(url) == ""


@pytest.mark.parametrize(
    ("url", "absolute"),
    [
        ("../r.git", "/srv/r.git"),
        ("r", "/srv/here/r"),
        ("/a/r.git", "/a/r.git"),
        ("~/r", "~/r"),
        ("host:r", "host:r"),
        ("./a:b", "/srv/here/a:b"),
        ("https://host/r", "https://host/r"),
    ],
)
def test_a_relative_path_is_made_absolute(url: str, absolute: str) -> None:
    assert absolute_url(url, "/srv/here") == absolute


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://u:p@Host.example/o/r.git", "git@host.example:o/r", True),
        ("ssh://git@host.example:22/o/r", "host.example:/o/r.git/", True),
        ("/srv/r.git", "file:///srv/r", True),
        ("https://host.example/o/r", "https://host.example/o/R", False),
        ("https://host.example/o/r", "https://other.example/o/r", False),
        ("/srv/o/r", "/srv/r", False),
    ],
)
def test_whether_two_urls_mean_one_origin(one: str, other: str, same: bool) -> None:
    assert (origin_key(one) == origin_key(other)) == same

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orbit.knowledge.search.stem import stem


@pytest.mark.parametrize(
    "forms",
    [
        "authenticate authenticates authenticated authenticating authentication authenticator",
        "authorise authorize authorisation authorizations authorized authorising",
        "pay pays paying payment payments paid",
        "notify notifies notified notification notifications notifier",
        "deploy deploys deployed deploying deployment deployments",
        "migrate migration migrations migrating",
        "translate translation translations translated",
        "subscription subscriptions",
        "connect connection connections connected connecting",
        "cache caches cached caching",
        "run runs running ran",
        "policy policies",
        "class classes",
        "process processes processed processing",
        "search searches searched searching",
        "sell sells selling sold sale sales",
        "index indices indexes indexing",
        "person people",
        "comment comments commented",
        "version versions versioning",
        "ship ships shipping shipped shipment",
    ],
)
def test_forms_of_one_word_meet(forms: str) -> None:
    assert len({stem(word) for word in forms.split()}) == 1


@pytest.mark.parametrize(
    "words",
    [
        *("customer custom", "date data", "news new", "station state", "user use", "process profession"),
        *("comment com", "size sizzle"),
    ],
)
def test_different_words_stay_apart(words: str) -> None:
    first, second = words.split()
    assert stem(first) != stem(second)


@pytest.mark.parametrize("word", ["", "s", "as", "aws", "k8s", "http2", "größe", "漢字", "bus", "status", "analysis"])
def test_what_is_left_as_it_is(word: str) -> None:
    assert stem(word) == word


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1))
def test_a_stem_is_a_beginning_and_never_empty(word: str) -> None:
    assert stem(word)
    assert len(stem(word)) <= max(len(word), 6)

"""How well a paragraph says what the thing is, and what kind of section a heading opens."""

from __future__ import annotations

import pytest

from orbit.knowledge.brief.judge import (
    DEFINES,
    GOOD,
    NOISE,
    SCENE,
    SLOGAN,
    UNSURE,
    WEAK,
    judged,
    section_kind,
    without_opening,
)


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("Docs | Chat | Demo", NOISE),
        ("--- !!! ---", NOISE),
        ("See the manual.", WEAK),
        ("Tarn", WEAK),
        ("There are many maps.", SCENE),
        ("Tarn is painted with care.", SCENE),
        ("Cobalt is a metal with a colour of its own.", UNSURE),
        ("Move fast and make things.", SLOGAN),
        ("Maps of lakes for everybody.", GOOD),
        ("湖の地図。", GOOD),
        ("Tarn is a map of lakes.", DEFINES),
        ("This tool provides maps.", DEFINES),
    ],
)
def test_judged(text: str, worth: int) -> None:
    assert judged(text, 0.0, ("Tarn",)) == worth


def test_only_links_are_noise() -> None:
    assert judged("Maps of lakes for everybody", 1.0, ()) == NOISE
    assert judged("Maps of lakes for everybody who likes maps and lakes.", 0.95, ()) == GOOD


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("What is Tarn?", "about"),
        ("1. Introduction", "about"),
        ("Tarn Overview", "about"),
        ("简介", "about"),
        ("Installation", "aside"),
        ("🚀 Getting started", "aside"),
        ("What's new", "aside"),
        ("Tarn 1.2 is now available!", "aside"),
        ("安装", "aside"),
        ("Use cases", "other"),
        ("Tarn", "other"),
        ("Run your maps on any kind of lake", "other"),
    ],
)
def test_section_kind(heading: str, kind: str) -> None:
    assert section_kind(heading) == kind


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Welcome to Tarn! Tarn is a map of lakes.", "Tarn is a map of lakes."),
        ("Hello!", "Hello!"),
        ("The Lake Protocol joins ponds. Tarn is a map of lakes.", "Tarn is a map of lakes."),
        ("Enter Tarn. Tarn is a map of lakes.", "Tarn is a map of lakes."),
        ("A fast map. Tarn is a map of lakes.", "Tarn is a map of lakes."),
        ("Maps lakes with much care. Tarn is a map.", "Maps lakes with much care. Tarn is a map."),
    ],
)
def test_openings(text: str, rest: str) -> None:
    assert without_opening(text, ("Tarn",)) == rest

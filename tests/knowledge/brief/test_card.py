"""The brief of a card: its first line, its first paragraph, or its title's own words."""

from __future__ import annotations

import pytest

from orbit.knowledge.brief.extract import card_brief


@pytest.mark.parametrize(
    ("card", "brief"),
    [
        ("Payments API in Go.\n\n## When to add (roles)\n", "Payments API in Go."),
        ("\n\nPayments API.\nWritten in Go.\n", "Payments API."),
        ("Payments API that handles\nrefunds.\n", "Payments API that handles refunds."),
        ("Payments `API`, see [docs](x) &amp; **more**.\n", "Payments API, see docs & more."),
        ("> Payments API\n", "Payments API"),
        ("<!-- a hint -->\n\nPayments API\n", "Payments API"),
        ("---\ntitle: x\n---\n\nPayments API\n", "Payments API"),
        ("# backend\n\nPayments API.\nIn Go.\n\n## How to use\n\nRead `cmd/`.\n", "Payments API. In Go."),
        ("backend\n=======\n\nPayments API.\n", "Payments API."),
        ("# backend - Payments API\n\n## When to add (roles)\n\n- refunds\n", "Payments API"),
        ("# backend: Payments API\n\n- refunds\n", "Payments API"),
        ("# backend — Payments API: refunds\n", "Payments API: refunds"),
        ("# backend - Payments API\n\n## How to use\n\nRead `cmd/`.\n", "Payments API"),
        ("# backend\n\n## How to use\n\nRead `cmd/`.\n", "Read cmd/."),
        ("# Payments and refunds\n\n- a list\n", "Payments and refunds"),
        ("# 支払い: 決済の窓口\n", "決済の窓口"),
        ("- a list\n\nPayments API.\n", "Payments API."),
        ("# backend\n", ""),
        ("- only\n- a list\n", ""),
        ("```\ncode\n```\n", ""),
        ("[only](https://example.com)\n", ""),
        ("\ufeff\n", ""),
    ],
)
def test_card(card: str, brief: str) -> None:
    assert card_brief(card) == brief

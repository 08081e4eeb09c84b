"""The page as text: everything in it, nothing from outside, nothing that a repository wrote acting as markup."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from orbit.knowledge.report import Growth, Report
from orbit.page.file import MARK
from orbit.page.report import report_page
from reports import HOSTILE, full_report

_VOID = ("meta", "img", "br")


class Reader(HTMLParser):
    """Every element with its attributes, and whether each is closed where it should be."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in _VOID and not self.get_starttag_text().endswith("/>"):  # type: ignore[union-attr]
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_whole_and_alone() -> None:
    page = report_page(full_report())
    assert page.encode().startswith(MARK)
    reader = Reader(page)
    assert reader.open == []
    tags = [tag for tag, _ in reader.elements]
    assert (tags.count("script"), tags.count("style"), tags.count("img"), tags.count("link")) == (1, 1, 0, 0)
    for _, attributes in reader.elements:
        assert not {"src", "srcset", "style", "action"} & attributes.keys()
        assert not [name for name in attributes if name.startswith("on")]
        assert (attributes.get("href") or "#").startswith("#")
    assert "url(" not in page
    assert "@import" not in page


def test_text_from_repositories_stays_text() -> None:
    page = report_page(full_report())
    assert HOSTILE not in page
    assert "\u202e" not in page
    assert page.count("&lt;script&gt;document.title") >= 6
    assert len(re.findall("<script", page)) == 1


def test_links_lead_to_sections_and_names_are_unique() -> None:
    elements = Reader(report_page(full_report())).elements
    names = [attributes["id"] for _, attributes in elements if "id" in attributes]
    assert len(names) == len(set(names))
    for _, attributes in elements:
        for key in ("href", "aria-labelledby"):
            named = (attributes.get(key) or "").removeprefix("#")
            assert not named or named in names


def test_every_table_has_a_caption_and_every_plot_a_title() -> None:
    page = report_page(full_report())
    assert page.count("<table") == page.count("<caption>") == 6
    drawn = re.findall(r"<svg[^>]*>(<title>)?", page)
    hidden = page.count('<svg class="share" aria-hidden="true"')
    assert len(drawn) == hidden + 2
    assert drawn.count("<title>") == 2


def test_what_is_in_it() -> None:
    page = report_page(full_report())
    for part in (
        "gone: cmd/main.go; changed: api/",
        "the card&#x27;s commit is gone",
        "example.com/team/backend",
        "git cannot read this clone",
        "4.8 MiB",
        "2 active, 1 done",
        "Since 2023-11-14: 29 cards, written 58 times in all",
        "done 2023-11-14",
    ):
        assert part in page
    stale = page[page.index('id="stale"') : page.index('id="jots"')]
    assert re.findall('data-label="Repository">([^<]*)<', stale) == ["far", "lost", "near"]


def test_an_empty_project() -> None:
    page = report_page(Report("/", 0, ()))
    assert Reader(page).open == []
    assert "<table" not in page
    for part in ("No repositories yet", "No jots wait", "No workspaces", "No card has been written"):
        assert part in page


def test_one_day_of_history_is_no_plot() -> None:
    page = report_page(full_report().replace(growth=(Growth(1_700_000_000, 3, 4),)))
    assert '<svg class="plot"' not in page
    assert "3 cards, written 4 times" in page


def _colours(page: str, dark: bool) -> dict[str, str]:
    style = page[page.index("<style>") : page.index("</style>")]
    light, night = style.split("@media (prefers-color-scheme: dark)")[:2]
    return dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6})", night.partition("* {")[0] if dark else light))


def _contrast(one: str, other: str) -> float:
    """As WCAG 2 defines it."""

    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [False, True])
def test_words_and_shapes_stand_out(dark: bool) -> None:
    colours = _colours(report_page(full_report()), dark)
    for name in ("ink", "soft", "link", "ok", "stale", "thin", "over", "damaged"):
        for ground in ("paper", "raised"):
            assert _contrast(colours[name], colours[ground]) >= 4.5, f"{name} on {ground}"
    assert _contrast(colours["none"], colours["paper"]) >= 3

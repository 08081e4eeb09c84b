"""The page in a real browser: it complains of nothing, asks for nothing, fits a phone, and works with a keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from browser import PROGRAM, Page, open_browser
from orbit.page.report import report_page
from reports import full_report

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium on this machine")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with open_browser(tmp_path_factory.mktemp("browser")) as page:
        yield page


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "report.html"
    path.write_text(report_page(full_report()), encoding="utf-8")
    return path


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1280, 960, 920, 400, 320])
def test_it_fits_and_nothing_is_wrong(browser: Page, file: Path, width: int, dark: bool) -> None:
    browser.problems.clear()
    browser.requests.clear()
    browser.show(file, width, dark=dark)
    assert browser.problems == []
    assert browser.requests == [file.as_uri()]
    assert browser.value("document.documentElement.scrollWidth") <= width
    cut_off = "[...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1)"
    assert browser.value(f"{cut_off}.map(e => e.outerHTML.slice(0, 90))") == []
    ground = browser.value("getComputedStyle(document.documentElement).backgroundColor")
    assert ground == ("rgb(22, 24, 27)" if dark else "rgb(251, 251, 249)")
    assert browser.picture().startswith(b"\x89PNG")


def test_text_from_repositories_does_nothing(browser: Page, file: Path) -> None:
    browser.show(file)
    assert browser.value("document.title") == "shop: what is known of its repositories"
    assert browser.value("document.images.length") == 0


def names(browser: Page) -> list[str]:
    found = browser.value("[...document.querySelectorAll('#stale tbody th')].map(e => e.textContent)")
    assert isinstance(found, list)
    return found


def test_a_table_is_sorted_with_the_keyboard(browser: Page, file: Path) -> None:
    browser.show(file)
    assert names(browser) == ["far", "lost", "near"]
    browser.value("document.querySelector('#stale thead th:nth-child(2) button').focus()")
    browser.press("Enter")
    assert names(browser) == ["lost", "far", "near"]
    browser.press("Enter")
    assert names(browser) == ["near", "far", "lost"]
    heading = "document.querySelector('#stale thead th:nth-child(2)')"
    assert browser.value(f"{heading}.getAttribute('aria-sort')") == "ascending"
    assert "sorted by Commits behind, ascending" in browser.value("document.getElementById('told').textContent")
    browser.value("document.querySelector('#stale thead button').click()")
    assert names(browser) == ["far", "lost", "near"]
    assert browser.value(f"{heading}.hasAttribute('aria-sort')") is False


def test_the_first_tab_leads_past_the_links(browser: Page, file: Path) -> None:
    browser.show(file)
    browser.press("Tab")
    assert browser.value("document.activeElement.textContent") == "Skip to the report"
    assert browser.value("document.activeElement.getBoundingClientRect().left") >= 0
    browser.press("Enter")
    browser.press("Tab")
    assert browser.value("document.activeElement.closest('section').id") == "stale"

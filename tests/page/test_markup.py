from __future__ import annotations

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from orbit.page.markup import Cell, Heading, cell, count_cell, table, text


def test_nothing_in_a_text_is_markup() -> None:
    assert text("<b>&\"'</b>\x1b[31m\u202e") == "&lt;b&gt;&amp;&quot;&#x27;&lt;/b&gt;"


class Reader(HTMLParser):
    """Collects the tags and the text of a fragment, as a browser would see them."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.found = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.found += data


@given(st.text())
def test_any_text_is_one_text_for_a_browser(value: str) -> None:
    reader = Reader()
    reader.feed(f'<p title="{text(value)}">{text(value)}</p>')
    reader.close()
    assert reader.tags == ["p"]


def test_a_table() -> None:
    made = table("Two & more", (Heading("Name"), Heading("Count", number=True)), [(cell("<a>"), count_cell(3))])
    assert made == (
        '<table role="table" data-sortable><caption>Two &amp; more</caption>\n'
        '<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Name</th>'
        '<th role="columnheader" scope="col" class="number">Count</th></tr></thead>\n'
        '<tbody role="rowgroup">\n<tr role="row"><th role="rowheader" scope="row" data-label="Name">&lt;a&gt;</th>'
        '<td role="cell" class="number" data-label="Count" data-sort="3">3</td></tr>\n</tbody></table>\n'
    )


def test_an_unknown_number_sorts_above_all() -> None:
    unknown = count_cell(None)
    assert unknown == Cell("unknown", "1e99")
    assert float(unknown.sort) > 10**40

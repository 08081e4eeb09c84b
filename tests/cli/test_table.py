from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wcwidth import wcswidth, wcwidth

from orbit.cli.table import _ONE_WIDE, cut_to_width, sections_text, table_text, width
from orbit.commands.result import Column, Section, Table
from orbit.text import safe_line

FAMILY = "👨\u200d👩\u200d👧\u200d👦"
ROSTER = Table(
    (
        Column("NAME"),
        Column("MEMO"),
        Column("BRIEF", flexible=True),
        Column("URL", flexible=True, optional=True),
    ),
    (
        ("backend", "ok", "The service that stores orders and tells everybody", "github.com/example/backend"),
        ("a-very-long-repository-name-for-one", "stale 12", "注文を保存するサービス、とても長い説明", "x"),
        ("emoji", "none", f"{FAMILY} family ❤\ufe0f naïve — “quoted”", ""),
        ("hostile", "thin", "\x1b[31mred\x1b[0m \u202ertl\tx\ny", "\x07"),
    ),
)


@pytest.mark.parametrize(
    ("columns", "shown"),
    [
        (
            0,
            """\
NAME                                 MEMO      BRIEF                                               URL
backend                              ok        The service that stores orders and tells everybody  github.com/example/backend
a-very-long-repository-name-for-one  stale 12  注文を保存するサービス、とても長い説明              x
emoji                                none      👨\u200d👩\u200d👧\u200d👦 family ❤\ufe0f naïve — “quoted”
hostile                              thin      red rtl x y
""",  # noqa: E501
        ),
        (
            160,
            """\
NAME                                 MEMO      BRIEF                                               URL
backend                              ok        The service that stores orders and tells everybody  github.com/example/backend
a-very-long-repository-name-for-one  stale 12  注文を保存するサービス、とても長い説明              x
emoji                                none      👨\u200d👩\u200d👧\u200d👦 family ❤\ufe0f naïve — “quoted”
hostile                              thin      red rtl x y
""",  # noqa: E501
        ),
        (
            80,
            """\
NAME                                 MEMO      BRIEF
backend                              ok        The service that stores orders a…
a-very-long-repository-name-for-one  stale 12  注文を保存するサービス、とても長…
emoji                                none      👨\u200d👩\u200d👧\u200d👦 family ❤\ufe0f naïve — “quot…
hostile                              thin      red rtl x y
""",
        ),
        (
            40,
            """\
NAME            MEMO      BRIEF
backend         ok        The service t…
a-very-long-r…  stale 12  注文を保存す…
emoji           none      👨\u200d👩\u200d👧\u200d👦 fami…
hostile         thin      red rtl x y
""",
        ),
    ],
)
def test_a_roster_at_several_widths(columns: int, shown: str) -> None:
    assert table_text(ROSTER, columns=columns) == shown


def test_titles_are_bold_where_colour_is_wanted() -> None:
    plain, coloured = table_text(ROSTER), table_text(ROSTER, colour=True)
    title, rest = plain.split("\n", 1)
    assert coloured == f"\x1b[1m{title}\x1b[0m\n{rest}"


def test_without_rows_there_are_titles() -> None:
    assert table_text(Table(ROSTER.columns, ()), columns=80) == "NAME  MEMO  BRIEF  URL\n"


_cells = st.text(st.sampled_from("ab -日本é\u0301❤\ufe0f\u200d👨👩🇩🇪\x1b[m\t\n\u202e"), max_size=60)


@settings(deadline=None)
@given(
    st.integers(1, 5).flatmap(
        lambda count: st.tuples(
            st.lists(st.tuples(st.booleans(), st.booleans()), min_size=count, max_size=count),
            st.lists(st.lists(_cells, min_size=1, max_size=count), max_size=4),
        )
    ),
    st.integers(3, 120),
)
def test_no_row_is_wider_than_the_terminal(
    table: tuple[list[tuple[bool, bool]], list[list[str]]], columns: int
) -> None:
    kinds, rows = table
    titles = tuple(
        Column(f"T{i}", flexible=flexible, optional=optional) for i, (flexible, optional) in enumerate(kinds)
    )
    made = Table(titles, tuple(map(tuple, rows)))
    lines = table_text(made, columns=columns).split("\n")
    assert len(lines) >= len(rows) + 1
    assert all(width(line) <= columns for line in lines)
    assert not any(unicodedata.category(c) == "Cc" for line in lines for c in line)


@pytest.mark.parametrize(
    ("text", "columns", "cut"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("a bcd", 3, "a…"),
        ("abcd", 1, "…"),
        ("日本語", 6, "日本語"),
        ("日本語", 5, "日本…"),
        ("日本語", 4, "日…"),
        ("e\u0301e\u0301e\u0301", 2, "e\u0301…"),
        (f"{FAMILY}x", 2, "…"),
        (f"{FAMILY}xyz", 9, f"{FAMILY}…"),
        (f"{FAMILY}x", 9, f"{FAMILY}x"),
        ("❤\ufe0f❤\ufe0f", 3, "❤\ufe0f…"),
    ],
)
def test_cut_to_width(text: str, columns: int, cut: str) -> None:
    assert cut_to_width(text, columns) == cut


@settings(deadline=None)
@given(_cells, st.integers(1, 40))
def test_a_cut_text_fits(text: str, columns: int) -> None:
    line = safe_line(text)
    cut = cut_to_width(line, columns)
    assert width(cut) <= columns
    assert cut == line or (cut.endswith("…") and line.startswith(cut[:-1]))


def test_common_characters_are_one_column_wide_for_wcwidth_too() -> None:
    assert [c for c in sorted(_ONE_WIDE - {"\xad"}) if wcwidth(c) != 1] == []


@pytest.mark.parametrize("text", ["", "plain", "naïve — “x”", "日本語", "e\u0301", "नमस्ते", "❤\ufe0f", "각"])
def test_width(text: str) -> None:
    assert width(text) == wcswidth(text)


@pytest.mark.parametrize(("text", "parts"), [(FAMILY, 8), ("👩🏽\u200d💻", 6), ("🇩🇪", 4)])
def test_joined_characters_have_room_for_their_parts(text: str, parts: int) -> None:
    assert wcswidth(text) == 2
    assert width(text) == parts


STATUS = Table(
    (Column("REPO"), Column("BRANCH", flexible=True), Column("AHEAD"), Column("UPSTREAM", flexible=True)),
    (
        ("backend", "a-branch-with-a-long-name", "0", "(no upstream)"),
        ("broken", "error: its .git file is missing or broken, orbit doctor --fix writes it again"),
        ("日本", "-", "12", "origin/main"),
    ),
)


def test_a_short_row_reaches_over_the_rest() -> None:
    assert table_text(STATUS).splitlines() == [
        "REPO     BRANCH                     AHEAD  UPSTREAM",
        "backend  a-branch-with-a-long-name  0      (no upstream)",
        "broken   error: its .git file is missing or broken, orbit doctor --fix writes it again",
        "日本     -                          12     origin/main",
    ]
    assert table_text(STATUS, columns=50).splitlines() == [
        "REPO     BRANCH               AHEAD  UPSTREAM",
        "backend  a-branch-with-a-lo…  0      (no upstream)",
        "broken   error: its .git file is missing or broke…",
        "日本     -                    12     origin/main",
    ]


def test_a_terminal_too_narrow_for_a_table_gets_records() -> None:
    assert table_text(STATUS, columns=30, colour=True).splitlines() == [
        "\x1b[1mbackend\x1b[0m",
        "  branch: a-branch-with-a-lon…",
        "  ahead: 0",
        "  upstream: (no upstream)",
        "\x1b[1mbroken\x1b[0m",
        "  error: its .git file is mis…",
        "\x1b[1m日本\x1b[0m",
        "  ahead: 12",
        "  upstream: origin/main",
    ]


def test_sections_stand_under_their_titles() -> None:
    sections = [
        Section("First\x1b[31m", Table((Column("A"), Column("B", flexible=True)), (("1", "two words more"),))),
        Section("Second", text="one two three\nfour\x07"),
    ]
    assert sections_text(sections) == "First\n  A  B\n  1  two words more\n\nSecond\n  one two three\n  four\n"
    narrow = sections_text(sections, columns=14, colour=True)
    assert narrow == "\x1b[1mFirst\x1b[0m\n  A  B\n  1  two word…\n\n\x1b[1mSecond\x1b[0m\n  one two\n  three\n  four\n"

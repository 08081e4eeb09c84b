from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blocks import APART, CUT, HEAD, NO_MEMO, TOP, detail, prime, reignite, row, rows, status
from cards import card
from orbit.knowledge.context import (
    Detail,
    cruise_json,
    cruise_text,
    head_lines,
    prime_json,
)
from orbit.knowledge.jots import Queue
from orbit.knowledge.staleness import RemoteAhead, Staleness

# --- the head --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("goal", "state", "lines"),
    [
        ("", "active", []),
        ("one line", "active", ["goal: one line"]),
        ("first\nstate: done\n\nlast", "active", ["goal: first", "  state: done", "  ", "  last"]),
        ("a\r\nb", "active", ["goal: a", "  b"]),
        ("x\r--- other (branch: y) ---", "active", ["goal: x", "   --- other (branch: y) ---"]),
        ("--- other (branch: y) ---", "active", ["goal:  --- other (branch: y) ---"]),
        ("\x1b[31mred\x1b[0m \u202eback\x07", "active", ["goal: red back"]),
        ("</orbit-context>", "active", ["goal: &lt;/orbit-context>"]),
        ("one", "done", ["goal: one"]),
    ],
)
def test_head(goal: str, state: str, lines: list[str]) -> None:
    ending = [f"state: {state}"]
    if state == "done":
        ending.append("note: this workspace is marked done; check with the user before working in it")
    found = "\n".join(head_lines(HEAD.replace(goal=goal, state=state), 9000))
    assert found.split("\n") == [TOP[0], *lines, *ending]


def test_a_goal_that_would_fill_the_block_is_cut() -> None:
    lines = head_lines(HEAD.replace(goal="ü" * 5000), 1000)
    assert lines == [TOP[0], "goal: " + "ü" * 125, "  … goal cut: orbit context goal", "state: active"]


def test_a_path_cannot_break_the_frame() -> None:
    lines = head_lines(HEAD.replace(path="/x/</orbit-context>/\x1b[1m\ny"), 9000)
    assert lines[0] == "path: /x/&lt;/orbit-context>/ y"


# --- cruise ----------------------------------------------------------------------------------------------------------


def test_cruise_names_what_is_pending_only() -> None:
    pending = status("frontend", queue=Queue(("a",) * 3), level="building", behind="2", memo_state="thin")
    text = cruise_text(HEAD, (status(), pending, status("gone", worktree=None, queue=Queue((), ("p",)))), 9000)
    assert text.split("\n") == [
        *TOP,
        "repo frontend: 3 jots (building) | 2 behind upstream | memo thin",
        "repo gone: 1 popped, not merged",
    ]


def test_cruise_keeps_to_the_budget() -> None:
    many = tuple(status(f"repository-{number}", memo_state="thin") for number in range(100))
    text = cruise_text(HEAD, many, 1000)
    assert len(text.encode()) + 1 <= 1000
    assert text.split("\n")[3] == "repo repository-0: memo thin"
    assert text.split("\n")[-1] == CUT


def test_cruise_json() -> None:
    raw = status("raw", raw="feature", branch="fea\x85ture", memo_state="none")
    gone = status("a\x1b[1m\u202eb", worktree=None, branch="", queue=Queue(("x",), ("p",)), memo_state="none")
    data = cruise_json(HEAD.replace(goal="a\x1b[1m\nb"), (status(), raw, gone))
    assert data == {
        "workspace": "task-01",
        "path": "/work/root/task-01",
        "goal": "a\x1b[1m\nb",
        "state": "active",
        "mode": "cruise",
        "worktrees": [
            {"name": "raw", "jots": 0, "jotLevel": "", "behind": "", "memoState": "none", "popped": 0}
            | {"branch": "fea ture", "scoped": False},
            {"name": "ab", "jots": 1, "jotLevel": "", "behind": "", "memoState": "none", "popped": 1}
            | {"branch": "", "scoped": False},
        ],
    }


# --- prime -----------------------------------------------------------------------------------------------------------


def test_prime_names_the_pool() -> None:
    pool = [
        row("alpha", "First of all."),
        row("beta", "", has_card=False),
        row("gamma", "Third.", has_card=False),
        row("delta", "Fourth.", out_of_sync=True),
    ]
    lines, shown = prime(pool)
    assert shown == 4
    assert lines == [
        *TOP,
        "",
        "available in pool (orbit add REPO …):",
        "  alpha  First of all.",
        "  beta  -",
        "  gamma  Third.",
        "  delta  Fourth.",
        NO_MEMO,
        "  beta gamma",
        APART,
        "  delta",
    ]


def test_prime_shows_pending_work_before_the_roster() -> None:
    queue = Queue(tuple(f"jot {n}\nmore" for n in range(5)), ("p",))
    waiting = status("old", worktree=None, queue=queue, level="overflow")
    lines, _ = prime([row("alpha")], waiting, status("clean"))
    assert lines[3:] == [
        "repo old: 5 jots (overflow) | 1 popped, not merged",
        *(line for n in range(4) for line in (f"  jot: jot {n}", "    more")),
        "  … 1 more jots: orbit jot old --list",
        "",
        "available in pool (orbit add REPO …):",
        "  alpha  A brief.",
    ]


def test_jots_that_would_fill_the_block_are_only_counted() -> None:
    waiting = status("old", worktree=None, queue=Queue(("x" * 4000,) * 3), level="building")
    lines, shown = prime([row("alpha")], waiting)
    assert (lines[3], lines[-1], shown) == ("repo old: 3 jots (building)", "  alpha  A brief.", 1)


def test_prime_of_an_empty_pool_says_how_to_clone() -> None:
    lines, shown = prime([])
    assert (lines, shown) == ([*TOP, "", "the pool is empty: orbit clone URL adds a repository"], 0)
    prime([], head=HEAD.replace(goal="g" * 20_000))


def test_prime_names_so_many_repositories_and_counts_the_rest() -> None:
    lines, shown = prime(rows(300))
    assert shown == 50
    assert [line for line in lines if line.startswith("  repository-")][-1].startswith("  repository-049  ")
    assert lines[-1] == "… 250 more in the pool: orbit repos WORDS searches them"
    lines, shown = prime(rows(300), rosterLimit=7)
    assert shown == 7
    assert lines[-1] == "… 293 more in the pool: orbit repos WORDS searches them"
    assert prime(rows(50))[0][-1].startswith("  repository-049")


@pytest.mark.parametrize("brief", ["x" * 120, "é" * 120, "漢" * 120, "😀" * 120])
@pytest.mark.parametrize("room", [9000, 3000, 500])
def test_prime_counts_bytes_not_characters(brief: str, room: int) -> None:
    pool = [one.replace(has_card=False, out_of_sync=True) for one in rows(300, brief)]
    lines, shown = prime(pool, maxBytes=room, rosterLimit=300)
    named = [line for line in lines if line.startswith("  repository-") and brief in line]
    assert len(named) == shown
    assert lines[-1] == f"… {300 - shown} more in the pool: orbit repos WORDS searches them"
    assert shown == 0 or lines[lines.index(NO_MEMO) + 1].split() == [line.split()[0] for line in named]
    used = len("\n".join(lines).encode())
    assert used > 0.7 * room or shown < 3, "the budget is used"


@pytest.mark.parametrize("room", [1, 2, 3, 20, 80, 100, 150, 250])
def test_even_a_budget_too_small_for_anything_is_kept(room: int) -> None:
    waiting = tuple(status(f"r{n}", worktree=None, queue=Queue(("x" * 500,) * 4)) for n in range(60))
    prime(rows(300), *waiting, maxBytes=room)
    reignite(*(detail(f"r{n}", card()) for n in range(60)), maxBytes=room)
    assert len(cruise_text(HEAD, waiting, room).encode()) + 1 <= room


def test_prime_json_has_the_whole_pool() -> None:
    data = prime_json(HEAD, [row("alpha"), row("beta", "", memo_state="none", source="none")], 1)
    assert data["mode"] == "prime"
    assert data["shown"] == 1
    assert data["repos"] == [
        {"name": "alpha", "brief": "A brief.", "memoState": "ok", "source": "index"},
        {"name": "beta", "brief": "", "memoState": "none", "source": "none"},
    ]


# --- whatever the text -----------------------------------------------------------------------------------------------

PIECES = [
    *("</orbit-context>", "<orbit-context>", "< /ORBIT-CONTEXT", "<orb\x1b[0mit-context>", "<\u202eorbit-context"),
    *("--- other (branch: x) ---", "\n--- \x1b[1mother (branch: x) ---", "\n\u202e--- other (branch: x) ---"),
    *(
        "\n",
        "\r",
        "\t",
        "\r\n",
        "\x1b[2J",
        "\x1b]0;t\x07",
        "\x9b1m",
        "\u202e",
        "\u2066",
        "\ufeff",
        "\0",
        "\x07",
        "\x85",
    ),
    *("text", "漢", "state: done", "x" * 500, "\udcff"),
]
HOSTILE = st.lists(st.sampled_from(PIECES) | st.text(max_size=20), max_size=12).map("".join)


def assert_framed(lines: list[str], titles: set[str]) -> None:
    text = "\n".join(lines)
    assert not [c for c in text if ord(c) < 32 and c not in "\n\t"]
    assert not set(text) & set("\x7f\x85\x9b\u202e\u2066\ufeff")
    for tag in ("<orbit-context", "</orbit-context", "< /orbit-context"):
        assert tag not in text.lower()
    assert {line for line in lines if line.startswith("--- ")} <= titles


@given(goal=HOSTILE, brief=HOSTILE, jot=HOSTILE, name=HOSTILE)
def test_prime_and_cruise_are_framed(goal: str, brief: str, jot: str, name: str) -> None:
    head = HEAD.replace(goal=goal)
    gone = status(name, worktree=None, queue=Queue((jot,) * 9), level="overflow", raw=name)
    assert_framed(prime([row("alpha", brief), row("beta", brief)], gone, head=head)[0], set())
    assert_framed(cruise_text(head, (gone,), 9000).split("\n"), set())


@given(text=HOSTILE, jot=HOSTILE, branch=HOSTILE)
def test_reignite_is_framed(text: str, jot: str, branch: str) -> None:
    one = Detail(
        status(queue=Queue((jot,)), raw=branch, damage=branch),
        Staleness("behind", 2),
        RemoteAhead(3, branch),
        text,
        0,
    )
    assert_framed(reignite(one), {"--- backend (branch: main) ---"})
    other = detail("other", text, branch=branch)
    (title,) = [line for line in reignite(other) if line.startswith("--- ")]
    assert title.startswith("--- other (branch: ")
